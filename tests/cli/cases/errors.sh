# A file of each exit code; messages name the file and the line.
tulle info nothing.mtx; echo "exit $?"
for file in 07_row_zero 11_truncated 16_nul 22_empty; do
	tulle info "$HOSTILE/$file.mtx" 2>&1 | sed "s|$HOSTILE/||"
done
tulle info --no-spy "$HOSTILE/05_rows_bomb_2e9.mtx" | head -2; echo "exit $?"
tulle pagerank "$HOSTILE/05_rows_bomb_2e9.mtx" 2>&1 | sed "s|$HOSTILE/||"
tulle pagerank --memory-limit 1G "$HOSTILE/05_rows_bomb_2e9.mtx" 2>/dev/null; echo "exit $?"
printf '%%%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n' >c.mtx
tulle pagerank c.mtx; echo "exit $?"
tulle info --real-part c.mtx | head -1
tulle convert "$HOSTILE/01_good.mtx" missing/out.mtx; echo "exit $?"
tulle spy "$HOSTILE/01_good.mtx" -o missing/out.png; echo "exit $?"
