# A CMake project in Fortran, with the tulle that install.sh has installed.
cp "$TREE/tests/install/multiply.f90" program.f90
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C Fortran)
find_package(tulle REQUIRED)
add_executable(program program.f90)
# BLOCK
END
cmake -B build -DCMAKE_PREFIX_PATH="$TREE/build/docs-root/usr/local" >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
build/program
