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
