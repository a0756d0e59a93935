#include "format/yaml.h"

#include <yaml.h>

#include <algorithm>
#include <map>
#include <new>
#include <optional>

#include "base/text.h"
#include "format/yaml_position.h"
#include "format/yaml_scalar.h"

namespace rangewise::format {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view kStandardTag = "tag:yaml.org,2002:";

struct Event {
  yaml_event_t raw = {};
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&raw); }
};

struct Parser {
  yaml_parser_t raw = {};
  Parser() {
    if (yaml_parser_initialize(&raw) == 0) throw std::bad_alloc();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&raw); }
};

std::string_view Text(const yaml_char_t* text) {
  return text == nullptr ? std::string_view{}
                         : std::string_view(reinterpret_cast<const char*>(text));
}

// A mapping or list that is open.
struct Frame {
  std::shared_ptr<YamlNode> node;
  std::string anchor;
  size_t height = 0;  // levels below it so far
  // Of a mapping: the key that waits for its value, and where each key is written (an alias may be
  // a key).
  YamlNodePtr key;
  bool key_is_merge = false;
  YamlPosition key_position;
  std::vector<YamlPosition> key_positions;
  YamlNodePtr merged;
  YamlPosition merge_position;

  bool ExpectsKey() const { return node->kind == Kind::kMap && key == nullptr && !key_is_merge; }
};

struct Anchored {
  YamlNodePtr node;  // null while the node is still open
  size_t height = 0;
  YamlPosition position;
};

class TreeBuilder {
 public:
  TreeBuilder(std::string_view text, std::string_view file_name)
      : text_(text), body_(WithoutByteOrderMark(text)), file_name_(file_name), positions_(body_) {}

  Result<YamlNodePtr> Build() {
    RETURN_IF_ERROR(CheckEncoding());
    RETURN_IF_ERROR(CheckDirectives());
    Parser parser;
    yaml_parser_set_encoding(&parser.raw, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser.raw, reinterpret_cast<const unsigned char*>(body_.data()),
                                 body_.size());
    while (true) {
      Event event;
      if (yaml_parser_parse(&parser.raw, &event.raw) == 0) return SyntaxError(parser.raw);
      if (event.raw.type == YAML_STREAM_END_EVENT) break;
      RETURN_IF_ERROR(Take(event.raw));
    }
    if (root_ == nullptr) {
      auto nothing = std::make_shared<YamlNode>();
      nothing->position = {.line = 1, .column = 1};
      return YamlNodePtr(std::move(nothing));
    }
    return root_;
  }

 private:
  YamlPosition PositionOf(const yaml_mark_t& mark) const {
    return positions_.OfCharacter(mark.index);
  }
  Error At(YamlPosition position, std::string message, Code code = Code::kManifestNotYaml) const {
    return YamlError(code, std::move(message), position, text_, file_name_);
  }

  Status CheckEncoding() const {
    const bool marked = text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF");
    const bool unmarked = text_.size() >= 2 && (text_[0] == '\0') != (text_[1] == '\0');
    if (!marked && !unmarked) return Ok();
    return Error{.code = Code::kManifestNotYaml,
                 .message = "the file is UTF-16; YAML is read as UTF-8 only",
                 .where = {.file = std::string(file_name_), .line = 1, .column = 1},
                 .hint = "Save it as UTF-8 (iconv -f UTF-16 -t UTF-8)."};
  }

  // libyaml compares each %TAG directive with all before it.
  Status CheckDirectives() const {
    constexpr size_t kLimit = 100;
    size_t directives = 0;
    for (size_t at = 0; at < body_.size(); at = NextLine(body_, at)) {
      if (body_[at] != '%' || ++directives <= kLimit) continue;
      return At(positions_.OfByte(at),
                Format("more than {} lines begin with '%', as directives do", kLimit));
    }
    return Ok();
  }

