# Likely mistakes: the message says what is wrong, and the line after it what to do next.
tulle generate stencil5:n=4 -o a.mtx >/dev/null
printf '%%%%MatrixMarket matrix coordinate real general\n3 2 1\n1 1 1\n' >tall.mtx
mkdir folder
echo 'hello world' >text.txt
echo 'a.mtx b.mtx' >names.txt
: >empty.mtx
head -c 60 a.mtx >cut.mtx
tulle inf a.mtx; echo "exit $?"
tulle help pagernak; echo "exit $?"
tulle plan a.mtx --multiply 100; echo "exit $?"
tulle info a.mtx --josn; echo "exit $?"
tulle plan a.mtx --multiplis=100; echo "exit $?"
tulle info folder; echo "exit $?"
tulle info a.mtx/b.mtx; echo "exit $?"
tulle info empty.mtx; echo "exit $?"
tulle info text.txt; echo "exit $?"
tulle info cut.mtx; echo "exit $?"
tulle info /dev/null; echo "exit $?"
tulle mul a.mtx --format selll; echo "exit $?"
tulle mul a.mtx --format sell:hight=8; echo "exit $?"
tulle mul tall.mtx --format sym; echo "exit $?"
tulle convert a.mtx a.mtx; echo "exit $?"
tulle convert a.mtx folder/; echo "exit $?"
tulle convert a.mtx nowhere/b.mtx; echo "exit $?"
tulle spy a.mtx -o nowhere/a.png; echo "exit $?"
tulle plan a.mtx --plot nowhere/a.svg; echo "exit $?"
tulle generate stencil -o b.mtx; echo "exit $?"
tulle generate --like cage99 -o b.mtx; echo "exit $?"
tulle batch nothing; echo "exit $?"
tulle batch names.txt; echo "exit $?"
tulle batch folder 2>&1 >/dev/null
tulle pagerank tall.mtx; echo "exit $?"
