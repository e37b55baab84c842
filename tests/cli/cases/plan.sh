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
