// Matrix.cpp - MFMA of waves of 64 and WMMA of waves of 32.
//
// Layouts as AMD's matrix instruction calculator prints them for CDNA 2 and 3
// and RDNA 3 and 4. A and B follow one rule, B with column for row:
// - MFMA n x n x k: lane l holds row l % n, elements k g + e of the k dimension
//   with g = l / n and k / (64 / n) elements; D's register r is at row
//   4 (l / 16) + r (n = 16) or 8 (r / 4) + 4 (l / 32) + r % 4 (n = 32).
// - WMMA: see WmmaLayout.
#include "lib/Emulator/Intrinsics/Matrix.h"

namespace labgen::emu {

namespace {
struct Mfma {
  unsigned n, k;
  Format a, b, c;

  int code() const {
    return int(n) | int(k) << 6 | int(a) << 14 | int(b) << 19 | int(c) << 24;
  }
  static Mfma of(int code) {
    return {unsigned(code & 63), unsigned(code >> 6 & 0xFF),
            Format(code >> 14 & 31), Format(code >> 19 & 31),
            Format(code >> 24 & 31)};
  }
};
} // namespace

static Format onChip(const WarpCall &call, Format format) {
  if (!call.warp.threads->worker->module.fnuz)
    return format;
  return format == Format::F8E4M3FN ? Format::F8E4M3FNUZ
         : format == Format::F8E5M2 ? Format::F8E5M2FNUZ
                                    : format;
}

static void multiplyMfma(const WarpCall &call) {
  Mfma mfma = Mfma::of(call.code);
  unsigned groups = 64 / mfma.n, elements = mfma.k / groups;
  Format aFormat = onChip(call, mfma.a), bFormat = onChip(call, mfma.b);
  MatrixProduct product(mfma.n, mfma.n, mfma.k);
  auto rowOf = [&](unsigned lane, unsigned r) {
    return mfma.n == 16 ? 4 * (lane / 16) + r
                        : 8 * (r / 4) + 4 * (lane / 32) + r % 4;
  };
  unsigned results = mfma.n * mfma.n / 64;
  call.forEach([&](unsigned lane, Thread &thread) {
    unsigned row = lane % mfma.n, first = elements * (lane / mfma.n);
    for (unsigned e = 0; e < elements; ++e) {
      product.a(row, first + e) = elementAt(thread.arguments[0], e, aFormat);
      product.b(first + e, row) = elementAt(thread.arguments[1], e, bFormat);
    }
    for (unsigned r = 0; r < results; ++r)
      product.c(rowOf(lane, r), row) =
          elementAt(thread.arguments[2], r, mfma.c);
  });
  product.multiply(call.counters());
  call.forEach([&](unsigned lane, Thread &thread) {
    for (unsigned r = 0; r < results; ++r)
      storeElement(thread.result, r, mfma.c,
                   product.c(rowOf(lane, r), lane % mfma.n));
  });
}

namespace {
/// 16 x 16 x 16. RDNA 3: lanes 16-31 repeat the operands of lanes 0-15, 16
/// elements each; D's register r at row 2 r + l / 16. RDNA 4: 8 elements, of
/// 16 bits in two runs of 4, smaller ones in one run; D at row 8 (l / 16) + r.
struct WmmaLayout {
  bool rdna3;
  bool runsOfFour;

