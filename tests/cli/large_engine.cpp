#include "tests/cli/large_engine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

std::uint64_t little_endian(const std::string& bytes, std::size_t offset, std::size_t width_bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width_bytes && offset + i < bytes.size(); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  }
  return value;
}

std::string read_range(const std::string& path,
                       std::uint64_t offset_bytes,
                       std::size_t size_bytes) {
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(offset_bytes));
  std::string out(size_bytes, '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

struct EngineRange {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

// The first TensorRT blob at or after `begin`; segments begin at multiples of 16.
EngineRange find_engine(const std::string& path, std::uint64_t begin) {
  constexpr std::size_t kWindowBytes = std::size_t{1} << 20;
  const std::string window = read_range(path, begin, kWindowBytes);
  for (std::size_t at = 0; at + 32 <= window.size(); at += 16) {
    if (window.compare(at, 4, "TR01") != 0) continue;
    return {begin + at + little_endian(window, at + 12, 4), little_endian(window, at + 16, 8)};
  }
  return {};
}

// ExecuTorch's extended header: bytes 8 to 11 are "eh00", the segments' place follows at byte 24.
std::uint64_t segment_base(const std::string& path) {
  const std::string head = read_range(path, 0, 64);
  EXPECT_EQ(head.substr(8, 4), "eh00");
  return little_endian(head, 24, 8);
}

}  // namespace

void expect_engine_survives(const EngineArchiveOptions& options, std::uint64_t needed_bytes) {
  fs::create_directories(PTEC_SCRATCH_DIR);
  if (free_disk_bytes(PTEC_SCRATCH_DIR) < needed_bytes) {
    GTEST_SKIP() << "needs " << needed_bytes / kMiB << " MiB of free disk for temporary files";
  }
  const ScratchFolder scratch(PTEC_SCRATCH_DIR);
  const std::string input = scratch.file("in.pt2");
  const std::string output = scratch.file("out.pte");
  write_engine_archive(input, options);

  const ProcessResult result = run_export(input, output);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  testing::Test::RecordProperty("peak_memory_kib", std::to_string(result.peak_memory_bytes / 1024));
  if (!sanitized()) {
    EXPECT_LT(result.peak_memory_bytes, kMaxPeakMemoryBytes);
  }
  fs::remove(input);

  std::uint64_t begin = segment_base(output);
  for (int i = 0; i < options.engines; ++i) {
    const EngineRange engine = find_engine(output, begin);
    ASSERT_EQ(engine.size_bytes, options.engine_size_bytes) << "engine " << i;
    EXPECT_EQ(file_digest(output, engine.offset_bytes, engine.size_bytes),
              pattern_digest(options.seed + static_cast<std::uint64_t>(i), engine.size_bytes));
    begin = (engine.offset_bytes + engine.size_bytes + 15) / 16 * 16;
  }
}

}  // namespace ptec::test
