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

/// Words of older schedules, which a user may still have in a file.
static ParseResult refuseOldWord(AsmParser &parser, StringRef old,
                                 StringRef words) {
  SMLoc loc = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalKeyword(old)))
    return parser.emitError(loc, "'")
           << old << "' has a new name; write " << words;
  return success();
}

/// The threads of a block, the lanes of a warp's tile; other levels have none.
static ParseResult parseThreads(AsmParser &parser, LevelKind kind,
                                int64_t &threads) {
  bool isWarp = kind == LevelKind::Warp;
  StringRef word = isWarp ? "lanes" : "threads";
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(word))) {
    if (isWarp)
      return parser.emitError(loc,
                              "a warp level needs the number of lanes that "
                              "share a tile; write `warp [...] lanes 32`");
    return success();
  }
  if (kind == LevelKind::Loop)
    return parser.emitError(loc, "a loop level has no threads of its own; give "
                                 "them to a block level");
  if (kind == LevelKind::Thread)
    return parser.emitError(loc, "a tile of a thread level has one thread; "
                                 "where lanes share it write "
                                 "`warp [...] lanes N`");
  loc = parser.getCurrentLocation();
  if (parser.parseInteger(threads))
    return failure();
  int64_t least = isWarp ? 2 : 1;
  if (threads >= least && threads <= maxThreads && llvm::isPowerOf2_64(threads))
    return success();
  return parser.emitError(loc)
         << word << " must be a power of two from " << least << " to "
         << maxThreads << ", got " << threads << "; nearest legal: "
         << llvm::bit_floor(uint64_t(std::clamp(threads, least, maxThreads)));
}

/// kind [tile] (threads n | lanes n)? pad? accumulate? (pack [operands])?
/// (stage [operands])? (by [rows, cols])?
static LevelAttr parseLevel(AsmParser &parser) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword))
    return {};
  std::optional<LevelKind> kind = symbolizeLevelKind(keyword);
  if (!kind) {
    parser.emitError(loc, "unknown schedule level '")
        << keyword << "'; expected block, warp, loop, thread or kernel";
    return {};
  }
  SmallVector<int64_t> tile, pack, stage, by;
  int64_t threads = 1;
  if (parseIntegers(parser, tile) || parseThreads(parser, *kind, threads))
    return {};
  bool pad = succeeded(parser.parseOptionalKeyword("pad"));
  if (refuseOldWord(parser, "keep", "`accumulate`"))
    return {};
  bool accumulate = succeeded(parser.parseOptionalKeyword("accumulate"));
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
  return LevelAttr::get(parser.getContext(), *kind, tile, threads, pad,
                        accumulate, pack, stage, by);
}

static void printLevel(AsmPrinter &printer, LevelAttr level) {
  auto list = [&](StringRef name, ArrayRef<int64_t> values) {
    printer << name << " [";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  list(stringifyLevelKind(level.getKind()), level.getTile());
  if (level.getKind() == LevelKind::Warp)
    printer << " lanes " << level.getThreads();
  else if (level.getThreads() != 1)
    printer << " threads " << level.getThreads();
  if (level.getPad())
    printer << " pad";
  if (level.getAccumulate())
    printer << " accumulate";
  if (!level.getPack().empty())
    list(" pack", level.getPack());
  if (!level.getStage().empty())
    list(" stage", level.getStage());
  if (!level.getCopyBy().empty())
    list(" by", level.getCopyBy());
}

Attribute LevelAttr::parse(AsmParser &parser, Type) {
  LevelAttr level;
  if (parser.parseLess() || !(level = parseLevel(parser)) ||
      parser.parseGreater())
    return {};
  return level;
}

void LevelAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printLevel(printer, *this);
  printer << ">";
}

/// Visits each parameter with its word: the one list for reading and printing.
template <typename Parameters, typename Visitor>
static void forEachParameter(Parameters &kernel, Visitor &&visit) {
  visit("integer_dot", kernel.integerDot);
  visit("extend", kernel.extend);
  visit("truncate", kernel.truncate);
  visit("prefetch", kernel.prefetch);
  visit("width", kernel.width);
  visit("unroll", kernel.unroll);
  visit("nontemporal", kernel.nontemporal);
  visit("lanes", kernel.lanes);
}

namespace {

/// Reads the value behind one word.
struct ParameterReader {
  AsmParser &parser;
  StringRef word;
  bool isKnown = false;
  ParseResult result = success();

