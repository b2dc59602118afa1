// LabOps.td - the ops of the lab dialect.

#ifndef LABGEN_DIALECTS_LAB_LABOPS
#define LABGEN_DIALECTS_LAB_LABOPS

include "dialects/Lab/LabOpBase.td"
include "dialects/Lab/QuantizeOps.td"

def Lab_CastOp : Lab_Op<"cast", ["getTileMultiple", "adjustTile"],
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

    `round = stochastic` needs a `seed`: element i is rounded away from zero
    when the first word of Philox4x32-10 with the seed as key and i as counter
    is below 2^32 times the fraction that is dropped. A tile says with
    `at [first]` which element of the lab its first one is. `count` is how many
    elements there are where x and y are both packed and hold more.

    Example:

    ```mlir
    func.func @cast(%x: memref<1000xf32>, %y: memref<500xi8>) {
      lab.cast %x -> %y {out = f4E2M1FN} : memref<1000xf32> -> memref<500xi8>
      lab.cast %x -> %y {out = f4E2M1FN, round = #lab.rounding<stochastic>,
                         seed = 7 : ui64} : memref<1000xf32> -> memref<500xi8>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<1, Lab_Number>:$x, Lab_Out<1, Lab_Number>:$y,
    OptionalAttr<TypeAttr>:$in, OptionalAttr<TypeAttr>:$out,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    OptionalAttr<Lab_OverflowAttr>:$overflow,
    OptionalAttr<Lab_NanRuleAttr>:$nan, OptionalAttr<UI64Attr>:$seed,
    OptionalAttr<I64Attr>:$count, Lab_Position:$position);
  let assemblyFormat = [{
    $x `->` $y (`at` `[` $position^ `]`)? attr-dict
    `:` type($x) `->` type($y)
  }];
  let inits = "getYMutable()";
  let extraClassDeclaration = [{
    ::mlir::Type getInType();
    ::mlir::Type getOutType();
  }];
}

def Lab_ExpOp : Lab_Op<"exp", ["getTileMultiple", "adjustTile"],
                       [DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "exp of every element, then one cast";
  let description = [{
    exp in f32, within 1 ulp on every target, then one cast to `out` with its
    default rules. Overflow gives Inf in f32. `count` is how many elements there
    are where x and y are both packed and hold more.

    Example:

    ```mlir
    func.func @exp(%x: memref<1000xf32>, %y: memref<1000xf16>) {
      lab.exp %x -> %y : memref<1000xf32> -> memref<1000xf16>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<1, Lab_NarrowFloat>:$x,
    Lab_Out<1, Lab_NarrowFloat>:$y,
    OptionalAttr<TypeAttr>:$in, OptionalAttr<TypeAttr>:$out,
    OptionalAttr<I64Attr>:$count);
  let assemblyFormat = "$x `->` $y attr-dict `:` type($x) `->` type($y)";
  let inits = "getYMutable()";
  let extraClassDeclaration = [{
    ::mlir::Type getInType();
    ::mlir::Type getOutType();
  }];
}

