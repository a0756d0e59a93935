#include "base/codes.h"

#include <array>

namespace rangewise {
namespace {

constexpr CodeInfo kCodes[] = {
    {Code::kCaptureNameReused, "capture-name-reused", Severity::kWarning, 0,
     "A range below the capture range bears the capture range's name.",
     "It falls into the capture range's own group, so that group's totals count its time twice.",
     "Rename the inner range, or read the capture range's time from the iterations."},
    {Code::kCopyKindMissing, "copy-kind-missing", Severity::kWarning, 0,
     "A memory copy has no source or no destination kind.",
     "The missing kind is null in capture_gpu_work.memory_transfers; the copy is counted all the "
     "same.",
     "Record again with a current Nsight Systems if the direction matters."},
    {Code::kCrossThreadRanges, "cross-thread-ranges", Severity::kWarning, 0,
     "Start/end ranges were ended on another thread than they were started on.",
     "They take no part in the GPU projection, nor does what was launched inside them count for "
     "them.",
     "Use push/pop ranges, or end the range on the thread that started it."},
    {Code::kCudaGraphLaunches, "cuda-graph-launches", Severity::kWarning, 0,
     "CUDA graphs were launched whose kernels the trace does not hold one by one.",
     "Their GPU time is in no table and in no projected range; projected durations can be too "
     "short.",
     "Record with `nsys profile --cuda-graph-trace=node`."},
    {Code::kDomainCreatedTwice, "domain-created-twice", Severity::kWarning, 0,
     "An NVTX domain was created on more than one thread of a process.",
     "NVIDIA's own queries match each of its ranges twice and fail or count double; our tables "
     "hold each range once.",
     "Create a domain once per process and share its handle."},
    {Code::kExportTableMissing, "export-table-missing", Severity::kWarning, 0,
     "The export lacks a secondary table or column.",
     "nsys would make no cuda_gpu_trace from it; ours holds the rows with what is known.",
     "Export the trace anew with a current Nsight Systems."},
    {Code::kIdenticalRanges, "identical-ranges", Severity::kWarning, 0,
     "Ranges of one thread have the same start and end.",
     "nsys takes each for the other's parent, so they vanish from the host table with everything "
     "below them, and the exclusive time of the range around them is too large.",
     "Mark the work once, or give the two ranges different extents."},
    {Code::kInvalidUtf8, "invalid-utf8", Severity::kWarning, 0,
     "A name holds bytes that are not UTF-8.",
     "Each such byte is shown as the text \\xNN and backslashes of that name are doubled, so "
     "distinct names stay distinct. The stats tables keep the bytes.",
     "Nothing is lost; have the program send UTF-8 names."},
    {Code::kMissingGpuCaptureRange, "missing-gpu-capture-range", Severity::kWarning, 0,
     "The GPU projection has no row for the capture range.",
     "No GPU operation was launched inside it on its own thread, or the work is not in the report "
     "(CUDA graphs, other threads). Projected values are null, not zero.",
     "See whether the capture recorded CUDA at all: `rangewise check RUN`."},
    {Code::kMissingGpuProjection, "missing-gpu-projection", Severity::kWarning, 0,
     "Iterations have no GPU projection.",
     "Their projected time is null: it was not measured, and is not zero.",
     "See whether those iterations launch GPU work from the capture thread."},
    {Code::kMissingGpuTables, "missing-gpu-tables", Severity::kWarning, 0,
     "A table of GPU work is absent or cannot be used.",
     "What rests on it (capture_gpu_work.kernels or .memory_transfers) is null: unknown, not "
     "empty.",
     "Make the tables again with `--format csv:mem=B` and all four reports."},
    {Code::kMissingHostIterations, "missing-host-iterations", Severity::kWarning, 0,
     "Iterations have a GPU projection and no host range.",
     "Their host times are null. Such rows come from ranges that the host table omits.",
     "Look for ranges with identical start and end around the iteration."},
    {Code::kMissingIterations, "missing-iterations", Severity::kWarning, 0,
     "Iterations that the manifest announces, or that a pattern asks for, were not found.",
     "The run measured fewer iterations than its workload says, or names them in another way; "
     "statistics cover what is there.",
     "See whether the capture ended early, or correct workload.iterations or the pattern."},
    {Code::kNegativeBytes, "negative-bytes", Severity::kWarning, 0,
     "Copies or memory sets of the export have fewer than 0 bytes.",
     "The numbers are kept as the export gives them and take part in totals of bytes.",
     "Treat bytes and throughputs with care; export the trace anew."},
    {Code::kNegativeDuration, "negative-duration", Severity::kWarning, 0,
     "A range or a GPU operation ends before it starts.",
     "Its negative duration is kept as the table gives it and takes part in totals; an operation adds "
     "nothing to busy time.",
     "Treat totals of its group with care; the recording's clock was not monotone."},
    {Code::kNoManifest, "no-manifest", Severity::kWarning, 0,
     "There is no manifest: a bare export was analysed.",
     "What was run, with which workload and on which commit is unknown; the run's fields are null.",
     "Put the export into a run directory with a manifest.yaml (docs/manifest.md), or name ranges "
     "with --capture-range and --iterations."},
    {Code::kNotCrossChecked, "not-cross-checked", Severity::kWarning, 0,
     "The tables of nsys were not compared with our own engine's.",
     "The official tables were used as they are; what only the export shows may be missing.",
     "Nothing is wrong with the numbers; `rangewise verify` compares tables of Nsight Systems "
     "2024.4 and later."},
    {Code::kNsysVersionUnknown, "nsys-version-unknown", Severity::kWarning, 0,
     "The version of Nsight Systems that made the tables is not known.",
     "Whether the tables follow the layout that this program was checked against cannot be said.",
     "Keep stats/source.json beside the tables, or let rangewise ask nsys itself."},
    {Code::kNsysVersionUnvalidated, "nsys-version-unvalidated", Severity::kWarning, 0,
     "The version of Nsight Systems is outside 2023.2 to 2026.3.",
     "The meaning of the tables was checked for those versions only.",
     "Compare a few rows with the Nsight Systems window before you rely on the numbers."},
    {Code::kOpenRanges, "open-ranges", Severity::kWarning, 0,
     "Ranges were still open when the capture stopped.",
     "The tables end them at the last time of any range, so they swallow every later range of "
     "their thread as a child and their durations are too long.",
     "Close ranges before the capture ends, or leave those names out of what you compare."},
    {Code::kOrphanedGpuRanges, "orphaned-gpu-ranges", Severity::kWarning, 0,
     "Push/pop ranges of the GPU projection are absent from the host table or have no level.",
     "Ranges with identical start and end on one thread vanish from the host table with all their "
     "descendants; the exclusive time of the range around them is then too large.",
     "Give the two ranges different extents, or mark the work once."},
    {Code::kOverlappingRanges, "overlapping-ranges", Severity::kWarning, 0,
     "GPU operations lie in ranges that overlap, so that neither range holds the other.",
     "Each such operation belongs to all of these ranges: in range_gpu_work, what is a path's own "
     "and the totals of its children do not add up to its total. Each figure by itself is right.",
     "Read each path for itself, or close ranges in the reverse order of their opening."},
    {Code::kReportsFromCsv, "reports-from-csv", Severity::kWarning, 0,
     "The tables are those found in stats/, since nsys or the trace is missing.",
     "They were not made anew from the trace; whether they belong to it rests on "
     "stats/source.json.",
     "Run on a machine with Nsight Systems to make them anew, or pass --reports csv to say that "
     "this is meant."},
    {Code::kReusedReports, "reused-reports", Severity::kWarning, 0,
     "Tables or export without a record of their origin were used.",
     "Without stats/source.json nothing ties them to the trace.",
     "Analyse once with nsys present, so that the origin is recorded."},
    {Code::kRuleMatchesNothing, "rule-matches-nothing", Severity::kWarning, 0,
     "A rule that groups names matched none.",
     "The grouped ranges are as they would be without it.",
     "Correct the rule, or remove it: name_rules of the manifest, --group or --group-numbers."},
    {Code::kSingleIteration, "single-iteration", Severity::kWarning, 0,
     "Only one iteration was measured.",
     "Spread, outliers and the first iteration's effect cannot be seen in one value.",
     "Measure at least ten iterations."},
    {Code::kStaleReports, "stale-reports", Severity::kWarning, 0,
     "The tables do not belong to the trace, or to each other.",
     "Sizes or hashes differ from stats/source.json, or the export is older than the trace. The "
     "numbers may describe another recording.",
     "Analyse where nsys is, into an empty folder (--output-dir): new tables are made from the "
     "trace. Where there is no trace, the same makes them from trace.sqlite. Delete nothing: "
     "trace.sqlite can be the only recording that there is."},
    {Code::kThreadlessRanges, "threadless-ranges", Severity::kWarning, 0,
     "Ranges of the export have no thread.", "They have no place in any table and are left out.",
     "Export the trace anew; such rows are not written by Nsight Systems."},
    {Code::kTablesDiffer, "tables-differ", Severity::kWarning, 0,
     "A table of nsys differs from our own engine's in an undocumented way.",
     "The official table was used. Either this version of nsys computes it differently or our "
     "engine has a defect.",
     "Run `rangewise verify RUN` to see the rows side by side, and report it."},
    {Code::kTracePathMismatch, "trace-path-mismatch", Severity::kWarning, 0,
     "The manifest's expected_trace_path does not name this run's trace.",
     "The manifest may belong to another run; identity and workload are then wrong.",
     "See that manifest.yaml and trace come from the same run directory."},
    {Code::kUnattributedGpuWork, "unattributed-gpu-work", Severity::kWarning, 0,
     "Less than nine tenths of the GPU operations lie in a range.",
     "Projected ranges do not show the rest: it was launched outside of ranges, by other "
     "threads, or by calls that were not recorded.",
     "See coverage in analysis.json; mark the threads that launch work."},
    {Code::kUnexpectedIterations, "unexpected-iterations", Severity::kWarning, 0,
     "Iterations were found that the manifest does not announce.",
     "They are part of the statistics.",
     "Correct workload.iterations, or see whether warm-up passes lie inside the capture range."},
    {Code::kFirstIterationDiffers, "first-iteration-differs", Severity::kFinding, 0,
     "The first iteration took a different time than the others.",
     "Its modified z-score, 0.6745 (x - median) / MAD with the median and the median absolute "
     "deviation of the others, lies beyond 3.5 either way, and it is at least 5 % away from their "
     "median. It is part of all statistics. It is computed from 5 iterations on. Host and GPU are "
     "judged apart, each by its own clock.",
     "Use medians rather than means, or measure more warm-up passes outside of the capture."},
    {Code::kGpuIdleInIterations, "gpu-idle-in-iterations", Severity::kFinding, 0,
     "The GPU was idle for most of the time that the iterations' GPU work spans.",
     "The busy share of an iteration is the time in which any of its kernels, copies and sets ran, "
     "over the time from the start of its first to the end of its last. The median of the "
     "iterations is below 0.5. It is computed from 3 iterations on. Why nothing ran is not told by "
     "it, and work of other ranges may have run meanwhile.",
     "See the gaps and waits of range_gpu_work, and what the host did in the largest gaps."},
    {Code::kHostWaitsInSynchronisation, "host-waits-in-synchronisation", Severity::kFinding, 0,
     "A large part of a range's host time passes in CUDA calls that wait for the GPU.",
     "Synchronising calls and blocking copies take more than 30 % of the host time of the capture "
     "range, or, without one, of all top-level ranges. Of calls inside each other the outermost "
     "counts. Both are host time, of one clock.",
     "See which of the paths wait; whether the program needs the result there is not told by it."},
    {Code::kIncompleteLastIteration, "incomplete-last-iteration", Severity::kFinding, 0,
     "The last iteration lacks ranges that every other iteration has.",
     "Scope paths on the host are compared after name rules were applied and numbers masked. Its "
     "time is that of less work, and it is part of all statistics. It is computed from 3 "
     "iterations "
     "on.",
     "See whether the target or the capture ended before the pass did; leave it out of "
     "comparisons."},
    {Code::kIterationsDrift, "iterations-drift", Severity::kFinding, 0,
     "The iterations' times rise or fall from the first to the last.",
     "The Mann-Kendall rank test, two-sided, gives p below 0.01 and Kendall's tau is at least 0.3 "
     "either way. p is exact for up to 60 values without ties, else from the normal approximation "
     "with the correction for ties and continuity. It is computed from 8 iterations on.",
     "Read the iterations one by one: a mean or median of times that move describes no pass."},
    {Code::kIterationsVary, "iterations-vary", Severity::kFinding, 0,
     "The iterations' times spread widely.",
     "Their coefficient of variation, cv_ratio, is over 0.1. It is computed from 5 iterations on.",
     "Measure more iterations, and read median and MAD beside the mean."},
    {Code::kLaunchCallsDominate, "launch-calls-dominate", Severity::kFinding, 0,
     "Most of a range's host time passes in CUDA calls that launch GPU work.",
     "Launching calls take more than 50 % of the host time of the capture range, or, without one, "
     "of all top-level ranges. Of calls inside each other the outermost counts. Both are host "
     "time, "
     "of one clock. A launching call can also wait, when the queue is full.",
     "Compare with the queue delays of range_gpu_work; fewer, larger launches take less host "
     "time."},
    {Code::kManyNames, "many-names", Severity::kFinding, 0,
     "Most host ranges differ by numbers in their names only.",
     "There are 50 rows or more, and at most half as many once numbers, hexadecimal addresses and "
     "UUIDs are masked. What belongs together is spread over many rows.",
     "Group them with --group-numbers, or with name_rules in the manifest."},
    {Code::kOneRun, "one-run", Severity::kFinding, 0, "The numbers are those of one run.",
     "They say how this run went. Nothing in them tells a change of the program from the spread "
     "between runs, so they support no word of a regression or an improvement.",
     "Record several runs of each version before comparing versions."},
    {Code::kOutlierIterations, "outlier-iterations", Severity::kFinding, 0,
     "Some iterations took a very different time than most.",
     "Their modified z-score, 0.6745 (x - median) / MAD over all iterations, lies beyond 3.5 "
     "either way. They are part of all statistics. It is computed from 5 iterations on, and not "
     "where the MAD is 0.",
     "Look at those iterations in the trace; do not drop them without a reason."},
    {Code::kOverheadScaleRanges, "overhead-scale-ranges", Severity::kFinding, 0,
     "Many host ranges are as short as the marking itself takes.",
     "More than a tenth of the host ranges last less than 2 µs. At that length the time taken by "
     "recording a range is a large part of what is measured.",
     "Mark larger pieces of work, and do not compare such ranges by their time."},
    {Code::kBadInteger, "bad-integer", Severity::kError, kExitInput,
     "A field of a table is no integer of 64 bits.",
     "The table is damaged, or printed under a locale with other separators.",
     "Make the tables again with nsys under LC_ALL=C."},
    {Code::kBadPattern, "bad-pattern", Severity::kError, kExitInput,
     "A regular expression cannot be used.",
     "Patterns have RE2 syntax: no back-references, no look-around.",
     "Correct the pattern; RE2 syntax is at github.com/google/re2/wiki/Syntax."},
    {Code::kCaptureRangeAmbiguous, "capture-range-ambiguous", Severity::kError, kExitInput,
     "Several top-level ranges bear the capture range's name.",
     "Which of them was the measured capture cannot be known.",
     "Profile one capture per run, or name another range with --capture-range."},
    {Code::kCaptureRangeMissing, "capture-range-missing", Severity::kError, kExitInput,
     "No top-level range bears the capture range's name.",
     "The harness range was not recorded, lies below another range, or is named otherwise.",
     "Name one of the ranges listed with --capture-range."},
    {Code::kCsvEncoding, "csv-encoding", Severity::kError, kExitInput,
     "A table is in an encoding that is not read.",
     "Report tables are UTF-8; a shell redirect on Windows writes UTF-16.",
     "Convert the file to UTF-8, or let nsys write it with --output."},
    {Code::kCsvSyntax, "csv-syntax", Severity::kError, kExitInput,
     "A table is not well-formed CSV.", "The file is damaged or cut off.",
     "Make the tables again with nsys."},
    {Code::kDiskFull, "disk-full", Severity::kError, kExitOutput, "The disk or quota is full.",
     "What was there before is as it was.",
     "Free space, or name another folder with --output-dir."},
    {Code::kDuplicateColumn, "duplicate-column", Severity::kError, kExitInput,
     "A needed column stands twice in a table.", "Which of the two is meant cannot be known.",
     "Make the tables again with nsys."},
    {Code::kDuplicateIteration, "duplicate-iteration", Severity::kError, kExitInput,
     "Two ranges of the capture have the same iteration index.",
     "Iterations are told apart by index; a repeated one means two captures or a harness error.",
     "Profile one capture per run, or correct the iteration pattern."},
    {Code::kDuplicateRange, "duplicate-range", Severity::kError, kExitInput,
     "Two rows of a table have the same process, thread and RangeId.",
     "Rows joined from two recordings, or a domain created on two threads, would count twice.",
     "Make the tables again from one trace."},
    {Code::kExportDamaged, "export-damaged", Severity::kError, kExitInput,
     "The SQLite export cannot be read to its end.", "",
     "Export the trace anew: nsys export --type sqlite --force-overwrite true TRACE.nsys-rep"},
    {Code::kExportIncomplete, "export-incomplete", Severity::kError, kExitInput,
     "The SQLite export was not written to its end.", "",
     "Wait for nsys to finish, or export the trace anew."},
    {Code::kExportLocked, "export-locked", Severity::kError, kExitInput,
     "Another process is writing to the SQLite export.", "", "Wait for it to finish."},
    {Code::kExportMissing, "export-missing", Severity::kError, kExitInput,
     "There is no SQLite export to compute tables from.",
     "Our own engine reads the export and never the trace itself.",
     "Make one with `nsys export --type sqlite`, or run where nsys is installed."},
    {Code::kFileShrank, "file-shrank", Severity::kError, kExitInput,
     "A file became shorter while it was read.", "Another program is writing it.",
     "Wait until it is complete, then analyse again."},
    {Code::kInternal, "internal-error", Severity::kError, kExitInternal, "rangewise itself failed.",
     "This is a defect of the program, not of your data.",
     "Report it with the command and the message."},
    {Code::kInterrupted, "interrupted", Severity::kError, kExitInterrupted,
     "The run was interrupted.", "Nothing half-written was left.", "Run the command again."},
    {Code::kIterationIndexTooLarge, "iteration-index-too-large", Severity::kError, kExitInput,
     "An iteration's index does not fit into 64 bits.",
     "Such a range cannot be told apart from others.", "Number iterations from 0."},
    {Code::kManifestDuplicateKey, "manifest-duplicate-key", Severity::kError, kExitInput,
     "A key stands twice in one mapping of the manifest.",
     "Which of the two is meant cannot be known.", "Remove one of them."},
    {Code::kManifestMissing, "manifest-missing", Severity::kError, kExitInput,
     "The run directory has no manifest.yaml.",
     "Without it nothing says which range is the capture.",
     "Write one (docs/manifest.md shows the smallest), or name the right directory."},
    {Code::kManifestNotAMapping, "manifest-not-a-mapping", Severity::kError, kExitInput,
     "The manifest is no YAML mapping.", "A manifest is a list of `key: value` lines.",
     "Compare it with docs/manifest.md."},
    {Code::kManifestNotYaml, "manifest-not-yaml", Severity::kError, kExitInput,
     "The manifest is not one document of YAML 1.1.", "Its text cannot be read as keys and values.",
     "Correct the line shown."},
    {Code::kManifestValue, "manifest-value", Severity::kError, kExitInput,
     "A value of the manifest cannot be kept in JSON.",
     "JSON has no .nan or .inf, and results stay of bounded size.", "Correct the value shown."},
    {Code::kManifestWrongType, "manifest-wrong-type", Severity::kError, kExitInput,
     "A key of the manifest has a value of the wrong type.", "It is refused rather than guessed.",
     "Correct the value shown; docs/manifest.md lists the types."},
    {Code::kMissingColumn, "missing-column", Severity::kError, kExitInput,
     "A table lacks a column that the analysis needs.",
     "Column names differ between versions of Nsight Systems; a guess could be read as zero GPU "
     "work.",
     "Make the tables again with Nsight Systems 2023.2 to 2026.3."},
    {Code::kNoHostRanges, "no-host-ranges", Severity::kError, kExitInput,
     "The host table has no rows.",
     "Without NVTX push/pop ranges there is nothing to analyse by range.",
     "See that the program marks NVTX ranges and that the capture recorded them (--trace=nvtx)."},
    {Code::kNoNvtxData, "no-nvtx-data", Severity::kError, kExitInput, "The trace has no NVTX data.",
     "The program marks no ranges, or the capture did not record them.",
     "Profile with --trace=cuda,nvtx, and set NSYS_NVTX_PROFILER_REGISTER_ONLY=0 if ranges are not "
     "registered strings."},
    {Code::kNoReportSource, "no-report-source", Severity::kError, kExitSource,
     "There is nothing to take report tables from.",
     "Neither nsys with a trace, nor tables in stats/ were found.",
     "Install Nsight Systems or name it with --nsys, or put the tables into stats/."},
    {Code::kNotAnAnalysis, "not-an-analysis", Severity::kError, kExitInput,
     "The file is no analysis.json or comparison of rangewise.",
     "It is no whole JSON, or a key is missing, stands twice or holds another kind of value than "
     "docs/analysis-json.md says, or it has another schema_version. Nothing of it was used.",
     "Give the analysis.json that `rangewise analyze` wrote, or make it again."},
    {Code::kNotAnExport, "not-an-export", Severity::kError, kExitInput,
     "The file is no SQLite export of Nsight Systems.", "",
     "Make one: nsys export --type sqlite TRACE.nsys-rep"},
    {Code::kNothingSelected, "nothing-selected", Severity::kError, kExitInput,
     "The filters select no range.",
     "Either no range bears the name that a filter gives, or no range is left when all filters are "
     "applied.",
     "Correct the filter; the error shows the names that are nearest to it."},
    {Code::kNsysCannotReadTrace, "nsys-cannot-read-trace", Severity::kError, kExitSource,
     "nsys cannot read the trace.",
     "The file is damaged, incomplete, or made by a newer Nsight Systems.",
     "Try the Nsight Systems version that recorded it."},
    {Code::kNsysFailed, "nsys-failed", Severity::kError, kExitSource, "nsys failed.",
     "Its own words are shown; what was there before is as it was.",
     "Run the command shown by hand to see all of its output."},
    {Code::kNsysNotFound, "nsys-not-found", Severity::kError, kExitSource,
     "The nsys that was named is not there.", "A named tool is never replaced by another one.",
     "Correct --nsys or RANGEWISE_NSYS, or leave both out to search."},
    {Code::kNsysNotRunnable, "nsys-not-runnable", Severity::kError, kExitSource,
     "The nsys that was named cannot be run.", "A named tool is never replaced by another one.",
     "See that the file is an executable for this machine."},
    {Code::kOfficialTablesMissing, "official-tables-missing", Severity::kError, kExitSource,
     "There are no tables of nsys to compare with.",
     "What our own engine computes can only be proved against NVIDIA's own tables.",
     "Run where nsys and the trace are, or name a folder of its tables with --against."},
    {Code::kOlderDialect, "older-dialect", Severity::kError, kExitInconclusive,
     "The tables speak the dialect of nsys before 2024.4, which is not comparable.",
     "Older tables name ranges without their domain, have no column GreenCtx and a nameless row "
     "for work outside of ranges.",
     "Compare with tables of Nsight Systems 2024.4 or later."},
    {Code::kOutOfMemory, "out-of-memory", Severity::kError, kExitInternal,
     "There was not enough memory.", "Nothing half-written was left.",
     "Run on a machine with more memory; docs/performance.md tells how much a trace needs."},
    {Code::kOutputLocked, "output-locked", Severity::kError, kExitOutput,
     "Another process is writing to the output folder.",
     "Two analyses of one folder would mix their files.",
     "Wait for it (--wait does), or name another folder with --output-dir."},
    {Code::kOutputNotWritable, "output-not-writable", Severity::kError, kExitOutput,
     "The output cannot be written.", "What was there before is as it was.",
     "Correct the folder's permissions, or name another with --output-dir."},
    {Code::kOwnTables, "own-tables", Severity::kError, kExitInput,
     "The tables to compare with were made by rangewise itself.",
     "Our own tables prove nothing about themselves.",
     "Name a folder of tables that nsys made with --against."},
    {Code::kPageTemplateMissing, "page-template-missing", Severity::kError, kExitSource,
     "This rangewise was built without the page that `rangewise report` fills in.",
     "npm bundles the page's scripts and styles when rangewise is built. Where npm or "
     "web/node_modules was not there, everything else was built.",
     "Run scripts/setup where rangewise is built, which installs both; then build again."},
    {Code::kRangeCycle, "range-cycle", Severity::kError, kExitInput,
     "Ranges are their own ancestors.",
     "The ParentId columns of the table form a loop, so no hierarchy exists.",
     "Make the tables again with nsys."},
    {Code::kReadFailed, "read-failed", Severity::kError, kExitInput, "A file cannot be read.",
     "The system's reason is shown.", "Correct the path or the permissions."},
    {Code::kReportMissing, "report-missing", Severity::kError, kExitInput,
     "A report table is not there.",
     "Both NVTX tables are needed; an empty projection file means a capture without GPU work, an "
     "absent one means nothing.",
     "Make all four tables, as docs/reports.md shows."},
    {Code::kReportNotMade, "report-not-made", Severity::kError, kExitSource,
     "nsys ended without making a table.",
     "Its own words are shown; what was there before is as it was.",
     "See whether this nsys knows the report: `rangewise check RUN`."},
    {Code::kRunMissing, "run-missing", Severity::kError, kExitInput,
     "The run directory is not there.", "", "Name the directory that holds manifest.yaml."},
    {Code::kTotalOverflow, "total-overflow", Severity::kError, kExitInput,
     "A total does not fit into 64 bits.", "Totals are exact or not given at all.",
     "See whether the table's times are plausible."},
    {Code::kTraceChanged, "trace-changed", Severity::kError, kExitInput,
     "The trace changed while it was read.", "Tables made from it could belong to neither version.",
     "Wait until the recording is complete, then analyse again."},
    {Code::kTraceMissing, "trace-missing", Severity::kError, kExitInput,
     "The run directory has no trace.nsys-rep, or an empty one.",
     "nsys has nothing to make tables from. Only it needs the trace: where there is trace.sqlite, "
     "`analyze` computes the tables from that, and else takes those in stats/.",
     "Analyse without the trace (--reports sqlite computes the tables from trace.sqlite, --reports "
     "csv takes those in stats/), or copy the trace into the run directory."},
    {Code::kUnknownCode, "unknown-code", Severity::kError, kExitUsage,
     "No warning or error has that code.", "", "`rangewise explain` lists all codes."},
    {Code::kUnknownMaker, "unknown-maker", Severity::kError, kExitInput,
     "Nothing says who made the tables in stats/, stats/official/ or stats/unknown-maker/.",
     "Without a source.json beside them they could be tables of rangewise itself, which prove "
     "nothing. For the same reason `analyze` sets them aside in stats/unknown-maker/ when its own "
     "take their place, and never in stats/official/.",
     "If nsys made them, say so by naming the folder that the error names: --against FOLDER."},
    {Code::kUsage, "usage", Severity::kError, kExitUsage, "The command line is wrong.", "",
     "`rangewise --help` shows the verbs, `rangewise VERB --help` their options."},
};

constexpr bool RowsFollowTheEnumeration() {
  for (size_t i = 0; i < std::size(kCodes); ++i) {
    if (static_cast<size_t>(kCodes[i].code) != i) return false;
  }
  return std::size(kCodes) == static_cast<size_t>(Code::kCount);
}
static_assert(RowsFollowTheEnumeration(), "one row per code, in the enumeration's order");

}  // namespace

const CodeInfo& Describe(Code code) { return kCodes[static_cast<size_t>(code)]; }

std::span<const CodeInfo> AllCodes() { return kCodes; }

const CodeInfo* FindCode(std::string_view word) {
  for (const CodeInfo& info : kCodes) {
    if (info.word == word) return &info;
  }
  return nullptr;
}

}  // namespace rangewise