  Error SyntaxError(const yaml_parser_t& parser) const {
    if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    const std::string problem = parser.problem != nullptr ? parser.problem : "unreadable text";
    if (parser.error == YAML_READER_ERROR) {
      const YamlPosition position = positions_.OfByte(parser.problem_offset);
      Error error = At(position, "not valid YAML: " + problem);
      if (parser.problem_value >= 0) error.message += Format(" (0x{:02x})", parser.problem_value);
      return error;
    }
    Error error = At(PositionOf(parser.problem_mark), "not valid YAML: " + problem);
    if (parser.context != nullptr) {
      const YamlPosition context = PositionOf(parser.context_mark);
      error.message += Format(", {}", parser.context);
      if (context.line > 0 && context.line != error.where.line) {
        error.details.push_back(
            Format("it begins at line {}, column {}", context.line, context.column));
      }
    }
    if (positions_.ByteAt(parser.problem_mark.index) == '\t') {
      error.hint = "YAML indents by spaces only: replace the tab shown.";
    }
    return error;
  }

  Status Take(const yaml_event_t& event) {
    const YamlPosition position = PositionOf(event.start_mark);
    switch (event.type) {
      case YAML_DOCUMENT_START_EVENT:
        if (documents_++ == 0) return Ok();
        return At(position, "a second document begins here; one is expected");
      case YAML_SCALAR_EVENT:
        return TakeScalar(event, position);
      case YAML_ALIAS_EVENT:
        return TakeAlias(std::string(Text(event.data.alias.anchor)), position);
      case YAML_SEQUENCE_START_EVENT:
        return Open(Kind::kList, "seq", Text(event.data.sequence_start.tag),
                    Text(event.data.sequence_start.anchor), position);
      case YAML_MAPPING_START_EVENT:
        return Open(Kind::kMap, "map", Text(event.data.mapping_start.tag),
                    Text(event.data.mapping_start.anchor), position);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return Close();
      default:
        return Ok();
    }
  }

  Status TakeScalar(const yaml_event_t& event, YamlPosition position) {
    RETURN_IF_ERROR(CountNode(position));
    const auto& scalar = event.data.scalar;
    auto node = std::make_shared<YamlNode>();
    node->position = position;
    node->text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    bool is_merge = false;
    // The non-specific tag asks for resolution by text, which libyaml says by plain_implicit.
    if (const std::string_view tag = Text(scalar.tag); !tag.empty() && tag != "!") {
      RETURN_IF_ERROR(ApplyTag(*node, tag));
    } else {
      const ScalarType type =
          scalar.plain_implicit != 0 ? ResolvePlain(node->text) : ScalarType::kString;
      const bool is_key = !stack_.empty() && stack_.back().ExpectsKey();
      if (!is_key && (type == ScalarType::kMerge || type == ScalarType::kDefault)) {
        return At(position,
                  Format("the bare value {} has a meaning of its own in YAML 1.1 and is none here",
                         Quoted(node->text)));
      }
      is_merge = type == ScalarType::kMerge;
      node->kind = KindOf(type);
    }
    if (scalar.anchor != nullptr) {
      if (is_merge) return At(position, "a merge key cannot bear an anchor");
      RETURN_IF_ERROR(NewAnchor(std::string(Text(scalar.anchor)), position, node));
    }
    return Add(std::move(node), 0, position, is_merge);
  }

  static Kind KindOf(ScalarType type) {
    switch (type) {
      case ScalarType::kNull:
        return Kind::kNull;
      case ScalarType::kBool:
        return Kind::kBool;
      case ScalarType::kInteger:
        return Kind::kInteger;
      case ScalarType::kFloat:
        return Kind::kFloat;
      case ScalarType::kTimestamp:
        return Kind::kTimestamp;
      case ScalarType::kMerge:
      case ScalarType::kDefault:
      case ScalarType::kString:
        break;
    }
    return Kind::kString;
  }

