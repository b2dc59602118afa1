// LabAttrs.cpp - the schedule's text form, which users write on the command
// line.
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

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getLevels(), printer,
                        [&](LevelAttr level) { level.print(printer); });
  if (!getLeaf().empty())
    printer << (getLevels().empty() ? "leaf " : ", leaf ") << getLeaf();
  printer << ">";
}
