using LinearAlgebra, SparseArrays, Test, Tulle

A = sparse([1, 1, 3, 3, 3], [1, 4, 2, 3, 4], [1.0, 2, 3, 4, 5], 3, 4)
x = [1.0, 10, 100, 1000]

@testset "products" begin
    for format in (nothing, "csr", "csr5", "sell")
        P = Tulle.Plan(A; format)
        y = [1.0, 2, 3]
        @test size(P) == (3, 4) && eltype(P) == Float64
        @test P * x == A * x
        @test mul!(y, P, x, 1, -1) == [2000.0, -2, 5427]
    end
    @test Tulle.Plan(A; transposed = true) * [1.0, 2, 3] == A' * [1.0, 2, 3]
    @test Tulle.Plan(SparseMatrixCSC{Float32,Int32}(A)) * Float32.(x) == A * x
    @test occursin("csr5", Tulle.explain(Tulle.Plan(A; format = "csr5")))
end

@testset "refusals" begin
    @test_throws DimensionMismatch Tulle.Plan(A) * ones(3)
    message = try
        Tulle.Plan(A; format = "nonsense")
    catch e
        e.message
    end
    @test occursin("nonsense", message)
end