  Status ApplyTag(YamlNode& node, std::string_view tag) const {
    const std::string_view type =
        tag.starts_with(kStandardTag) ? tag.substr(kStandardTag.size()) : "";
    bool suits = true;
    if (type == "str") {
      node.kind = Kind::kString;
    } else if (type == "null") {
      node.kind = Kind::kNull;
    } else if (type == "bool") {
      node.kind = Kind::kBool;
      suits = BoolValue(node.text).has_value();
    } else if (type == "int") {
      node.kind = Kind::kInteger;
      suits = IsYamlInteger(node.text);
    } else if (type == "float") {
      node.kind = Kind::kFloat;
      suits = IsTaggedFloat(node.text);
    } else if (type == "timestamp") {
      node.kind = Kind::kTimestamp;
      suits = IsYamlTimestamp(node.text);
    } else if (type == "seq" || type == "map") {
      suits = false;
    } else {
      return UnknownTag(tag, node.position);
    }
    if (suits) return Ok();
    return At(node.position, Format("{} is not what its tag !!{} says", Quoted(node.text), type));
  }

  Error UnknownTag(std::string_view tag, YamlPosition position) const {
    Error error = At(position, Format("unknown tag {}", Quoted(tag)));
    error.hint =
        "Use plain YAML: !!str, !!int, !!float, !!bool, !!null, !!timestamp, !!seq and !!map are "
        "known.";
    return error;
  }

  Status Open(Kind kind, std::string_view own_tag, std::string_view tag, std::string_view anchor,
              YamlPosition position) {
    RETURN_IF_ERROR(CountNode(position));
    if (stack_.size() >= kYamlDepthLimit) return TooDeep(position);
    if (!stack_.empty() && stack_.back().ExpectsKey()) return NoKey(kind, position);
    if (!tag.empty() && tag != "!" && tag != std::string(kStandardTag).append(own_tag)) {
      if (!tag.starts_with(kStandardTag)) return UnknownTag(tag, position);
      return At(position, Format("{} is not what the tag !!{} says", KindName(kind),
                                 Displayable(tag.substr(kStandardTag.size()))));
    }
    Frame frame;
    frame.node = std::make_shared<YamlNode>();
    frame.node->kind = kind;
    frame.node->position = position;
    frame.anchor = anchor;
    if (!anchor.empty()) RETURN_IF_ERROR(NewAnchor(frame.anchor, position, nullptr));
    stack_.push_back(std::move(frame));
    return Ok();
  }

