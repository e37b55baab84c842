# A whole program with librsb.
cat >before.c <<'END'
// BLOCK
END
cc before.c -o before $(librsb-config --I_opts) $(librsb-config --L_opts) -lrsb
./before
