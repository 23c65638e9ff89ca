// Targets that are no operators of a library.
#pragma once

#include <string_view>

namespace ptec {

inline constexpr std::string_view kGetItem = "getitem";  // getitem(%list, index)
inline constexpr std::string_view kDelegateCall =
    "delegate::call";  // delegate::call(index, inputs...)
inline constexpr std::string_view kView =
    "memory::view";  // memory::view(base, sizes): the same bytes under another shape
inline constexpr std::string_view kAlloc =
    "memory::alloc";  // memory::alloc(): place of an out argument

inline constexpr std::string_view kConstant =
    "constant";  // constant("name"): a tensor of Program::tensors, in a graph of control flow

}  // namespace ptec
