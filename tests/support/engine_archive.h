// Archives with TensorRT engines of any size, whose bytes are a known pattern behind a plausible
// plan header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ptec::test {

/// How the archive holds an engine's record.
enum class RecordForm {
  TorchBind,  // custom_obj_N: a nested zip with a protocol 2 pickle, as torch.export.save writes
  Pickle4,    // opaque_obj_N: a bare pickle of protocol 4 that calls _reconstruct_trt_engine
};

struct EngineArchiveOptions {
  std::uint64_t engine_size_bytes = 1024;  // each; at least 1
  RecordForm form = RecordForm::TorchBind;
  std::uint64_t seed = 1;  // engine i has the pattern of `seed + i`
  int engines = 1;         // one feeds the next
  int bindings = 1;        // inputs of each engine, all fed by one value, and as many outputs
};

/// Fills `out` with the bytes of the pattern from `offset_bytes` on, a multiple of 8.
void fill_pattern(std::uint64_t seed, std::uint64_t offset_bytes, std::span<std::byte> out);

/// Writes the archive in a few MiB of memory. Throws std::runtime_error when the system refuses.
void write_engine_archive(const std::string& path, const EngineArchiveOptions& options);

/// XXH3-128 in hex of a pattern's first `size_bytes`, and of a range of a file.
std::string pattern_digest(std::uint64_t seed, std::uint64_t size_bytes);
std::string file_digest(const std::string& path,
                        std::uint64_t offset_bytes,
                        std::uint64_t size_bytes);

}  // namespace ptec::test
