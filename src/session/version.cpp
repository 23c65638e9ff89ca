#include "ptec/version.h"

namespace ptec {

std::string_view version() { return PTEC_VERSION; }

}  // namespace ptec
