// MatrixTest.cpp - matrix instructions against a host product in f64: two
// whole kernels in device IR, and every family of shapes with fragments that
// the test lays out itself.
#include "Device.h"

#include "lib/Spec/Convert.h"

#include <cmath>
#include <functional>
#include <random>

namespace labgen::emu {
namespace {

std::vector<double> randoms(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  for (double &value : values)
    value = normal(random);
  return values;
}

void checkBf16(const std::string &file, const std::string &entry, unsigned n,
               unsigned lanes) {
  Device device(kernelText(file));
  std::vector<double> a = randoms(16 * 16, 1), b = randoms(n * 16, 2),
                      c = randoms(16 * n, 3);
  std::vector<uint16_t> aBits, bBits;
  for (double &value : a)
    value = decode(Format::BF16,
                   aBits.emplace_back(uint16_t(encode(Format::BF16, value))));
  for (double &value : b)
    value = decode(Format::BF16,
                   bBits.emplace_back(uint16_t(encode(Format::BF16, value))));
  std::vector<float> cFloats(c.begin(), c.end());
  unsigned pa = device.buffer("a", aBits, Role::Input),
           pb = device.buffer("b", bBits, Role::Input),
           pc = device.buffer("c", cFloats, Role::Input),
           pd = device.output<float>("d", 16 * n);
  Report report =
      device.run(entry, {1, 1, 1}, {lanes, 1, 1},
                 {pointer(pa), pointer(pb), pointer(pc), pointer(pd)});
  expectClean(report);
  EXPECT_EQ(report.counters.matrixInstructions, 1u);
  EXPECT_EQ(report.counters.flops, 2u * 16 * n * 16);
  std::vector<float> d = device.read<float>(pd);
  for (unsigned i = 0; i < 16; ++i)
    for (unsigned j = 0; j < n; ++j) {
      double sum = cFloats[i * n + j], magnitude = std::fabs(sum);
      for (unsigned k = 0; k < 16; ++k) {
        sum += a[i * 16 + k] * b[j * 16 + k];
        magnitude += std::fabs(a[i * 16 + k] * b[j * 16 + k]);
      }
      // 17 roundings to f32 at most, in whatever order.
      EXPECT_NEAR(d[i * n + j], sum, 17 * std::ldexp(magnitude, -24))
          << i << "," << j;
    }
}

TEST(Matrix, MmaBf16Kernel) { checkBf16("mma.bf16.nvptx.ll", "mma", 8, 32); }
TEST(Matrix, MfmaBf16Kernel) {
  checkBf16("mfma.bf16.amdgcn.ll", "mfma", 16, 64);
}

/// Row or column, and k, of element `e` of a lane.
using Layout =
    std::function<std::pair<unsigned, unsigned>(unsigned lane, unsigned e)>;

struct Case {
  std::string triple, chip;
  unsigned lanes, m, n, k;
  Format a, b, c;
  std::string call; ///< defines %d from %a, %b, %c
  std::string aType, bType, cType;
  unsigned aElements, bElements; ///< of a lane
  Layout aAt, bAt, cAt;
};

std::vector<char> pack(const Case &test, Format format, unsigned elements,
                       const Layout &at, const std::vector<int> &values,
                       unsigned rowLength, bool swapped) {
  unsigned bits = unsigned(info(format).storageBits);
  std::vector<char> bytes(test.lanes * elements * bits / 8);
  for (unsigned lane = 0; lane < test.lanes; ++lane)
    for (unsigned e = 0; e < elements; ++e) {
      auto [i, k] = at(lane, e);
      int value = values[swapped ? k * rowLength + i : i * rowLength + k];
      uint64_t code = encode(format, value);
      unsigned bit = (lane * elements + e) * bits;
      if (bits == 4)
        bytes[bit / 8] |= char(code << (bit % 8));
      else
        memcpy(&bytes[bit / 8], &code, bits / 8);
    }
  return bytes;
}

void checkCase(const Case &test) {
  bool nvidia = test.triple[0] == 'n';
  std::string id =
      nvidia ? "llvm.nvvm.read.ptx.sreg.tid.x" : "llvm.amdgcn.workitem.id.x";
  auto load = [&](const std::string &name, const std::string &type) {
    return "  %p" + name + " = getelementptr " + type +
           ", ptr addrspace(1) %m" + name + ", i32 %t\n  %" + name +
           " = load " + type + ", ptr addrspace(1) %p" + name + ", align 4\n";
  };
  std::string text =
      "target triple = \"" + test.triple + "\"\ndefine " +
      (nvidia ? "ptx_kernel" : "amdgpu_kernel") +
      " void @k(ptr addrspace(1) %ma, ptr addrspace(1) %mb, ptr addrspace(1) "
      "%mc, ptr addrspace(1) %md) #0 {\n  %t = call i32 @" +
      id + "()\n" + load("a", test.aType) + load("b", test.bType) +
      load("c", test.cType) + test.call + "\n  %pd = getelementptr " +
      test.cType + ", ptr addrspace(1) %md, i32 %t\n  store " + test.cType +
      " %d, ptr addrspace(1) %pd, align 4\n  ret void\n}\n"
      "attributes #0 = { \"target-cpu\"=\"" +
      test.chip + "\" }\n";
  Device device(text);
  std::mt19937 random(5);
  // What every format holds exactly, and sums that stay exact.
  int least = info(test.a).kind == FormatKind::UnsignedInt ? 0 : -3;
  std::uniform_int_distribution<int> small(least, 3);
  std::vector<int> a(test.m * test.k), b(test.k * test.n), c(test.m * test.n);
  for (auto *values : {&a, &b, &c})
    for (int &value : *values)
      value = small(random);
  unsigned cElements = test.m * test.n / test.lanes;
  unsigned pa = device.buffer("a", pack(test, test.a, test.aElements, test.aAt,
                                        a, test.k, false)),
           pb = device.buffer("b", pack(test, test.b, test.bElements, test.bAt,
                                        b, test.n, true)),
           pc = device.buffer(
               "c", pack(test, test.c, cElements, test.cAt, c, test.n, false)),
           pd = device.output<char>("d", test.m * test.n *
                                             info(test.c).storageBits / 8);
  Report report =
      device.run("k", {1, 1, 1}, {test.lanes, 1, 1},
                 {pointer(pa), pointer(pb), pointer(pc), pointer(pd)});
  expectClean(report);
  EXPECT_EQ(report.counters.flops, 2u * test.m * test.n * test.k);
  std::vector<int> d(test.m * test.n);
  for (unsigned i = 0; i < test.m; ++i)
    for (unsigned j = 0; j < test.n; ++j) {
      d[i * test.n + j] = c[i * test.n + j];
      for (unsigned k = 0; k < test.k; ++k)
        d[i * test.n + j] += a[i * test.k + k] * b[k * test.n + j];
    }
  EXPECT_EQ(device.read<char>(pd),
            pack(test, test.c, cElements, test.cAt, d, test.n, false))
      << test.call;
}

/// Operand lists of mma: registers of an array, then "TYPE %x, ...".
std::string registers(const std::string &name, const std::string &type,
                      unsigned count, std::string &extracts) {
  std::string list;
  for (unsigned i = 0; i < count; ++i) {
    std::string value = "%" + name + std::to_string(i);
    extracts += "  " + value + " = extractvalue [" + std::to_string(count) +
                " x " + type + "] %" + name + ", " + std::to_string(i) + "\n";
    list += (list.empty() ? "" : ", ") + type + " " + value;
  }
  return list;
}

TEST(Matrix, MmaShapes) {
  struct Shape {
    std::string name;
    unsigned k;
    Format format, c;
    std::string registerType;
  };
  const Shape shapes[] = {
      {"m16n8k8.row.col.tf32", 8, Format::TF32, Format::F32, "i32"},
      {"m16n8k4.row.col.tf32", 4, Format::TF32, Format::F32, "i32"},
      {"m16n8k8.row.col.bf16", 8, Format::BF16, Format::F32, "i32"},
      {"m16n8k16.row.col.f32.f32", 16, Format::F16, Format::F32, "<2 x half>"},
      {"m16n8k32.row.col.f32.e4m3.e4m3.f32", 32, Format::F8E4M3FN, Format::F32,
       "i32"},
      {"m16n8k32.row.col.s8", 32, Format::I8, Format::I32, "i32"},
      {"m16n8k16.row.col.satfinite.s8", 16, Format::I8, Format::I32, "i32"},
      {"m16n8k64.row.col.s4", 64, Format::I4, Format::I32, "i32"},
      {"m16n8k32.row.col.u4", 32, Format::U4, Format::I32, "i32"}};
  for (const Shape &shape : shapes) {
    Case test{"nvptx64-nvidia-cuda",
              "sm_90",
              32,
              16,
              8,
              shape.k,
              shape.format,
              shape.format,
              shape.c,
              "",
              "",
              "",
              "",
              0,
              0,
              {},
              {},
              {}};
    unsigned in = 32 / unsigned(info(shape.format).storageBits);
    unsigned aCount = 16 * shape.k / in / 32, bCount = 8 * shape.k / in / 32;
    std::string c = shape.c == Format::F32 ? "float" : "i32";
    test.aElements = aCount * in;
    test.bElements = bCount * in;
    test.aAt = [=](unsigned l, unsigned e) {
      unsigned r = e / in;
      return std::pair(l / 4 + 8 * (r % 2),
                       in * (l % 4) + e % in + 4 * in * (r / 2));
    };
    test.bAt = [=](unsigned l, unsigned e) {
      return std::pair(l / 4, in * (l % 4) + e % in + 4 * in * (e / in));
    };
    test.cAt = [](unsigned l, unsigned e) {
      return std::pair(l / 4 + 8 * (e / 2), 2 * (l % 4) + e % 2);
    };
    std::string extracts;
    std::string as = registers("a", shape.registerType, aCount, extracts),
                bs = registers("b", shape.registerType, bCount, extracts),
                cs = registers("c", c, 4, extracts);
    test.aType =
        "[" + std::to_string(aCount) + " x " + shape.registerType + "]";
    test.bType =
        "[" + std::to_string(bCount) + " x " + shape.registerType + "]";
    test.cType = "[4 x " + c + "]";
    std::string result = "{ " + c + ", " + c + ", " + c + ", " + c + " }";
    test.call = extracts + "  %q = call " + result + " @llvm.nvvm.mma." +
                shape.name + "(" + as + ", " + bs + ", " + cs + ")\n";
    std::string from = "poison";
    for (int i = 0; i < 4; ++i) {
      std::string n = std::to_string(i);
      test.call += "  %x" + n + " = extractvalue " + result + " %q, " + n +
                   "\n  %" + (i == 3 ? "d" : "y" + n) + " = insertvalue " +
                   test.cType + " " + from + ", " + c + " %x" + n + ", " + n +
                   "\n";
      from = "%y" + n;
    }
    checkCase(test);
  }
}

TEST(Matrix, MfmaShapes) {
  struct Shape {
    std::string name, chip;
    unsigned n, k;
    Format format, c;
    std::string type;
  };
  const Shape shapes[] = {
      {"f32.16x16x16f16", "gfx90a", 16, 16, Format::F16, Format::F32,
       "<4 x half>"},
      {"f32.32x32x8bf16.1k", "gfx942", 32, 8, Format::BF16, Format::F32,
       "<4 x i16>"},
      {"f32.32x32x2f32", "gfx942", 32, 2, Format::F32, Format::F32, "float"},
      {"f32.16x16x32.fp8.fp8", "gfx942", 16, 32, Format::F8E4M3FNUZ,
       Format::F32, "i64"},
      {"f32.16x16x32.fp8.fp8", "gfx950", 16, 32, Format::F8E4M3FN, Format::F32,
       "i64"},
      {"i32.32x32x16.i8", "gfx942", 32, 16, Format::I8, Format::I32, "i64"},
      {"f32.16x16x32.bf16", "gfx950", 16, 32, Format::BF16, Format::F32,
       "<8 x bfloat>"}};
  for (const Shape &shape : shapes) {
    Case test{"amdgcn-amd-amdhsa",
              shape.chip,
              64,
              shape.n,
              shape.n,
              shape.k,
              shape.format,
              shape.format,
              shape.c,
              "",
              shape.type,
              shape.type,
              "",
              0,
              0,
              {},
              {},
              {}};
    unsigned groups = 64 / shape.n;
    test.aElements = test.bElements = shape.k / groups;
    test.aAt = [=](unsigned l, unsigned e) {
      return std::pair(l % shape.n, shape.k / groups * (l / shape.n) + e);
    };
    test.bAt = test.aAt;
    test.cAt = [=](unsigned l, unsigned r) {
      return std::pair(shape.n == 16 ? 4 * (l / 16) + r
                                     : 8 * (r / 4) + 4 * (l / 32) + r % 4,
                       l % shape.n);
    };
    test.cType = "<" + std::to_string(shape.n * shape.n / 64) + " x " +
                 (shape.c == Format::F32 ? "float" : "i32") + ">";
    test.call = "  %d = call " + test.cType + " @llvm.amdgcn.mfma." +
                shape.name + "(" + shape.type + " %a, " + shape.type + " %b, " +
                test.cType + " %c, i32 0, i32 0, i32 0)";
    checkCase(test);
  }
}

TEST(Matrix, WmmaOfBothGenerations) {
  for (bool rdna3 : {true, false}) {
    Case test{"amdgcn-amd-amdhsa",
              rdna3 ? "gfx1100" : "gfx1201",
              32,
              16,
              16,
              16,
              Format::F16,
              Format::F16,
              Format::F32,
              "",
              "",
              "",
              "<8 x float>",
              0,
              0,
              {},
              {},
              {}};
    test.aType = test.bType = rdna3 ? "<16 x half>" : "<8 x half>";
    test.aElements = test.bElements = rdna3 ? 16 : 8;
    test.aAt = [=](unsigned l, unsigned e) {
      return std::pair(l % 16, rdna3 ? e : 8 * (e / 4) + 4 * (l / 16) + e % 4);
    };
    test.bAt = test.aAt;
    test.cAt = [=](unsigned l, unsigned r) {
      return std::pair(rdna3 ? 2 * r + l / 16 : 8 * (l / 16) + r, l % 16);
    };
    test.call = "  %d = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x16.f16(" +
                test.aType + " %a, " + test.aType + " %b, <8 x float> %c)";
    checkCase(test);
  }
}

TEST(Matrix, ModifiersWithoutAModelAreRefused) {
  std::string text = kernelText("mfma.bf16.amdgcn.ll");
  size_t at = text.find("i32 0, i32 0, i32 0)");
  text.replace(at, 5, "i32 1");
  Result<Program> program = tryLoad(text);
  ASSERT_FALSE(program);
  EXPECT_NE(program.status().message().find("mfma"), std::string::npos);
}

} // namespace
} // namespace labgen::emu
