// Blame.cpp - see Blame.h.
#include "lib/Driver/Blame.h"

#include <algorithm>

using namespace labgen;

static std::string adviceFor(Given given) {
  switch (given) {
  case Given::Spec:
    return "; this is a fault of labgen, report it with the spec";
  case Given::Schedule:
    return "; choose another schedule, and report this one with the spec";
  case Given::File:
    return "; correct the file: it may hold what `labgen compile SPEC "
           "--stop-after STAGE` prints";
  }
  return "";
}

Status labgen::blame(std::string what, const std::string &step, Given given) {
  size_t advice = what.find("; ");
  // Nobody can mend a schedule that labgen chose.
  if (given == Given::Spec && what.find(" op schedule") != std::string::npos)
    what.resize(std::min(advice, what.size()));
  else if (advice != std::string::npos)
    return Status::badInput(what);
  if (what.empty())
    what = "no reason given";
  return Status::badInput(step + " failed: " + what + adviceFor(given));
}
