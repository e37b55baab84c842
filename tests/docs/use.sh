# A program of a user, with the tulle that install.sh has installed.
root=$TREE/build/docs-root/usr/local
export PKG_CONFIG_PATH=$root/lib/pkgconfig:$(echo "$root"/lib/*/pkgconfig) LD_LIBRARY_PATH=$root/lib CMAKE_PREFIX_PATH=$root
export PKG_CONFIG_SYSROOT_DIR=$TREE/build/docs-root
cp "$TREE/examples/first.c" program.c
cp "$TREE/tests/install/multiply.f90" program.f90
# BLOCK
./a.out
