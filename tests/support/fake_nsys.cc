#include "support/fake_nsys.h"

#include <cstdlib>
#include <fstream>

namespace rangewise::test_support {

namespace fs = std::filesystem;

fs::path FakeNsysPath() { return fs::path(RANGEWISE_SOURCE_DIR) / "tests/support/fake_nsys"; }

FakeNsys::FakeNsys(const fs::path& tables, const std::string& fault) {
  Set("FAKE_NSYS_TABLES", fs::absolute(tables).string());
  Set("FAKE_NSYS_FAULT", fault);
}

FakeNsys::~FakeNsys() {
  for (const auto& [name, value] : before_) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
}

void FakeNsys::SetFailure(const std::string& words, int exit_code) {
  Set("FAKE_NSYS_WORDS", words);
  Set("FAKE_NSYS_EXIT", std::to_string(exit_code));
}

void FakeNsys::SetLog(const fs::path& file) {
  log_ = file;
  Set("FAKE_NSYS_LOG", file.string());
}

std::vector<std::vector<std::string>> FakeNsys::Calls() const {
  std::vector<std::vector<std::string>> calls;
  std::vector<std::string> call;
  std::ifstream log(log_);
  for (std::string line; std::getline(log, line);) {
    if (!line.empty()) {
      call.push_back(line);
      continue;
    }
    calls.push_back(std::move(call));
    call.clear();
  }
  return calls;
}

void FakeNsys::Set(const std::string& name, const std::string& value) {
  const char* present = std::getenv(name.c_str());
  before_.try_emplace(name,
                      present == nullptr ? std::nullopt : std::optional<std::string>(present));
  setenv(name.c_str(), value.c_str(), 1);
}

}  // namespace rangewise::test_support
