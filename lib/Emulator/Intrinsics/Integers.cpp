// Integers.cpp - integer instructions without a plain IR form: byte shuffles,
// dot products of bytes, bit fields, high halves of products.
#include "lib/Emulator/Runtime/Intrinsic.h"

#include <algorithm>

using namespace llvm;

namespace labgen::emu {

/// prmt.b32, default mode: each nibble of the selector picks one of 8 bytes, or
/// copies of its sign.
static void permuteNvidia(const LocalCall &call) {
  uint64_t bytes =
      uint64_t(call.argument<uint32_t>(1)) << 32 | call.argument<uint32_t>(0);
  uint32_t selector = call.argument<uint32_t>(2), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned choice = selector >> (4 * i) & 15;
    uint8_t byte = uint8_t(bytes >> (8 * (choice & 7)));
    if (choice & 8)
      byte = byte & 0x80 ? 0xFF : 0;
    result |= uint32_t(byte) << (8 * i);
  }
  call.setResult(result);
}

/// v_perm_b32: selectors 0-3 are bytes of the second operand, 4-7 of the first,
/// 8-11 signs of their 16-bit halves, 12 is 0x00, larger ones 0xFF.
static void permuteAmd(const LocalCall &call) {
  uint64_t bytes =
      uint64_t(call.argument<uint32_t>(0)) << 32 | call.argument<uint32_t>(1);
  uint32_t selector = call.argument<uint32_t>(2), result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned choice = selector >> (8 * i) & 0xFF;
    uint8_t byte = choice > 12    ? 0xFF
                   : choice == 12 ? 0
                   : choice >= 8
                       ? (bytes >> (16 * (choice - 8) + 15) & 1 ? 0xFF : 0)
                       : uint8_t(bytes >> (8 * choice));
    result |= uint32_t(byte) << (8 * i);
  }
  call.setResult(result);
}

static int64_t field(uint32_t word, unsigned index, unsigned bits,
                     bool isSigned) {
  uint64_t value = word >> (index * bits) & ((uint64_t(1) << bits) - 1);
  if (isSigned && value >> (bits - 1))
    return int64_t(value) - (int64_t(1) << bits);
  return int64_t(value);
}

static int64_t dot(uint32_t a, uint32_t b, unsigned bits, bool signedA,
                   bool signedB) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 32 / bits; ++i)
    sum += field(a, i, bits, signedA) * field(b, i, bits, signedB);
  return sum;
}

/// dp4a: bit 0 of the code: a is signed, bit 1: b is.
static void dotOfFour(const LocalCall &call) {
  int64_t sum = dot(call.argument<uint32_t>(0), call.argument<uint32_t>(1), 8,
                    call.code & 1, call.code & 2);
  call.setResult(uint32_t(sum + call.argument<uint32_t>(2)));
}

static uint32_t accumulate(int64_t sum, uint32_t start, bool isSigned,
                           bool clamp) {
  if (!clamp)
    return uint32_t(sum + start);
  if (isSigned)
    return uint32_t(
        std::clamp<int64_t>(sum + int32_t(start), INT32_MIN, INT32_MAX));
  return uint32_t(std::clamp<int64_t>(sum + start, 0, UINT32_MAX));
}

/// AMD's dots of 8- or 4-bit fields: code = bits << 1 | signed.
static void dotOfFields(const LocalCall &call) {
  bool isSigned = call.code & 1;
  int64_t sum = dot(call.argument<uint32_t>(0), call.argument<uint32_t>(1),
                    unsigned(call.code >> 1), isSigned, isSigned);
  call.setResult(accumulate(sum, call.argument<uint32_t>(2), isSigned,
                            call.argument<uint8_t>(3)));
}

/// sudot: each operand with its own sign; code = bits.
static void dotOfMixedFields(const LocalCall &call) {
  int64_t sum = dot(call.argument<uint32_t>(1), call.argument<uint32_t>(3),
                    unsigned(call.code), call.argument<uint8_t>(0),
                    call.argument<uint8_t>(2));
  call.setResult(accumulate(sum, call.argument<uint32_t>(4), /*isSigned=*/true,
                            call.argument<uint8_t>(5)));
}

static Value *highHalf(IRBuilder<> &builder, CallInst &call, int isSigned) {
  unsigned bits = call.getType()->getIntegerBitWidth();
  Type *wide = builder.getIntNTy(2 * bits);
  Value *a = builder.CreateIntCast(call.getArgOperand(0), wide, isSigned);
  Value *b = builder.CreateIntCast(call.getArgOperand(1), wide, isSigned);
  return builder.CreateTrunc(builder.CreateLShr(builder.CreateMul(a, b), bits),
                             call.getType());
}

static Value *extend24(IRBuilder<> &builder, Value *value, bool isSigned) {
  Value *up = builder.CreateShl(value, 8);
  return isSigned ? builder.CreateAShr(up, 8) : builder.CreateLShr(up, 8);
}

