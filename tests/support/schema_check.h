// Owns checking a JSON text against a JSON Schema, for tests of what the program writes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rangewise::test_support {

// What is wrong with `json` by the schema in schema/<schema_file> of the source tree, one line each
// with the place as a JSON path; empty when it is valid. Text that is not JSON is a problem, too.
std::vector<std::string> SchemaProblems(std::string_view json,
                                        const std::string& schema_file = "analysis-2.schema.json");

}  // namespace rangewise::test_support
