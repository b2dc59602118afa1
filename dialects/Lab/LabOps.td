// LabOps.td - the ops of the lab dialect.

#ifndef LABGEN_DIALECTS_LAB_LABOPS
#define LABGEN_DIALECTS_LAB_LABOPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"
include "dialects/Lab/LabAttrs.td"
include "dialects/Lab/LabDialect.td"
include "dialects/Lab/LabInterfaces.td"

class Lab_Op<string mnemonic, list<string> accessMethods,
             list<Trait> traits = []>
    : Op<Lab_Dialect, mnemonic, traits # [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<Lab_AccessInterface, accessMethods>,
        DeclareOpInterfaceMethods<TilingInterface, [
          "getLoopIteratorTypes", "getIterationDomain",
          "getTiledImplementation"]>]> {
  let hasVerifier = 1;
  // Absorbs memref.cast, so that sizes made static later reach the op.
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

class Lab_Ranked<int rank> : MemRefRankOf<[AnyType], [rank]>;
class Lab_In<int rank> : Arg<Lab_Ranked<rank>, "", [MemRead]>;
class Lab_InOptional<int rank>
    : Arg<Optional<Lab_Ranked<rank>>, "", [MemRead]>;
class Lab_Out<int rank> : Arg<Lab_Ranked<rank>, "", [MemWrite]>;
class Lab_InOut<int rank> : Arg<Lab_Ranked<rank>, "", [MemRead, MemWrite]>;

def Lab_QuantizeOp : Lab_Op<"quantize", ["getTileMultiple"],
                            [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "Quantize a matrix to codes with a scale per group";
  let description = [{
    For every group of `group` neighbours along k (`channel`: a whole row,
    `tensor`: the whole matrix) with absmax `a`: the scale is `a / 127`
    (`range = full`: `a / 127.5`; 7 and 7.5 for `i4`), or `a` over the largest
    value of an f8, f6 or f4 format, rounded to its type; each code is
    `clamp(round(x / scale))`, the quotient rounded to f32 first. An E8M0 scale
    (`scale_type = f8E8M0FNU`) is the power of two that `rule` gives; an E4M3
    one (`f8E4M3FN`) is relative to `global`, the absmax of all finite values
    over the largest code times 448, which the op writes unless it is marked
    `global_known`. A group of
    zeros stores scale 0 (E8M0: byte 0) and codes 0; a group with a NaN or an
    Inf stores scale NaN and codes 0. The last group of a row may be short.

    Example:

    ```mlir
    func.func @quantize(%x: memref<64x256xf32>, %q: memref<64x128xi8>,
                        %scale: memref<64x8xf16>) {
      lab.quantize %x -> %q, %scale group = 32 {code = i4}
          : memref<64x256xf32> -> memref<64x128xi8>, memref<64x8xf16>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2>:$x, Lab_Out<2>:$q, Lab_Out<2>:$scale,
    Arg<Optional<Lab_Ranked<1>>, "", [MemRead, MemWrite]>:$global,
    I64Attr:$group,
    OptionalAttr<TypeAttr>:$code,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    DefaultValuedAttr<Lab_IntRangeAttr, "IntRange::Narrow">:$range,
    DefaultValuedAttr<Lab_InverseAttr, "Inverse::Divide">:$inverse,
    DefaultValuedAttr<Lab_DivisorAttr, "Divisor::Stored">:$divisor,
    OptionalAttr<TypeAttr>:$scale_type,
    DefaultValuedAttr<Lab_ScaleRuleAttr, "ScaleRule::Floor">:$rule,
    UnitAttr:$global_known);
  let assemblyFormat = [{
    $x `->` $q `,` $scale (`global` `(` $global^ `:` type($global) `)`)? `group` `=` custom<Group>($group) attr-dict
    `:` type($x) `->` type($q) `,` type($scale)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return ::mlir::MutableOperandRange(*this, 1, 2);
    }
    /// Type of one code: `code`, else the element type of q.
    ::mlir::Type getCodeType();
    /// Type of one scale: `scale_type`, else the element type of scale.
    ::mlir::Type getScaleFormat();
  }];
}

def Lab_EncodeOp : Lab_Op<"encode", ["getTileMultiple"]> {
  let summary = "Codes of a matrix for one scale that is known already";
  let description = [{
    The second half of a per-tensor quantize: `q = clamp(round(x / scale))` with
    the one `scale`; codes are 0 where it is 0 or NaN.

    Example:

    ```mlir
    func.func @encode(%x: memref<64x256xf32>, %scale: memref<1x1xf32>,
                      %q: memref<64x256xi8>) {
      lab.encode %x, %scale -> %q
          : memref<64x256xf32>, memref<1x1xf32> -> memref<64x256xi8>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2>:$x, Lab_In<2>:$scale, Lab_Out<2>:$q,
    OptionalAttr<TypeAttr>:$code,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    DefaultValuedAttr<Lab_IntRangeAttr, "IntRange::Narrow">:$range,
    DefaultValuedAttr<Lab_InverseAttr, "Inverse::Divide">:$inverse,
    OptionalAttr<TypeAttr>:$scale_type);
  let assemblyFormat = [{
    $x `,` $scale `->` $q attr-dict
    `:` type($x) `,` type($scale) `->` type($q)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getQMutable(); }
    ::mlir::Type getCodeType();
    ::mlir::Type getScaleFormat();
  }];
}

def Lab_DequantizeOp : Lab_Op<"dequantize", ["getTileMultiple"],
                              [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "Codes times the scale of their group";
  let description = [{
    `y = code * scale` in f32, rounded once to the type of y. A NaN scale makes
    its whole group NaN.

    Example:

    ```mlir
    func.func @dequantize(%q: memref<64x256xi8>, %scale: memref<64x1xf32>,
                          %y: memref<64x256xf32>) {
      lab.dequantize %q, %scale -> %y group = channel
          : memref<64x256xi8>, memref<64x1xf32> -> memref<64x256xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2>:$q, Lab_In<2>:$scale, Lab_Out<2>:$y,
    Lab_InOptional<1>:$global, I64Attr:$group, OptionalAttr<TypeAttr>:$code,
    OptionalAttr<TypeAttr>:$scale_type);
  let assemblyFormat = [{
    $q `,` $scale `->` $y (`global` `(` $global^ `:` type($global) `)`)? `group` `=` custom<Group>($group) attr-dict
    `:` type($q) `,` type($scale) `->` type($y)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getYMutable(); }
    ::mlir::Type getCodeType();
    ::mlir::Type getScaleFormat();
  }];
}

def Lab_CastOp : Lab_Op<"cast", ["getTileMultiple"],
                        [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "Every element in another number format";
  let description = [{
    One rounding from the source value, then overflow. `in` and `out` name the
    formats (`tf32` lies in f32; formats of 8 bits and less in packed bytes);
    left out, they are the element types. `overflow = saturate` gives the
    largest value for what lies beyond it, Inf too; `ieee` gives Inf, or NaN in
    a format without Inf. Left out, formats with neither, and integers,
    saturate. NaN stays NaN where the target has one, else it gives the largest
    value (integers: 0); `nan = max` gives the largest value always. -0 becomes
    +0 in FNUZ formats and integers.

    Example:

    ```mlir
    func.func @cast(%x: memref<1000xf32>, %y: memref<500xi8>) {
      lab.cast %x -> %y {out = f4E2M1FN} : memref<1000xf32> -> memref<500xi8>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<1>:$x, Lab_Out<1>:$y,
    OptionalAttr<TypeAttr>:$in, OptionalAttr<TypeAttr>:$out,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    OptionalAttr<Lab_OverflowAttr>:$overflow,
    OptionalAttr<Lab_NanRuleAttr>:$nan);
  let assemblyFormat = "$x `->` $y attr-dict `:` type($x) `->` type($y)";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getYMutable(); }
    ::mlir::Type getInType();
    ::mlir::Type getOutType();
  }];
}

def Lab_ExpOp : Lab_Op<"exp", ["getTileMultiple"],
                       [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "exp of every element, then one cast";
  let description = [{
    exp in f32, within 1 ulp on every target, then one cast to `out` with its
    default rules. Overflow gives Inf in f32.

    Example:

    ```mlir
    func.func @exp(%x: memref<1000xf32>, %y: memref<1000xf16>) {
      lab.exp %x -> %y : memref<1000xf32> -> memref<1000xf16>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<1>:$x, Lab_Out<1>:$y,
    OptionalAttr<TypeAttr>:$in, OptionalAttr<TypeAttr>:$out);
  let assemblyFormat = "$x `->` $y attr-dict `:` type($x) `->` type($y)";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getYMutable(); }
    ::mlir::Type getInType();
    ::mlir::Type getOutType();
  }];
}

def Lab_AxpyOp : Lab_Op<"axpy", [],
                        [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "y <- alpha x + y";
  let description = [{
    One fused multiply-add per element in `acc` (f32, or f64 for f64), rounded
    once to the type of y.

    Example:

    ```mlir
    func.func @axpy(%alpha: memref<f32>, %x: memref<1000xf32>,
                    %y: memref<1000xf32>) {
      lab.axpy %alpha, %x, %y
          : memref<f32>, memref<1000xf32>, memref<1000xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<0>:$alpha, Lab_In<1>:$x, Lab_InOut<1>:$y);
  let assemblyFormat = [{
    $alpha `,` $x `,` $y attr-dict `:` type($alpha) `,` type($x) `,` type($y)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getYMutable(); }
  }];
}

def Lab_ReduceOp : Lab_Op<"reduce", ["getTileMultiple"],
                          [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "Reduce a vector to one element, or to one per run";
  let description = [{
    With `r` of rank 0 the whole reduction; with rank 1 element i of `r` is the
    reduction of elements `[i * span, (i + 1) * span)`, where `span` is a
    multiple of `block`. Sums are bit for bit those of their `order`:

    * `sequential`: in order;
    * `blocked`: in each run of `block` elements 128 accumulators take elements
      i, i + 128, ...; they are folded by halves (i with i + 64, ...); the
      results of the runs are reduced by the same rule;
    * `pairwise`: runs of `block` elements summed in order, then neighbours
      pairwise, level by level, an odd last one moving up;
    * `compensated`: as blocked with Kahan pairs, folded in order.

    dot and sumsq add each product by one fused multiply-add (compensated: the
    product is rounded first). max is IEEE 754-2019 maximum; max and absmax
    propagate NaN and ignore `order`; finite_absmax leaves out NaN and Inf. The
    last result is divided by `divisor` if there is one.

    Example:

    ```mlir
    func.func @dot(%x: memref<5000xbf16>, %y: memref<5000xbf16>,
                   %r: memref<f32>) {
      lab.reduce dot blocked %x, %y -> %r block = 1024
          : memref<5000xbf16>, memref<5000xbf16> -> memref<f32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_ReduceKindAttr:$kind,
    DefaultValuedAttr<Lab_SumOrderAttr, "SumOrder::Blocked">:$order,
    Lab_In<1>:$x, Lab_InOptional<1>:$y,
    Arg<MemRefRankOf<[AnyType], [0, 1]>, "", [MemWrite]>:$r,
    DefaultValuedAttr<I64Attr, "16384">:$block, OptionalAttr<I64Attr>:$span,
    OptionalAttr<F32Attr>:$divisor);
  let assemblyFormat = [{
    `` $kind `` $order $x (`,` $y^)? `->` $r `block` `=` $block (`span` `=` $span^)?
    attr-dict `:` type($x) (`,` type($y)^)? `->` type($r)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getRMutable(); }
    /// Elements behind one result; the whole length for a rank-0 result.
    int64_t getElementsPerResult();
    bool isPartial() {
      return ::llvm::cast<::mlir::MemRefType>(getR().getType()).getRank() == 1;
    }
  }];
}

def Lab_GemmOp : Lab_Op<"gemm", ["getTileMultiple", "adjustTile"],
                        [AttrSizedOperandSegments,
                         DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "C <- A B^T, plain or with group-scaled weights";
  let description = [{
    A is [m, k], B is [n, k] (a row is an output channel), C is [m, n], which
    is overwritten unless `accumulate`. With `b_scale` the rows of B are codes
    with a scale per `group` along k:

    * `compute = f32` (default) dequantizes B and uses fused multiply-adds;
    * `compute = i8` quantizes A on the fly with B's groups; integer products
      within a group, f32 across groups. Once A is codes it has `a_scale`.

    Integer A and B without scales give exact i32 results.

    Example:

    ```mlir
    func.func @w4(%a: memref<16x64xf32>, %b: memref<32x32xi8>,
                  %s: memref<32x2xf16>, %c: memref<16x32xf32>) {
      lab.gemm %a, %b b_scale(%s : memref<32x2xf16>) -> %c group = 32
          {code = i4}
          : memref<16x64xf32>, memref<32x32xi8> -> memref<16x32xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2>:$a, Lab_In<2>:$b, Lab_InOptional<2>:$a_scale,
    Lab_InOptional<2>:$b_scale, Lab_InOptional<1>:$b_global, Lab_InOut<2>:$c,
    OptionalAttr<I64Attr>:$group, OptionalAttr<TypeAttr>:$code,
    OptionalAttr<TypeAttr>:$compute, UnitAttr:$accumulate,
    OptionalAttr<TypeAttr>:$scale_type);
  let assemblyFormat = [{
    $a `,` $b (`a_scale` `(` $a_scale^ `:` type($a_scale) `)`)?
    (`b_scale` `(` $b_scale^ `:` type($b_scale) `)`)?
    (`b_global` `(` $b_global^ `:` type($b_global) `)`)?
    `->` $c (`group` `=` custom<Group>($group)^)? attr-dict
    `:` type($a) `,` type($b) `->` type($c)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getCMutable(); }
    /// Type of B's codes: `code`, else the element type of b.
    ::mlir::Type getCodeType();
    /// Type of B's scales: `scale_type`, else the element type of b_scale.
    ::mlir::Type getScaleFormat();
    /// Whether A is still to be quantized.
    bool quantizesA();
  }];
}

def Lab_CopyOp : Lab_Op<"copy", []> {
  let summary = "Copy a matrix, converting its elements";
  let description = [{
    What packing and staging of a tile becomes: destination element = source
    element, widened where the types differ. Either side may be strided.

    Example:

    ```mlir
    func.func @widen(%src: memref<16x16xbf16>, %dst: memref<16x16xf32>) {
      lab.copy %src -> %dst : memref<16x16xbf16> -> memref<16x16xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2>:$src, Lab_Out<2>:$dst);
  let assemblyFormat =
      "$src `->` $dst attr-dict `:` type($src) `->` type($dst)";
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
  }];
}

#endif // LABGEN_DIALECTS_LAB_LABOPS
