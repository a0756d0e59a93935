// Owns making report tables by hand: a range per call, on a current process and thread, as a
// recording would have it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/checked.h"
#include "model/rows.h"

namespace rangewise::testing {

class TablesBuilder {
 public:
  // Later ranges belong to this process and thread; at first 1 and 1.
  TablesBuilder& Thread(int64_t process_id, int64_t thread_id) {
    const model::ThreadKey key{process_id, thread_id};
    for (uint32_t i = 0; i < tables_.threads.size(); ++i) {
      if (tables_.threads[i] == key) {
        thread_ = i;
        return *this;
      }
    }
    thread_ = static_cast<uint32_t>(tables_.threads.size());
    tables_.threads.push_back(key);
    return *this;
  }

  // A host range that starts at `start`, or in the order of ids, and lasts `inclusive`, `children`
  // of it in its children.
  TablesBuilder& Host(int64_t id, int64_t parent, std::string_view name, int64_t inclusive,
                      int64_t children = 0, std::optional<int64_t> start = std::nullopt) {
    EnsureThread();
    model::HostRange row;
    row.start = {start.value_or(CheckedMul(id, 1000).value_or(id))};
    row.inclusive = {inclusive};
    row.children = {children};
    row.exclusive = {inclusive - children};
    row.range_id = id;
    row.parent_id = parent;
    row.name = tables_.names.Intern(name);
    row.thread = thread_;
    tables_.host.push_back(row);
    return *this;
  }

  // A push/pop range of the projection.
  TablesBuilder& Projected(int64_t id, int64_t parent, std::string_view name, int64_t projected,
                           int64_t original = 100, int64_t operations = 1) {
    EnsureThread();
    model::ProjectedRange row;
    row.projected = {projected};
    row.original = {original};
    row.range_id = id;
    row.parent_id = parent;
    row.operations = operations;
    row.name = tables_.names.Intern(name);
    row.thread = thread_ & (model::kMostThreads - 1);
    tables_.projected.push_back(row);
    return *this;
  }
  // What the projection's last range is besides.
  TablesBuilder& StartEnd() {
    tables_.projected.back().style = model::Style::kStartEnd;
    return *this;
  }
  TablesBuilder& WithoutLevel() {
    tables_.projected.back().has_level = false;
    return *this;
  }

  TablesBuilder& Kernel(std::string_view name, int64_t instances, int64_t duration_ns) {
    if (!tables_.kernels) tables_.kernels.emplace();
    tables_.kernels->push_back({tables_.names.Intern(name), instances, duration_ns});
    return *this;
  }
  TablesBuilder& Copy(std::string_view source, std::string_view destination, int64_t instances,
                      int64_t bytes, int64_t duration_ns) {
    if (!tables_.copies) tables_.copies.emplace();
    tables_.copies->push_back({tables_.names.Intern(source), tables_.names.Intern(destination),
                               instances, bytes, duration_ns});
    return *this;
  }

  model::ReportTables& tables() { return tables_; }

 private:
  void EnsureThread() {
    if (tables_.threads.empty()) Thread(1, 1);
  }

  model::ReportTables tables_;
  uint32_t thread_ = 0;
};

}  // namespace rangewise::testing
