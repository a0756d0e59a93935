#include "model/trace.h"

namespace rangewise::model {

std::string_view CallClassName(CallClass call_class) {
  switch (call_class) {
    case CallClass::kSynchronising:
      return "synchronising";
    case CallClass::kLaunching:
      return "launching";
    case CallClass::kMemory:
      return "memory";
    case CallClass::kOther:
      break;
  }
  return "other";
}

}  // namespace rangewise::model
