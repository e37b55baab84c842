"""
Sparse matrix-vector products by libtulle: plan once, multiply often.

    P = Tulle.Plan(A; multiplies = 500)   # A: SparseMatrixCSC, Float32 or Float64
    y = P * x
    mul!(y, P, x, 2, 1)                   # y = 2 A x + y, nothing allocated
    print(Tulle.explain(P))
"""
module Tulle

using LinearAlgebra
using SparseArrays

# The name has the version of the interface. LD_LIBRARY_PATH or an installed library decides which file it is.
const libtulle = "libtulle.so.0.1"

# The structures of tulle.h of the same names. Zero means the default everywhere but in `size`.
struct tulle_matrix_options
    size::Csize_t
    ownership::Cint
    base::Cint
    kind::Cint
    triangle::Cint
    check::Cint
end

struct tulle_plan_options
    size::Csize_t
    multiplies::Cdouble
    op::Cint
    format::Cstring
    reproducible::Cint
    lossy::Cint
    effort::Cint
    max_seconds::Cdouble
    max_bytes::Csize_t
    wisdom::Cstring
    stores::Cint
    vectors::Int64
    online::Cint
    vector_type::Cint
end

const TULLE_F32 = Cint(1)
const TULLE_F64 = Cint(2)
const TULLE_I32 = Cint(1)
const TULLE_I64 = Cint(2)
const TULLE_TRANSPOSED = Cint(1)
const TULLE_MEASURE = Cint(1)

code(::Type{Float32}) = TULLE_F32
code(::Type{Float64}) = TULLE_F64
code(::Type{Int32}) = TULLE_I32
code(::Type{Int64}) = TULLE_I64

"A call that libtulle refused: the message names the argument, the index and the value."
struct Failure <: Exception
    status::Int
    message::String
end

Base.showerror(io::IO, e::Failure) = print(io, e.message)

check(status) = status == 0 ? nothing : throw(Failure(status, unsafe_string(@ccall libtulle.tulle_last_error()::Cstring)))

"""
    Plan(A; multiplies, transposed, format, reproducible, lossy, measure, online)

A plan to multiply by A, or by its transpose. It has its own copy of A. The options are those of `tulle_plan_options`;
without `format` tulle chooses one.
"""
mutable struct Plan{T<:Union{Float32,Float64}}
    handle::Ptr{Cvoid}
    size::Tuple{Int,Int}

    function Plan(A::SparseMatrixCSC{T,I}; multiplies = 0, transposed = false, format = nothing, reproducible = 0,
                  lossy = false, measure = false, vectors = 0,
                  online = false) where {T<:Union{Float32,Float64},I<:Union{Int32,Int64}}
        matrix, plan = Ref{Ptr{Cvoid}}(C_NULL), Ref{Ptr{Cvoid}}(C_NULL)
        one_based = Ref(tulle_matrix_options(sizeof(tulle_matrix_options), 0, 1, 0, 0, 0))
        check(@ccall libtulle.tulle_matrix_from_csc(C_NULL::Ptr{Cvoid}, size(A, 1)::Int64, size(A, 2)::Int64, code(I)::Cint,
            SparseArrays.getcolptr(A)::Ptr{I}, code(I)::Cint, rowvals(A)::Ptr{I}, code(T)::Cint, nonzeros(A)::Ptr{T},
            one_based::Ref{tulle_matrix_options}, matrix::Ref{Ptr{Cvoid}})::Cint)
        name = format === nothing ? "" : String(format)
        GC.@preserve name begin
            asked = isempty(name) ? Cstring(C_NULL) : Base.unsafe_convert(Cstring, name)
            options = Ref(tulle_plan_options(sizeof(tulle_plan_options), multiplies, transposed ? TULLE_TRANSPOSED : 0, asked,
                                             reproducible, lossy, measure ? TULLE_MEASURE : 0, 0, 0, Cstring(C_NULL),
                                             0, vectors, online, 0))
            status = @ccall libtulle.tulle_plan_create(matrix[]::Ptr{Cvoid}, options::Ref{tulle_plan_options},
                plan::Ref{Ptr{Cvoid}})::Cint
        end
        # `check` reads the message of the call that failed, so it comes first. A plan keeps what it needs of its matrix.
        try
            check(status)
        finally
            @ccall libtulle.tulle_matrix_destroy(matrix[]::Ptr{Cvoid})::Cvoid
        end
        made = new{T}(plan[], transposed ? reverse(size(A)) : size(A))
        finalizer(p -> (@ccall libtulle.tulle_plan_destroy(p.handle::Ptr{Cvoid})::Cvoid), made)
    end
end

Base.size(p::Plan) = p.size
Base.size(p::Plan, d::Integer) = d <= 2 ? p.size[d] : 1
Base.eltype(::Type{Plan{T}}) where {T} = T

"Why this format was chosen, and what the others would cost."
function explain(p::Plan)
    text = UInt8[]
    bytes = 4095
    # A conversion in the background may change the text between two calls.
    while bytes >= length(text)
        text = Vector{UInt8}(undef, bytes + 1)
        bytes = GC.@preserve p @ccall libtulle.tulle_plan_explain(p.handle::Ptr{Cvoid}, text::Ptr{UInt8},
            length(text)::Csize_t)::Csize_t
    end
    String(text[1:bytes])
end

for (T, multiply) in ((Float32, :tulle_mul_f32), (Float64, :tulle_mul_f64))
    @eval function LinearAlgebra.mul!(y::Vector{$T}, p::Plan{$T}, x::Vector{$T}, alpha::Number, beta::Number)
        (length(y), length(x)) == p.size ||
            throw(DimensionMismatch("A is $(p.size[1]) x $(p.size[2]), x has $(length(x)) elements and y has $(length(y))"))
        GC.@preserve p check(@ccall libtulle.$multiply(p.handle::Ptr{Cvoid}, alpha::$T, x::Ptr{$T}, beta::$T, y::Ptr{$T})::Cint)
        y
    end
end

LinearAlgebra.mul!(y::Vector{T}, p::Plan{T}, x::Vector{T}) where {T} = mul!(y, p, x, true, false)
Base.:*(p::Plan{T}, x::Vector{T}) where {T} = mul!(Vector{T}(undef, p.size[1]), p, x)

end
