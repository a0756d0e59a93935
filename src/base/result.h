// Owns the error type and Result<T>, the only way a failure travels between functions. An Error
// says what was found, where, what was expected and one next step; Render makes the text that the
// command line prints. Exceptions are left to the standard library (out of memory) and caught once,
// in main.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/codes.h"

namespace rangewise {

// A position in an input. Fields that do not apply stay empty or zero.
struct Where {
  std::string file = {};
  uint64_t line = 0;        // from 1; 0: not a text position
  uint64_t column = 0;      // from 1, in bytes; 0: the whole line
  std::string table = {};        // SQLite table
  int64_t row = 0;          // rowid in that table; 0: none
  std::string source_line = {};  // the text of that line, shown with a caret under `column`
};

struct Error {
  Code code = Code::kInternal;
  std::string message;  // what was found and what was expected; no full stop
  Where where = {};
  std::vector<std::string> details = {};  // further lines: another tool's own words, candidates
  std::string hint = {};             // one next step; empty: the code's own action
};

// The error as text of several lines, each ending in \n. Control and bidirectional characters that
// come from inputs are neutralised (base/text.h), so it may go to a terminal.
std::string Render(const Error& error);

struct Unit {};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor)
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<Unit>;
inline Status Ok() { return Unit{}; }

#define RANGEWISE_CONCAT_(a, b) a##b
#define RANGEWISE_CONCAT(a, b) RANGEWISE_CONCAT_(a, b)

// Returns the error of `expr` from the enclosing function when it has one.
#define RETURN_IF_ERROR(expr)                                                    \
  do {                                                                           \
    if (auto status_ = (expr); !status_.ok()) return std::move(status_).error(); \
  } while (false)

// Declares `decl` from the value of `expr`, or returns its error.
#define ASSIGN_OR_RETURN(decl, expr)                               \
  auto RANGEWISE_CONCAT(result_, __LINE__) = (expr);               \
  if (!RANGEWISE_CONCAT(result_, __LINE__).ok())                   \
    return std::move(RANGEWISE_CONCAT(result_, __LINE__)).error(); \
  decl = std::move(RANGEWISE_CONCAT(result_, __LINE__)).value()

}  // namespace rangewise
