// CheckTest.cpp - the checker says right to right outputs and names the first
// wrong element of each kind of damage.
#include "Support.h"

#include <cmath>
#include <limits>

using namespace labgen;
using namespace labgen::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const char *const labs[] = {
    "quantize:m=3,k=67,in=f32,out=i8,group=32,scale=f32",
    "quantize:m=3,k=67,in=bf16,out=i4,group=8,scale=f16",
    "quantize:m=3,k=67,in=f32,out=u4,group=16,scale=f32,zero=u4",
    "quantize:m=3,k=67,in=f32,out=f6E2M3FN,group=32,scale=f8E8M0FNU",
    "quantize:m=3,k=67,in=f32,out=f4E2M1FN,group=16,scale=f8E4M3FN",
    "dequantize:m=3,k=67,in=i4,out=f32,group=32,scale=f16",
    "dequantize:m=3,k=67,in=u8,out=bf16,group=16,scale=f32,zero=u8",
    "cast:n=67,in=f32,out=bf16",
    "cast:n=67,in=f32,out=i8",
    "cast:n=67,in=f16,out=f8E4M3FN",
    "cast:n=67,in=f32,out=f4E2M1FN",
    "cast:n=67,in=f32,out=f8E5M2,round=stochastic,seed=3",
    "exp:n=67,in=f32,out=f32",
    "exp:n=67,in=bf16,out=f16",
    "axpy:n=67,type=f64",
    "axpy:n=67,type=f32",
    "axpy:n=67,type=f16",
    "axpy:n=67,type=bf16,acc=bf16",
    "reduce:n=67,type=f32,kind=sum",
    "reduce:n=67,type=f16,kind=dot,order=compensated",
    "reduce:n=67,type=bf16,kind=absmax",
    "gemm:m=3,n=5,k=67,a=f32,b=f32",
    "gemm:m=3,n=5,k=67,a=f32,b=i4,group=32,scale=f16,compute=i8",
    "softmax:m=3,n=67,in=f32,out=f32",
    "softmax:m=3,n=67,in=bf16,out=f16",
    "softmax:m=3,n=67,in=f32,out=bf16,shift=no",
};

bool startsWith(const std::string &text, const std::string &prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

TEST(Check, RightOutputsAreRightForEveryDistribution) {
  for (const char *text : labs)
    for (int d = 0; d < 7; ++d) {
      Lab lab(text, Distribution(d));
      Verdict verdict = lab.verdict();
      bool pattern = text == std::string(labs[22]) && d == 6;
      // The plain product of the test knows nothing of NaN groups.
      EXPECT_TRUE(verdict.right || pattern)
          << text << " " << name(Distribution(d)) << ": " << verdict.reason;
      EXPECT_LE(verdict.error.maxAbs.value_or(0),
                verdict.bound.value_or(infinity))
          << text << " " << name(Distribution(d));
      EXPECT_EQ(verdict.checked, "all");
    }
}

TEST(Check, UntouchedOutputsAreWrong) {
  for (const char *text : labs) {
    Lab lab(text);
    lab.after = copied(lab.before);
    EXPECT_FALSE(lab.verdict().right) << text;
  }
}

/// The lowest bit of any element of any output, and a NaN where none belongs.
TEST(Check, OneBitOfAnyOutputIsSeen) {
  for (const char *text : labs) {
    bool isExact = !startsWith(text, "exp") && !startsWith(text, "softmax") &&
                   !startsWith(text, "gemm");
    Lab lab(text);
    for (const Argument &argument : arguments(lab.spec)) {
      if (argument.role == Role::Input)
        continue;
      Tensor &out = lab[argument.name.c_str()];
      const FormatInfo &f = info(argument.format);
      for (int64_t flat : {int64_t(0), argument.elements() - 1}) {
        int64_t r = flat / out.columns(), i = flat % out.columns();
        uint64_t kept = out.bits(r, i);
        std::string where = "\n" + std::string(text) + " " + argument.name;
        // Half the bits of the mantissa up: beyond any bound.
        int bit = isExact ? 0 : f.mantissaBits - 2;
        out.setBits(r, i, kept ^ uint64_t(1) << bit);
        Verdict verdict = lab.verdict();
        EXPECT_FALSE(verdict.right) << where;
        EXPECT_TRUE(startsWith(verdict.reason, argument.name)) << where;
        EXPECT_NE(verdict.reason.find(", want "), std::string::npos) << where;
        EXPECT_EQ(argument.name == "q", verdict.error.maxCode.value_or(0) > 0 &&
                                            lab.spec.op == Op::Quantize)
            << where;
        if (f.hasNaN && f.kind == FormatKind::Float) {
          out.setBits(r, i, encode(argument.format, std::nan("")));
          EXPECT_FALSE(lab.verdict().right) << where << " NaN";
        }
        out.setBits(r, i, kept);
      }
    }
    EXPECT_TRUE(lab.verdict().right) << text;
  }
}

TEST(Check, GuardsAndInputs) {
  for (const char *text : labs) {
    Lab lab(text);
    for (const Argument &argument : arguments(lab.spec)) {
      Tensor &tensor = lab[argument.name.c_str()];
      tensor.data()[tensor.byteSize()] ^= std::byte(1);
      Verdict guard = lab.verdict();
      EXPECT_FALSE(guard.right) << text << argument.name;
      EXPECT_EQ(guard.reason, "the guard behind the last byte of " +
                                  argument.name + " was overwritten");
      tensor.data()[tensor.byteSize()] ^= std::byte(1);
      if (argument.role != Role::Input)
        continue;
      int64_t r = tensor.rows() - 1, i = tensor.columns() - 1;
      tensor.setBits(r, i, tensor.bits(r, i) ^ 1);
      Verdict input = lab.verdict();
      EXPECT_FALSE(input.right) << text << argument.name;
      EXPECT_TRUE(startsWith(input.reason, "the input " + argument.name))
          << input.reason;
      tensor.setBits(r, i, tensor.bits(r, i) ^ 1);
    }
    EXPECT_TRUE(lab.verdict().right) << text;
  }
}

TEST(Check, ReasonNamesTheFirstWrongElement) {
  Lab lab("quantize:m=3,k=67,in=f32,out=i8,group=32,scale=f32");
  Tensor &q = lab["q"];
  q.setBits(1, 5, uint8_t(q.bits(1, 5) + 1));
  q.setBits(2, 66, uint8_t(q.bits(2, 66) - 3));
  lab["scale"].setBits(0, 0, 0);
  int want = int(q.value(1, 5)) - 1;
  char text[96];
  std::snprintf(text, sizeof text,
                "q[1,5] is %d (0x%02x), want %d (0x%02x); 2 of 201 elements "
                "are wrong",
                want + 1, uint8_t(want + 1), want, uint8_t(want));
  Verdict verdict = lab.verdict();
  EXPECT_EQ(verdict.reason, text);
  EXPECT_EQ(verdict.error.maxCode, 3);
}

TEST(Check, PadBitsMustBeZero) {
  Lab lab("quantize:m=3,k=67,in=f32,out=i4,group=32,scale=f32");
  EXPECT_EQ(lab.verdict().error.maxCode, 0);
  lab["q"].data()[34 + 33] |= std::byte(0x10); // the last byte of row 1
  Verdict verdict = lab.verdict();
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.reason, "the pad bits behind q[1,66] are not zero");
}