/// Product of the low 24 bits; code & 1: signed, code & 2: its high half.
static Value *multiply24(IRBuilder<> &builder, CallInst &call, int code) {
  bool isSigned = code & 1;
  Value *a = extend24(builder, call.getArgOperand(0), isSigned);
  Value *b = extend24(builder, call.getArgOperand(1), isSigned);
  if (!(code & 2) && call.getType()->isIntegerTy(32))
    return builder.CreateMul(a, b);
  Value *product = builder.CreateMul(
      builder.CreateIntCast(a, builder.getInt64Ty(), isSigned),
      builder.CreateIntCast(b, builder.getInt64Ty(), isSigned));
  if (code & 2)
    product = builder.CreateLShr(product, 32);
  return builder.CreateTrunc(product, call.getType());
}

/// Bit field of `width` bits at `offset`, both modulo 32.
static void bitField(const LocalCall &call) {
  uint32_t value = call.argument<uint32_t>(0);
  unsigned offset = call.argument<uint32_t>(1) & 31,
           width = call.argument<uint32_t>(2) & 31;
  if (!width)
    return call.setResult(uint32_t(0));
  uint32_t bits = value >> offset;
  unsigned drop = 32 - std::min(width, 32 - offset);
  bits <<= drop;
  call.setResult(call.code ? uint32_t(int32_t(bits) >> drop) : bits >> drop);
}

static void sumOfDifferences(const LocalCall &call) {
  uint32_t a = call.argument<uint32_t>(0), b = call.argument<uint32_t>(1);
  uint32_t sum = call.argument<uint32_t>(2);
  for (unsigned i = 0; i < 4; ++i)
    sum +=
        uint32_t(std::abs(int(a >> (8 * i) & 255) - int(b >> (8 * i) & 255)));
  call.setResult(sum);
}

/// The funnel shifts of PTX with amounts clamped at 32; code: to the right.
static void funnelShift(const LocalCall &call) {
  uint64_t both =
      uint64_t(call.argument<uint32_t>(0)) << 32 | call.argument<uint32_t>(1);
  unsigned amount = std::min(call.argument<uint32_t>(2), 32u);
  call.setResult(uint32_t(call.code ? both >> amount : both << amount >> 32));
}

void addIntegers(Table &table) {
  auto local = [&](const char *name, IntrinsicRow::LocalFunction function,
                   int code = 0) {
    table.push_back(IntrinsicRow::perThread(name, function, code));
  };
  auto rewrite = [&](const char *name, IntrinsicRow::RewriteFunction function,
                     int code) {
    table.push_back(IntrinsicRow::rewritten(name, function, code));
  };
  local("llvm.nvvm.prmt", permuteNvidia);
  local("llvm.nvvm.idp4a.s.s", dotOfFour, 3);
  local("llvm.nvvm.idp4a.s.u", dotOfFour, 1);
  local("llvm.nvvm.idp4a.u.s", dotOfFour, 2);
  local("llvm.nvvm.idp4a.u.u", dotOfFour, 0);
  local("llvm.nvvm.fshl.clamp", funnelShift, 0);
  local("llvm.nvvm.fshr.clamp", funnelShift, 1);
  rewrite("llvm.nvvm.mulhi.s", highHalf, 1);
  rewrite("llvm.nvvm.mulhi.us", highHalf, 0);
  rewrite("llvm.nvvm.mulhi.i", highHalf, 1);
  rewrite("llvm.nvvm.mulhi.ui", highHalf, 0);
  rewrite("llvm.nvvm.mulhi.ll", highHalf, 1);
  rewrite("llvm.nvvm.mulhi.ull", highHalf, 0);
  rewrite("llvm.nvvm.mul24.i", multiply24, 1);
  rewrite("llvm.nvvm.mul24.ui", multiply24, 0);

  local("llvm.amdgcn.perm", permuteAmd);
  local("llvm.amdgcn.sdot4", dotOfFields, 8 << 1 | 1);
  local("llvm.amdgcn.udot4", dotOfFields, 8 << 1);
  local("llvm.amdgcn.sdot8", dotOfFields, 4 << 1 | 1);
  local("llvm.amdgcn.udot8", dotOfFields, 4 << 1);
  local("llvm.amdgcn.sdot2", dotOfFields, 16 << 1 | 1);
  local("llvm.amdgcn.udot2", dotOfFields, 16 << 1);
  local("llvm.amdgcn.sudot4", dotOfMixedFields, 8);
  local("llvm.amdgcn.sudot8", dotOfMixedFields, 4);
  local("llvm.amdgcn.ubfe", bitField, 0);
  local("llvm.amdgcn.sbfe", bitField, 1);
  local("llvm.amdgcn.sad.u8", sumOfDifferences);
  rewrite("llvm.amdgcn.mul.i24", multiply24, 1);
  rewrite("llvm.amdgcn.mul.u24", multiply24, 0);
  rewrite("llvm.amdgcn.mulhi.i24", multiply24, 3);
  rewrite("llvm.amdgcn.mulhi.u24", multiply24, 2);
}

} // namespace labgen::emu
