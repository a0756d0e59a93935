#include "support/process_gone.h"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>

namespace rangewise::test_support {

bool ProcessGone(const std::filesystem::path& number_file) {
  int64_t pid = 0;
  if (!(std::ifstream(number_file) >> pid) || pid <= 0) return false;
  for (int i = 0; i < 1000; ++i) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string number, program, state;
    if (!(stat >> number >> program >> state) || state == "Z" || state == "X") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace rangewise::test_support
