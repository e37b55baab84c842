# Packing, value types, triangles; the first comments stay; values survive bit for bit.
cat >in.mtx <<'END'
%%MatrixMarket matrix coordinate real symmetric
% of two lines
% this is the second
3 3 4
1 1 0.1
2 1 1e-310
3 3 -0
3 2 123456789.123456789
END
tulle convert in.mtx packed.mtx.gz
zcat packed.mtx.gz
tulle convert packed.mtx.gz again.mtx
cmp again.mtx <(zcat packed.mtx.gz) && echo same
tulle convert --general in.mtx general.mtx
cat general.mtx
tulle convert --value-type f32 in.mtx float.mtx
cat float.mtx
printf '%%%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 1 0\n2 1 3 4\n' >complex.mtx
tulle convert --real-part complex.mtx real.mtx
cat real.mtx
tulle convert in.mtx in.txt; echo "exit $?"
ls
