// ManifestFuzz.cpp - manifest.json: what is read is written alike, and valid.
#include "lib/Spec/Manifest.h"
#include "lib/Spec/Schema.h"
#include "test/Readers/Fuzz.h"

using namespace labgen;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  Result<Json> json = Json::parse(text);
  if (!json)
    return demandRefusal(json.status()), 0;
  Result<Manifest> manifest = Manifest::fromJson(*json);
  if (!manifest)
    return demandRefusal(manifest.status()), 0;
  Json written = manifest->toJson();
  demand(bool(checkSchema(written, manifestSchema())),
         "a manifest that was read breaks its schema when written");
  Result<Manifest> same = Manifest::fromJson(written);
  demand(bool(same) && same->toJson().dump() == written.dump(),
         "a manifest that changes");
  return 0;
}
