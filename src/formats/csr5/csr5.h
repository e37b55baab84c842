/* csr5.h -- CSR5: the nonzeros in tiles of omega x sigma, and the descriptors of tiles.
 *
 * README.md draws the layout. omega is VLEN of the kernels, so lane i of a vector is column i of a
 * tile, and nonzero k of the matrix lies in lane k % (omega sigma) / sigma at step k % sigma. */
#ifndef TULLE_FORMATS_CSR5_CSR5_H
#define TULLE_FORMATS_CSR5_CSR5_H

#include <stddef.h>
#include <stdint.h>

enum { CSR5_MAX_OMEGA = 16, CSR5_MAX_SIGMA = 48, CSR5_MAX_TILE = CSR5_MAX_OMEGA * CSR5_MAX_SIGMA };

/* The default sigma; the kernels have loops of this constant length. Measured with bench/calibrate,
 * which builds with other values. */
#ifndef TULLE_CSR5_SIGMA
#define TULLE_CSR5_SIGMA 32
#endif
enum { CSR5_SIGMA = TULLE_CSR5_SIGMA };

/* Order of the kernels in each compiled variant. */
enum { CSR5_VALUES, CSR5_ONES };

/* The "negative" of a tile pointer (sec. 3.3): the rows of this tile are not consecutive. */
#define CSR5_EMPTY 0x80000000u

typedef struct {
	int64_t rows, cols, nnz;
	int64_t tiles; /* complete ones */
	int64_t parts;
	int omega, sigma;

	/* Row of tile t's first nonzero, CSR5_EMPTY in the top bit; tile_ptr[tiles] is the row of the
	 * first nonzero after the tiles, or `rows` if there is none. */
	const uint32_t *tile_ptr;

	/* Column i of tile t has the bits of unit[(t*units + u)*omega + i], u = 0 .. units-1, 16 in each.
	 * Bit j of its bit_flag is bit j % 16 of unit j / 16; its y_offset is at the top of the last
	 * unit, and its seg_offset below that. */
	const uint16_t *tile_desc;

	/* For tiles with CSR5_EMPTY: the row of each segment, counted from the tile's first row, begins
	 * at empty_offset[empty_ptr[t]]. Two elements per entry, low half first, if the tile spans more
	 * than 65535 rows. NULL if no row is empty. */
	const int64_t *empty_ptr;
	const uint16_t *empty_offset;

	const int32_t *col; /* transposed in complete tiles, after them as in CSR */
	const void *val;    /* likewise; NULL: ones */

	const void *row_ptr; /* unchanged */
	int wide;            /* row_ptr has 64 bits */

	const int64_t *cut; /* part p has tiles cut[p] .. cut[p+1] - 1; the last part also the tail */
} csr5_data;

/* Bits that hold 0 .. n-1, n > 0. */
static inline int csr5_bits(int n)
{
	return n > 1 ? 32 - __builtin_clz((unsigned)(n - 1)) : 0;
}

/* Where y_offset and seg_offset begin in a column's last unit, and how many units there are: both
 * fit into one (14 bits at most), and bit_flag uses the remaining bits. */
static inline int csr5_y_shift(int omega, int sigma)
{
	return 16 - csr5_bits(omega * sigma);
}

static inline int csr5_seg_shift(int omega, int sigma)
{
	return csr5_y_shift(omega, sigma) - csr5_bits(omega);
}

static inline int csr5_units(int omega, int sigma)
{
	return (sigma + 15 - csr5_seg_shift(omega, sigma)) / 16 + 1;
}

static inline int64_t csr5_row_ptr(const csr5_data *d, int64_t i)
{
	return d->wide ? ((const int64_t *)d->row_ptr)[i] : ((const int32_t *)d->row_ptr)[i];
}

static inline int64_t csr5_tile_row(const csr5_data *d, int64_t t)
{
	return d->tile_ptr[t] & ~CSR5_EMPTY;
}

/* Index of nonzero k in col and val. */
static inline int64_t csr5_place(const csr5_data *d, int64_t k)
{
	const int64_t tile = (int64_t)d->omega * d->sigma, inside = k % tile;

	if (k >= d->tiles * tile)
		return k;
	return k - inside + inside % d->sigma * d->omega + inside / d->sigma;
}

/* Elements of empty_offset for one segment of a tile that spans this many rows. */
static inline int csr5_empty_size(int64_t rows)
{
	return rows > UINT16_MAX ? 2 : 1;
}

/* Row of segment s of a tile with CSR5_EMPTY, relative to the tile's first row. */
static inline int64_t csr5_empty_offset(const uint16_t *offset, int size, int64_t s)
{
	return size == 1 ? offset[s] : offset[2 * s] | (int64_t)offset[2 * s + 1] << 16;
}

#endif
