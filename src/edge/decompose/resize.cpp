#include "edge/decompose/rules.h"

namespace ptec::edge {

RuleRows<DecomposeRule> resize_rules() { return {nullptr, 0}; }

}  // namespace ptec::edge
