# Installs what README.md has built, into a folder of its own instead of the system's.
cd "$TREE"
rm -rf build/docs-root
export DESTDIR=$TREE/build/docs-root
sudo() { "$@"; }
# BLOCK
test -x build/docs-root/usr/local/bin/tulle
