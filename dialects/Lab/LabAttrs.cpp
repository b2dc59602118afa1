// LabAttrs.cpp - the schedule's text form, which users write on the command
// line, and what makes a schedule ill-formed whatever op it stands on.
#include "dialects/Lab/Lab.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace labgen::lab;

#define GET_ATTRDEF_CLASSES
#include "dialects/Lab/LabAttrs.cpp.inc"

void LabDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Lab/LabAttrs.cpp.inc"
      >();
}

/// Of a block, on every chip there is a table row for.
constexpr int64_t maxThreads = 1024;

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        int64_t value;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseInteger(value))
          return failure();
        if (value < 0)
          return parser.emitError(loc, "must not be negative, got ")
                 << value << "; 0 leaves a dimension untiled";
        values.push_back(value);
        return success();
      });
}

/// kind [tile] (threads n)? pad? keep? (pack [operands])? (stage [operands])?
/// (by [rows, cols])?
Attribute LevelAttr::parse(AsmParser &parser, Type) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<LevelKind> kind = symbolizeLevelKind(keyword);
  if (!kind) {
    parser.emitError(loc, "unknown schedule level '")
        << keyword << "'; expected block, thread, loop or leaf";
    return {};
  }
  SmallVector<int64_t> tile, pack, stage, by;
  int64_t threads = 1;
  if (parseIntegers(parser, tile))
    return {};
  if (succeeded(parser.parseOptionalKeyword("threads"))) {
    loc = parser.getCurrentLocation();
    if (parser.parseInteger(threads))
      return {};
    if (threads < 1 || threads > maxThreads || !llvm::isPowerOf2_64(threads)) {
      parser.emitError(loc, "threads must be a power of two up to ")
          << maxThreads << ", got " << threads;
      return {};
    }
    if (*kind == LevelKind::Loop && threads != 1) {
      parser.emitError(loc, "a loop level has no threads of its own; give them "
                            "to a block or thread level");
      return {};
    }
  }
  bool pad = succeeded(parser.parseOptionalKeyword("pad"));
  bool keep = succeeded(parser.parseOptionalKeyword("keep"));
  if (succeeded(parser.parseOptionalKeyword("pack")) &&
      parseIntegers(parser, pack))
    return {};
  if (succeeded(parser.parseOptionalKeyword("stage")) &&
      parseIntegers(parser, stage))
    return {};
  if (!pack.empty() || !stage.empty()) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword("by", " [rows, cols] after pack or stage") ||
        parseIntegers(parser, by))
      return {};
    if (by.size() != 2) {
      parser.emitError(loc, "by takes two tile sizes, [rows, cols], got ")
          << by.size();
      return {};
    }
  }
  return LevelAttr::get(parser.getContext(), *kind, tile, threads, pad, keep,
                        pack, stage, by);
}

void LevelAttr::print(AsmPrinter &printer) const {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    printer << name << " [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  list(stringifyLevelKind(getKind()), getTile());
  if (getThreads() != 1)
    printer << " threads " << getThreads();
  if (getPad())
    printer << " pad";
  if (getKeep())
    printer << " keep";
  if (!getPack().empty())
    list(" pack", getPack());
  if (!getStage().empty())
    list(" stage", getStage());
  if (!getCopyBy().empty())
    list(" by", getCopyBy());
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<LevelAttr> levels;
  DictionaryAttr leaf = DictionaryAttr::get(parser.getContext());
  auto parseItem = [&]() -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("leaf")))
      return parser.parseAttribute(leaf);
    auto level = llvm::cast_if_present<LevelAttr>(LevelAttr::parse(parser, {}));
    levels.push_back(level);
    return success(static_cast<bool>(level));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseItem))
    return {};
  return parser.getChecked<ScheduleAttr>(loc, parser.getContext(),
                                         ArrayRef<LevelAttr>(levels), leaf);
}

/// A number of 64 bits, as the parser makes it; null: it is none.
static IntegerAttr numberOf(Attribute value) {
  auto number = dyn_cast<IntegerAttr>(value);
  bool fits = number && (number.getType().isSignlessInteger(64) ||
                         number.getType().isIndex());
  return fits ? number : IntegerAttr();
}

/// What a body is not told by a misspelled entry, nobody would notice.
LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<LevelAttr> levels,
                                   DictionaryAttr leaf) {
  // A thread deals tiles by its number, which a second level would do again.
  auto threadLevels = llvm::count_if(levels, [](LevelAttr level) {
    return level.getKind() == LevelKind::Thread;
  });
  if (threadLevels > 1)
    return emitError() << "a schedule has one thread level at most, got "
                       << threadLevels << "; make the others loop levels";
  for (NamedAttribute entry : leaf) {
    StringRef name = entry.getName();
    Attribute value = entry.getValue();
    if (name == "body" || name == "dot" || name == "convert") {
      if (!isa<StringAttr>(value))
        return emitError() << "leaf entry " << name << " must be a string, got "
                           << value;
    } else if (name == "prefetch") {
      IntegerAttr bytes = numberOf(value);
      if (!bytes || bytes.getValue().isNegative())
        return emitError() << "leaf entry prefetch must be a number of bytes, "
                              "0 or more, got "
                           << value;
    } else if (name == "chunk" || name == "unroll") {
      IntegerAttr count = numberOf(value);
      if (!count || !count.getValue().isStrictlyPositive())
        return emitError() << "leaf entry " << name
                           << " must be a number, 1 or more, got " << value;
    } else if (name == "nontemporal") {
      if (!isa<UnitAttr>(value))
        return emitError() << "leaf entry nontemporal takes no value, got "
                           << value;
    } else {
      return emitError()
             << "unknown leaf entry '" << name
             << "'; legal: body, chunk, convert, dot, nontemporal, prefetch, "
                "unroll";
    }
  }
  return success();
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getLevels(), printer,
                        [&](LevelAttr level) { level.print(printer); });
  if (!getLeaf().empty())
    printer << (getLevels().empty() ? "leaf " : ", leaf ") << getLeaf();
  printer << ">";
}
