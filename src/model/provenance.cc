#include "model/provenance.h"

namespace rangewise::model {

std::string_view ReportSourceName(ReportSource source) {
  switch (source) {
    case ReportSource::kNsys:
      return "nsys";
    case ReportSource::kCsv:
      return "csv";
    case ReportSource::kSqlite:
      return "sqlite";
  }
  return "csv";
}

}  // namespace rangewise::model
