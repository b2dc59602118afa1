// RowFuzz.cpp - one line of rows.jsonl: a row that is read says the same again.
#include "lib/Spec/Row.h"
#include "test/Readers/Fuzz.h"

using namespace labgen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Result<Json> json = Json::parse(text);
  if (!json)
    return demandRefusal(json.status()), 0;
  Result<Json> again = Json::parse(json->dump());
  demand(bool(again) && again->dump() == json->dump(), "JSON that changes");
  Result<Row> row = Row::fromJson(*json);
  if (!row)
    return demandRefusal(row.status()), 0;
  std::string line = row->toJson().dump();
  demand(line.find('\n') == line.npos, "a row of two lines");
  Result<Json> back = Json::parse(line);
  demand(bool(back), "a row that is no JSON");
  Result<Row> same = Row::fromJson(*back);
  demand(bool(same) && same->toJson().dump() == line, "a row that changes");
  return 0;
}