  template <typename T> void operator()(StringRef name, T &value) {
    if (name != word)
      return;
    isKnown = true;
    result = read(value);
  }

private:
  ParseResult read(bool &value) {
    value = true;
    SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalEqual()))
      return success();
    return parser.emitError(loc)
           << word << " takes no value; write `" << word << "`";
  }
  ParseResult read(SmallVector<Type> &value) {
    value.clear();
    return failure(
        parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseType(value.emplace_back());
        }));
  }
  ParseResult read(std::optional<int64_t> &value) {
    value = 0;
    return failure(parser.parseEqual() || parser.parseInteger(*value));
  }
  ParseResult read(std::optional<IntegerDot> &value) {
    StringRef name;
    if (parser.parseEqual())
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name))
      return failure();
    value = symbolizeIntegerDot(name);
    if (value)
      return success();
    return parser.emitError(loc, "unknown integer_dot '")
           << name << "'; legal: generic, pairs, quads";
  }
};

/// Prints what is said, comma-separated.
struct ParameterPrinter {
  AsmPrinter &printer;
  bool isFirst = true;

  void operator()(StringRef name, bool value) {
    if (value)
      start(name);
  }
  void operator()(StringRef name, ArrayRef<Type> types) {
    if (types.empty())
      return;
    start(name) << " = [";
    llvm::interleaveComma(types, printer.getStream());
    printer << "]";
  }
  void operator()(StringRef name, std::optional<int64_t> value) {
    if (value)
      start(name) << " = " << *value;
  }
  void operator()(StringRef name, std::optional<IntegerDot> value) {
    if (value)
      start(name) << " = " << stringifyIntegerDot(*value);
  }
  AsmPrinter &start(StringRef word) {
    printer << (isFirst ? "" : ", ") << word;
    isFirst = false;
    return printer;
  }
};

} // namespace

static ParseResult parseKernelWord(AsmParser &parser,
                                   KernelParameters &kernel) {
  if (refuseOldWord(parser, "chunk", "`width`") ||
      refuseOldWord(parser, "convert",
                    "`extend = [...]` and `truncate = [...]` with the types") ||
      refuseOldWord(parser, "body", "its value alone: `outer` or `dot`"))
    return failure();
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (auto kind = symbolizeMicroKernel(word)) {
    if (kernel.kind)
      return parser.emitError(loc, "a tile has one micro-kernel, got '")
             << stringifyMicroKernel(*kernel.kind) << "' and '" << word
             << "'; leave one out (integer products are `integer_dot`)";
    kernel.kind = kind;
    return success();
  }
  ParameterReader reader{parser, word};
  forEachParameter(kernel, reader);
  if (reader.isKnown)
    return reader.result;
  InFlightDiagnostic error = parser.emitError(loc, "unknown kernel word '")
                             << word << "'; legal: outer, dot";
  forEachParameter(kernel,
                   [&](StringRef name, auto &) { error << ", " << name; });
  return error;
}

Attribute KernelAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  KernelParameters kernel;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseKernelWord(parser, kernel);
      }))
    return {};
  return parser.getChecked<KernelAttr>(loc, parser.getContext(), kernel);
}

void KernelAttr::print(AsmPrinter &printer) const {
  KernelParameters kernel = toParameters();
  printer << "<";
  ParameterPrinter print{printer};
  if (kernel.kind)
    print.start(stringifyMicroKernel(*kernel.kind));
  forEachParameter(kernel, print);
  printer << ">";
}

KernelParameters KernelAttr::toParameters() const {
  return {getKind(),
          getIntegerDot(),
          SmallVector<Type>(getExtend()),
          SmallVector<Type>(getTruncate()),
          getPrefetch(),
          getWidth(),
          getUnroll(),
          getNontemporal(),
          getLanes()};
}

bool KernelAttr::isEmpty() const {
  return *this == KernelAttr::get(getContext(), KernelParameters());
}

KernelParameters labgen::lab::kernelOf(Operation *tile) {
  auto kernel = tile->getAttrOfType<KernelAttr>(kernelAttrName);
  return kernel ? kernel.toParameters() : KernelParameters();
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<LevelAttr> levels;
  KernelAttr kernel;
  auto parseItem = [&]() -> ParseResult {
    if (refuseOldWord(parser, "leaf", "`kernel<...>`"))
      return failure();
    SMLoc at = parser.getCurrentLocation();
    if (succeeded(parser.parseOptionalKeyword("kernel"))) {
      if (kernel)
        return parser.emitError(at,
                                "a schedule has one micro-kernel; leave the "
                                "second `kernel` out");
      kernel = llvm::cast_if_present<KernelAttr>(KernelAttr::parse(parser, {}));
      return success(static_cast<bool>(kernel));
    }
    LevelAttr level = parseLevel(parser);
    levels.push_back(level);
    return success(static_cast<bool>(level));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseItem))
    return {};
  return parser.getChecked<ScheduleAttr>(
      loc, parser.getContext(), ArrayRef<LevelAttr>(levels),
      kernel ? kernel.toParameters() : KernelParameters());
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getLevels(), printer,
                        [&](LevelAttr level) { printLevel(printer, level); });
  if (!getKernel().isEmpty()) {
    printer << (getLevels().empty() ? "kernel" : ", kernel");
    getKernel().print(printer);
  }
  printer << ">";
}
