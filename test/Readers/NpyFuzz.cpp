// NpyFuzz.cpp - .npy files: what is read into a tensor is written back alike.
#include "runtime/data/Npy.h"
#include "test/Readers/Fuzz.h"

#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace labgen;

/// A file in memory, made anew for each input.
class MemoryFile {
public:
  MemoryFile(const uint8_t *data, size_t size)
      : file(memfd_create("npy", MFD_CLOEXEC)) {
    demand(file >= 0 && write(file, data, size) == ssize_t(size),
           "no file in memory");
  }
  ~MemoryFile() { close(file); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file); }

private:
  int file;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file(data, size);
  for (Format format : {Format::F32, Format::I4, Format::U8, Format::F4E2M1FN,
                        Format::BF16, Format::F64})
    for (const std::vector<int64_t> &shape :
         {std::vector<int64_t>{2, 3}, {1}, {}, {2, 0}}) {
      Argument argument;
      argument.name = "x";
      argument.format = format;
      argument.shape = shape;
      Result<Tensor> tensor = Tensor::allocate(argument);
      demand(bool(tensor), "no tensor");
      Status status = readNpy(file.path(), *tensor);
      if (!status)
        demandRefusal(status);
    }
  return 0;
}
