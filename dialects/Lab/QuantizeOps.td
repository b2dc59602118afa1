// QuantizeOps.td - matrices to codes with scales and zero points, and back.

#ifndef LABGEN_DIALECTS_LAB_QUANTIZEOPS
#define LABGEN_DIALECTS_LAB_QUANTIZEOPS

include "dialects/Lab/LabOpBase.td"

def Lab_QuantizeOp : Lab_Op<"quantize", ["getTileMultiple", "adjustTile"],
                            [AttrSizedOperandSegments,
                             DeclareOpInterfaceMethods<Lab_CostInterface>]> {
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

    With `zero` the quantizer is asymmetric: the extremes of a group, 0 among
    them, span all integer codes, `scale = (max - min) / (qmax - qmin)`; its
    zero point is `clamp(rne(qmin - min / scale))`, a code is
    `clamp(round(x / scale) + zero)`. Zero points are packed as codes of the
    same type, each row starting on a byte. A group of zeros stores zero point
    and codes qmin, one with a NaN or an Inf 0.

    `round = stochastic` needs a `seed`: element (i, j) is rounded away from
    zero when the first word of Philox4x32-10 with the seed as key and `i * k +
    j` as counter is below 2^32 times the fraction that is dropped. A tile says
    with `at [first, pitch]` which flat indices its elements have.

    Example:

    ```mlir
    func.func @quantize(%x: memref<64x256xf32>, %q: memref<64x128xi8>,
                        %scale: memref<64x8xf16>, %zero: memref<64x4xi8>) {
      lab.quantize %x -> %q, %scale group = 32 {code = i4}
          : memref<64x256xf32> -> memref<64x128xi8>, memref<64x8xf16>
      lab.quantize %x -> %q, %scale zero(%zero : memref<64x4xi8>) group = 32
          {code = ui4}
          : memref<64x256xf32> -> memref<64x128xi8>, memref<64x8xf16>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2, Lab_Activation>:$x, Lab_Out<2, Lab_Code>:$q,
    Lab_Out<2, Lab_Scale>:$scale, Lab_OutOptional<2, Lab_ZeroPoint>:$zero,
    Arg<Optional<Lab_Ranked<1, Lab_Single>>, "",
        [MemRead, MemWrite]>:$global,
    I64Attr:$group,
    OptionalAttr<TypeAttr>:$code,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    DefaultValuedAttr<Lab_IntRangeAttr, "IntRange::Narrow">:$range,
    DefaultValuedAttr<Lab_InverseAttr, "Inverse::Divide">:$inverse,
    DefaultValuedAttr<Lab_DivisorAttr, "Divisor::Stored">:$divisor,
    OptionalAttr<TypeAttr>:$scale_type,
    DefaultValuedAttr<Lab_ScaleRuleAttr, "ScaleRule::Floor">:$rule,
    UnitAttr:$global_known, OptionalAttr<UI64Attr>:$seed,
    Lab_Position:$position);
  let assemblyFormat = [{
    $x `->` $q `,` $scale (`zero` `(` $zero^ `:` type($zero) `)`)?
    (`global` `(` $global^ `:` type($global) `)`)? (`at` `[` $position^ `]`)?
    `group` `=` custom<Group>($group) attr-dict
    `:` type($x) `->` type($q) `,` type($scale)
  }];
  let inits = "::mlir::MutableOperandRange(*this, 1, getZero() ? 3 : 2)";
  let extraClassDeclaration = [{
    /// Type of one code: `code`, else the element type of q.
    ::mlir::Type getCodeType();
    /// Type of one scale: `scale_type`, else the element type of scale.
    ::mlir::Type getScaleFormat();
  }];
}

def Lab_EncodeOp : Lab_Op<"encode", ["getTileMultiple", "adjustTile"],
                          [AttrSizedOperandSegments]> {
  let summary = "Codes of a matrix for one scale that is known already";
  let description = [{
    The second half of a per-tensor quantize: `q = clamp(round(x / d) + zero)`,
    where `d` is the stored `scale` (times `global`), or `divisor` where that is
    another number. Codes are the zero point (0 without `zero`) where the scale
    is 0 or NaN.

    Example:

    ```mlir
    func.func @encode(%x: memref<64x256xf32>, %scale: memref<1x1xf32>,
                      %zero: memref<1x1xi8>, %q: memref<64x256xi8>) {
      lab.encode %x, %scale -> %q
          : memref<64x256xf32>, memref<1x1xf32> -> memref<64x256xi8>
      lab.encode %x, %scale zero(%zero : memref<1x1xi8>) -> %q {code = ui8}
          : memref<64x256xf32>, memref<1x1xf32> -> memref<64x256xi8>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2, Lab_Activation>:$x, Lab_In<2, Lab_Scale>:$scale,
    Lab_InOptional<2, Lab_ZeroPoint>:$zero,
    Lab_InOptional<1, Lab_Single>:$global,
    Lab_InOptional<2, Lab_Single>:$divisor, Lab_Out<2, Lab_Code>:$q,
    OptionalAttr<TypeAttr>:$code,
    DefaultValuedAttr<Lab_RoundingAttr, "Rounding::Even">:$round,
    DefaultValuedAttr<Lab_IntRangeAttr, "IntRange::Narrow">:$range,
    DefaultValuedAttr<Lab_InverseAttr, "Inverse::Divide">:$inverse,
    OptionalAttr<TypeAttr>:$scale_type, OptionalAttr<UI64Attr>:$seed,
    Lab_Position:$position);
  let assemblyFormat = [{
    $x `,` $scale (`zero` `(` $zero^ `:` type($zero) `)`)?
    (`global` `(` $global^ `:` type($global) `)`)?
    (`divisor` `(` $divisor^ `:` type($divisor) `)`)? `->` $q
    (`at` `[` $position^ `]`)? attr-dict
    `:` type($x) `,` type($scale) `->` type($q)
  }];
  let inits = "getQMutable()";
  let extraClassDeclaration = [{
    ::mlir::Type getCodeType();
    ::mlir::Type getScaleFormat();
  }];
}

