#include "support/export_files.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/process.h"

namespace rangewise::test {
namespace {

const fs::path kData = fs::path(RANGEWISE_SOURCE_DIR) / "tests" / "data";

}  // namespace

std::vector<std::string> ExportNames() {
  return {"vectors", "power_iteration_2025.3.1", "train_2gpu_2026.2.1", "fuser_threads_2025.1.1",
          "poolformer_tensorrt_2022.4.2"};
}

std::string TestData(std::string_view name) {
  const fs::path path = kData / name;
  if (path.extension() != ".gz") {
    auto text = ReadFile(path);
    if (text.ok()) return *text;
  } else if (const auto gzip = FindInPath("gzip")) {
    ProcessRequest request;
    request.program = *gzip;
    request.arguments = {"-dc", path.string()};
    request.keep_bytes = size_t{256} << 20;
    auto run = RunProcess(request);
    if (run.ok() && run->exit_code == 0) return std::move(run->standard_output);
  }
  std::fprintf(stderr, "test data %s cannot be read (is gzip there?)\n", path.c_str());
  std::abort();
}

fs::path UnpackExport(std::string_view name, const fs::path& folder) {
  const fs::path path = folder / (std::string(name) + ".sqlite");
  std::ofstream(path, std::ios::binary) << TestData("exports/" + std::string(name) + ".sqlite.gz");
  return path;
}

std::optional<std::string> ExpectedTable(std::string_view name, model::Report report) {
  const std::string file = "exports/expected/" + std::string(name) + "_" + std::string(model::ReportName(report)) +
                           ".csv.gz";
  if (!fs::exists(kData / file)) return std::nullopt;
  return TestData(file);
}

}  // namespace rangewise::test
