#include "model/table_diff.h"

namespace rangewise::model {

std::string_view RowFateName(RowFate fate) {
  switch (fate) {
    case RowFate::kMissing:
      return "missing";
    case RowFate::kAdded:
      return "added";
    case RowFate::kDifferent:
      break;
  }
  return "different";
}

}  // namespace rangewise::model
