#include "cli/console.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/files.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise::cli {

void Console::Out(std::string_view text) {
  DescriptorOutput out(STDOUT_FILENO);
  out.Write(text);
  out.Flush();
  if (out_error_ == 0) out_error_ = out.error();
}

void Console::Err(std::string_view text) {
  DescriptorOutput err(STDERR_FILENO);
  err.Write(text);
}

int Console::Fail(const Error& error) {
  Err(Render(error));
  if (error.code == Code::kInterrupted && InterruptSignal() == SIGTERM) return kExitTerminated;
  return Describe(error.code).exit_code;
}

void Console::Warnings(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) {
    Err(Format("warning[{}]: {}\n", warning.Word(), Neutralised(warning.sentence)));
  }
}

bool Console::ErrIsTerminal() const { return ::isatty(STDERR_FILENO) == 1; }

void Console::Progress(std::string_view piece) {
  if (!ErrIsTerminal()) return;
  for (const char c : piece) {
    if (c == '\n' || c == '\r') {
      if (!progress_line_.empty()) Err("  nsys: " + Neutralised(progress_line_) + "\n");
      progress_line_.clear();
    } else if (progress_line_.size() < 400) {
      progress_line_ += c;
    }
  }
}

int Console::Finish(int exit_code) const {
  if (out_error_ == 0) return exit_code;
  // A reader that has seen enough, as `head` has, needs no word.
  if (out_error_ != EPIPE) {
    Error error = WriteError("standard output", out_error_);
    error.hint = "send standard output to where there is room for it, and run the command again";
    DescriptorOutput err(STDERR_FILENO);
    err.Write(Render(error));
  }
  return exit_code == kExitDone ? int{kExitOutput} : exit_code;
}

}  // namespace rangewise::cli