def Lab_DequantizeOp : Lab_Op<"dequantize", ["getTileMultiple", "getTileWithin"],
                              [AttrSizedOperandSegments,
                               DeclareOpInterfaceMethods<Lab_CostInterface>]> {
  let summary = "Codes times the scale of their group";
  let description = [{
    `y = code * scale` in f32, rounded once to the type of y. With `zero` it is
    `(code - zero) * scale`, the difference exact. A NaN scale makes its whole
    group NaN. With `pad` there may be fewer codes than y takes, of dynamic
    sizes; what they leave of y becomes 0.

    Example:

    ```mlir
    func.func @dequantize(%q: memref<64x256xi8>, %scale: memref<64x1xf32>,
                          %zero: memref<64x1xi8>, %y: memref<64x256xf32>) {
      lab.dequantize %q, %scale -> %y group = channel
          : memref<64x256xi8>, memref<64x1xf32> -> memref<64x256xf32>
      lab.dequantize %q, %scale -> %y zero(%zero : memref<64x1xi8>)
          group = channel {code = ui8}
          : memref<64x256xi8>, memref<64x1xf32> -> memref<64x256xf32>
      return
    }
    ```
  }];
  let arguments = (ins Lab_In<2, Lab_Code>:$q, Lab_In<2, Lab_Scale>:$scale,
    Lab_Out<2, Lab_Activation>:$y, Lab_InOptional<2, Lab_ZeroPoint>:$zero,
    Lab_InOptional<1, Lab_Single>:$global, I64Attr:$group,
    OptionalAttr<TypeAttr>:$code, OptionalAttr<TypeAttr>:$scale_type, UnitAttr:$pad);
  let assemblyFormat = [{
    $q `,` $scale `->` $y (`zero` `(` $zero^ `:` type($zero) `)`)?
    (`global` `(` $global^ `:` type($global) `)`)?
    `group` `=` custom<Group>($group) attr-dict
    `:` type($q) `,` type($scale) `->` type($y)
  }];
  let inits = "getYMutable()";
  let extraClassDeclaration = [{
    ::mlir::Type getCodeType();
    ::mlir::Type getScaleFormat();
  }];
}

#endif // LABGEN_DIALECTS_LAB_QUANTIZEOPS
