// Info.cpp - commands that only look things up: list, formats.
#include "tools/labgen/Commands.h"

#include "lib/Support/Text.h"
#include "runtime/matrix/Sets.h"
#include "runtime/report/TextTable.h"
#include "tools/cli/Finish.h"

#include <cmath>
#include <cstdio>

namespace labgen {

Result<ExitCode> listCommand(const Arguments &arguments) {
  if (arguments.positional.empty()) {
    TextTable table;
    table.addColumn("set");
    table.addColumn("cells", Align::Right);
    table.addColumn("what it is");
    for (const SetInfo &set : allSets())
      table.addLine({std::string(set.name),
                     std::to_string(specsOfSet(set.name)->size()),
                     std::string(set.summary)});
    print(table.str());
    return ExitCode::Ok;
  }
  Result<std::vector<KernelSpec>> specs = specsOf(arguments.positional[0]);
  if (!specs)
    return specs.status();
  for (const KernelSpec &spec : *specs)
    print(spec.str() + "\n");
  return ExitCode::Ok;
}

Result<ExitCode> formatsCommand(const Arguments &) {
  TextTable table;
  for (const char *title : {"format", "also"})
    table.addColumn(title);
  for (const char *title :
       {"bits", "stored", "exp", "man", "bias", "max", "min", "min normal",
        "min subnormal", "epsilon", "overflow tie"})
    table.addColumn(title, Align::Right);
  table.addColumn("specials");
  // f64's threshold is beyond f64 itself.
  auto number = [](long double value) {
    char text[48];
    std::snprintf(text, sizeof(text), "%.10Lg", value);
    return std::string(text);
  };
  // Halfway from the largest value to the next one there would be: rounded to
  // nearest, what lies beyond it is no value of the format.
  auto threshold = [](const FormatInfo &f) {
    long double max = f.max;
    return max + std::ldexp(1.0L, std::ilogb(max) - f.mantissaBits - 1);
  };
  for (Format format : allFormats()) {
    const FormatInfo &f = info(format);
    bool floats = !isInteger(format);
    std::string specials;
    for (auto [has, word] :
         {std::pair(f.hasInf, "inf"), std::pair(f.hasNaN, "nan"),
          std::pair(f.hasNegativeZero, "-0")})
      if (has)
        specials += (specials.empty() ? "" : " ") + std::string(word);
    auto field = [&](int value) {
      return floats ? std::to_string(value) : std::string();
    };
    table.addLine({std::string(f.name), std::string(f.aliases),
                   std::to_string(f.bits), std::to_string(f.storageBits),
                   field(f.exponentBits), field(f.mantissaBits), field(f.bias),
                   number(f.max), number(f.min),
                   floats ? number(f.minNormal) : "",
                   floats ? number(f.minSubnormal) : "",
                   floats ? number(std::ldexp(1.0L, -f.mantissaBits)) : "",
                   floats ? number(threshold(f)) : "", specials});
  }
  print(table.str());
  return ExitCode::Ok;
}

} // namespace labgen
