// LabAttrs.td - what a lab may decide: enums of the contract, and the schedule.
//
// A new parameter of a micro-kernel is a line of Lab_KernelAttr, a field of
// KernelParameters (Lab.h) and a word in forEachParameter (LabAttrs.cpp).

#ifndef LABGEN_DIALECTS_LAB_LABATTRS
#define LABGEN_DIALECTS_LAB_LABATTRS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Lab/LabDialect.td"

class Lab_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::labgen::lab";
  let genSpecializedAttr = 0;
}

// Written as `#lab.WORD<case>`, which is how the reference prints it.
class Lab_EnumAttr<EnumInfo cases, string word>
    : EnumAttr<Lab_Dialect, cases, word> {
  let assemblyFormat = "`<` $value `>`";
}

def Lab_Rounding : Lab_Enum<"Rounding", "how a value between two codes is rounded", [
  I32EnumAttrCase<"Even", 0, "even">, I32EnumAttrCase<"Away", 1, "away">,
  I32EnumAttrCase<"Zero", 2, "zero">,
  I32EnumAttrCase<"Stochastic", 3, "stochastic">]>;
def Lab_RoundingAttr : Lab_EnumAttr<Lab_Rounding, "rounding">;

def Lab_IntRange : Lab_Enum<"IntRange", "codes of a symmetric integer quantizer: narrow is +-127, full -128..127", [
  I32EnumAttrCase<"Narrow", 0, "narrow">, I32EnumAttrCase<"Full", 1, "full">]>;
def Lab_IntRangeAttr : Lab_EnumAttr<Lab_IntRange, "range">;

def Lab_Inverse : Lab_Enum<"Inverse", "whether codes come from x / s or from x * (1 / s)", [
  I32EnumAttrCase<"Divide", 0, "divide">,
  I32EnumAttrCase<"Reciprocal", 1, "reciprocal">]>;
def Lab_InverseAttr : Lab_EnumAttr<Lab_Inverse, "inverse">;

def Lab_Divisor : Lab_Enum<"Divisor", "whether s is the scale as stored or before it is rounded to its type", [
  I32EnumAttrCase<"Stored", 0, "stored">,
  I32EnumAttrCase<"Unrounded", 1, "unrounded">]>;
def Lab_DivisorAttr : Lab_EnumAttr<Lab_Divisor, "divisor">;

def Lab_ScaleRule : Lab_Enum<"ScaleRule",
    "which power of two an E8M0 scale becomes", [
  I32EnumAttrCase<"Floor", 0, "floor">, I32EnumAttrCase<"RCeil", 1, "rceil">,
  I32EnumAttrCase<"Ceil", 2, "ceil">, I32EnumAttrCase<"Even", 3, "even">]>;
def Lab_ScaleRuleAttr : Lab_EnumAttr<Lab_ScaleRule, "rule">;

def Lab_Overflow : Lab_Enum<"Overflow",
    "what becomes of a rounded value beyond the largest: the largest, or Inf "
    "(NaN where the format has no Inf)", [
  I32EnumAttrCase<"Saturate", 0, "saturate">,
  I32EnumAttrCase<"Ieee", 1, "ieee">]>;
def Lab_OverflowAttr : Lab_EnumAttr<Lab_Overflow, "overflow">;

def Lab_NanRule : Lab_Enum<"NanRule",
    "what becomes of NaN: the target's NaN, or its largest value", [
  I32EnumAttrCase<"Propagate", 0, "propagate">,
  I32EnumAttrCase<"Max", 1, "max">]>;
def Lab_NanRuleAttr : Lab_EnumAttr<Lab_NanRule, "nan">;

def Lab_ReduceKind : Lab_Enum<"ReduceKind", "what a reduction computes", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Dot", 1, "dot">,
  I32EnumAttrCase<"Max", 2, "max">, I32EnumAttrCase<"AbsMax", 3, "absmax">,
  I32EnumAttrCase<"SumSq", 4, "sumsq">,
  I32EnumAttrCase<"FiniteAbsMax", 5, "finite_absmax">,
  I32EnumAttrCase<"Min", 6, "min">]>;
def Lab_ReduceKindAttr : Lab_EnumAttr<Lab_ReduceKind, "kind">;

