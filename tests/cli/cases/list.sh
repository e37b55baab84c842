# The lists that completions and people read.
tulle generate --list | sed -n '1,8p; /^stand-ins/,$p' | head -14
tulle formats | grep '^csr '
