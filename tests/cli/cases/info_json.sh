# The whole JSON of info.
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 3 3\n3 2 2\n' >s.mtx
tulle info --json s.mtx
