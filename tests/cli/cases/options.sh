# getopt_long's conventions: shortened, permuted, with "=", after "--"; and what is said otherwise.
cp "$HOSTILE/01_good.mtx" ./-v.mtx
tulle info --js -- -v.mtx | head -2
tulle info ./-v.mtx --no | tail -1
tulle info --memory-limit=1M --thr 1 ./-v.mtx --json | tail -1
tulle info -v.mtx; echo "exit $?"
tulle info --m; echo "exit $?"
tulle info --json=yes x; echo "exit $?"
tulle info --threads; echo "exit $?"
tulle info --threads 0 x; echo "exit $?"
tulle info --threads 2x x; echo "exit $?"
tulle mul --value-type f16 x; echo "exit $?"
tulle info --memory-limit 12Q x; echo "exit $?"
tulle info; echo "exit $?"
tulle info a b; echo "exit $?"
tulle info ''; echo "exit $?"
tulle info -; echo "exit $?"
tulle spy ./-v.mtx; echo "exit $?"
tulle spy ./-v.mtx -o x.jpg; echo "exit $?"
tulle spy ./-v.mtx -o x.png --size 8; echo "exit $?"
tulle convert --re ./-v.mtx -- -out.mtx | sed 's/ written.*//'
tulle formats please; echo "exit $?"
ls
