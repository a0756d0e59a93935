// Owns standard output and error: what is data, what is talk, and how an error looks. Every text
// that holds names from inputs was neutralised by whoever rendered it; progress of other tools is
// neutralised here.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "base/result.h"

namespace rangewise::cli {

class Console {
 public:
  // Standard output, for results. A failure (closed pipe, full disk) is kept for Finish.
  void Out(std::string_view text);
  // Standard error, for talk.
  void Err(std::string_view text);
  // Prints the error to standard error and returns its exit code; an interrupt gives 130 or 143.
  int Fail(const Error& error);
  // Prints warnings to standard error, a line each.
  void Warnings(const std::vector<Warning>& warnings);
  bool ErrIsTerminal() const;
  // Shows another tool's output as it comes, line by line, when standard error is a terminal.
  void Progress(std::string_view piece);
  // `exit_code`, or 74 when standard output could not be written.
  int Finish(int exit_code) const;

 private:
  int out_error_ = 0;
  std::string progress_line_;
};

}  // namespace rangewise::cli
