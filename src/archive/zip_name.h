// Which names a member of a zip file may have.
#pragma once

#include <cstdint>
#include <string_view>

namespace ptec::archive {

/// Throws Malformed, with the offset of the directory's entry, for a name that is not UTF-8, or
/// that would leave the folder that it is unpacked into, or that could mean different things to
/// different programs: absolute, with `.`, `..` or empty components, drive letters, backslashes or
/// control characters. Limit over kMaxNameBytes. Returns whether it is a folder's: a slash at the
/// end, which ordinary zip programs write.
bool check_zip_name(std::string_view name, std::uint64_t entry_offset_bytes);

}  // namespace ptec::archive
