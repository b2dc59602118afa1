// Sets.cpp - spells the sets out as spec texts and parses them.
#include "runtime/matrix/Sets.h"

#include "lib/Support/ReadFile.h"
#include "lib/Support/Text.h"

#include <array>
#include <set>
#include <sstream>
#include <sys/stat.h>

namespace labgen {

namespace {

using Texts = std::vector<std::string>;

const Texts groups = {"tensor", "channel", "256", "128", "64", "32", "16", "8"};
const Texts floats = {"f64", "f32", "bf16", "f16"};
const Texts orders = {"sequential", "blocked", "pairwise", "compensated"};
const Texts smallFloats = {"f8E5M2",     "f8E4M3FN", "f8E4M3",   "f8E5M2FNUZ",
                           "f8E4M3FNUZ", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN"};
/// Plain gemms, then weights with groups.
const Texts plainGemms = {"a=f64,b=f64", "a=f32,b=f32", "a=bf16,b=bf16",
                          "a=f16,b=f16", "a=i8,b=i8"};
/// M = 1 streams the weights once (decode), 16 reuses them a little, square is
/// bound by arithmetic.
const Texts gemmShapes = {"m=1,n=4096,k=14336", "m=16,n=4096,k=4096",
                          "m=1024,n=1024,k=1024"};

/// 16M elements: the f32 side alone is 64 MiB, above most last-level caches.
const std::string matrixShape = "m=4096,k=4096";

std::string quantizing(const std::string &op, const std::string &shape,
                       const std::string &code, const std::string &group,
                       const std::string &scale) {
  std::string in = op == "quantize" ? "f32" : code;
  std::string out = op == "quantize" ? code : "f32";
  return op + ":" + shape + ",in=" + in + ",out=" + out + ",group=" + group +
         ",scale=" + scale;
}

/// Unsigned codes have zero points.
std::string zeroKey(const std::string &code) {
  return code[0] == 'u' ? ",zero=" + code : "";
}

std::string weightGemm(const std::string &shape, const std::string &b,
                       const std::string &group, const std::string &compute) {
  return "gemm:" + shape + ",a=f32,b=" + b + ",group=" + group +
         ",scale=f32,compute=" + compute + zeroKey(b);
}

const std::string stochastic = ",round=stochastic,seed=1";

/// 128 MiB of operands whatever the type.
std::string streamLength(const std::string &type) {
  return type == "f64"   ? "n=16777216"
         : type == "f32" ? "n=33554432"
                         : "n=67108864";
}

Texts fullTexts() {
  Texts texts;
  for (const char *op : {"quantize", "dequantize"})
    for (const char *code : {"i8", "i4"})
      for (const char *scale : {"f32", "f16"})
        for (const std::string &group : groups)
          texts.push_back(quantizing(op, matrixShape, code, group, scale));
  for (const char *op : {"quantize", "dequantize"})
    for (const char *code : {"u8", "u4"})
      for (const std::string &group : groups)
        texts.push_back(quantizing(op, matrixShape, code, group, "f16") +
                        zeroKey(code));
  for (const std::string &code : smallFloats) {
    for (const char *op : {"quantize", "dequantize"}) {
      texts.push_back(quantizing(op, matrixShape, code, "32", "f8E8M0FNU"));
      texts.push_back(quantizing(op, matrixShape, code, "128", "f32"));
    }
    texts.push_back("cast:" + streamLength("f32") + ",in=f32,out=" + code);
    texts.push_back("cast:" + streamLength("f32") + ",in=" + code + ",out=f32");
    texts.push_back("cast:" + streamLength("f32") + ",in=f32,out=" + code +
                    stochastic);
  }
  for (const char *code : {"i8", "i4"})
    texts.push_back(quantizing("quantize", matrixShape, code, "32", "f16") +
                    stochastic);
  for (const std::string &type : floats)
    texts.push_back("axpy:" + streamLength(type) + ",type=" + type);
  for (const std::string &type : floats) {
    std::string lab = "reduce:" + streamLength(type) + ",type=" + type;
    for (const char *kind : {"sum", "dot"})
      for (const std::string &order : orders)
        texts.push_back(lab + ",kind=" + kind + ",order=" + order);
    for (const char *kind : {"max", "absmax"})
      texts.push_back(lab + ",kind=" + kind);
  }
  for (const std::string &shape : gemmShapes) {
    for (const std::string &types : plainGemms)
      texts.push_back("gemm:" + shape + "," + types);
    for (const char *b : {"i8", "i4", "u4"})
      for (const char *group : {"128", "64", "32"})
        for (const char *compute : {"f32", "i8"})
          texts.push_back(weightGemm(shape, b, group, compute));
  }
  return texts;
}

Texts quickTexts() {
  Texts texts;
  auto quantized = [&](const char *op, const char *code, const Texts &sizes,
                       const char *scale) {
    for (const std::string &group : sizes)
      texts.push_back(quantizing(op, matrixShape, code, group, scale));
  };
  quantized("quantize", "i8", {"tensor", "channel", "128", "32", "8"}, "f32");
  quantized("quantize", "i4", {"128", "32"}, "f16");
  quantized("quantize", "f8E4M3FN", {"32"}, "f8E8M0FNU");
  quantized("quantize", "f4E2M1FN", {"32"}, "f8E8M0FNU");
  quantized("dequantize", "i8", {"channel", "32"}, "f32");
  quantized("dequantize", "i4", {"32"}, "f16");
  quantized("dequantize", "f8E4M3FN", {"32"}, "f8E8M0FNU");
  for (const std::string &type : floats)
    texts.push_back("axpy:" + streamLength(type) + ",type=" + type);
  auto reduce = [&](const std::string &type, const std::string &keys) {
    texts.push_back("reduce:" + streamLength(type) + ",type=" + type + "," +
                    keys);
  };
  for (const std::string &order : orders)
    reduce("f32", "kind=sum,order=" + order);
  reduce("f64", "kind=sum");
  reduce("f32", "kind=dot");
  reduce("bf16", "kind=dot");
  reduce("f32", "kind=absmax");
  for (const std::string &types : plainGemms)
    texts.push_back("gemm:" + gemmShapes[2] + "," + types);
  auto weights = [&](int shape, const char *b, const char *group,
                     const char *compute) {
    texts.push_back(weightGemm(gemmShapes[size_t(shape)], b, group, compute));
  };
  weights(0, "i8", "32", "f32");
  weights(0, "i8", "32", "i8");
  weights(0, "i8", "128", "i8");
  weights(0, "i4", "128", "f32");
  weights(0, "i4", "32", "f32");
  weights(0, "i4", "32", "i8");
  weights(1, "i4", "32", "f32");
  weights(1, "i4", "32", "i8");
  weights(2, "i4", "64", "f32");
  weights(2, "i8", "128", "i8");
  return texts;
}

/// How the last dimension ends, for a group (or vector) of g: one element,
/// below one, exactly three, one over, one short of two. All small and odd
/// enough to leave tails on every vector width.
enum class Tail { One, Below, Exact, Over, Short };
constexpr Tail tails[] = {Tail::One, Tail::Below, Tail::Exact, Tail::Over,
                          Tail::Short};

std::string tailLength(Tail tail, int64_t g) {
  switch (tail) {
  case Tail::One:
    return "1";
  case Tail::Below:
    return std::to_string(g > 1 ? g - 1 : 1);
  case Tail::Exact:
    return std::to_string(3 * g);
  case Tail::Over:
    return std::to_string(g + 1);
  case Tail::Short:
    return std::to_string(2 * g - 1);
  }
  return "";
}

/// All pairs of group class and tail, the formats walking a Latin square
/// through them, each rounded stochastically once: with at most 5 formats every
/// pair with a format is met too.
Texts ciTexts() {
  struct GroupClass {
    const char *name;
    int64_t length;
  };
  const GroupClass classes[] = {
      {"tensor", 37}, {"channel", 53}, {"128", 128}, {"32", 32}, {"8", 8}};
  // Code, scale and what else; one more symmetric or asymmetric one by op.
  using Code = std::array<std::string, 3>;
  const Code codes[] = {{"i8", "f32", ""},
                        {"i4", "f16", ""},
                        {"u8", "f32", ",zero=u8"},
                        {"u4", "f16", ",zero=u4"}};
  const std::pair<const char *, Code> ops[] = {
      {"quantize", {"i4", "bf16", ",zero=i4"}},
      {"dequantize", {"i8", "bf16", ",zero=i8"}}};
  Texts texts;
  for (const auto &[op, fifth] : ops)
    for (size_t g = 0; g < 5; ++g)
      for (size_t t = 0; t < 5; ++t) {
        size_t c = (g + t) % 5;
        const auto &[code, scale, zero] = c < 4 ? codes[c] : fifth;
        texts.push_back(
            quantizing(op, "m=7,k=" + tailLength(tails[t], classes[g].length),
                       code, classes[g].name, scale) +
            zero + (op == ops[0].first && g == t ? stochastic : ""));
      }
  // Tails of a vector of 16 and, for the sums, of their 128 accumulators.
  for (const std::string &type : floats)
    for (Tail tail : tails)
      texts.push_back("axpy:n=" + tailLength(tail, 64) + ",type=" + type);
  const Texts kinds = {"kind=sum",
                       "kind=dot,order=sequential",
                       "kind=max",
                       "kind=sum,order=pairwise",
                       "kind=dot,order=compensated",
                       "kind=absmax",
                       "kind=sum,order=sequential",
                       "kind=dot",
                       "kind=sum,order=compensated",
                       "kind=dot,order=pairwise"};
  for (size_t f = 0; f < floats.size(); ++f)
    for (size_t k = 0; k < kinds.size(); ++k)
      texts.push_back("reduce:n=" + tailLength(tails[(f + k) % 5], 128) +
                      ",type=" + floats[f] + "," + kinds[k]);
  const Texts rows = {"m=1,n=1", "m=1,n=17", "m=3,n=16", "m=16,n=33",
                      "m=17,n=7"};
  for (size_t f = 0; f < plainGemms.size(); ++f)
    for (size_t t = 0; t < 3; ++t)
      texts.push_back("gemm:" + rows[(f + t) % 5] +
                      ",k=" + tailLength(tails[(f + 2 * t) % 5], 32) + "," +
                      plainGemms[f]);
  const Texts weights = {"i8", "i4", "u8", "u4"};
  const GroupClass weightGroups[] = {{"128", 128}, {"64", 64}, {"32", 32}};
  for (size_t w = 0; w < 8; ++w)
    for (size_t g = 0; g < 3; ++g)
      texts.push_back(weightGemm(
          rows[(w + g) % 5] + ",k=" +
              tailLength(tails[(w + 2 * g) % 5], weightGroups[g].length),
          weights[w % 4], weightGroups[g].name, w < 4 ? "f32" : "i8"));
  return texts;
}

/// Drops repeats.
void add(std::vector<KernelSpec> &specs, std::set<std::string> &seen,
         const KernelSpec &spec) {
  if (seen.insert(spec.str()).second)
    specs.push_back(spec);
}

Result<std::vector<KernelSpec>> specsInFile(const std::string &path) {
  Result<std::string> text = readFile(path, Pipes::Taken);
  if (!text)
    return text.status();
  std::istringstream file(*text);
  std::vector<KernelSpec> specs;
  std::set<std::string> seen;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#')
      continue;
    size_t end = line.find_last_not_of(" \t\r");
    Result<KernelSpec> spec =
        KernelSpec::parse(line.substr(begin, end - begin + 1));
    if (!spec)
      return Status::badInput(path + " line " + std::to_string(number) + ": " +
                              spec.status().message());
    add(specs, seen, *spec);
  }
  if (specs.empty())
    return Status::badInput(path + " holds no spec; write one per line");
  return specs;
}

} // namespace

const std::vector<SetInfo> &allSets() {
  static const std::vector<SetInfo> sets = {
      {"quick", "a telling few, minutes"},
      {"ci", "small ragged shapes, every pair of format, group and tail"},
      {"full", "every dtype x group size x shape"}};
  return sets;
}

std::optional<std::vector<KernelSpec>> specsOfSet(std::string_view name) {
  Texts texts;
  if (name == "quick")
    texts = quickTexts();
  else if (name == "ci")
    texts = ciTexts();
  else if (name == "full")
    texts = fullTexts();
  else
    return std::nullopt;
  std::vector<KernelSpec> specs;
  std::set<std::string> seen;
  for (const std::string &text : texts)
    if (Result<KernelSpec> spec = KernelSpec::parse(text))
      add(specs, seen, *spec);
  return specs;
}

Result<std::vector<KernelSpec>> specsOf(const std::string &setOrFile) {
  if (std::optional<std::vector<KernelSpec>> specs = specsOfSet(setOrFile))
    return *specs;
  struct stat info;
  if (stat(setOrFile.c_str(), &info) != 0) {
    std::vector<std::string_view> names;
    for (const SetInfo &set : allSets())
      names.push_back(set.name);
    return Status::badInput("no set and no file " + quoted(setOrFile) +
                            "; did you mean the set " +
                            quoted(nearest(setOrFile, names)) + "?");
  }
  return specsInFile(setOrFile);
}

bool matchesGlob(std::string_view pattern, std::string_view text) {
  // On a mismatch go back to the last star and let it take one more.
  size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() &&
               (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*')
    ++p;
  return p == pattern.size();
}

} // namespace labgen