  Status Close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    if (frame.node->kind == Kind::kMap) RETURN_IF_ERROR(FinishMapping(frame));
    const size_t height = frame.height + 1;
    if (!frame.anchor.empty()) {
      Anchored& anchored = anchors_[frame.anchor];
      anchored.node = frame.node;
      anchored.height = height;
    }
    const YamlPosition position = frame.node->position;
    return Add(std::move(frame.node), height, position, false);
  }

  Status TakeAlias(const std::string& name, YamlPosition position) {
    RETURN_IF_ERROR(CountNode(position));
    const auto found = anchors_.find(name);
    if (found == anchors_.end())
      return At(position, Format("the alias {} has no anchor before it", Quoted(name)));
    const Anchored& anchored = found->second;
    if (anchored.node == nullptr) {
      return At(position, Format("the alias {} names the node that contains it (line {})",
                                 Quoted(name), anchored.position.line));
    }
    if (stack_.size() + anchored.height > kYamlDepthLimit) return TooDeep(position);
    return Add(anchored.node, anchored.height, position, false);
  }

  Status NewAnchor(const std::string& name, YamlPosition position, YamlNodePtr node) {
    const auto [at, inserted] = anchors_.try_emplace(name, Anchored{std::move(node), 0, position});
    if (inserted) return Ok();
    return At(position, Format("the anchor {} is given twice, first at line {}", Quoted(name),
                               at->second.position.line));
  }

  // Hands a finished node to the list or mapping that is open.
  Status Add(YamlNodePtr node, size_t height, YamlPosition position, bool is_merge) {
    if (stack_.empty()) {
      root_ = std::move(node);
      return Ok();
    }
    Frame& frame = stack_.back();
    frame.height = std::max(frame.height, height);
    if (frame.node->kind == Kind::kList) {
      frame.node->items.push_back(std::move(node));
    } else if (frame.ExpectsKey()) {
      if (node->kind == Kind::kList || node->kind == Kind::kMap) return NoKey(node->kind, position);
      frame.key_is_merge = is_merge;
      frame.key_position = position;
      if (!is_merge) frame.key = std::move(node);
    } else if (frame.key_is_merge) {
      if (frame.merged != nullptr)
        return DuplicateKey("<<", frame.merge_position, frame.key_position);
      frame.merged = std::move(node);
      frame.merge_position = frame.key_position;
      frame.key_is_merge = false;
    } else {
      frame.node->entries.emplace_back(std::move(frame.key), std::move(node));
      frame.key_positions.push_back(frame.key_position);
      frame.key = nullptr;
    }
    return Ok();
  }

  // Refuses duplicates, then applies the merge key. A merged mapping is closed, so its own merges
  // are applied.
  Status FinishMapping(Frame& frame) {
    auto& entries = frame.node->entries;
    std::map<std::string_view, size_t> keys;
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto [at, inserted] = keys.try_emplace(entries[i].first->text, i);
      if (!inserted)
        return DuplicateKey(at->first, frame.key_positions[at->second], frame.key_positions[i]);
    }
    if (frame.merged == nullptr) return Ok();

    const auto merge = [&](const YamlNode& source) -> Status {
      if (source.kind != Kind::kMap) {
        return At(frame.merge_position,
                  Format("a merge key takes a mapping or a list of mappings, found {}",
                         KindName(source.kind)));
      }
      const uint64_t visits = source.entries.size() + 1;
      if (visits > merges_left_) {
        return At(frame.merge_position,
                  Format("merge keys visit more than {} entries", kYamlMergeLimit));
      }
      merges_left_ -= visits;
      for (const auto& entry : source.entries) {
        if (keys.try_emplace(entry.first->text, 0).second) entries.push_back(entry);
      }
      return Ok();
    };
    if (frame.merged->kind != Kind::kList) return merge(*frame.merged);
    for (const YamlNodePtr& source : frame.merged->items) RETURN_IF_ERROR(merge(*source));
    return Ok();
  }

  Error DuplicateKey(std::string_view key, YamlPosition first, YamlPosition second) const {
    return At(second,
              Format("the key {} stands twice in one mapping, at line {} and at line {}",
                     Quoted(key), first.line, second.line),
              Code::kManifestDuplicateKey);
  }
  Error NoKey(Kind kind, YamlPosition position) const {
    return At(position, Format("a key must be a scalar, found {}", KindName(kind)));
  }
  Error TooDeep(YamlPosition position) const {
    return At(position, Format("nested deeper than {} levels, aliases followed", kYamlDepthLimit));
  }
  Status CountNode(YamlPosition position) {
    if (nodes_++ < kYamlNodeLimit) return Ok();
    return At(position, Format("more than {} values", kYamlNodeLimit));
  }

  std::string_view text_;
  std::string_view body_;  // without a byte order mark
  std::string_view file_name_;
  PositionMap positions_;
  std::vector<Frame> stack_;
  std::map<std::string, Anchored, std::less<>> anchors_;
  YamlNodePtr root_;
  uint64_t documents_ = 0;
  uint64_t nodes_ = 0;
  uint64_t merges_left_ = kYamlMergeLimit;
};

}  // namespace

Result<YamlNodePtr> ParseYaml(std::string_view text, std::string_view file_name) {
  if (text.size() > kYamlSizeLimit) {
    return Error{.code = Code::kManifestValue,
                 .message = Format("the file has {} bytes; at most {} are read", text.size(),
                                   kYamlSizeLimit),
                 .where = {.file = std::string(file_name)},
                 .hint = "Keep the run's description small: bulk data belongs beside it."};
  }
  return TreeBuilder(text, file_name).Build();
}

Error YamlError(Code code, std::string message, YamlPosition position, std::string_view text,
                std::string_view file_name) {
  return Error{.code = code,
               .message = std::move(message),
               .where = {.file = std::string(file_name),
                         .line = position.line,
                         .column = position.column,
                         .source_line = SourceLine(text, position.line)}};
}

}  // namespace rangewise::format
