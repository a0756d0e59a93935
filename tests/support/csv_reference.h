// Owns the slow and obvious CSV parser that the fast one is compared with, by tests and by the
// fuzzer.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rangewise::test {

using CsvRecord = std::vector<std::string>;

// The records after the first, unquoted: one character at a time, as RFC 4180 and format/csv.h
// read. Nothing where there is an error: an open quote, text after a closing one, a row of another
// width.
inline std::optional<std::vector<CsvRecord>> ParseCsvObviously(const std::string& text) {
  std::vector<CsvRecord> records;
  size_t at = 0;
  auto at_line_end = [&] {
    return at == text.size() || text[at] == '\n' ||
           (text[at] == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
  };
  auto skip_line_end = [&] {
    if (at < text.size() && text[at] == '\r') ++at;
    if (at < text.size()) ++at;
  };
  while (at < text.size()) {
    if (at_line_end()) {
      skip_line_end();
      continue;
    }
    CsvRecord fields;
    while (true) {
      std::string field;
      if (at < text.size() && text[at] == '"') {
        ++at;
        while (true) {
          if (at == text.size()) return std::nullopt;
          if (text[at] != '"') {
            field += text[at++];
          } else if (at + 1 < text.size() && text[at + 1] == '"') {
            field += '"';
            at += 2;
          } else {
            ++at;
            break;
          }
        }
        if (!at_line_end() && text[at] != ',') return std::nullopt;
      } else {
        while (!at_line_end() && text[at] != ',') field += text[at++];
      }
      fields.push_back(field);
      if (at_line_end()) break;
      ++at;
    }
    skip_line_end();
    records.push_back(fields);
  }
  for (const CsvRecord& record : records) {
    if (record.size() != records[0].size()) return std::nullopt;
  }
  records.erase(records.begin());
  return records;
}

}  // namespace rangewise::test