def Lab_SumOrder : Lab_Enum<"SumOrder", "in which order a sum adds its elements", [
  I32EnumAttrCase<"Sequential", 0, "sequential">,
  I32EnumAttrCase<"Blocked", 1, "blocked">,
  I32EnumAttrCase<"Pairwise", 2, "pairwise">,
  I32EnumAttrCase<"Compensated", 3, "compensated">]>;
def Lab_SumOrderAttr : Lab_EnumAttr<Lab_SumOrder, "order">;

def Lab_LevelKind : Lab_Enum<"LevelKind", "what a tiling level becomes", [
  I32EnumAttrCase<"Block", 0, "block">, I32EnumAttrCase<"Loop", 1, "loop">,
  I32EnumAttrCase<"Warp", 2, "warp">, I32EnumAttrCase<"Thread", 3, "thread">]>;

def Lab_MicroKernel : Lab_Enum<"MicroKernel",
    "the micro-kernel of a gemm's tile: sums of outer products in registers, or "
    "dot products along k", [
  I32EnumAttrCase<"Outer", 0, "outer">, I32EnumAttrCase<"Dot", 1, "dot">]>;

def Lab_IntegerDot : Lab_Enum<"IntegerDot",
    "how 8-bit integers multiply: element by element, or two or four neighbours "
    "summed in one step", [
  I32EnumAttrCase<"Generic", 0, "generic">, I32EnumAttrCase<"Pairs", 1, "pairs">,
  I32EnumAttrCase<"Quads", 2, "quads">]>;

def Lab_LevelAttr : AttrDef<Lab_Dialect, "Level"> {
  let mnemonic = "level";
  let summary = "One level of a schedule";
  let description = [{
    The kind of the level with a tile size per iteration dimension, then what
    it adds; `#lab.schedule` explains the words.

    Example:

    ```mlir
    module attributes {
      lab.level = #lab.level<loop [0, 0, 256] pack [1] by [16, 16]>
    } {}
    ```
  }];
  let parameters = (ins
    AttrParameter<"::labgen::lab::LevelKind", "what the level becomes">:$kind,
    ArrayRefParameter<"int64_t", "tile size per iteration dimension">:$tile,
    AttrParameter<"int64_t",
      "threads of a block, or lanes that share a warp's tile">:$threads,
    AttrParameter<"bool", "make ragged tiles whole, with zeros">:$pad,
    AttrParameter<"bool", "accumulate in registers">:$accumulate,
    ArrayRefParameter<"int64_t", "operands copied transposed">:$pack,
    ArrayRefParameter<"int64_t", "operands copied as they are">:$stage,
    ArrayRefParameter<"int64_t", "rows and columns of a piece of a copy">:$copyBy);
  let builders = [AttrBuilder<(ins "::labgen::lab::LevelKind":$kind,
    "::llvm::ArrayRef<int64_t>":$tile, CArg<"int64_t", "1">:$threads,
    CArg<"bool", "false">:$pad, CArg<"bool", "false">:$accumulate,
    CArg<"::llvm::ArrayRef<int64_t>", "{}">:$pack,
    CArg<"::llvm::ArrayRef<int64_t>", "{}">:$stage,
    CArg<"::llvm::ArrayRef<int64_t>", "{}">:$copyBy), [{
      return $_get($_ctxt, kind, tile, threads, pad, accumulate, pack, stage,
                   copyBy);
    }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    /// Whether tiles are dealt to the threads of a block, one by one or by
    /// lanes that share a tile.
    bool isWithinBlock() const {
      return getKind() == LevelKind::Warp || getKind() == LevelKind::Thread;
    }
  }];
  let hasCustomAssemblyFormat = 1;
}

