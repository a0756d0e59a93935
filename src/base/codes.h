// Owns the closed list of everything rangewise can warn of, find or fail with: one row per code,
// with the word that users see, its exit code, what it means and what to do. `rangewise explain`
// and docs/warnings.md are made from this table; words are stable once released.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace rangewise {

enum class Severity : uint8_t { kWarning, kFinding, kError };

// Exit codes of the program, the same for every verb.
enum ExitCode : int {
  kExitDone = 0,
  kExitGateFailed = 1,
  kExitUsage = 2,
  kExitInput = 3,
  kExitInconclusive = 4,
  kExitSource = 5,
  kExitInternal = 70,
  kExitOutput = 74,
  kExitInterrupted = 130,
  kExitTerminated = 143,
};

enum class Code : uint8_t {
  // Warnings: the analysis was made, and something about it must be known.
  kCaptureNameReused,
  kCopyKindMissing,
  kCrossThreadRanges,
  kCudaGraphLaunches,
  kDomainCreatedTwice,
  kExportTableMissing,
  kIdenticalRanges,
  kInvalidUtf8,
  kMissingGpuCaptureRange,
  kMissingGpuProjection,
  kMissingGpuTables,
  kMissingHostIterations,
  kMissingIterations,
  kNegativeBytes,
  kNegativeDuration,
  kNoManifest,
  kNotCrossChecked,
  kNsysVersionUnknown,
  kNsysVersionUnvalidated,
  kOpenRanges,
  kOrphanedGpuRanges,
  kOverlappingRanges,
  kReportsFromCsv,
  kReusedReports,
  kRuleMatchesNothing,
  kSingleIteration,
  kStaleReports,
  kThreadlessRanges,
  kTablesDiffer,
  kTracePathMismatch,
  kUnattributedGpuWork,
  kUnexpectedIterations,
  // Findings: what the numbers of one run show.
  kFirstIterationDiffers,
  kGpuIdleInIterations,
  kHostWaitsInSynchronisation,
  kIncompleteLastIteration,
  kIterationsDrift,
  kIterationsVary,
  kLaunchCallsDominate,
  kManyNames,
  kOneRun,
  kOutlierIterations,
  kOverheadScaleRanges,
  // Errors: no result was written.
  kBadInteger,
  kBadPattern,
  kCaptureRangeAmbiguous,
  kCaptureRangeMissing,
  kCsvEncoding,
  kCsvSyntax,
  kDiskFull,
  kDuplicateColumn,
  kDuplicateIteration,
  kDuplicateRange,
  kExportDamaged,
  kExportIncomplete,
  kExportLocked,
  kExportMissing,
  kFileShrank,
  kInternal,
  kInterrupted,
  kIterationIndexTooLarge,
  kManifestDuplicateKey,
  kManifestMissing,
  kManifestNotAMapping,
  kManifestNotYaml,
  kManifestValue,
  kManifestWrongType,
  kMissingColumn,
  kNoHostRanges,
  kNoNvtxData,
  kNoReportSource,
  kNotAnAnalysis,
  kNotAnExport,
  kNothingSelected,
  kNsysCannotReadTrace,
  kNsysFailed,
  kNsysNotFound,
  kNsysNotRunnable,
  kOfficialTablesMissing,
  kOlderDialect,
  kOutOfMemory,
  kOutputLocked,
  kOutputNotWritable,
  kOwnTables,
  kPageTemplateMissing,
  kRangeCycle,
  kReadFailed,
  kReportMissing,
  kReportNotMade,
  kRunMissing,
  kTotalOverflow,
  kTraceChanged,
  kTraceMissing,
  kUnknownCode,
  kUnknownMaker,
  kUsage,
  kCount,
};

struct CodeInfo {
  Code code;
  std::string_view word;  // as users see it: "missing-gpu-projection"
  Severity severity;
  int exit_code;                 // for errors; else 0
  std::string_view meaning;      // one sentence
  std::string_view explanation;  // what it implies for the numbers
  std::string_view action;       // one next step
};

// The row of one code.
const CodeInfo& Describe(Code code);

// Every row, in the order of the enumeration.
std::span<const CodeInfo> AllCodes();

// The row whose word is `word`, if any.
const CodeInfo* FindCode(std::string_view word);

}  // namespace rangewise
