# Pictures in the terminal: dots for UTF-8, signs for anything else.
tulle generate stencil5:n=12 -o grid.mtx >/dev/null
LC_ALL=C.UTF-8 tulle info grid.mtx | sed -n '/┌/,$p'
LC_ALL= LC_CTYPE= LANG=de_DE.utf8 tulle info grid.mtx | sed -n '/┌/,$p' | head -2
LC_ALL=C LANG=de_DE.UTF-8 tulle info grid.mtx | sed -n '/^  +/,$p'
tulle generate lp:rows=5,cols=3000,mean=40 -o lp.mtx >/dev/null
LC_ALL=C.UTF-8 tulle info lp.mtx | sed -n '/┌/,$p'
