# Every part of the text of info, on small matrices of each symmetry.
cat >general.mtx <<'END'
%%MatrixMarket matrix coordinate real general
% a first comment
%
% a second one
4 6 7
1 1 1.5
1 6 -2
2 2 1.5
3 1 0
3 3 inf
3 2 4
3 2 4
END
tulle info general.mtx
sed 's/general/symmetric/; s/^4 6 7/6 6 3/; /^[123] [126] /d; s/inf/2/' general.mtx >symmetric.mtx
printf '4 1 -7\n5 5 1\n' >>symmetric.mtx
tulle info symmetric.mtx
printf '%%%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n' >refused.mtx
tulle info refused.mtx; echo "exit $?"
printf '%%%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 3\n' >skew.mtx
LC_ALL=C.UTF-8 tulle info skew.mtx
printf '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n1\n' >array.mtx
tulle info --no-spy array.mtx
tulle info "$HOSTILE/23_zero_size.mtx"
