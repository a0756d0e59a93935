#include "support/schema_check.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

namespace rangewise::test_support {

std::vector<std::string> SchemaProblems(std::string_view json, const std::string& schema_file) {
  std::ifstream schema_stream(RANGEWISE_SOURCE_DIR "/schema/" + schema_file);
  const nlohmann::json schema_json = nlohmann::json::parse(schema_stream, nullptr, false);
  if (schema_json.is_discarded()) return {"schema/" + schema_file + " is not JSON"};
  const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
  if (document.is_discarded()) return {"the text is not JSON"};

  valijson::Schema schema;
  valijson::SchemaParser(valijson::SchemaParser::kDraft7)
      .populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::ValidationResults results;
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results))
    return {};

  std::vector<std::string> problems;
  for (const auto& result : results) {
    std::string line;
    for (const std::string& step : result.context) line += step;
    problems.push_back(line + ": " + result.description);
  }
  if (problems.empty()) problems.push_back("invalid, for no stated reason");
  return problems;
}

}  // namespace rangewise::test_support
