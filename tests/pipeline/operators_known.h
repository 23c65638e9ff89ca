// Cases that are not as the others, and why.
#pragma once

#include <map>
#include <string>

namespace ptec::test {

using Reasons = std::map<std::string, std::string>;

/// Refused at export, naming this operator.
const Reasons kRefused = {
    {"einsum_bhqk", "aten::einsum.default"},
    {"einsum_mm", "aten::einsum.default"},
    {"isin", "aten::isin.Tensor_Tensor"},
    {"pad_circular", "aten::pad.default"},
    {"upsample_bicubic2d", "aten::upsample_bicubic2d.vec"},
};

}  // namespace ptec::test
