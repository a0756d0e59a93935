#include "analysis/gpu_work.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/checked.h"
#include "base/text.h"

namespace rangewise::analysis {
namespace {

using model::CopyTotal;
using model::KernelTotal;
using model::ReportTables;

bool AddTo(int64_t& sum, int64_t value) {
  const std::optional<int64_t> added = CheckedAdd(sum, value);
  if (added) sum = *added;
  return added.has_value();
}

// A kind that is missing reads as empty.
std::string_view TextOf(const ReportTables& tables, model::NameId name) {
  return name == model::kNoName ? std::string_view() : tables.names.At(name);
}

}  // namespace

Result<std::optional<std::vector<KernelTotal>>> SumKernels(const ReportTables& tables) {
  if (!tables.kernels) return std::optional<std::vector<KernelTotal>>();
  std::vector<KernelTotal> kernels = *tables.kernels;
  const auto text = [&](const KernelTotal& kernel) { return TextOf(tables, kernel.name); };
  // By value too, so that sums of signed numbers overflow, or do not, in one order.
  std::sort(kernels.begin(), kernels.end(), [&](const KernelTotal& a, const KernelTotal& b) {
    return std::make_tuple(text(a), a.duration_ns, a.instances) <
           std::make_tuple(text(b), b.duration_ns, b.instances);
  });
  std::vector<KernelTotal> sums;
  for (const KernelTotal& kernel : kernels) {
    if (sums.empty() || sums.back().name != kernel.name) {
      sums.push_back(kernel);
    } else if (!AddTo(sums.back().instances, kernel.instances) ||
               !AddTo(sums.back().duration_ns, kernel.duration_ns)) {
      return Error{
          Code::kTotalOverflow,
          Format("a total of the kernel {} does not fit into 64 bits", Quoted(text(kernel)))};
    }
  }
  std::sort(sums.begin(), sums.end(), [&](const KernelTotal& a, const KernelTotal& b) {
    return a.duration_ns != b.duration_ns ? a.duration_ns > b.duration_ns : text(a) < text(b);
  });
  return std::optional(std::move(sums));
}

Result<std::optional<std::vector<CopyTotal>>> SumCopies(const ReportTables& tables) {
  if (!tables.copies) return std::optional<std::vector<CopyTotal>>();
  std::vector<CopyTotal> copies = *tables.copies;
  const auto kinds = [&](const CopyTotal& copy) {
    return std::make_pair(TextOf(tables, copy.source), TextOf(tables, copy.destination));
  };
  std::sort(copies.begin(), copies.end(), [&](const CopyTotal& a, const CopyTotal& b) {
    return std::make_tuple(kinds(a), a.duration_ns, a.bytes, a.instances) <
           std::make_tuple(kinds(b), b.duration_ns, b.bytes, b.instances);
  });
  std::vector<CopyTotal> sums;
  for (const CopyTotal& copy : copies) {
    if (sums.empty() || kinds(sums.back()) != kinds(copy)) {
      sums.push_back(copy);
    } else if (!AddTo(sums.back().instances, copy.instances) ||
               !AddTo(sums.back().bytes, copy.bytes) ||
               !AddTo(sums.back().duration_ns, copy.duration_ns)) {
      return Error{Code::kTotalOverflow,
                   Format("a total of the copies from {} to {} does not fit into 64 bits",
                          Quoted(kinds(copy).first), Quoted(kinds(copy).second))};
    }
  }
  std::sort(sums.begin(), sums.end(), [&](const CopyTotal& a, const CopyTotal& b) {
    return a.duration_ns != b.duration_ns ? a.duration_ns > b.duration_ns : kinds(a) < kinds(b);
  });
  return std::optional(std::move(sums));
}

}  // namespace rangewise::analysis
