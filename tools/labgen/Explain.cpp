// Explain.cpp - labgen explain: the contract of one lab in words.
//
// Numbers come from the tables every other part uses (arguments, cost, bound);
// only the sentences are here.
#include "tools/labgen/Commands.h"

#include "lib/Spec/Bound.h"
#include "lib/Spec/Cost.h"
#include "runtime/report/TextTable.h"
#include "runtime/report/Units.h"
#include "tools/cli/Finish.h"
#include "tools/labgen/CompileChild.h"
#include "tools/labgen/Folder.h"

#include <cmath>

namespace labgen {

namespace {

std::string text(std::string_view view) { return std::string(view); }

std::string groupWords(const KernelSpec &s) {
  switch (s.group.kind) {
  case Group::Size:
    return "each run of " + std::to_string(s.group.size) +
           " neighbours along K";
  case Group::Channel:
    return "each row";
  case Group::Tensor:
    return "the whole tensor";
  case Group::None:
    break;
  }
  return "nothing";
}

std::string quantizeWords(const KernelSpec &s) {
  std::string scale = text(name(*s.scale));
  std::string words =
      "For " + groupWords(s) + " one scale, stored as " + scale + ". ";
  if (s.zero)
    words += "Asymmetric: scale = (max - min) / (qmax - qmin) with min <= 0 <= "
             "max, zero = clamp(round(qmin - min / scale)), code = "
             "clamp(round(x / scale) + zero). ";
  else if (s.scale == Format::F8E8M0FNU)
    words += "The scale is a power of two chosen by the rule of the spec. ";
  else if (s.range == IntRange::Full && isInteger(s.out))
    words += "scale = absmax / " +
             significant((info(s.out).max - info(s.out).min) / 2, 4) +
             ", codes from " + significant(info(s.out).min, 3) + " to " +
             significant(info(s.out).max, 3) + ". ";
  else
    words += "scale = absmax / " + significant(info(s.out).max, 3) +
             ", codes up to +-" + significant(info(s.out).max, 3) + ". ";
  if (s.scale == Format::F8E4M3FN)
    words += "One f32 scale of the whole tensor multiplies them. ";
  if (s.inverse == Inverse::Divide)
    words += "Rounds where: the f32 quotient x / scale (correctly rounded), "
             "then to the code (" +
             text(name(s.round)) + ")";
  else
    words += "Rounds where: 1 / scale, the product with x, then to the code (" +
             text(name(s.round)) + ")";
  return words + (s.divisor == Divisor::Stored
                      ? "; the divisor is the scale as stored."
                      : "; the divisor is the scale before it is stored.");
}

std::string reduceWords(const KernelSpec &s) {
  std::string type = text(name(s.type)), acc = text(name(s.acc));
  if (s.kind == ReduceKind::Max || s.kind == ReduceKind::AbsMax)
    return "The " + text(name(s.kind)) +
           " of all elements; exact. NaN "
           "propagates, -0 < +0, no elements give " +
           (s.kind == ReduceKind::Max ? "-Inf." : "0.");
  std::string words = "The " + text(name(s.kind)) + " of all elements in " +
                      acc + ", in the order ";
  switch (s.order) {
  case SumOrder::Sequential:
    words += "of their index.";
    break;
  case SumOrder::Blocked:
    words += "'blocked': per block of " + std::to_string(s.block) +
             " elements 128 accumulators, folded by halves; block results by "
             "the same rule.";
    break;
  case SumOrder::Pairwise:
    words += "'pairwise': runs of " + std::to_string(s.block) +
             " in order, then neighbours pairwise.";
    break;
  case SumOrder::Compensated:
    words += "'compensated': 128 Kahan pairs, folded in order with "
             "compensation.";
    break;
  }
  return words +
         " The same bits for any threads, schedule and target. Rounds "
         "where: every addition" +
         (s.kind == ReduceKind::Sum ? "" : " (products fused into it)") +
         ", and once into " + type + " at the end.";
}

std::string gemmWords(const KernelSpec &s) {
  std::string acc = text(name(s.acc));
  std::string words = "C[m,n] " + text(s.accumulate ? "+" : "") +
                      "= sum over k of A[m,k] B[n,k], accumulated in " + acc +
                      ". ";
  if (s.isQuantized())
    words += "B holds codes; " + groupWords(s) + " shares a scale. ";
  if (s.quantizesA())
    return words + "A is quantized on the fly in the same groups (absmax / "
                   "127, half to even); products and sums inside a group are "
                   "exact integers. Rounds where: A's codes, and the f32 sum "
                   "across groups.";
  if (isInteger(s.acc))
    return words + "Rounds where: nowhere, integers are exact.";
  return words +
         (s.isQuantized() ? "Rounds where: the dequantized weight, "
                            "each fused multiply-add"
                          : "Rounds where: each fused multiply-add") +
         ", and once into " + text(name(s.out)) + ".";
}

std::string words(const KernelSpec &s) {
  switch (s.op) {
  case Op::Quantize:
    return quantizeWords(s);
  case Op::Dequantize:
    return "y = code * scale" +
           text(s.zero ? " after the zero point is "
                         "subtracted"
                       : "") +
           "; " + groupWords(s) +
           " shares a scale. Rounds where: the product, "
           "and once into " +
           text(name(s.out)) + ".";
  case Op::Cast:
    return "Each element once from " + text(name(s.in)) + " to " +
           text(name(s.out)) + " (" + text(name(s.round)) +
           "), then overflow. Rounds where: there.";
  case Op::Exp:
    return "exp of each element in f32 within 1 ulp, then one cast.";
  case Op::Axpy:
    return "y = alpha x + y. Rounds where: one fused multiply-add in " +
           text(name(s.acc)) + " per element, and once into " +
           text(name(s.type)) + ".";
  case Op::Reduce:
    return reduceWords(s);
  case Op::Gemm:
    return gemmWords(s);
  }
  return "";
}

/// The scale of a group of absmax 1 before it is stored.
double unitScale(const KernelSpec &s) {
  const FormatInfo &code = info(s.out);
  if (s.zero)
    return 2 / (code.max - code.min);
  if (s.scale == Format::F8E8M0FNU)
    return std::exp2(-std::floor(std::log2(code.max)));
  if (s.range == IntRange::Full && isInteger(s.out))
    return 2 / (code.max - code.min);
  return 1 / code.max;
}

std::string boundWords(const KernelSpec &s) {
  switch (s.op) {
  case Op::Quantize:
    return "error against the input per element; for a group of absmax 1 at "
           "most " +
           scientific(quantizeBound(s, 1, unitScale(s))) +
           "; codes and scales match the oracle bit for bit";
  case Op::Reduce:
    if (s.kind == ReduceKind::Max || s.kind == ReduceKind::AbsMax)
      return "0: exact";
    return scientific(reduceBound(s, 1, 0)) +
           " times the sum of the magnitudes; the bits match the oracle";
  case Op::Gemm:
    return scientific(gemmBound(s, 1, 0, 0)) +
           " times sum |a||b| of the element" +
           (s.quantizesA() ? ", plus half a step of A per term" : "");
  default:
    return "the bits match the oracle";
  }
}

std::string argumentTable(const KernelSpec &s) {
  TextTable table;
  for (const char *title : {"argument", "role", "format", "shape"})
    table.addColumn(title);
  table.addColumn("bytes", Align::Right);
  for (const Argument &argument : labgen::arguments(s)) {
    std::string shape = "[";
    for (int64_t size : argument.shape)
      shape += (shape.size() > 1 ? "," : "") + std::to_string(size);
    table.addLine({argument.name, text(name(argument.role)),
                   text(name(argument.format)), shape + "]",
                   std::to_string(argument.bytes())});
  }
  return table.str();
}

/// What the compiler chooses for this machine.
std::string scheduleWords(const KernelSpec &s) {
  Result<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return "unknown: " + folder.status().message();
  Result<ManifestKernel> kernel =
      compileInChild({s, CompileOptions(), ""}, folder->path());
  return kernel ? kernel->schedule : "unknown: " + kernel.status().message();
}

} // namespace

Result<ExitCode> explainCommand(const Arguments &arguments) {
  Result<KernelSpec> spec = KernelSpec::parse(arguments.positional[0]);
  if (!spec)
    return spec.status();
  Cost c = cost(*spec);
  std::string out = spec->str() + "\n\n" + words(*spec) + "\n\n" +
                    argumentTable(*spec) + "\n";
  out += "bytes: " + std::to_string(c.bytesRead) + " read, " +
         std::to_string(c.bytesWritten) + " written\n";
  out += "FLOPs: " + std::to_string(c.flops) + ", " +
         significant(c.intensity()) + " per byte\n";
  if (c.bitsPerWeight)
    out += "bits per weight: " + significant(*c.bitsPerWeight, 4) + "\n";
  out += "error bound: " + boundWords(*spec) + "\n";
  out += "schedule (cpu:native): " + scheduleWords(*spec) + "\n";
  print(out);
  return ExitCode::Ok;
}

} // namespace labgen
