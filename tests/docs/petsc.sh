# A PETSc program, with the plugin that bindings/petsc/README.md builds. The packages are installed already.
cd "$TREE"
built=
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1
trap 'rm -f program line; test -z "$built" || cmake -B build -DTULLE_PETSC=OFF >/dev/null' EXIT # other blocks build all of it
mpicc bindings/petsc/examples/line.c -o program $(pkg-config --cflags --libs petsc)
cp program line
./dev() { built=yes; }
# BLOCK
