# Flags and helpers of the LLVM-free half.
find_package(Threads REQUIRED)

# Position independent, warnings on, and no exceptions except in the one file
# of a library that wraps a header which needs them (JSON, CLI11).
function(labgen_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;WITH_EXCEPTIONS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES} ${ARG_WITH_EXCEPTIONS})
  labgen_flags(${name} "${ARG_WITH_EXCEPTIONS}")
  target_link_libraries(${name} PUBLIC ${ARG_LINK} Threads::Threads)
endfunction()

function(labgen_flags name with_exceptions)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${name} PRIVATE -Wall -Wextra -fno-exceptions)
  foreach(source ${with_exceptions})
    set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS -fexceptions)
  endforeach()
endfunction()

# Nothing may be fused that is not written fused. The other two only let the
# compiler vectorise rounding and square roots.
function(labgen_bit_exact name)
  target_compile_options(${name} PRIVATE -ffp-contract=off -fno-math-errno
    -fno-trapping-math)
endfunction()
