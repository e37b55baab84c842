# A PETSc program, with the plugin that the page builds. The packages are installed already.
cd "$TREE"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none
trap 'rm -f program line; cmake -B build -DTULLE_PETSC=OFF >/dev/null' EXIT # other blocks build all of it
mpicc bindings/petsc/examples/line.c -o program $(pkg-config --cflags --libs petsc)
cp program line
./dev() { :; }
# BLOCK
