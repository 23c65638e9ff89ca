// Cases that are not as the others, and why.
#pragma once

#include <map>
#include <string>

namespace ptec::test {

using Reasons = std::map<std::string, std::string>;

/// Refused at export, naming this operator.
const Reasons kRefused = {
    {"pad_circular", "aten::pad.default"},
    {"upsample_bicubic2d", "aten::upsample_bicubic2d.vec"},
};

}  // namespace ptec::test
