#include <fmt/format.h>

#include <algorithm>

#include "inspect/facts.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kFrontBytes = 8;
constexpr std::size_t kNamesShown = 3;  // of the keys that share a segment

/// What each segment holds, by its keys.
std::vector<std::string> segment_uses(const PtdFile& file) {
  std::vector<std::string> out(file.segments.size());
  std::vector<std::size_t> counts(file.segments.size());
  for (const PtdEntry& entry : file.entries) {
    std::string& use = out[entry.segment];
    const std::size_t before = counts[entry.segment]++;
    if (before < kNamesShown) use += (before == 0 ? "'" : ", '") + printable(entry.key) + "'";
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (counts[i] == 0) out[i] = "no key refers to it";
    if (counts[i] > kNamesShown) out[i] += fmt::format(" and {} more", counts[i] - kNamesShown);
  }
  return out;
}

std::vector<PteRegion> regions_of(const PtdFile& file) {
  std::vector<PteRegion> out;
  std::uint64_t end = 0;
  const auto add = [&](std::uint64_t to, std::string what) {
    if (to > end) out.push_back({{end, to - end}, std::move(what)});
    end = std::max(end, to);
  };
  add(kFrontBytes, "root offset and identifier");
  add(std::min(kFrontBytes + file.header_size_bytes, file.flatbuffer_end_bytes), "header");
  add(file.flatbuffer_end_bytes, "flatbuffer");
  const std::vector<std::string> uses = segment_uses(file);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < file.segments.size(); ++i) {
    if (file.segments[i].size_bytes != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&file](std::size_t a, std::size_t b) {
    return file.segments[a].offset_bytes < file.segments[b].offset_bytes;
  });
  for (const std::size_t i : order) {
    add(file.segments[i].offset_bytes, "padding");
    add(file.segments[i].offset_bytes + file.segments[i].size_bytes,
        fmt::format("segment {}: {}", i, uses[i]));
  }
  add(file.size_bytes, "bytes that belong to nothing");
  return out;
}

}  // namespace

PtdFacts gather_ptd_facts(const std::string& path, const InputFile& file) {
  PtdFacts out;
  out.path = path;
  out.file = read_ptd(file);
  out.regions = regions_of(out.file);
  return out;
}

}  // namespace ptec::inspect
