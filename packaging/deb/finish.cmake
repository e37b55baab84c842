# What Debian wants of the files of a package and `cmake --install` does not do; cpack runs this on what it
# has installed, before it packs it.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(GZIP gzip REQUIRED)
find_program(STRIP strip REQUIRED)
set(tree ${CMAKE_CURRENT_LIST_DIR}/../..)

# compress(<file>...): as dpkg's helpers do, without the time and the name.
function(compress)
  execute_process(COMMAND ${GZIP} -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# put(<file> <text>): readable by all, whatever the umask.
function(put file text)
  file(WRITE ${file} "${text}")
  file(CHMOD ${file} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
endfunction()

# In the machine-readable form, a line of a licence begins with a blank, and a blank line is a dot.
file(READ ${tree}/LICENSE licence)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" found "${licence}")
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^.*Copyright [^\n]*\n+" "" licence "${licence}")
string(STRIP "${licence}" licence)
string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string(REPLACE "\n" "\n " licence "${licence}")
set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: tulle

Files: *
Copyright: ${holder}
License: BSD-3-Clause
 ${licence}
")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH where it is set
set(news "tulle (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Packages made by cpack. changelog.gz lists the changes of tulle.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(READ ${tree}/CHANGELOG.md changes)

foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} COMPONENT)
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(doc ${usr}/share/doc/${CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME})
  file(MAKE_DIRECTORY ${doc})
  put(${doc}/copyright "${copyright}")
  put(${doc}/changelog "${changes}")
  put(${doc}/changelog.Debian "${news}")
  compress(${doc}/changelog ${doc}/changelog.Debian)

  file(GLOB pages ${usr}/share/man/*/*.1)
  if(pages)
    compress(${pages})
  endif()
  # The library is where every program looks for it.
  file(GLOB programs ${usr}/bin/*)
  foreach(program ${programs})
    file(RPATH_REMOVE FILE ${program})
  endforeach()
  file(GLOB_RECURSE libraries ${usr}/lib/*.so.*.*.*)
  if(programs OR libraries)
    execute_process(COMMAND ${STRIP} --strip-unneeded --remove-section=.comment --remove-section=.note
      ${programs} ${libraries} COMMAND_ERROR_IS_FATAL ANY)
  endif()
  # Debian's zsh does not search site-functions, which belong to the administrator.
  if(EXISTS ${usr}/share/zsh/site-functions)
    file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)
  endif()
endforeach()
