# A CMake project of a user, with the tulle that install.sh has installed.
cp "$TREE/examples/first.c" program.c
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(user LANGUAGES C)
add_executable(program program.c)
# BLOCK
END
cmake -B build -DCMAKE_PREFIX_PATH="$TREE/build/docs-root/usr/local" >log || { cat log; exit 1; }
cmake --build build >log || { cat log; exit 1; }
build/program