def Lab_SoftmaxOp : Lab_Op<"softmax", ["getTileMultiple"],
                           [DeclareOpInterfaceMethods<Lab_CostInterface,
                                                      ["getRules"]>]> {
  let summary = "exp of every element over the sum of its row's";
  let description = [{
    All in f32: with `shift` the row's maximum (IEEE 754-2019's, which keeps NaN)
    is subtracted first; exp within 1 ulp; the sum in the order `blocked` of
    `lab.reduce`, with blocks of 16384 elements; one division per element; one
    cast to `out` with its default rules. With `shift`, a NaN or +Inf in a row
    gives NaN throughout, and so does a row of -Inf; without, large elements
    overflow. `count` is how many elements a row has where x and y are both
    packed and hold more.

    Example:

    ```mlir
    func.func @softmax(%x: memref<4x1000xf32>, %y: memref<4x1000xbf16>) {
      lab.softmax %x -> %y : memref<4x1000xf32> -> memref<4x1000xbf16>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2, Lab_NarrowFloat>:$x,
    Lab_Out<2, Lab_NarrowFloat>:$y,
    OptionalAttr<TypeAttr>:$in, OptionalAttr<TypeAttr>:$out,
    DefaultValuedAttr<BoolAttr, "true">:$shift, OptionalAttr<I64Attr>:$count);
  let assemblyFormat = "$x `->` $y attr-dict `:` type($x) `->` type($y)";
  let inits = "getYMutable()";
  let extraClassDeclaration = [{
    ::mlir::Type getInType();
    ::mlir::Type getOutType();
  }];
}

def Lab_AxpyOp : Lab_Op<"axpy", [],
                        [AllElementTypesMatch<["alpha", "x", "y"]>,
                         DeclareOpInterfaceMethods<Lab_CostInterface>]> {
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
  let arguments = (ins Lab_In<0, Lab_Float>:$alpha, Lab_In<1, Lab_Float>:$x,
    Lab_InOut<1, Lab_Float>:$y);
  let assemblyFormat = [{
    $alpha `,` $x `,` $y attr-dict `:` type($alpha) `,` type($x) `,` type($y)
  }];
  let inits = "getYMutable()";
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

    Sums are taken in the type of `r`; f16 adds f16 elements in f16. dot and
    sumsq add each product by one fused multiply-add (compensated: the product
    is rounded first). max and min are IEEE 754-2019 maximum and minimum; they
    and absmax propagate NaN and ignore `order`; finite_absmax leaves out NaN
    and Inf. The last result is divided by `divisor` if there is one.

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
    Lab_In<1, Lab_Float>:$x, Lab_InOptional<1, Lab_Float>:$y,
    Arg<MemRefRankOf<[Lab_Accumulator], [0, 1]>, "", [MemWrite]>:$r,
    DefaultValuedAttr<I64Attr, "16384">:$block, OptionalAttr<I64Attr>:$span,
    OptionalAttr<F32Attr>:$divisor);
  let assemblyFormat = [{
    custom<KindAndOrder>($kind, $order) $x (`,` $y^)? `->` $r `block` `=` $block (`span` `=` $span^)?
    attr-dict `:` type($x) (`,` type($y)^)? `->` type($r)
  }];
  let inits = "getRMutable()";
  let extraClassDeclaration = [{
    /// Elements behind one result; the whole length for a rank-0 result.
    int64_t getElementsPerResult();
    bool isPartial() {
      return ::llvm::cast<::mlir::MemRefType>(getR().getType()).getRank() == 1;
    }
  }];
}

def Lab_GemmOp : Lab_Op<"gemm", ["getTileMultiple", "getTileWithin", "adjustTile"],
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

    With `b_zero` a weight is (code - zero point) * scale; zero points have the
    type of the codes. Without scales A and B may be codes themselves, `a_code`
    and `code`: floats are multiplied as their values in f32, integers give
    exact i32 results. A bf16 or f16 C is rounded once, from f32.

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
  let arguments = (ins Lab_In<2, Lab_Factor>:$a, Lab_In<2, Lab_Factor>:$b,
    Lab_InOptional<2, Lab_Single>:$a_scale,
    Lab_InOptional<2, Lab_Scale>:$b_scale,
    Lab_InOptional<2, Lab_ZeroPoint>:$b_zero,
    Lab_InOptional<1, Lab_Single>:$b_global, Lab_InOut<2, Lab_Product>:$c,
    OptionalAttr<I64Attr>:$group, OptionalAttr<TypeAttr>:$a_code,
    OptionalAttr<TypeAttr>:$code, OptionalAttr<TypeAttr>:$compute,
    UnitAttr:$accumulate, OptionalAttr<TypeAttr>:$scale_type);
  let assemblyFormat = [{
    $a `,` $b (`a_scale` `(` $a_scale^ `:` type($a_scale) `)`)?
    (`b_scale` `(` $b_scale^ `:` type($b_scale) `)`)?
    (`b_zero` `(` $b_zero^ `:` type($b_zero) `)`)?
    (`b_global` `(` $b_global^ `:` type($b_global) `)`)?
    `->` $c (`group` `=` custom<Group>($group)^)? attr-dict
    `:` type($a) `,` type($b) `->` type($c)
  }];
  let inits = "getCMutable()";
  let extraClassDeclaration = [{
    /// Type of A's elements: `a_code`, else the element type of a.
    ::mlir::Type getACodeType();
    /// Type of B's codes: `code`, else the element type of b.
    ::mlir::Type getCodeType();
    /// Elements along k: where both sides are packed, what fits in both (pad
    /// codes are 0).
    int64_t getDepth();
    /// Type of B's scales: `scale_type`, else the element type of b_scale.
    ::mlir::Type getScaleFormat();
    /// Whether A is still to be quantized.
    bool quantizesA();
  }];
}

def Lab_CopyOp : Lab_Op<"copy", ["getTileMultiple"]> {
  let summary = "Copy a matrix, converting its elements";
  let description = [{
    What packing and staging of a tile becomes: destination element = source
    element, widened where the types differ; with `code` the value of a source
    code of that float format. Either side may be strided. With `pad` one side
    may be smaller, whichever has dynamic sizes: a smaller source is filled up
    with zeros, of a larger one only what fits is copied.

    Example:

    ```mlir
    func.func @widen(%src: memref<16x16xbf16>, %dst: memref<16x16xf32>) {
      lab.copy %src -> %dst : memref<16x16xbf16> -> memref<16x16xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2, Lab_Number>:$src, Lab_Out<2, Lab_Number>:$dst,
    OptionalAttr<TypeAttr>:$code, UnitAttr:$pad);
  let assemblyFormat =
      "$src `->` $dst attr-dict `:` type($src) `->` type($dst)";
  let inits = "getDstMutable()";
  let extraClassDeclaration = [{
    /// With `pad`: the side whose size is that of the tile.
    ::mlir::OpOperand &getWholeSide();
    /// Type of the source's elements: `code`, else the element type of src.
    ::mlir::Type getCodeType();
  }];
}

#endif // LABGEN_DIALECTS_LAB_LABOPS
