# What is always the same about a plan: one that needs no look, the order of the lines, and errors.
tulle generate random:rows=40,cols=30,mean=5 -o r.mtx >/dev/null
tulle plan --multiplies 5 --isa scalar --threads 1 r.mtx
tulle plan -t --multiplies 5 --isa scalar r.mtx | sed -n '2,4p'
tulle plan --isa scalar --threads 1 r.mtx | sed '/^$/q' | grep -oE '^[a-z]+'
tulle plan --plot picture.png r.mtx; echo "exit $?"
tulle plan --multiplies 0 r.mtx; echo "exit $?"
tulle plan --max-seconds never r.mtx; echo "exit $?"
tulle plan --measure=yes r.mtx; echo "exit $?"
tulle plan; echo "exit $?"
tulle generate stencil7:n=20 -o g.mtx >/dev/null
tulle plan --device h100 g.mtx | sed 's/, read in.*//'
tulle plan --device r9290x --value-type f32 g.mtx | sed -n '3p'
tulle plan --device h1000 g.mtx; echo "exit $?"
tulle plan --device h100 --measure g.mtx; echo "exit $?"
printf 'units = 4\nclock = 3\n' > mine.txt
tulle plan --device ./mine.txt g.mtx; echo "exit $?"
tulle plan --device ./none.txt g.mtx; echo "exit $?"
