#include "ingest/nsys.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/process.h"
#include "base/text.h"

namespace rangewise::ingest {
namespace {

namespace fs = std::filesystem;
using model::Report;

constexpr int kAnswerTimeoutMs = 60'000;  // for --help-reports; the work itself has no limit
constexpr size_t kWordsPerStream = 6;     // lines of nsys's own that an error shows

constexpr std::string_view kExportName = "trace.sqlite";
constexpr std::string_view kTablePrefix = "nsys";  // nsys appends "_<report>.csv"

// The lines of `text` that hold anything. Progress that overwrites its line counts as lines too.
std::vector<std::string_view> Lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of("\r\n"), text.size());
    if (const std::string_view line = Trimmed(text.substr(0, end)); !line.empty()) {
      lines.push_back(line);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// What nsys said last, on both streams.
std::vector<std::string> LastWords(const ProcessResult& result) {
  constexpr size_t kLineLimit = 400;
  std::vector<std::string> words;
  for (const std::string* stream : {&result.standard_output, &result.standard_error}) {
    const std::vector<std::string_view> lines = Lines(*stream);
    const size_t first = lines.size() > kWordsPerStream ? lines.size() - kWordsPerStream : 0;
    for (size_t i = first; i < lines.size(); ++i) {
      const std::string_view line = lines[i];
      words.push_back(
          Format("nsys: {}{}", line.substr(0, kLineLimit), line.size() > kLineLimit ? "..." : ""));
    }
  }
  if (words.empty()) words.push_back("nsys said nothing");
  return words;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

bool HasAny(std::string_view text, std::span<const std::string_view> pieces) {
  return std::any_of(pieces.begin(), pieces.end(), [text](std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
  });
}

// Whether a line of either stream satisfies `wanted`; it sees the line in lower case.
template <typename Predicate>
bool Said(const ProcessResult& result, Predicate wanted) {
  for (const std::string* stream : {&result.standard_output, &result.standard_error}) {
    for (const std::string_view line : Lines(*stream)) {
      if (wanted(std::string_view(Lower(line)))) return true;
    }
  }
  return false;
}

bool SaidDiskFull(const ProcessResult& result) {
  static constexpr std::array<std::string_view, 4> kWords = {
      "no space left on device", "disk is full", "disk full", "disk quota exceeded"};
  return Said(result, [](std::string_view line) { return HasAny(line, kWords); });
}

bool SaidNoNvtx(const ProcessResult& result) {
  return Said(result, [](std::string_view line) {
    return line.find("does not contain nv tools extension") != std::string_view::npos;
  });
}

bool SaidUnknown(const ProcessResult& result, Report report) {
  const std::string words = Format("report '{}' could not be found", model::ReportName(report));
  return Said(result, [&words](std::string_view line) {
    return line.find(words) != std::string_view::npos;
  });
}

bool SaidStaleExport(const ProcessResult& result) {
  return Said(result, [](std::string_view line) {
    return line.find("existing export older than input") != std::string_view::npos;
  });
}

std::string Without(std::string text, std::string_view piece, std::string_view instead) {
  if (piece.size() < 2) return text;
  for (size_t at = 0; (at = text.find(piece, at)) != std::string::npos; at += instead.size()) {
    text.replace(at, piece.size(), instead);
  }
  return text;
}

// Whether nsys blames the trace: a line that speaks of failure and of its input, by name or as
// such. The wording changes between versions and is not documented. Folders are taken out of the
// line first, since progress lines show them and they may be called anything ("failed-runs").
bool SaidUnreadable(const ProcessResult& result, const fs::path& trace, const fs::path& folder) {
  static constexpr std::array<std::string_view, 5> kInput = {"input", "report file", "importation",
                                                             "importer", "\1"};
  static constexpr std::array<std::string_view, 13> kFailures = {
      "error",         "fail",           "cannot",    "could not", "unable",
      "invalid",       "corrupt",        "truncated", "not a ",    "unsupported",
      "newer version", "does not exist", "older than"};
  const std::string path = Lower(trace.native());
  const std::string name = Lower(trace.filename().native());
  const std::string target = Lower(folder.native());
  return Said(result, [&](std::string_view line) {
    std::string rest = Without(std::string(line), path, "\1");
    rest = Without(std::move(rest), target, "");
    rest = Without(std::move(rest), name, "\1");
    return HasAny(rest, kInput) && HasAny(rest, kFailures);
  });
}

// "NVIDIA Nsight Systems version 2025.1.3.140-…", or words for a tool that does not say.
std::string ToolName(const NsysTool& tool) {
  return tool.version_text == "unknown" ? "nsys of unknown version" : tool.version_text;
}

std::string HowItEnded(const ProcessResult& result) {
  if (result.timed_out) return "did not answer in time";
  if (result.signal != 0) {
    const char* name = sigabbrev_np(result.signal);
    return name == nullptr ? Format("was ended by signal {}", result.signal)
                           : Format("was ended by signal {} (SIG{})", result.signal, name);
  }
  return Format("ended with exit code {}", result.exit_code);
}

bool Succeeded(const ProcessResult& result) { return !result.timed_out && result.exit_code == 0; }

// The command as a shell would take it, for people who want to run it by hand.
std::string CommandLine(const ProcessRequest& request) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./@%";
  std::vector<std::string> words = {request.program.native()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::string line = "command:";
  for (const std::string& word : words) {
    line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

fs::path Absolute(const fs::path& path) {
  std::error_code error;
  fs::path absolute = fs::absolute(path, error);
  return error ? path : absolute;
}

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

bool IsEmpty(const fs::path& path) {
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  return !error && size == 0;
}

// Whether the file begins as a database does; nsys can leave a first piece or nothing.
bool IsDatabase(const fs::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, 16> start{};
  std::ifstream file(path, std::ios::binary);
  return file.read(start.data(), start.size()) &&
         std::string_view(start.data(), start.size()) == kMagic;
}

// --- finding it ---------------------------------------------------------------------------------

// The line that names the version; else the first that says anything.
std::string VersionLine(const ProcessResult& result) {
  constexpr size_t kLimit = 200;
  const std::vector<std::string_view> output = Lines(result.standard_output);
  std::vector<std::string_view> all = output;
  for (const std::string_view line : Lines(result.standard_error)) all.push_back(line);
  for (const std::string_view line : all) {
    if (model::ParseNsysVersion(line)) return Displayable(line.substr(0, kLimit));
  }
  return output.empty() ? "unknown" : Displayable(output.front().substr(0, kLimit));
}

Error NotRunnable(const fs::path& path, const std::string& why, std::vector<std::string> details) {
  return Error{Code::kNsysNotRunnable,
               Format("{} cannot be run as nsys: it {}", Quoted(path.native()), why),
               {},
               std::move(details)};
}

Result<NsysTool> Probe(const fs::path& path, int timeout_ms) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return NotRunnable(path, "is a folder", {});
  ProcessRequest request;
  request.program = path;
  request.arguments = {"--version"};
  request.timeout_ms = timeout_ms;
  ASSIGN_OR_RETURN(const ProcessResult result, RunProcess(request));
  if (!Succeeded(result)) {
    return NotRunnable(path, HowItEnded(result) + " when asked for its version", LastWords(result));
  }
  NsysTool tool;
  tool.path = path;
  tool.version_text = VersionLine(result);
  tool.version = model::ParseNsysVersion(tool.version_text);
  return tool;
}

// The one that was named, and no other. A bare name is looked up as a shell would.
Result<NsysTool> NamedTool(const std::string& name, std::string_view by, int timeout_ms) {
  fs::path path(name);
  std::error_code error;
  if (!fs::exists(path, error) && name.find('/') == std::string::npos) {
    path = FindInPath(name).value_or(path);
  }
  if (name.empty() || !fs::exists(path, error)) {
    return Error{Code::kNsysNotFound, Format("{} names {}, which is not there", by, Quoted(name))};
  }
  return Probe(Absolute(path), timeout_ms);
}

// `<root>/*/bin/nsys`, the newest version first, folders without a version last.
std::vector<fs::path> Installed(const fs::path& root) {
  std::vector<std::pair<model::NsysVersion, fs::path>> found;
  std::error_code error;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path program = entry->path() / "bin" / "nsys";
    if (!IsFile(program)) continue;
    const std::string folder = entry->path().filename().native();
    found.emplace_back(model::ParseNsysVersion(folder).value_or(model::NsysVersion{}), program);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  std::vector<fs::path> programs;
  for (auto& [version, program] : found) programs.push_back(std::move(program));
  return programs;
}

// --- asking it for tables -----------------------------------------------------------------------

ProcessRequest StatsRequest(const NsysTool& tool, const fs::path& trace, const fs::path& folder) {
  ProcessRequest request;
  request.program = tool.path;
  request.working_folder = folder;
  request.arguments = {"stats"};
  for (const Report report : model::kReports) {
    request.arguments.insert(request.arguments.end(),
                             {"--report", std::string(model::ReportName(report))});
  }
  // nsys takes a comma in --output for the start of another output; then the folder goes unsaid.
  const bool comma = folder.native().find(',') != std::string::npos;
  const fs::path output = comma ? fs::path(kTablePrefix) : folder / kTablePrefix;
  request.arguments.insert(
      request.arguments.end(),
      {"--format", "csv:mem=B", "--force-export=true", "--force-overwrite=true", "--sqlite",
       (folder / kExportName).native(), "--output", output.native(), trace.native()});
  return request;
}

// Why nsys ended without success, or without an export. `sqlite` is where the export was to go.
Error Failure(const NsysTool& tool, const fs::path& trace, const fs::path& sqlite,
              const ProcessRequest& request, const ProcessResult& result) {
  const bool exported = IsFile(sqlite) && !IsEmpty(sqlite);
  const fs::path folder = sqlite.parent_path();
  Error error;
  error.details = LastWords(result);
  if (SaidDiskFull(result)) {
    error.code = Code::kDiskFull;
    error.message = Format("{} found no space for its output", ToolName(tool));
    return error;
  }
  if (!exported && result.signal == 0 &&
      (Succeeded(result) || SaidUnreadable(result, trace, folder))) {
    error.code = Code::kNsysCannotReadTrace;
    error.message = Format("{} cannot read the trace {}", ToolName(tool), Quoted(trace.native()));
    if (SaidStaleExport(result)) {
      error.hint = "remove the old .sqlite file beside the trace and run again";
    }
    return error;
  }
  error.code = Code::kNsysFailed;
  error.message =
      Format("{} {}", ToolName(tool),
             Succeeded(result) ? "left an export that is no database" : HowItEnded(result));
  error.details.push_back(CommandLine(request));
  return error;
}

// nsys ends with code 0 when it skips a report or does not know it; then the files tell.
Result<StatsOutput> CollectTables(const NsysTool& tool, const fs::path& trace,
                                  const fs::path& folder, const ProcessResult& result) {
  StatsOutput output;
  if (IsFile(folder / kExportName)) output.sqlite = folder / kExportName;
  std::vector<std::string> missing;
  bool unknown = false;
  for (const Report report : model::kReports) {
    const fs::path table = folder / model::ReportFileName(report);
    output.tables[report] = table;
    if (IsFile(table)) continue;
    missing.emplace_back(model::ReportName(report));
    unknown = unknown || SaidUnknown(result, report);
  }
  const fs::path& host = output.tables[Report::kPushPop];
  const bool no_host_table = !IsFile(host) || IsEmpty(host);
  if (no_host_table && SaidNoNvtx(result)) {
    return Error{
        Code::kNoNvtxData,
        Format("{} found no NVTX data in the trace {}", ToolName(tool), Quoted(trace.native())),
        {},
        LastWords(result)};
  }
  if (!missing.empty()) {
    Error error{Code::kReportNotMade,
                Format("{} did not make {}", ToolName(tool), QuotedList(missing)),
                {},
                LastWords(result)};
    if (unknown)
      error.hint = "this nsys does not know the report; use Nsight Systems 2023.2 or later";
    return error;
  }
  if (no_host_table) {
    return Error{Code::kNoHostRanges,
                 Format("{} found no NVTX push/pop ranges in the trace {}", ToolName(tool),
                        Quoted(trace.native())),
                 {},
                 LastWords(result)};
  }
  return output;
}

}  // namespace

Result<std::optional<NsysTool>> FindNsys(const NsysSearch& search) {
  if (search.named) {
    ASSIGN_OR_RETURN(NsysTool tool, NamedTool(*search.named, "--nsys", search.timeout_ms));
    return std::optional<NsysTool>(std::move(tool));
  }
  if (search.environment && !search.environment->empty()) {
    ASSIGN_OR_RETURN(NsysTool tool,
                     NamedTool(*search.environment, "RANGEWISE_NSYS", search.timeout_ms));
    return std::optional<NsysTool>(std::move(tool));
  }
  std::vector<fs::path> candidates = Installed(search.install_root);
  if (std::optional<fs::path> in_path = FindInPath("nsys")) {
    candidates.insert(candidates.begin(), std::move(*in_path));
  }
  for (const fs::path& candidate : candidates) {
    Result<NsysTool> tool = Probe(Absolute(candidate), search.timeout_ms);
    if (tool.ok()) return std::optional<NsysTool>(std::move(tool).value());
    if (tool.error().code == Code::kInterrupted) return std::move(tool).error();
  }
  return std::optional<NsysTool>();
}

Result<std::vector<std::string>> KnownReports(const NsysTool& tool) {
  ProcessRequest request;
  request.program = tool.path;
  request.arguments = {"stats", "--help-reports"};
  request.timeout_ms = kAnswerTimeoutMs;
  ASSIGN_OR_RETURN(const ProcessResult result, RunProcess(request));
  // A line is `  name[:option][:other] -- title`.
  std::vector<std::string> names;
  for (const std::string* stream : {&result.standard_output, &result.standard_error}) {
    for (const std::string_view line : Lines(*stream)) {
      const size_t end = std::min(
          line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
          line.size());
      const std::string_view rest = Trimmed(line.substr(end));
      if (end == 0 || line.substr(0, end).find('_') == std::string_view::npos) continue;
      if (rest.empty() || rest.starts_with("[:") || rest.starts_with("--")) {
        names.emplace_back(line.substr(0, end));
      }
    }
  }
  // Some versions list and then end with code 1: the list counts.
  if (names.empty()) {
    return Error{Code::kNsysFailed,
                 Format("{} listed no reports and {}", ToolName(tool), HowItEnded(result)),
                 {},
                 LastWords(result)};
  }
  return names;
}

Result<StatsOutput> RunNsysStats(const NsysTool& tool, const fs::path& trace,
                                 const fs::path& folder, const ProgressSink& progress) {
  const fs::path target = Absolute(folder);
  const fs::path input = Absolute(trace);
  // What an earlier call left must not pass for an answer to this one.
  std::error_code ignored;
  fs::remove(target / kExportName, ignored);
  for (const Report report : model::kReports) {
    fs::remove(target / model::ReportFileName(report), ignored);
  }
  ProcessRequest request = StatsRequest(tool, input, target);
  request.on_output = progress;
  ASSIGN_OR_RETURN(const ProcessResult result, RunProcess(request));
  const fs::path sqlite = target / kExportName;
  const bool whole =
      std::all_of(model::kReports.begin(), model::kReports.end(),
                  [&](Report report) { return IsFile(target / model::ReportFileName(report)); });
  if (!Succeeded(result) || (!whole && !IsDatabase(sqlite))) {
    return Failure(tool, input, sqlite, request, result);
  }
  return CollectTables(tool, input, target, result);
}

Status RunNsysExport(const NsysTool& tool, const fs::path& trace, const fs::path& target,
                     const ProgressSink& progress) {
  const fs::path input = Absolute(trace);
  const fs::path output = Absolute(target);
  std::error_code ignored;
  fs::remove(output, ignored);
  ProcessRequest request;
  request.program = tool.path;
  request.arguments = {"export",   "--type",        "sqlite",      "--force-overwrite=true",
                       "--output", output.native(), input.native()};
  request.on_output = progress;
  ASSIGN_OR_RETURN(const ProcessResult result, RunProcess(request));
  if (Succeeded(result) && IsDatabase(output)) return Ok();
  return Failure(tool, input, output, request, result);
}

}  // namespace rangewise::ingest
