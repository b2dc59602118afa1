// Matrix.cpp - mma.sync of shape m16n8, and ldmatrix.
//
// Layouts are PTX ISA's, "Matrix Fragments for mma.m16n8k*": with g = lane / 4,
// t = lane % 4 and e elements in a 32-bit register, element i of A's register r
// is at row g + 8 (r & 1), column e t + i + 4 e (r >> 1); of B's at row
// e t + i + 4 e r, column g; C's and D's element r at row g + 8 (r >> 1),
// column 2 t + (r & 1).
#include "lib/Emulator/Intrinsics/Matrix.h"
#include "lib/Emulator/Hooks/Access.h"

namespace labgen::emu {

namespace {
/// What a row multiplies, packed into its code.
struct Mma {
  unsigned k;
  Format a, b, c;
  bool saturate = false;

  int code() const {
    return int(k) | int(a) << 8 | int(b) << 13 | int(c) << 18 | saturate << 23;
  }
  static Mma of(int code) {
    return {unsigned(code & 0xFF), Format(code >> 8 & 31),
            Format(code >> 13 & 31), Format(code >> 18 & 31),
            bool(code >> 23 & 1)};
  }
};
} // namespace

static void multiply(const WarpCall &call) {
  Mma mma = Mma::of(call.code);
  unsigned inRegister = 32 / unsigned(info(mma.a).storageBits);
  unsigned aRegisters = 16 * mma.k / inRegister / 32,
           bRegisters = 8 * mma.k / inRegister / 32;
  MatrixProduct product(16, 8, mma.k);
  bool packedC = info(mma.c).storageBits == 16; // two to a register
  auto accumulator = [&](unsigned r) {
    return aRegisters + bRegisters + (packedC ? r / 2 : r);
  };
  call.forEach([&](unsigned lane, Thread &thread) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned i = 0; i < inRegister; ++i) {
      unsigned k = inRegister * t + i;
      for (unsigned r = 0; r < aRegisters; ++r)
        product.a(g + 8 * (r & 1), k + 4 * inRegister * (r >> 1)) =
            elementAt(thread.arguments[r], i, mma.a);
      for (unsigned r = 0; r < bRegisters; ++r)
        product.b(k + 4 * inRegister * r, g) =
            elementAt(thread.arguments[aRegisters + r], i, mma.b);
    }
    for (unsigned r = 0; r < 4; ++r)
      product.c(g + 8 * (r >> 1), 2 * t + (r & 1)) = elementAt(
          thread.arguments[accumulator(r)], packedC ? r & 1 : 0, mma.c);
  });
  product.multiply(call.counters());
  call.forEach([&](unsigned lane, Thread &thread) {
    unsigned g = lane / 4, t = lane % 4;
    for (unsigned r = 0; r < 4; ++r)
      storeElement(thread.result, r, mma.c,
                   product.c(g + 8 * (r >> 1), 2 * t + (r & 1)), mma.saturate);
  });
}

enum LoadMatrix { CountMask = 7, Transposed = 8 };

/// Lane 8 m + r gives the address of row r of matrix m; lane l gets elements
/// 2 (l % 4) and the next of row l / 4, or of that column when transposed.
static void loadMatrix(const WarpCall &call) {
  unsigned count = unsigned(call.code & CountMask);
  const char *rows[32] = {};
  for (unsigned lane = 0; lane < 8 * count; ++lane) {
    if (!call.has(lane)) { // a finding already
      rows[lane] = call.first().worker->sink;
      continue;
    }
    Thread &thread = call.warp.threads[lane];
    rows[lane] = accessAny(thread, thread.argument<char *>(0),
                           {Access::pack(thread.site, 16, 4)}, loads);
  }
  call.forEach([&](unsigned lane, Thread &thread) {
    for (unsigned m = 0; m < count; ++m)
      for (unsigned i = 0; i < 2; ++i) {
        unsigned row = lane / 4, column = 2 * (lane % 4) + i;
        if (call.code & Transposed)
          std::swap(row, column);
        std::memcpy(static_cast<char *>(thread.result) + 4 * m + 2 * i,
                    rows[8 * m + row] + 2 * column, 2);
      }
  });
}

void addNvidiaMatrix(Table &table) {
  auto add = [&](const std::string &name, const Mma &mma) {
    table.push_back(IntrinsicRow::wholeWarp(
        "llvm.nvvm.mma.m16n8k" + std::to_string(mma.k) + ".row.col." + name,
        multiply, mma.code()));
    table.back().warpSize = 32;
  };
  for (unsigned k : {8u, 16u}) {
    add("bf16", {k, Format::BF16, Format::BF16, Format::F32});
    add("f32.f32", {k, Format::F16, Format::F16, Format::F32});
    add("f16.f16", {k, Format::F16, Format::F16, Format::F16});
  }
  for (unsigned k : {4u, 8u})
    add("tf32", {k, Format::TF32, Format::TF32, Format::F32});
  const std::pair<const char *, Format> small[] = {{"e4m3", Format::F8E4M3FN},
                                                   {"e5m2", Format::F8E5M2}};
  for (unsigned k : {16u, 32u})
    for (auto [aName, a] : small)
      for (auto [bName, b] : small) {
        std::string types = std::string(aName) + "." + bName;
        add("f32." + types + ".f32", {k, a, b, Format::F32});
        add("f16." + types + ".f16", {k, a, b, Format::F16});
      }
  const std::tuple<const char *, Format, unsigned> integers[] = {
      {"s8", Format::I8, 16u},
      {"u8", Format::U8, 16u},
      {"s4", Format::I4, 32u},
      {"u4", Format::U4, 32u}};
  for (auto [aName, a, least] : integers)
    for (auto [bName, b, sameLeast] : integers)
      if (least == sameLeast)
        for (unsigned k : {least, 2 * least})
          for (bool saturate : {false, true})
            add((saturate ? std::string("satfinite.") : std::string()) + aName +
                    (a == b ? std::string() : std::string(".") + bName),
                {k, a, b, Format::I32, saturate});

  const std::pair<const char *, int> counts[] = {
      {"x1", 1}, {"x2", 2}, {"x4", 4}};
  for (auto [name, count] : counts)
    for (bool transposed : {false, true})
      table.push_back(IntrinsicRow::wholeWarp(
          std::string("llvm.nvvm.ldmatrix.sync.aligned.m8n8.") + name +
              (transposed ? ".trans.b16" : ".b16"),
          loadMatrix, count | (transposed ? Transposed : 0)));
}

} // namespace labgen::emu
