// Owns the real exports under tests/data/exports: unpacked on demand, with the tables expected of each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "model/rows.h"

namespace rangewise::test {

// Names of the exports, for instance "vectors".
std::vector<std::string> ExportNames();

// The bytes of a file under tests/data, unpacked when it ends in .gz; aborts the test program when it cannot.
std::string TestData(std::string_view name);

// Unpacks the export to `folder` and returns its path.
std::filesystem::path UnpackExport(std::string_view name, const std::filesystem::path& folder);

// The table that NVIDIA's queries give, or nothing where the report does not apply.
std::optional<std::string> ExpectedTable(std::string_view name, model::Report report);

}  // namespace rangewise::test
