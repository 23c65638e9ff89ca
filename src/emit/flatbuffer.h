// The flatbuffer at the front of a .pte.
#pragma once

#include <cstddef>
#include <vector>

#include "emit/segments.h"
#include "emit/value.h"

namespace ptec::emit {

/// The serialized Program table, with file identifier and without extended header, byte for byte as
/// the reference's builder lays it out: children first in field order, then the table's fields in
/// field order; no string is shared; empty vectors of 8-byte items are aligned. Methods must be in
/// file order. Throws Limit over 2 GiB. Source: ExecuTorch 1.4, exir/_serialize/_program.py and its
/// generated object API.
std::vector<std::byte> emit_flatbuffer(const std::vector<Method>& methods,
                                       const SegmentTable& segments);

}  // namespace ptec::emit
