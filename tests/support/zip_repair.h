// Makes the sums of a damaged zip file right again, so that a test reaches what lies behind that
// check.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptec::test {

struct ZipMember {
  std::string name;
  std::size_t entry_offset = 0;  // of its entry in the directory
  std::size_t data_offset = 0;
  std::size_t size_bytes = 0;
};

/// The members of a zip file as ZipWriter and torch write them, below 4 GiB. Reads trustingly: for
/// files that are whole.
std::vector<ZipMember> list_zip_members(std::string_view zip);

/// Recomputes the CRC-32 of one member in `zip` and stores it in the directory and behind the data.
/// `base` is where the zip file begins in `zip` when it is nested; the member's offsets count from
/// there.
void repair_zip_sum(std::string& zip, const ZipMember& member, std::size_t base = 0);

}  // namespace ptec::test
