# One CTest entry per folder of lit tests, so that ctest's list says which area
# failed. Tests named NAME.slow.* form one entry of their own, labelled slow.
llvm_canonicalize_cmake_booleans(LABGEN_ORACLES)
configure_lit_site_cfg(${CMAKE_CURRENT_SOURCE_DIR}/lit.site.cfg.py.in
  ${CMAKE_CURRENT_BINARY_DIR}/lit.site.cfg.py
  MAIN_CONFIG ${CMAKE_CURRENT_SOURCE_DIR}/lit.cfg.py)
add_lit_testsuite(check-labgen "Running the lit tests" ${CMAKE_CURRENT_BINARY_DIR}
  DEPENDS labgen-opt labgen labgen-run labgen-fuzz-emulator)

function(labgen_lit_test name)
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${LLVM_EXTERNAL_LIT}
    -sv --workers=${cores} ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1200 PROCESSORS ${cores})
endfunction()

file(GLOB_RECURSE tests CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  *.mlir *.ll *.test)
list(FILTER tests EXCLUDE REGEX "(^|/)Inputs/|^Unit/")
set(slow ${tests})
list(FILTER slow INCLUDE REGEX "\\.slow\\.")
list(FILTER tests EXCLUDE REGEX "\\.slow\\.")
list(TRANSFORM tests REPLACE "/.*" "")
list(REMOVE_DUPLICATES tests)
foreach(folder ${tests})
  labgen_lit_test(lit-${folder} --filter-out=[.]slow[.]
    ${CMAKE_CURRENT_BINARY_DIR}/${folder})
endforeach()
if(slow)
  labgen_lit_test(lit-slow --filter=[.]slow[.] ${CMAKE_CURRENT_BINARY_DIR})
  set_tests_properties(lit-slow PROPERTIES LABELS slow)
endif()

# Without the packages of `make setup` nothing passes by being left out.
if(LABGEN_ORACLES)
  add_test(NAME lit-needs-oracles COMMAND ${Python3_EXECUTABLE} ${LLVM_EXTERNAL_LIT}
    --param python=false ${CMAKE_CURRENT_BINARY_DIR}/Casts)
  set_tests_properties(lit-needs-oracles PROPERTIES
    PASS_REGULAR_EXPRESSION "fatal: .*lacks numpy, ml_dtypes, gguf; run make setup")
endif()
