// OpInfo.h - all that the run side knows of an op, but its arithmetic.
//
// An op is a file of lib/Spec/ops: a class derived from OpInfo. Parsing, costs,
// bounds, predictions, data, reports and explanations ask it and have no list
// of ops of their own. A part without a default is pure virtual, so the
// compiler names each one that a new op lacks; the linker names the op whose
// file is missing. The oracle and the check of an op are in runtime/check.
#ifndef LABGEN_SPEC_OPINFO_H
#define LABGEN_SPEC_OPINFO_H

#include "lib/Spec/Bound.h"
#include "lib/Spec/Cost.h"
#include "lib/Spec/KernelSpec.h"

#include <functional>
#include <set>

namespace labgen {

using Formats = std::vector<Format>;
using Names = std::vector<std::string_view>;

/// One key of a spec: how its text becomes a field, and the way back.
struct SpecKey {
  std::string_view name;
  /// Sets the field; `text` is not empty. Errors name the nearest legal value.
  Status (*read)(const SpecKey &key, std::string_view text, KernelSpec &spec);
  std::string (*print)(const KernelSpec &spec);
  /// The type it is set to, of keys whose values are types.
  std::optional<Format> (*format)(const KernelSpec &spec) = nullptr;
};

/// The matrix of codes of a lab: groups run along its columns.
struct CodeMatrix {
  Format format;
  int64_t rows, columns;
};

/// What a unit must be able to do to run a lab at its peak.
struct UnitNeeds {
  Formats formats;    ///< any of these types of factors will do
  Format accumulator; ///< what sums are taken in
  bool onMatrixUnits = false;
};
/// Of labs that are done element by element in f32, or in f64.
UnitNeeds vectorUnits(bool inDouble);

/// The grid on whose rounding ties the distribution `ties` puts values.
struct TieGrid {
  enum Kind {
    Plain,    ///< half integers from -7.5 to 7.5
    Quantize, ///< halfway between codes of `format`, scales powers of two
    Cast,     ///< halfway between neighbours in `format`
    Ones,     ///< axpy: alpha = 1
    Ulps,     ///< axpy: x = half an ulp of y in `format`, either sign
    Units,    ///< axpy: y in [1, 2)
  };
  Kind kind = Plain;
  Format format = Format::F32;
  // Quantize: where groups lie and what their scale is made from.
  Group group;
  bool asymmetric = false, full = false;
};

/// A line of an explanation.
struct Fact {
  std::string label, words;
};
using Facts = std::vector<Fact>;
/// What a quantizer stores of a group that holds `value`, in words. The oracle
/// says it, which lib/Spec cannot ask.
using StoredWords =
    std::function<std::string(const KernelSpec &quantizer, float value)>;

class OpInfo {
public:
  virtual ~OpInfo() = default;

  const Op op;
  const std::vector<const SpecKey *> keys; ///< printing order
  const Names required;
  std::string_view name() const { return labgen::name(op); }
  bool isRequired(std::string_view key) const;
  Names keyNames() const;

  // The text form.

  /// Formats that `key` may have at all; check() narrows them by other keys.
  virtual Formats formats(std::string_view key) const = 0;
  /// Sets the fields whose default follows from others, except those in
  /// `given`.
  virtual void resolveDefaults(KernelSpec &spec,
                               const std::set<std::string_view> &given) const;
  /// Why `key` has no business in this spec ("goes with ..."); empty if it has.
  virtual std::string misplaced(const KernelSpec &spec,
                                std::string_view key) const;
  /// What may go together, beyond that.
  virtual Status check(const KernelSpec &spec) const = 0;

  // What a lab is.

  /// In ABI order, inputs first. Bytes are counted from them.
  virtual std::vector<Argument> arguments(const KernelSpec &spec) const = 0;
  /// Nothing where the lab has no codes with scales.
  virtual std::optional<CodeMatrix> codes(const KernelSpec &spec) const;
  /// By the rules of Cost::flops.
  virtual CheckedCount flops(const KernelSpec &spec) const = 0;
  virtual UnitNeeds units(const KernelSpec &spec) const = 0;
  /// What can be said of the error before there is data, and why it is that.
  virtual RelativeBound relativeBound(const KernelSpec &spec) const = 0;
  virtual std::string boundWords(const KernelSpec &spec) const = 0;
  /// Where the ties of an argument lie.
  virtual TieGrid ties(const KernelSpec &spec,
                       const Argument &argument) const = 0;
  /// Whether the result is the input in other codes: errors are against the
  /// input, and every count is worth a cell.
  virtual bool encodes() const { return false; }
  /// Whether the result is (but for rounding) the same in any order of the
  /// inputs' elements.
  virtual bool ignoresOrder(const KernelSpec &) const { return false; }

  // Reports and explanations.

  virtual std::string formatsText(const KernelSpec &spec) const = 0;
  virtual std::string shapeText(const KernelSpec &spec) const = 0;
  /// How the arithmetic goes, and how scales are made, where a lab has a
  /// choice.
  virtual std::string arithmeticText(const KernelSpec &spec) const;
  virtual std::string scaleRuleText(const KernelSpec &spec) const;
  virtual Facts explain(const KernelSpec &spec,
                        const StoredWords &stored) const = 0;

protected:
  OpInfo(Op op, const Names &keys, const Names &required);
  OpInfo(const OpInfo &) = delete;
};

// The rooms, each defined in the op's own file.
#define LABGEN_OP_ROOM(E, NAME, WORD) const OpInfo &op##NAME();
LABGEN_OPS(LABGEN_OP_ROOM, Op)
#undef LABGEN_OP_ROOM

const OpInfo &info(Op op);

Names names(const Formats &formats);
/// All formats that `wanted` takes, in table order.
Formats formatsThat(bool (*wanted)(Format));

/// `spec` with every optional key at its default.
KernelSpec withDefaults(const KernelSpec &spec);

} // namespace labgen

#endif // LABGEN_SPEC_OPINFO_H
