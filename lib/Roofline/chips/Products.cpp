// Products.cpp - the product behind each GPU target.
#include "lib/Roofline/chips/Chip.h"

using namespace labgen;

std::string_view labgen::defaultProduct(std::string_view target) {
  static constexpr std::pair<std::string_view, std::string_view> products[] = {
      {"nvvm:sm_80", "A100 80 SXM"},    {"nvvm:sm_89", "L40S"},
      {"nvvm:sm_90a", "H100 SXM"},      {"nvvm:sm_100a", "B200"},
      {"nvvm:sm_120a", "RTX 5090"},     {"rocdl:gfx90a", "MI250X (one GCD)"},
      {"rocdl:gfx942", "MI300X"},       {"rocdl:gfx950", "MI355X"},
      {"rocdl:gfx1100", "RX 7900 XTX"}, {"rocdl:gfx1201", "RX 9070 XT"}};
  for (const auto &[name, product] : products)
    if (name == target)
      return product;
  return "";
}
