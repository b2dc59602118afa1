// Schema.h - JSON Schema, as much of it as labgen's schemas use.
//
// The schemas of a row and of a manifest (docs/schema/, draft 2020-12) are part
// of the library, and what is written is held against them. Known keywords:
// type, required, properties, additionalProperties, enum, items; annotations
// are passed over, any other keyword is an error, so that nothing in a schema
// goes unchecked.
#ifndef LABGEN_SPEC_SCHEMA_H
#define LABGEN_SPEC_SCHEMA_H

#include "lib/Support/Json.h"

namespace labgen {

/// The first place where `value` breaks `schema`, as "$.key[2]: what".
Status checkSchema(const Json &value, const Json &schema);

/// docs/schema/row.schema.json and docs/schema/manifest.schema.json.
const Json &rowSchema();
const Json &manifestSchema();

} // namespace labgen

#endif // LABGEN_SPEC_SCHEMA_H
