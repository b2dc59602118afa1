# Finds Debian's LLVM/MLIR 22 and links its shared libraries, never the static
# ones (two copies of LLVM's globals abort at start-up).
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "labgen needs LLVM/MLIR 22, found ${LLVM_PACKAGE_VERSION} "
    "in ${MLIR_DIR}; pass -DMLIR_DIR=/usr/lib/llvm-22/lib/cmake/mlir")
endif()
set(MLIR_LINK_MLIR_DYLIB ON)
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_BINARY_DIR}/lit CACHE FILEPATH "")
set(LLVM_RUNTIME_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${CMAKE_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# HandleLLVMOptions sets global flags; only compile-side folders, added after
# this point, see them.
include(HandleLLVMOptions)
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
separate_arguments(definitions NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${definitions})

# labgen_mlir_library(NAME SOURCES... [add_mlir_library's arguments]): a library
# of the compile side, with the headers that lib/Headers parses once.
# labgen_llvm_library: one without MLIR.
function(labgen_mlir_library name)
  add_mlir_library(${name} ${ARGN} EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL)
  target_precompile_headers(${name} REUSE_FROM LabgenMlirHeaders)
endfunction()
function(labgen_llvm_library name)
  add_mlir_library(${name} ${ARGN} EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL)
  target_precompile_headers(${name} REUSE_FROM LabgenLlvmHeaders)
endfunction()
# So that ccache takes equal headers as equal.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp")
endif()
