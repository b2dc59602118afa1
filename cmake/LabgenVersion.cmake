# The version as a header, made anew at each build (a commit changes it) and
# written only when it differs, so that an unchanged tree rebuilds nothing.
#
# Included: defines labgen_version(TARGET). Run with -P: writes the header.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(LABGEN_VERSION_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
  function(labgen_version target)
    set(header ${PROJECT_BINARY_DIR}/lib/Support/GitRevision.h)
    add_custom_target(labgen-version BYPRODUCTS ${header}
      COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DSOURCE=${PROJECT_SOURCE_DIR}
        -DVERSION=${PROJECT_VERSION} -P ${LABGEN_VERSION_SCRIPT})
    add_dependencies(${target} labgen-version)
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.20)
execute_process(
  COMMAND git describe --always --dirty --exclude=* --abbrev=9
  WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(revision unknown)
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT
"// Written by cmake/LabgenVersion.cmake.
#define LABGEN_VERSION \"@VERSION@\"
#define LABGEN_GIT_REVISION \"@revision@\"
")
