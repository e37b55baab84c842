# Write OUTPUT, a header with what git calls the sources in SOURCE; untouched when nothing changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --tags
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
/* Made by the build: what git calls these sources. */
#define BENCH_REVISION "@revision@"
]])
