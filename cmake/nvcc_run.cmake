# Runs nvcc once: cmake -DFOLDER=<for what it keeps> -DUSAGE=<file> -P nvcc_run.cmake -- nvcc arguments...
#
# What ptxas tells of registers and memory goes to the file; everything nvcc says is shown if it fails.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
set(command "")
set(after OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(n RANGE ${last})
  if(after)
    list(APPEND command "${CMAKE_ARGV${n}}")
  elseif(CMAKE_ARGV${n} STREQUAL "--")
    set(after ON)
  endif()
endforeach()
execute_process(COMMAND ${command} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${said}")
endif()
file(WRITE ${USAGE} "${said}")

# Of all that was kept, only the PTX and the machine code are of use.
file(GLOB kept ${FOLDER}/*)
list(FILTER kept EXCLUDE REGEX "\\.(compute_[0-9]+\\.ptx|cubin)$")
file(REMOVE ${kept})
