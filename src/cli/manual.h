// Owns which files the manual consists of: man pages and completions of the declared program, as
// bytes by relative path. The build writes them out; nothing else repeats a verb or an option.
#pragma once

#include <map>
#include <string>

namespace rangewise::cli {

// man/<page>.1, bash/rangewise, zsh/_rangewise, fish/rangewise.fish
std::map<std::string, std::string> ManualFiles();

}  // namespace rangewise::cli
