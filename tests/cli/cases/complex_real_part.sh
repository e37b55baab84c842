# --real-part: a complex file becomes a real matrix, from text and from tuned files. Without it, commands that are for real values
# refuse complex ones, also a pattern that is stored as c128.
cat >c.mtx <<'END'
%%MatrixMarket matrix coordinate complex hermitian
2 2 2
1 1 1 0
2 1 0.1 4
END
tulle convert c.mtx complex.mtx | tail -1
cat complex.mtx
tulle convert c.mtx c128.tulle | tail -1
tulle convert --value-type c64 c.mtx c64.tulle | tail -1
for file in c.mtx c128.tulle c64.tulle; do
	tulle convert --real-part "$file" real.mtx
	cat real.mtx
done
tulle convert --real-part --value-type f32 c128.tulle real.mtx
cat real.mtx
tulle convert --real-part --value-type c64 c128.tulle complex.mtx
cat complex.mtx
tulle convert --value-type f64 c128.tulle real.mtx; echo "exit $?"
tulle mul --real-part --seconds 0.01 --isa scalar --format csr c128.tulle | grep -oE '^(y = .*|check.*bound,)'
for file in c128.tulle c64.tulle; do
	tulle bench "$file"; echo "exit $?"
	tulle bench --real-part --seconds 0.001 --compare none --no-wisdom "$file" >/dev/null; echo "exit $?"
done
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n' >p.mtx
tulle convert --value-type c128 p.mtx p.tulle | tail -1
tulle info --no-spy p.tulle | head -1
tulle bench p.tulle; echo "exit $?"
tulle bench --real-part --seconds 0.001 --compare none --no-wisdom p.tulle >/dev/null; echo "exit $?"
tulle spy p.tulle -o p.png; echo "exit $?"
tulle spy --real-part p.tulle -o p.png | head -1
tulle convert --real-part p.tulle real.mtx
cat real.mtx