def Lab_KernelAttr : AttrDef<Lab_Dialect, "Kernel"> {
  let mnemonic = "kernel";
  let summary = "The micro-kernel of a tile, and what it is told";
  let description = [{
    The name of a gemm's micro-kernel, `outer` or `dot` (chosen from the types
    where it is left out), and parameters, each of which may be left out.
    A parameter that nothing would read is refused.

    Example:

    ```mlir
    func.func @tile(%a: memref<1x64xi8>, %b: memref<1x64xi8>,
                    %c: memref<1x1xi32>) {
      lab.gemm %a, %b -> %c {kernel = #lab.kernel<dot, integer_dot = quads,
                                                  prefetch = 4096>}
          : memref<1x64xi8>, memref<1x64xi8> -> memref<1x1xi32>
      return
    }
    ```
  }];
  let parameters = (ins
    AttrParameter<"std::optional<::labgen::lab::MicroKernel>",
      "`outer` or `dot`">:$kind,
    AttrParameter<"std::optional<::labgen::lab::IntegerDot>",
      "`integer_dot`: `generic`, `pairs` or `quads`, for integer products of "
      "`dot`">:$integerDot,
    ArrayRefParameter<"::mlir::Type",
      "`extend`: small floats that the target has instructions to make f32 "
      "of">:$extend,
    ArrayRefParameter<"::mlir::Type",
      "`truncate`: small floats that the target has instructions to round f32 "
      "to">:$truncate,
    AttrParameter<"std::optional<int64_t>",
      "`prefetch`: bytes ahead of a stream, 0 or more">:$prefetch,
    AttrParameter<"std::optional<int64_t>",
      "`width`: elements of a row of b that a lane loads at once, a power of "
      "two up to 256, for lanes that share dot products">:$width,
    AttrParameter<"std::optional<int64_t>",
      "`unroll`: such loads of a row under way together, 1 to 64">:$unroll,
    AttrParameter<"bool", "`nontemporal`: store around the caches">:$nontemporal,
    AttrParameter<"std::optional<int64_t>",
      "`lanes`: on a tile alone, how many lanes share it; a schedule says it by "
      "a warp level">:$lanes);
  let builders = [AttrBuilder<(ins
    "const ::labgen::lab::KernelParameters &":$kernel), [{
      return $_get($_ctxt, kernel.kind, kernel.integerDot,
                   kernel.extend, kernel.truncate, kernel.prefetch,
                   kernel.width, kernel.unroll, kernel.nontemporal,
                   kernel.lanes);
    }]>];
  let skipDefaultBuilders = 1;
  let extraClassDeclaration = [{
    KernelParameters toParameters() const;
    /// Whether it says nothing.
    bool isEmpty() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Lab_ScheduleAttr : AttrDef<Lab_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How a lab op is tiled, level by level, and its micro-kernel";
  let description = [{
    Levels from the outside in. Each has a kind and one tile size per iteration
    dimension of the op, 0 for "not tiled here":

    * `block`: tiles are work units, dealt to the threads of a CPU or the blocks
      of a GPU (`scf.forall`); `threads N` says how many threads a GPU's block
      has;
    * `warp`: tiles are dealt to groups of `lanes N` neighbouring lanes of a
      subgroup (a warp or wave), which share a tile (`scf.forall`);
    * `loop`: tiles follow one another (`scf.for`);
    * `thread`: tiles are dealt to the threads of a block (`scf.forall`).

    `pad` makes every tile of a level whole: a ragged one reaches beyond the
    matrices, its copies are filled with zeros, and only the part that is there
    is written. `accumulate` holds the result of a gemm's tile in the threads'
    registers while the level's loop runs, and writes it once.

    `pack [i, ...] by [rows, cols]` copies operand `i` of every tile of this
    level into a local buffer, transposed so that its first dimension has unit
    stride, in pieces of the given size; codes are dequantized on the way.
    `stage [i, ...] by [rows, cols]` does the same without transposing.
    `kernel<...>` names the micro-kernel and what it is told, with the words of
    `#lab.kernel`.

    Example:

    ```mlir
    func.func @gemm(%a: memref<256x512xf32>, %b: memref<96x512xf32>,
                    %c: memref<256x96xf32>) {
      lab.gemm %a, %b -> %c {schedule = #lab.schedule<
          block [128, 48, 0], loop [0, 0, 256] pack [1] by [16, 16],
          loop [8, 0, 0], kernel<outer>>}
          : memref<256x512xf32>, memref<96x512xf32> -> memref<256x96xf32>
      return
    }
    ```
  }];
  let parameters = (ins
    ArrayRefParameter<"::labgen::lab::LevelAttr",
      "levels from the outside in">:$levels,
    AttrParameter<"::labgen::lab::KernelAttr", "the micro-kernel">:$kernel);
  let builders = [AttrBuilder<(ins
    "::llvm::ArrayRef<::labgen::lab::LevelAttr>":$levels,
    CArg<"const ::labgen::lab::KernelParameters &",
         "::labgen::lab::KernelParameters()">:$kernel), [{
      return $_get($_ctxt, levels,
                   ::labgen::lab::KernelAttr::get($_ctxt, kernel));
    }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // LABGEN_DIALECTS_LAB_LABATTRS
