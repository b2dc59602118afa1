// Channel.cpp - futexes, bounded texts and reports.
#include "runtime/isolate/Channel.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace labgen {

void Turn::raise() {
  value.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Turn::await(uint32_t seen, double seconds) const {
  timespec limit = {};
  limit.tv_sec = time_t(std::max(seconds, 0.0));
  limit.tv_nsec = long(std::fmod(std::max(seconds, 0.0), 1) * 1e9);
  syscall(SYS_futex, &value, FUTEX_WAIT, seen, seconds < 0 ? nullptr : &limit,
          nullptr, 0);
}

void writeText(char *field, size_t size, const std::string &text) {
  size_t length = std::min(size - 1, text.size());
  std::memcpy(field, text.data(), length);
  field[length] = 0;
}

std::string readText(const char *field, size_t size) {
  std::string text(field, strnlen(field, size));
  for (char &c : text)
    if ((unsigned char)c < ' ' || c == 0x7f)
      c = '?';
  return text;
}

static Json reportJson(const RunReport &report, size_t findings) {
  Json::Array texts(report.findings.begin(),
                    report.findings.begin() + ptrdiff_t(findings));
  if (size_t left = report.findings.size() - findings)
    texts.push_back(std::to_string(left) + " more findings");
  Json::Object counters;
  for (const auto &[name, value] : report.counters)
    counters.push_back({name, value});
  return Json::Object{{"findings", std::move(texts)},
                      {"counters", std::move(counters)}};
}

std::string packReport(const RunReport &report, size_t size) {
  for (size_t findings = report.findings.size();; findings /= 2) {
    std::string text = reportJson(report, findings).dump();
    if (text.size() < size || findings == 0)
      return text;
  }
}

Result<RunReport> unpackReport(const std::string &text) {
  Status unreadable = Status::badInput("the kernel's process sent a report "
                                       "that cannot be read; run it again");
  Result<Json> json = Json::parse(text);
  const Json *findings = json ? json->find("findings") : nullptr;
  const Json *counters = json ? json->find("counters") : nullptr;
  if (!findings || !findings->asArray() || !counters || !counters->asObject())
    return unreadable;
  RunReport report;
  for (const Json &finding : *findings->asArray()) {
    if (!finding.asString())
      return unreadable;
    report.findings.push_back(*finding.asString());
  }
  for (const auto &[name, value] : *counters->asObject()) {
    if (!value.asDouble())
      return unreadable;
    report.counters[name] = *value.asDouble();
  }
  return report;
}

} // namespace labgen
