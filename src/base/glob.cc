#include "base/glob.h"

#include <glob.h>

#include <algorithm>

namespace rangewise {

bool LooksLikeGlob(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

std::vector<std::string> ExpandGlob(const std::string& pattern) {
  std::vector<std::string> paths;
  glob_t matches{};
  if (::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches) == 0) {
    for (size_t i = 0; i < matches.gl_pathc; ++i) paths.emplace_back(matches.gl_pathv[i]);
  }
  ::globfree(&matches);
  // The library's own order follows the locale.
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace rangewise