TEST(Check, AnyNanIsANan) {
  Lab lab("axpy:n=4,type=f32");
  find(lab.before, "x")->setBits(0, 2, 0x7fc00000);
  lab.after = rightOutputs(lab.spec, lab.before);
  lab["y"].setBits(0, 2, 0xffc01234);
  Verdict verdict = lab.verdict();
  EXPECT_TRUE(verdict.right) << verdict.reason;
  EXPECT_EQ(verdict.counts.nan, 1);
  EXPECT_TRUE(verdict.error.maxAbs.has_value()); // of the other three
  // -0 is not +0.
  Lab zero("axpy:n=1,type=f32", Distribution::Zeros);
  zero["y"].setBits(0, 0, 0x80000000);
  EXPECT_FALSE(zero.verdict().right);
}

TEST(Check, ErrorsByHand) {
  // x = 127, 0.25, -0.25, 3: codes 127, 0, 0, 3 with scale 1.
  Lab lab("quantize:m=1,k=4,in=f32,out=i8,group=4,scale=f32");
  float *x = find(lab.before, "x")->as<float>();
  x[0] = 127, x[1] = 0.25f, x[2] = -0.25f, x[3] = 3;
  lab.after = rightOutputs(lab.spec, lab.before);
  Verdict verdict = lab.verdict();
  double norm = std::sqrt(127 * 127 + 9 + 0.125);
  EXPECT_EQ(verdict.error.maxAbs, 0.25);
  EXPECT_DOUBLE_EQ(*verdict.error.rms, std::sqrt(0.125 / 4));
  EXPECT_DOUBLE_EQ(*verdict.error.relFro, std::sqrt(0.125) / norm);
  EXPECT_DOUBLE_EQ(*verdict.error.sqnrDb,
                   20 * std::log10(norm / std::sqrt(0.125)));
  EXPECT_EQ(verdict.error.maxCode, 0);
  EXPECT_NEAR(*verdict.bound, 0.5, 1e-3);
  // No error: no SQNR. Nothing but zeros: no relative error to speak of.
  Lab ones("axpy:n=9,type=f32", Distribution::Ones);
  EXPECT_EQ(ones.verdict().error.maxAbs, 0);
  EXPECT_EQ(ones.verdict().error.relFro, 0);
  EXPECT_FALSE(ones.verdict().error.sqnrDb.has_value());
}

TEST(Check, MetricsDoNotDependOnThreads) {
  for (const char *text :
       {"quantize:m=33,k=3000,in=f32,out=i4,group=32,scale=f16",
        "gemm:m=70,n=130,k=600,a=f32,b=f32", "exp:n=90000,in=f32,out=bf16"}) {
    Lab lab(text);
    Verdict one = check(lab.spec, lab.before, lab.after, serial);
    Verdict two = lab.verdict();
    EXPECT_EQ(one.error.rms, two.error.rms) << text;
    EXPECT_EQ(one.error.sqnrDb, two.error.sqnrDb) << text;
    EXPECT_EQ(one.bound, two.bound) << text;
  }
}

