# A whole program with MKL, from the environment of ./dev setup --competitors.
mkl=$TREE/build/competitors/venv
cat >before.c <<'END'
// BLOCK
END
cc before.c -o before -I"$mkl/include" "$mkl"/lib/libmkl_rt.so.? -Wl,-rpath,"$mkl/lib"
./before
