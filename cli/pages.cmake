# pages.cmake -- write OUT, a C file that holds the manual pages MAN/*.1. Run with cmake -P.
file(GLOB pages ${MAN}/*.1)
set(arrays "")
set(table "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WE)
  string(MAKE_C_IDENTIFIER page_${name} variable)
  file(READ ${page} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const char ${variable}[] = {${bytes}0};\n")
  string(APPEND table "\t{ \"${name}\", ${variable} },\n")
endforeach()
file(WRITE ${OUT} "/* pages.c -- the manual pages, made from docs/man by pages.cmake. */\n"
  "#include \"pages.h\"\n\n${arrays}\nconst cli_page CLI_PAGES[] = {\n${table}\t{ NULL, NULL },\n};\n")
