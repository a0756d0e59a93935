// Owns a JSON document that comes once and in order: through standard input, or through a pipe that
// an argument names, as that of `<(command)`. What it is can be asked before it is read.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/files.h"
#include "base/result.h"

namespace rangewise::cli {

class PipedDocument {
 public:
  // Whether `argument` names one: `-`, or what is there and is neither a file nor a folder.
  static bool IsNamedBy(const std::string& argument);
  // Waits for whoever writes to the pipe. kReadFailed; kInterrupted.
  static Result<std::unique_ptr<PipedDocument>> Open(const std::string& argument);
  PipedDocument(const PipedDocument&) = delete;
  PipedDocument& operator=(const PipedDocument&) = delete;
  ~PipedDocument();

  const std::string& name() const { return name_; }  // for errors
  // Its key `kind`, as artifact::ReadKind tells it. Before the first Read only.
  std::optional<std::string> Kind();
  // The next bytes of the whole document; 0 at its end.
  Result<size_t> Read(char* buffer, size_t capacity);
  // All that is left, at most 1 GiB.
  Result<std::string> ReadRest();

 private:
  PipedDocument(int fd, bool owned, std::string name)
      : fd_(fd), owned_(owned), name_(std::move(name)) {}
  Result<size_t> Receive(char* buffer, size_t capacity);

  int fd_;
  bool owned_;
  std::string name_;
  std::string head_;  // what Kind has read
  size_t given_ = 0;  // of head_, to Read
};

}  // namespace rangewise::cli
