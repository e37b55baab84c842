# A whole program of a page.
# BLOCK
