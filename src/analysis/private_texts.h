// Owns finding what is private in a text by its form alone: paths, addresses, users and hosts.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/redaction.h"

namespace rangewise::analysis {

// Whether all of `text` is a path: absolute, below a home or the working folder, of a Windows drive
// or share, an URL, or a file with a folder and a well-known extension. Names of a run's own files
// (`trace.sqlite`, `stats/nsys_nvtx_pushpop_trace.csv`) and of our documents are none.
bool IsPath(std::string_view text);

// The name of a file or folder that every run has, such as `trace.sqlite`: it tells nothing.
bool IsNameOfRun(std::string_view text);

// Calls found(kind, piece) for the pieces that are private, from left to right: kPath, for
// `user@host` kUser and kHost, kHost for addresses (`10.1.2.3`), and kId for UUIDs (`GPU-5a1f…`) and PCI addresses. Linear.
using FoundPiece = std::function<void(model::RedactedKind kind, size_t begin, size_t length)>;
void FindPrivate(std::string_view text, const FoundPiece& found);

// The user whose home holds the path: `/home/NAME/…`, `/Users/NAME/…`, `C:\Users\NAME\…`.
std::optional<std::string_view> UserOfPath(std::string_view path);

// The last name of a path when it tells more than `python` or `12.4` would: four bytes or more,
// with at least three letters, and not of small letters alone. Names that every run has are none.
std::optional<std::string_view> TellingNameOf(std::string_view path);

// What a value is by the name of its key: `import_path` a path, `hostname` a host, `argv` a
// command, `record_id` an id. Nothing for others.
std::optional<model::RedactedKind> KindOfKey(std::string_view key);

}  // namespace rangewise::analysis
