/* png.c -- an indexed image as the bytes of a PNG file.
 *
 * Signature, then chunks: length, name, data, CRC of name and data. Four of them are enough: IHDR
 * (sizes), PLTE (colours), IDAT (rows of pixels, each after a filter byte 0, as a zlib stream),
 * IEND. zlib provides both compression and the CRC. */
#include "picture.h"

#include <string.h>
#include <zlib.h>

static unsigned char *put_u32(unsigned char *p, uint32_t value)
{
	for (int shift = 24; shift >= 0; shift -= 8)
		*p++ = (unsigned char)(value >> shift);
	return p;
}

static unsigned char *put_chunk(unsigned char *p, const char *name, const unsigned char *data,
                                size_t bytes)
{
	unsigned char *const begin = put_u32(p, (uint32_t)bytes);

	memcpy(begin, name, 4);
	if (bytes)
		memcpy(begin + 4, data, bytes);
	return put_u32(begin + 4 + bytes, (uint32_t)crc32(0, begin, (uInt)(bytes + 4)));
}

static unsigned char *pack_rows(const cli_image *image, uLongf *bytes)
{
	const size_t line = (size_t)image->width + 1;
	unsigned char *const raw = cli_alloc(image->height, line);

	*bytes = compressBound((uLong)(line * (size_t)image->height));
	unsigned char *const packed = cli_alloc((int64_t)*bytes, 1);
	for (int y = 0; y < image->height; y++)
		memcpy(raw + (size_t)y * line + 1, image->pixel + (size_t)y * (line - 1), line - 1);
	const int status = compress2(packed, bytes, raw, (uLong)(line * (size_t)image->height), 9);
	cli_free(raw);
	if (status != Z_OK)
		cli_fail(status == Z_MEM_ERROR ? CLI_MEMORY : CLI_INTERNAL, "zlib: %s", zError(status));
	return packed;
}

unsigned char *cli_png(const cli_image *image, size_t *bytes)
{
	static const unsigned char signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
	enum { AROUND = 12, HEADER = 13 }; /* of a chunk: length, name, CRC */
	unsigned char header[HEADER];
	uLongf length;
	unsigned char *const packed = pack_rows(image, &length);
	unsigned char *const file = cli_alloc(
	    (int64_t)(sizeof signature + 4 * AROUND + HEADER + sizeof image->palette + length), 1);

	unsigned char *p = put_u32(put_u32(header, (uint32_t)image->width), (uint32_t)image->height);
	memcpy(p, "\x08\x03\0\0", 5); /* 8 bits, indexed; deflate, adaptive filters, not interlaced */
	memcpy(file, signature, sizeof signature);
	p = put_chunk(file + sizeof signature, "IHDR", header, sizeof header);
	p = put_chunk(p, "PLTE", image->palette[0], sizeof image->palette);
	p = put_chunk(p, "IDAT", packed, length);
	p = put_chunk(p, "IEND", NULL, 0);
	cli_free(packed);
	*bytes = (size_t)(p - file);
	return file;
}
