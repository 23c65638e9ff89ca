#include "edge/decompose/rules.h"

namespace ptec::edge {

RuleRows<DecomposeRule> loss_rules() { return {nullptr, 0}; }

}  // namespace ptec::edge
