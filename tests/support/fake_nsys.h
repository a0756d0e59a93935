// Owns the stand-in for nsys (tests/support/fake_nsys, a script) as tests see it: where it is, and
// the environment variables that tell it what to answer and how to misbehave. Its faults are listed
// at the script's head.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace rangewise::test_support {

// The script itself.
std::filesystem::path FakeNsysPath();

// Sets the stand-in's environment for the life of the object, for this process and what it starts,
// and puts back what was there. One at a time.
class FakeNsys {
 public:
  // `tables`: the folder with nsys_<report>.csv and possibly trace.sqlite. `fault`: empty for none.
  explicit FakeNsys(const std::filesystem::path& tables, const std::string& fault = "");
  FakeNsys(const FakeNsys&) = delete;
  FakeNsys& operator=(const FakeNsys&) = delete;
  ~FakeNsys();

  void SetFault(const std::string& fault) { Set("FAKE_NSYS_FAULT", fault); }
  // What `--version` prints; an empty text is an empty line.
  void SetVersion(const std::string& text) { Set("FAKE_NSYS_VERSION", text); }
  // What the faults `fail` and `fail-late` say and end with.
  void SetFailure(const std::string& words, int exit_code);
  // The folder for the process numbers of the faults `hang` and `leaves-child`.
  void SetMarks(const std::filesystem::path& folder) { Set("FAKE_NSYS_MARKS", folder.string()); }
  // From now on calls are recorded in `file`.
  void SetLog(const std::filesystem::path& file);
  // The arguments of each recorded call. An argument that holds a line feed cannot be told apart.
  std::vector<std::vector<std::string>> Calls() const;

 private:
  void Set(const std::string& name, const std::string& value);
  std::map<std::string, std::optional<std::string>> before_;
  std::filesystem::path log_;
};

}  // namespace rangewise::test_support
