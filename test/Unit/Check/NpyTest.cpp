// NpyTest.cpp - .npy files: what NumPy writes is read, what is wrong is named.
#include "Support.h"

#include "lib/Support/AtomicFile.h"
#include "lib/Support/ReadFile.h"
#include "runtime/data/Npy.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace labgen;
using namespace labgen::test;

namespace {

class Npy : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/labgen-npy-XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder = name;
    path = folder + "/t.npy";
  }
  void TearDown() override {
    std::remove(path.c_str());
    rmdir(folder.c_str());
  }
  /// A file as numpy.save writes it.
  void save(const std::string &dict, const std::string &data,
            std::string version = std::string("\x01\x00", 2)) {
    std::string length;
    for (int i = 0; i < (version[0] == 1 ? 2 : 4); ++i)
      length += char(dict.size() >> (8 * i) & 0xff);
    ASSERT_TRUE(
        bool(writeFile(path, "\x93NUMPY" + version + length + dict + data)));
  }
  static std::string dict(const std::string &descr, const std::string &shape,
                          const std::string &order = "False") {
    return "{'descr': '" + descr + "', 'fortran_order': " + order +
           ", 'shape': " + shape + ", }      \n";
  }
  Tensor tensor(Format format, std::vector<int64_t> shape) {
    return *Tensor::allocate({"q", Role::Input, format, std::move(shape)});
  }
  /// The one line of an error; fails when there is none.
  std::string error(Tensor t) {
    Status s = readNpy(path, t);
    EXPECT_FALSE(bool(s));
    EXPECT_EQ(s.exitCode(), ExitCode::BadInput);
    EXPECT_EQ(s.message().find('\n'), std::string::npos);
    EXPECT_NE(s.message().find("; "), std::string::npos) << s.message();
    EXPECT_EQ(s.message().compare(0, path.size(), path), 0) << s.message();
    return s.message();
  }
  void expectError(Tensor t, const std::string &what) {
    std::string message = error(std::move(t));
    EXPECT_NE(message.find(what), std::string::npos) << message;
  }

  std::string folder, path;
};

TEST_F(Npy, EveryFormatComesBack) {
  for (Format format : allFormats())
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {0}, {1}, {7}, {3, 5}, {0, 4}, {4, 0}}) {
      Tensor out = tensor(format, shape), in = tensor(format, shape);
      uint64_t mask = ~uint64_t(0) >> (64 - info(format).storageBits);
      for (int64_t r = 0; r < out.rows(); ++r)
        for (int64_t i = 0; i < out.columns(); ++i)
          out.setBits(
              r, i, uint64_t(r * 31 + i * 7 + 9) * 0x9E3779B97F4A7C15u & mask);
      ASSERT_TRUE(bool(writeNpy(path, out)));
      Status s = readNpy(path, in);
      ASSERT_TRUE(bool(s)) << s.message();
      EXPECT_EQ(0, std::memcmp(in.data(), out.data(), size_t(out.byteSize())))
          << name(format);
    }
}

TEST_F(Npy, BytesAreNumpys) {
  ASSERT_TRUE(bool(
      writeNpy(path, tensorOf("q", Format::I4, {2, 3}, {-8, -1, 7, 0, 1, 2}))));
  // numpy.save(f, numpy.array([[-8, -1, 7], [0, 1, 2]], "int8"))
  std::string dict = "{'descr': '|i1', 'fortran_order': False, 'shape': (2, "
                     "3), }";
  dict.resize(117, ' ');
  Result<std::string> file = readFile(path);
  ASSERT_TRUE(bool(file));
  EXPECT_EQ(*file, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict + "\n" +
                       std::string("\xf8\xff\x07\x00\x01\x02", 6));
}

TEST_F(Npy, VersionsAndSpellings) {
  Tensor t = tensor(Format::F32, {2});
  std::string data("\x00\x00\x80\x3f\x00\x00\x00\x40", 8);
  for (const char *version : {"\x01", "\x02", "\x03"}) {
    save(dict("<f4", "(2,)"), data, std::string(version) + '\0');
    ASSERT_TRUE(bool(readNpy(path, t)));
    EXPECT_EQ(valuesOf(t), (std::vector<double>{1, 2}));
  }
  save("{ \"shape\":(2L,),'fortran_order' : False,\n'descr':\"=f4\"}", data);
  EXPECT_TRUE(bool(readNpy(path, t)));
}

TEST_F(Npy, MlDtypes) {
  // What numpy.save writes for ml_dtypes arrays.
  Tensor bf16 = tensor(Format::BF16, {1});
  for (const char *descr : {"<V2", "|V2", "<u2"}) {
    save(dict(descr, "(1,)"), "\x80\x3f");
    EXPECT_TRUE(bool(readNpy(path, bf16))) << descr;
    EXPECT_EQ(bf16.value(0, 0), 1);
  }
  Tensor f8 = tensor(Format::F8E5M2, {1});
  for (const char *descr : {"<V1", "|V1", "<f1", "|u1"}) {
    save(dict(descr, "(1,)"), "\x3c");
    EXPECT_TRUE(bool(readNpy(path, f8))) << descr;
    EXPECT_EQ(f8.value(0, 0), 1);
  }
}

