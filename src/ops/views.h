// Views and the operators that copy what they show.
#pragma once

#include <string_view>

namespace ptec::edge {

/// The operator that gives a copy of what a view shows; empty when `target` is no view.
std::string_view copy_of_view(std::string_view target);

}  // namespace ptec::edge