TEST(Check, CastCounts) {
  // NaN, Inf, overflow and underflow on the way to E4M3FN, saturating or not.
  auto counts = [](const std::string &keys, std::vector<double> x) {
    Lab lab("cast:n=" + std::to_string(x.size()) + ",in=f32," + keys);
    *find(lab.before, "x") = tensorOf("x", Format::F32, {int64_t(x.size())}, x);
    lab.after = rightOutputs(lab.spec, lab.before);
    Verdict verdict = lab.verdict();
    EXPECT_TRUE(verdict.right) << verdict.reason;
    return verdict.counts;
  };
  double inf = std::numeric_limits<double>::infinity();
  std::vector<double> x = {std::nan(""), inf, 464, 465, 1e-9, 0};
  RowCounts saturating = counts("out=f8E4M3FN,overflow=saturate", x);
  EXPECT_EQ(saturating.nan, 1);
  EXPECT_EQ(saturating.inf, 1);
  EXPECT_EQ(saturating.sat, 2); // 464 is a tie that rounds to 448
  EXPECT_EQ(saturating.flush, 1);
  EXPECT_EQ(counts("out=f8E4M3FN", x).nan, 3); // Inf and 465 too
  EXPECT_EQ(counts("out=f4E2M1FN", x).sat, 3);
}

TEST(Check, NanErrorRefusesANan) {
  Lab lab("cast:n=5,in=f32,out=f8E4M3FN,nan=error");
  EXPECT_TRUE(lab.verdict().right);
  find(lab.before, "x")->setBits(0, 3, 0x7fc00000);
  lab.after = rightOutputs(lab.spec, lab.before);
  Verdict verdict = lab.verdict();
  EXPECT_FALSE(verdict.right);
  EXPECT_EQ(verdict.reason, "x[3] is NaN, which nan=error does not allow");
}

TEST(Check, ExpWithinOneUlp) {
  Lab lab("exp:n=6,in=f32,out=f32");
  *find(lab.before, "x") =
      tensorOf("x", Format::F32, {6}, {0.3, -87.5, -103.5, 89, -200, 88.7});
  *find(lab.after, "x") = *find(lab.before, "x")->copy();
  Tensor &y = lab["y"];
  auto set = [&](int64_t i, int64_t ulps) {
    double exact = std::exp(find(lab.before, "x")->value(0, i));
    y.setBits(0, i, uint64_t(int64_t(encode(Format::F32, exact)) + ulps));
  };
  auto settled = [&] {
    for (int64_t i = 0; i < 6; ++i)
      set(i, 0);
    return lab.verdict();
  };
  EXPECT_TRUE(settled().right) << settled().reason;
  for (int64_t i : {0, 1, 2, 5}) {
    // The neighbour on the side of the exact value is within one ulp, two off
    // never is.
    double exact = std::exp(find(lab.before, "x")->value(0, i));
    bool below = decode(Format::F32, encode(Format::F32, exact)) < exact;
    set(i, below ? 1 : -1);
    EXPECT_TRUE(lab.verdict().right) << i << lab.verdict().reason;
    for (int off : {-2, 2}) {
      if (i == 2 && off < 0)
        continue; // exp(-103.5) is the smallest subnormal
      set(i, off);
      EXPECT_FALSE(lab.verdict().right) << i << " " << off;
    }
    settled();
  }
  y.setBits(0, 3, encode(Format::F32, info(Format::F32).max));
  EXPECT_FALSE(lab.verdict().right); // exp(89) is Inf
}

TEST(Check, EmptyLabsAreRight) {
  for (const char *text :
       {"quantize:m=0,k=5,in=f32,out=i8,group=2,scale=f32",
        "quantize:m=3,k=0,in=f32,out=i4,group=2,scale=f32",
        "quantize:m=3,k=0,in=f32,out=i8,group=channel,scale=f16",
        "quantize:m=0,k=0,in=f32,out=i8,group=tensor,scale=f32",
        "dequantize:m=0,k=5,in=i8,out=f32,group=2,scale=f32",
        "cast:n=0,in=f32,out=i8", "exp:n=0,in=f32,out=f32", "axpy:n=0,type=f32",
        "reduce:n=0,type=f32,kind=sum", "reduce:n=0,type=f32,kind=max",
        "gemm:m=0,n=0,k=0,a=f32,b=f32", "gemm:m=2,n=2,k=0,a=i8,b=i8"}) {
    Lab lab(text);
    Verdict verdict = lab.verdict();
    EXPECT_TRUE(verdict.right) << text << ": " << verdict.reason;
  }
}

TEST(Check, MissingArguments) {
  Lab lab("axpy:n=4,type=f32");
  lab.after.pop_back();
  EXPECT_FALSE(lab.verdict().right);
}

} // namespace
