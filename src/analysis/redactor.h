// Owns replacing texts of a document by pseudonyms (docs/redaction.md): first whole texts whose
// place says what they are, then what is private in sentences, by its form or because it was
// replaced elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/pseudonyms.h"
#include "base/value.h"
#include "model/names.h"
#include "model/redaction.h"

namespace rangewise::analysis {

struct RedactOptions {
  bool range_names = false;
  bool kernel_names = false;
  std::string key;  // of the pseudonyms; empty: everybody's
};

class Redactor {
 public:
  explicit Redactor(RedactOptions options);

  bool range_names() const { return range_names_; }
  bool kernel_names() const { return kernel_names_; }

  // Pseudonyms of an earlier redaction of the document stay.
  void Keep(const std::optional<model::Redaction>& earlier);

  // Notes what a text says of users, hosts and paths, so that Sentence finds them without their
  // form. For all texts, before the first Sentence.
  void Learn(std::string_view text);
  // The same of the texts of a value, by their keys.
  void Learn(std::string_view key, const Value& value);
  void Learn(const ValueMap& values);

  // The whole text, unless it is empty; the names of a run's own files stay.
  void Whole(model::RedactedKind kind, std::string& text);
  void Path(std::string& text);
  // A range's or kernel's name, or a part of one. Where such names stay, as Sentence.
  std::string RangeName(std::string_view name);
  std::string KernelName(std::string_view name);
  // A domain, a pattern or a filter of names.
  void RangeText(std::string& text);
  // The same for a name of a pool, which gains the new one with its domain.
  model::NameId RangeName(model::NamePool& pool, model::NameId name);
  model::NameId KernelName(model::NamePool& pool, model::NameId name);

  // Values of a manifest, by their keys; a text whose key says nothing is a Sentence.
  void Values(ValueMap& values);
  void OneValue(std::string_view key, Value& value);
  // All texts and whole numbers of a value are of one kind, as are the keys of mappings (hosts by
  // their names); those whose keys say so are of another one.
  void AllOf(model::RedactedKind kind, Value& value);

  // What is private in a text: pieces by their form, and what was replaced or learned before.
  void Sentence(std::string& text);

  // Adds what was replaced to what had been before, if anything.
  void DoneWith(std::optional<model::Redaction>& redaction) const;

 private:
  struct Known {
    std::string text;
    std::string replacement;     // of a name of several parts; empty: the pseudonym of
    model::RedactedKind kind{};  // this kind
  };
  void Know(model::RedactedKind kind, std::string_view text, std::string_view replacement = {});
  void LearnPath(std::string_view path);
  std::string ReplacementOf(const Known& known);
  bool IsAllPseudonyms(std::string_view text) const;
  void LearnAs(std::optional<model::RedactedKind> kind, const Value& value);
  std::string ReplacedForms(std::string_view text);
  std::string ReplacedKnown(std::string_view text, bool short_ones);
  std::string ReplacedQuotes(std::string_view text);
  const Known* KnownAt(std::string_view text, size_t at, bool short_ones) const;

  bool range_names_;
  bool kernel_names_;
  bool keyed_;
  Pseudonyms pseudonyms_;
  std::unordered_map<std::string, bool> is_known_;
  // By the first two bytes, longest first.
  std::unordered_map<uint32_t, std::vector<Known>> known_;
  // By the pool's id; of one pool.
  std::map<const model::NamePool*, std::unordered_map<uint32_t, model::NameId>> ranges_;
  std::map<const model::NamePool*, std::unordered_map<uint32_t, model::NameId>> kernels_;
};

}  // namespace rangewise::analysis