  unsigned elements() const { return rdna3 ? 16 : 8; }
  unsigned kOf(unsigned lane, unsigned e) const {
    if (rdna3)
      return e;
    return runsOfFour ? 8 * (e / 4) + 4 * (lane / 16) + e % 4
                      : 8 * (lane / 16) + e;
  }
  unsigned rowOf(unsigned lane, unsigned r) const {
    return rdna3 ? 2 * r + lane / 16 : 8 * (lane / 16) + r;
  }
};
} // namespace

static void multiplyWmma(const WarpCall &call, Format a, Format b, Format c,
                         unsigned aArgument, unsigned bArgument,
                         unsigned cArgument, bool saturate) {
  unsigned bits = unsigned(info(a).storageBits);
  unsigned held = call.site.argumentBytes[aArgument] * 8 / bits;
  WmmaLayout layout{held == 16, bits == 16};
  MatrixProduct product(16, 16, 16);
  call.forEach([&](unsigned lane, Thread &thread) {
    for (unsigned e = 0; e < layout.elements(); ++e) {
      unsigned k = layout.kOf(lane, e);
      product.a(lane % 16, k) = elementAt(thread.arguments[aArgument], e, a);
      product.b(k, lane % 16) = elementAt(thread.arguments[bArgument], e, b);
    }
    for (unsigned r = 0; r < 8; ++r)
      product.c(layout.rowOf(lane, r), lane % 16) =
          elementAt(thread.arguments[cArgument], r, c);
  });
  product.multiply(call.counters());
  call.forEach([&](unsigned lane, Thread &thread) {
    for (unsigned r = 0; r < 8; ++r)
      storeElement(thread.result, r, c,
                   product.c(layout.rowOf(lane, r), lane % 16), saturate);
  });
}

/// 8 elements of 32 bits, or 16 of 16.
static constexpr unsigned wmmaBytes = 32;

/// wmma(a, b, c); code = formats of a and b.
static void multiplyFloats(const WarpCall &call) {
  multiplyWmma(call, Format(call.code & 31), Format(call.code >> 5 & 31),
               Format::F32, 0, 1, 2, false);
}

/// wmma(a signed?, a, b signed?, b, c, clamp?).
static void multiplyBytes(const WarpCall &call) {
  const Thread &thread = call.first();
  multiplyWmma(call, thread.argument<uint8_t>(0) ? Format::I8 : Format::U8,
               thread.argument<uint8_t>(2) ? Format::I8 : Format::U8,
               Format::I32, 1, 3, 4, thread.argument<uint8_t>(5));
}

void addAmdMatrix(Table &table) {
  auto mfma = [&](const std::string &name, const Mfma &what) {
    table.push_back(IntrinsicRow::wholeWarp("llvm.amdgcn.mfma." + name,
                                            multiplyMfma, what.code()));
    table.back().zerosFrom = 3; // broadcasts and permutations
    table.back().warpSize = 64;
  };
  const Format f32 = Format::F32, f16 = Format::F16, bf16 = Format::BF16,
               i8 = Format::I8, i32 = Format::I32;
  mfma("f32.16x16x4f32", {16, 4, f32, f32, f32});
  mfma("f32.32x32x2f32", {32, 2, f32, f32, f32});
  mfma("f32.16x16x16f16", {16, 16, f16, f16, f32});
  mfma("f32.32x32x8f16", {32, 8, f16, f16, f32});
  mfma("f32.16x16x16bf16.1k", {16, 16, bf16, bf16, f32});
  mfma("f32.32x32x8bf16.1k", {32, 8, bf16, bf16, f32});
  mfma("f32.16x16x32.f16", {16, 32, f16, f16, f32});
  mfma("f32.32x32x16.f16", {32, 16, f16, f16, f32});
  mfma("f32.16x16x32.bf16", {16, 32, bf16, bf16, f32});
  mfma("f32.32x32x16.bf16", {32, 16, bf16, bf16, f32});
  mfma("f32.16x16x8.xf32", {16, 8, Format::TF32, Format::TF32, f32});
  mfma("f32.32x32x4.xf32", {32, 4, Format::TF32, Format::TF32, f32});
  mfma("i32.16x16x16i8", {16, 16, i8, i8, i32});
  mfma("i32.32x32x8i8", {32, 8, i8, i8, i32});
  mfma("i32.16x16x32.i8", {16, 32, i8, i8, i32});
  mfma("i32.32x32x16.i8", {32, 16, i8, i8, i32});
  mfma("i32.16x16x64.i8", {16, 64, i8, i8, i32});
  mfma("i32.32x32x32.i8", {32, 32, i8, i8, i32});
  const std::pair<const char *, Format> small[] = {{"fp8", Format::F8E4M3FN},
                                                   {"bf8", Format::F8E5M2}};
  auto wmma = [&](const std::string &name, Format a, Format b) {
    table.push_back(
        IntrinsicRow::wholeWarp("llvm.amdgcn.wmma.f32.16x16x16." + name,
                                multiplyFloats, int(a) | int(b) << 5));
    table.back().operandBytes = wmmaBytes;
    table.back().warpSize = 32;
  };
  for (auto [aName, a] : small)
    for (auto [bName, b] : small) {
      std::string types = std::string(aName) + "." + bName;
      mfma("f32.16x16x32." + types, {16, 32, a, b, f32});
      mfma("f32.32x32x16." + types, {32, 16, a, b, f32});
      wmma(types, a, b);
    }
  wmma("f16", f16, f16);
  wmma("bf16", bf16, bf16);
  table.push_back(IntrinsicRow::wholeWarp("llvm.amdgcn.wmma.i32.16x16x16.iu8",
                                          multiplyBytes));
  table.back().operandBytes = wmmaBytes;
  table.back().warpSize = 32;
}

} // namespace labgen::emu
