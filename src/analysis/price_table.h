/* price_table.h -- a format's table `prices`, from the file that PRICE_FILE names.
 *
 *   #define PRICE_FILE "formats/csr/csr_prices.def"
 *   #include "analysis/price_table.h"
 *
 * The file has one line PRICES(SET, { multiply }, { convert }) per instruction set. A set without a line
 * uses the prices of its lower set (simd/isa.def). The lowest set must have a line, or compilation fails:
 * without one the format would cost nothing and always be chosen. */
#include "analysis/cost.h"

#define PRICES(set, ...) [TULLE__##set] = { __VA_ARGS__ },
static const tulle__prices prices[TULLE__ISAS] = {
#include PRICE_FILE
};
#undef PRICES

#define PRICES(set, ...) PRICED_##set = 1,
enum {
#include PRICE_FILE
};
#undef PRICES

_Static_assert(PRICED_SCALAR, "the lowest instruction set has prices");
