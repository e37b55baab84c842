/* text.h -- bytes of unknown origin made safe to show. */
#ifndef TULLE_IO_TEXT_H
#define TULLE_IO_TEXT_H

#include <stddef.h>

/* Copy `bytes` bytes so that no terminal obeys them: what is neither printable ASCII nor well-formed
 * UTF-8 outside the control characters becomes \xNN, a backslash stays, and what does not fit is cut
 * and marked with "...". Always ends with a zero byte; `room` is at least 8. */
void tulle__show(char *to, size_t room, const char *from, size_t bytes);

#endif
