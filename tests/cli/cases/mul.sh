# A multiplication of each operator and type; figures differ, words do not.
tulle generate random:rows=40,cols=30,mean=5 -o r.mtx >/dev/null
tulle mul --format csr --isa scalar --threads 1 --seconds 0.001 r.mtx
tulle mul --format csr -t --value-type f32 --isa scalar --seconds 0.001 r.mtx | tail -1
tulle mul --seconds 0.001 --multiplies 5 "$HOSTILE/23_zero_size.mtx" | tail -1
tulle mul --format nonsense r.mtx; echo "exit $?"
tulle mul --isa nonsense r.mtx; echo "exit $?"
tulle mul --seconds 0 r.mtx; echo "exit $?"
tulle mul --multiplies=few r.mtx; echo "exit $?"
