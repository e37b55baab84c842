# Kinds and stand-ins: what the files say about themselves, and mistakes.
tulle generate stencil5:n=2,values=ones -o grid.mtx
cat grid.mtx
tulle generate --like rbs480a -o like.mtx.gz
zcat like.mtx.gz | head -5
tulle info --no-spy like.mtx.gz | head -3
tulle spy like.mtx.gz -o like.png
tulle mul --seconds 0.001 like.mtx.gz | head -1
tulle info --json like.mtx.gz | grep stand_in
tulle generate --like pwtk:whole -o x.mtx; echo "exit $?"
tulle generate nothing -o x.mtx; echo "exit $?"
tulle generate stencil5:m=3 -o x.mtx; echo "exit $?"
tulle generate stencil5; echo "exit $?"
tulle generate -o x.mtx; echo "exit $?"
tulle generate --json stencil5 -o x.mtx; echo "exit $?"
ls
