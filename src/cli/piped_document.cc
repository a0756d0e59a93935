#include "cli/piped_document.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "artifact/comparison_reader.h"
#include "base/interrupt.h"
#include "base/text.h"

namespace rangewise::cli {
namespace {

constexpr const char* kStandardInput = "-";
constexpr size_t kMostBytes = size_t{1} << 30;  // of a comparison, which is kept whole

}  // namespace

bool PipedDocument::IsNamedBy(const std::string& argument) {
  if (argument == kStandardInput) return true;
  std::error_code error;
  const fs::file_status status = fs::status(argument, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

Result<std::unique_ptr<PipedDocument>> PipedDocument::Open(const std::string& argument) {
  using Opened = std::unique_ptr<PipedDocument>;
  if (argument == kStandardInput)
    return Opened(new PipedDocument(STDIN_FILENO, false, "standard input"));
  while (true) {
    const int fd = ::open(argument.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd >= 0) return Opened(new PipedDocument(fd, true, argument));
    if (errno != EINTR) {
      return Error{.code = Code::kReadFailed,
                   .message = Format("cannot read: {}", std::generic_category().message(errno)),
                   .where = {.file = argument}};
    }
    RETURN_IF_ERROR(CheckInterrupt());
  }
}

PipedDocument::~PipedDocument() {
  if (owned_) ::close(fd_);
}

std::optional<std::string> PipedDocument::Kind() {
  return artifact::ReadKind([this](char* buffer, size_t capacity) -> Result<size_t> {
    ASSIGN_OR_RETURN(const size_t count, Receive(buffer, capacity));
    head_.append(buffer, count);
    return count;
  });
}

Result<size_t> PipedDocument::Read(char* buffer, size_t capacity) {
  if (given_ == head_.size()) return Receive(buffer, capacity);
  const size_t count = std::min(capacity, head_.size() - given_);
  std::memcpy(buffer, head_.data() + given_, count);
  given_ += count;
  return count;
}

Result<std::string> PipedDocument::ReadRest() {
  std::string text;
  std::string piece(size_t{1} << 16, '\0');
  while (true) {
    ASSIGN_OR_RETURN(const size_t count, Read(piece.data(), piece.size()));
    if (count == 0) return text;
    text.append(piece, 0, count);
    if (text.size() > kMostBytes) {
      return Error{.code = Code::kReadFailed,
                   .message = "more bytes come than a comparison has",
                   .where = {.file = name_}};
    }
  }
}

Result<size_t> PipedDocument::Receive(char* buffer, size_t capacity) {
  Result<size_t> count = DescriptorInput(fd_).Read(buffer, capacity);
  if (count.ok() || count.error().code != Code::kReadFailed) return count;
  if (!owned_) {
    count.error().hint =
        "standard input must be open, as by `< analysis.json`; or name the file";
    return count;
  }
  return Error{.code = Code::kReadFailed,
               .message = "this cannot be read as a file or a pipe",
               .where = {.file = name_}};
}

}  // namespace rangewise::cli
