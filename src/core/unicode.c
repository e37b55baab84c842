/* unicode.c -- which Unicode characters are safe to display. */
#include "core/unicode.h"

/* The categories Cc, Cf, Zl, Zp, Cs and Co, noncharacters, and Default_Ignorable_Code_Point, in
 * Unicode 16. Ascending; the last two characters of every plane are tested separately. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x0000, 0x001f },    /* C0 */
	{ 0x007f, 0x009f },    /* DEL, C1 */
	{ 0x00ad, 0x00ad },    /* soft hyphen */
	{ 0x034f, 0x034f },    /* combining grapheme joiner */
	{ 0x0600, 0x0605 },    /* Arabic number signs */
	{ 0x061c, 0x061c },    /* Arabic letter mark: direction */
	{ 0x06dd, 0x06dd },    /* end of ayah */
	{ 0x070f, 0x070f },    /* Syriac abbreviation mark */
	{ 0x0890, 0x0891 },    /* pound and piastre marks above */
	{ 0x08e2, 0x08e2 },    /* disputed end of ayah */
	{ 0x115f, 0x1160 },    /* Hangul fillers */
	{ 0x17b4, 0x17b5 },    /* Khmer inherent vowels */
	{ 0x180b, 0x180f },    /* Mongolian variation selectors, vowel separator */
	{ 0x200b, 0x200f },    /* zero width, direction */
	{ 0x2028, 0x202e },    /* line and paragraph separator, direction */
	{ 0x2060, 0x206f },    /* word joiner, invisible operators, direction */
	{ 0x3164, 0x3164 },    /* Hangul filler */
	{ 0xd800, 0xf8ff },    /* surrogates, private use */
	{ 0xfdd0, 0xfdef },    /* noncharacters */
	{ 0xfe00, 0xfe0f },    /* variation selectors */
	{ 0xfeff, 0xfeff },    /* byte order mark */
	{ 0xffa0, 0xffa0 },    /* halfwidth Hangul filler */
	{ 0xfff0, 0xfffb },    /* interlinear annotation */
	{ 0x110bd, 0x110bd },  /* Kaithi number sign */
	{ 0x110cd, 0x110cd },  /* the same above */
	{ 0x13430, 0x1343f },  /* Egyptian hieroglyph joiners */
	{ 0x1bca0, 0x1bca3 },  /* shorthand format controls */
	{ 0x1d173, 0x1d17a },  /* musical beams and slurs */
	{ 0xe0000, 0xe0fff },  /* tags, variation selectors */
	{ 0xf0000, 0x10ffff }, /* private use */
};

int tulle__is_printable(uint32_t c)
{
	size_t low = 0, high = sizeof hidden / sizeof *hidden;

	/* The first range that ends at c or later. */
	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (hidden[middle].last < c)
			low = middle + 1;
		else
			high = middle;
	}
	return c <= 0x10ffff && (c & 0xfffe) != 0xfffe && hidden[low].first > c;
}

size_t tulle__utf8_decode(const char *text, size_t bytes, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *const p = (const unsigned char *)text;
	size_t n;
	uint32_t c;

	if (bytes == 0)
		return 0;
	n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
	if (n == 0 || n > bytes)
		return 0;
	c = n == 1 ? p[0] : p[0] & (0x7fu >> n);
	for (size_t k = 1; k < n; k++) {
		if ((p[k] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (p[k] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*character = c;
	return n;
}
