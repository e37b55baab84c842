"""tulle for Spack 1.0 and later: the library, its headers and the command, built from a local tree (packaging/README.md)."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Tulle(CMakePackage):
    """Sparse matrix-vector multiplication, y = alpha A x + beta y: storage formats and kernels, and a planner that
    chooses between them for a matrix, a machine and a number of multiplications."""

    license("BSD-3-Clause")

    # Without a checksum: dev_path names the tree. A published recipe names a url and its sha256 here.
    version("0.1.0")

    variant("cli", default=True, description="Build the command tulle")
    variant("static", default=False, description="Build libtulle.a as well")
    variant("cuda", default=False, description="Compile kernels for CUDA; those for OpenCL are always included")

    depends_on("c", type="build")
    depends_on("cmake@3.22:", type="build")
    depends_on("zlib-api")
    depends_on("cuda", type="build", when="+cuda")  # libcuda.so.1 is loaded at run time

    requires("platform=linux", msg="tulle has been built on Linux only")

    def cmake_args(self):
        return [
            self.define_from_variant("TULLE_BUILD_CLI", "cli"),
            self.define_from_variant("TULLE_BUILD_STATIC", "static"),
            self.define_from_variant("TULLE_CUDA", "cuda"),
            self.define("TULLE_BUILD_TESTS", False),
        ]

    def test_version(self):
        """the installed command reports its version"""
        if self.spec.satisfies("~cli"):
            raise SkipTest("built without the command")
        command = which(self.prefix.bin.tulle, required=True)
        assert f"tulle {self.spec.version}" in command("--version", output=str.split, error=str.split)
