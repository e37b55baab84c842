# Commands of a page: `tulle` is on the path, and the files that pages name are here.
tulle generate stencil5:n=30 -o matrix.mtx >/dev/null
tulle generate rmat:scale=8,values=ones -o graph.mtx >/dev/null
cp matrix.mtx A.mtx
gzip -c graph.mtx >web.mtx.gz
seq -f "https://example.org/%g" 256 >urls.txt
# BLOCK
