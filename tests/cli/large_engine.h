// What a test does with one large engine: write the archive, export it in a child process, look at
// the file.
#pragma once

#include <cstdint>

#include "tests/support/engine_archive.h"

namespace ptec::test {

inline constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// Peak memory that an export may take, whatever the engine's size.
inline constexpr std::uint64_t kMaxPeakMemoryBytes = 64 * kMiB;

/// Skips the test unless `needed_bytes` of disk are free. Then expects that the engine's bytes in
/// the program are those that went in, and that the exporter's memory stayed small.
void expect_engine_survives(const EngineArchiveOptions& options, std::uint64_t needed_bytes);

}  // namespace ptec::test
