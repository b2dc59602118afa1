// HostLibraryTest.cpp - what compiled kernels may call of the host's library is
// all there: every operation that becomes a call, on every type.
#include "Faults.h"

#include <cmath>

namespace labgen::emu {
namespace {

/// A kernel of one argument %a of `type`, and stores of every %rN to `out`.
class EveryOperation {
public:
  explicit EveryOperation(const std::string &type) : type(type) {
    body = "  %p = getelementptr " + type +
           ", ptr addrspace(1) %in, i32 %t\n  %a = load " + type +
           ", ptr addrspace(1) %p, align 1\n";
  }
  /// `text` with TYPE and SUFFIX (of an intrinsic) gives a value of `result`.
  void add(std::string text, const std::string &result) {
    for (const auto &[key, value] :
         {std::pair<std::string, std::string>{"TYPE", type},
          {"SUFFIX", suffix()}})
      for (size_t at; (at = text.find(key)) != std::string::npos;)
        text.replace(at, key.size(), value);
    std::string n = std::to_string(count++);
    body += "  %r" + n + " = " + text + "\n  %q" + n +
            " = getelementptr i8, ptr addrspace(1) %out, i32 " +
            std::to_string(256 * count) + "\n  store " + result + " %r" + n +
            ", ptr addrspace(1) %q" + n + ", align 1\n";
  }
  /// Loads, compiles, links and runs.
  void expectRuns() {
    Device device(kernel(body));
    ASSERT_TRUE(device.program);
    unsigned in = device.buffer("in", std::vector<uint32_t>(64, 0x3C003C00)),
             out = *device.memory->allocate("out", 256 * (count + 2),
                                            Role::Output);
    expectClean(
        device.run("k", {1, 1, 1}, {1, 1, 1}, {pointer(in), pointer(out)}));
  }

private:
  std::string suffix() const {
    if (type[0] == '<')
      return "v" + type.substr(1, 1) + name(type.substr(5, type.size() - 6));
    return name(type);
  }
  static std::string name(const std::string &scalar) {
    return scalar == "half"     ? "f16"
           : scalar == "bfloat" ? "bf16"
           : scalar == "float"  ? "f32"
           : scalar == "double" ? "f64"
                                : scalar;
  }
  std::string type, body;
  unsigned count = 0;
};

TEST(HostLibrary, FloatOperations) {
  for (const std::string type :
       {"half", "bfloat", "float", "double", "<3 x float>", "<2 x half>"}) {
    EveryOperation all(type);
    for (const char *name :
         {"acos",      "asin",  "atan",  "canonicalize", "ceil",
          "cos",       "cosh",  "exp",   "exp10",        "exp2",
          "fabs",      "floor", "log",   "log10",        "log2",
          "nearbyint", "rint",  "round", "sin",          "roundeven",
          "sinh",      "sqrt",  "tan",   "tanh",         "trunc"})
      all.add(std::string("call TYPE @llvm.") + name + ".SUFFIX(TYPE %a)",
              type);
    for (const char *name :
         {"atan2", "copysign", "maximum", "maximumnum", "maxnum", "minimum",
          "minimumnum", "minnum", "pow"})
      all.add(std::string("call TYPE @llvm.") + name +
                  ".SUFFIX(TYPE %a, TYPE %a)",
              type);
    all.add("frem TYPE %a, %a", type);
    all.add("call TYPE @llvm.fma.SUFFIX(TYPE %a, TYPE %a, TYPE %a)", type);
    all.add("call TYPE @llvm.powi.SUFFIX.i32(TYPE %a, i32 %t)", type);
    all.expectRuns();
  }
}

TEST(HostLibrary, FloatsAndIntegers) {
  for (const std::string type : {"half", "bfloat", "float", "double"}) {
    EveryOperation all(type);
    all.add("call TYPE @llvm.ldexp.SUFFIX.i32(TYPE %a, i32 %t)", type);
    all.add("call { TYPE, i32 } @llvm.frexp.SUFFIX.i32(TYPE %a)",
            "{ " + type + ", i32 }");
    all.add("call i1 @llvm.is.fpclass.SUFFIX(TYPE %a, i32 3)", "i1");
    for (const char *name : {"lrint", "llrint", "lround", "llround"})
      all.add(std::string("call i64 @llvm.") + name + ".i64.SUFFIX(TYPE %a)",
              "i64");
    for (const std::string number : {"i1", "i8", "i32", "i64", "i128"}) {
      for (const char *way : {"fptosi", "fptoui"}) {
        all.add(std::string(way) + " TYPE %a to " + number, number);
        all.add("call " + number + " @llvm." + way + ".sat." + number +
                    ".SUFFIX(TYPE %a)",
                number);
      }
    }
    for (const char *way : {"sitofp", "uitofp"}) {
      all.add(std::string(way) + " i32 %t to TYPE", type);
      all.add(std::string(way) + " i128 -5 to TYPE", type);
    }
    all.expectRuns();
  }
  for (const std::string wide : {"i128", "i64", "i256"}) {
    EveryOperation all(wide);
    for (const char *name : {"udiv", "sdiv", "urem", "srem", "mul"})
      all.add(std::string(name) + " TYPE %a, %a", wide);
    for (const char *to : {"half", "bfloat", "float", "double"})
      for (const char *way : {"sitofp", "uitofp"})
        all.add(std::string(way) + " TYPE %a to " + to, to);
    all.add("call { TYPE, i1 } @llvm.smul.with.overflow.SUFFIX(TYPE %a, TYPE "
            "%a)",
            "{ " + wide + ", i1 }");
    all.expectRuns();
  }
}

} // namespace
} // namespace labgen::emu
