# Tuned files: the plan is kept, every command knows them by their first bytes, and damaged ones are refused.
tulle generate stencil5:n=20 -o grid.mtx
tulle convert grid.mtx grid.tulle --format sell:sigma=1 | grep -E '^(reason|grid)'
cp grid.tulle any.name
tulle info any.name | head -2
tulle mul grid.tulle --seconds 0.01 --isa scalar | grep -E '^(y = |reason|error)'
tulle mul grid.tulle --seconds 0.01 --isa scalar --format csr | grep -E '^(y = |reason|error)'
tulle convert grid.tulle back.mtx
cmp <(grep -v '^%' grid.mtx) <(grep -v '^%' back.mtx) && echo same
tulle convert grid.mtx planned.tulle --multiplies 5 | grep -E '^reason'
tulle convert grid.mtx out.mtx --multiplies 500; echo "exit $?"
head -c 300 grid.tulle >cut.tulle
tulle mul cut.tulle; echo "exit $?"
tulle generate stencil5:n=5 -o plain.tulle
tulle mul plain.tulle --seconds 0.01 --isa scalar --format csr | grep -E '^(y = |reason|error)'
ls