TEST_F(Npy, ScalarsAreZeroDimensionalOrOneElement) {
  std::string one("\x00\x00\x80\x3f", 4);
  for (const char *shape : {"()", "(1,)"}) {
    Tensor alpha = tensor(Format::F32, {});
    save(dict("<f4", shape), one);
    EXPECT_TRUE(bool(readNpy(path, alpha)));
    EXPECT_EQ(alpha.value(0, 0), 1);
  }
  save(dict("<f4", "(1, 1)"), one);
  expectError(tensor(Format::F32, {}), "has shape (1, 1); q needs ()");
  save(dict("<f4", "()"), one);
  expectError(tensor(Format::F32, {1}), "has shape (); q needs (1,)");
}

TEST_F(Npy, WrongFiles) {
  expectError(tensor(Format::F32, {2}), "cannot be opened");
  std::string data(8, '\0');
  auto withData = [&](const std::string &text) { save(text, data); };

  ASSERT_TRUE(bool(writeFile(path, "")));
  expectError(tensor(Format::F32, {2}), "is not a .npy file");
  ASSERT_TRUE(bool(writeFile(path, "PK\x03\x04 and so on")));
  expectError(tensor(Format::F32, {2}), "is not a .npy file");
  ASSERT_TRUE(bool(writeFile(path, "\x93NUMPY\x01")));
  expectError(tensor(Format::F32, {2}), "is truncated");
  ASSERT_TRUE(bool(writeFile(path, std::string("\x93NUMPY\x01\0\x76\0{", 11))));
  expectError(tensor(Format::F32, {2}), "is truncated");
  save(dict("<f4", "(2,)"), data, std::string("\x04\x00", 2));
  expectError(tensor(Format::F32, {2}), "has .npy version 4.0");
  ASSERT_TRUE(bool(
      writeFile(path, std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12))));
  expectError(tensor(Format::F32, {2}), "header of 4294967295 bytes");

  withData(dict("<f8", "(2,)"));
  expectError(tensor(Format::F32, {2}),
              "has dtype '<f8'; save it as numpy float32 for q of type f32");
  for (const char *descr :
       {"<i4", "<U4", "f4", "<f", "", "<f44", "|O", "<V4"}) {
    withData(dict(descr, "(2,)"));
    expectError(tensor(Format::F32, {2}), "has dtype '");
  }
  withData(dict("|u1", "(8,)"));
  expectError(tensor(Format::I8, {8}), "save it as numpy int8");
  withData(dict("<f2", "(4,)"));
  expectError(tensor(Format::BF16, {4}), "save it as numpy uint16");
  withData(dict(">f4", "(2,)"));
  expectError(tensor(Format::F32, {2}), "is big-endian ('>f4')");
  withData(dict("<f4", "(2,)", "True"));
  expectError(tensor(Format::F32, {2}), "is in Fortran order");
  withData(dict("<f4", "(1, 2)"));
  expectError(tensor(Format::F32, {2, 1}), "has shape (1, 2); q needs (2, 1)");
  withData(dict("<f4", "(3,)"));
  expectError(tensor(Format::F32, {2}), "has shape (3,); q needs (2,)");

  save(dict("<f4", "(2,)"), std::string(7, '\0'));
  expectError(tensor(Format::F32, {2}), "is truncated");
  save(dict("|i1", "(2, 3)"), std::string(5, '\0'));
  expectError(tensor(Format::I4, {2, 3}), "is truncated");
  save(dict("<f4", "(2,)"), std::string(9, '\0'));
  expectError(tensor(Format::F32, {2}), "has bytes behind its last element");
}

TEST_F(Npy, DamagedHeaders) {
  for (const char *text :
       {"", "{", "{}", "[]", "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(99999999999999999999,)}",
        "{'descr': '<f4, 'fortran_order': False, 'shape': (2,)}"}) {
    save(text, std::string(8, '\0'));
    expectError(tensor(Format::F32, {2}), "has a damaged .npy header");
  }
  save("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
       std::string(8, '\0'));
  expectError(tensor(Format::F32, {2}), "has a structured dtype");
}

TEST_F(Npy, CodesOutsideTheirType) {
  struct Case {
    Format format;
    const char *descr, *bytes, *message;
  };
  for (const Case &c : {
           Case{Format::I4, "|i1", "\x01\x02\x08\x00",
                "has the code 8 at q[1,0]; codes of i4 are -8 to 7"},
           Case{Format::I4, "|i1", "\xf7\x02\x08\x00",
                "has the code -9 at q[0,0]"},
           Case{Format::U4, "|u1", "\x01\x02\x00\xff",
                "has the code 255 at q[1,1]; codes of u4 are 0 to 15"},
           Case{Format::F4E2M1FN, "|u1", "\x01\x10\x00\x00",
                "has the code 16 at q[0,1]"},
           Case{Format::F6E3M2FN, "|u1", "\x01\x3f\x40\x00",
                "has the code 64 at q[1,0]; codes of f6E3M2FN are 0 to 63"},
       }) {
    save(dict(c.descr, "(2, 2)"), std::string(c.bytes, 4));
    expectError(tensor(c.format, {2, 2}), c.message);
  }
}

TEST_F(Npy, FoldersAndDevices) {
  Tensor t = tensor(Format::F32, {2});
  Status read = readNpy(folder, t);
  EXPECT_FALSE(bool(read));
  EXPECT_EQ(read.exitCode(), ExitCode::BadInput);
  for (const std::string &target :
       {folder, std::string("/dev/null"), folder + "/none/t.npy"}) {
    Status s = writeNpy(target, t);
    EXPECT_FALSE(bool(s)) << target;
    EXPECT_EQ(s.exitCode(), ExitCode::BadInput);
    EXPECT_NE(s.message().find(target), std::string::npos) << s.message();
  }
}

} // namespace
