// Every bound that ptec puts on its input, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ptec {

// Archive.
inline constexpr std::uint64_t kMaxArchiveEntries =
    1'000'000;  // torch writes one per tensor; far above real models
inline constexpr std::uint64_t kMaxDirectoryBytes = 256ull
                                                    << 20;  // the directory is held in memory
inline constexpr std::size_t kMaxNameBytes = 4096;          // PATH_MAX; longer names are an attack
inline constexpr std::uint64_t kMaxJsonBytes =
    0xFFFFFFFFull - 64;  // simdjson's own limit, less its padding
inline constexpr std::uint64_t kMaxInflatedBytes =
    1ull << 30;  // deflated members are inflated in memory
inline constexpr std::uint64_t kFreeInflatedBytes =
    16ull << 20;  // any archive may inflate to this, however small it is
inline constexpr std::uint64_t kMaxInflatedShare =
    64;  // of the archive's own size beyond that; a program's json deflates to a 20th or so
inline constexpr std::uint64_t kFreeInflatedJsonBytes =
    2ull << 20;  // as above, for JSON alone: parsed, it takes a dozen times its size
inline constexpr std::uint64_t kMaxInflateRatio = 1032;  // deflate cannot do better; more is a lie

// Engine records.
inline constexpr std::size_t kMaxRecordFields = 64;      // 13 today; fields are only ever appended
inline constexpr std::size_t kMaxMemoEntries = 100'000;  // a record memoises about 20
inline constexpr std::size_t kMaxPickleOpcodes = 100'000;  // a record has about 50
inline constexpr std::size_t kMaxPickleStack = 256;  // its fields, and a few items around them
inline constexpr std::size_t kMaxPickleNameBytes =
    256;  // module and class names; the longest of ours has 41
inline constexpr std::uint64_t kMaxRecordFieldBytes =
    64ull << 20;  // all but the engine are held in memory
inline constexpr std::uint64_t kFreeRecordTextBytes =
    1ull << 20;  // any archive may have this much text in its engine records, however small it is
inline constexpr std::uint64_t kRecordTextPart =
    4;  // beyond that a quarter of what was sent: an engine's names are small beside it, and take a
        // dozen times their size once they are split
inline constexpr std::size_t kMaxEngineBindings =
    1u << 18;  // inputs, outputs and aliases each; a decoder with a cache a layer has some
               // hundreds, and every binding costs a node and a value

// Programs.
inline constexpr std::size_t kMaxNodes =
    10'000'000;  // the JSON of such a graph passes simdjson's limit
inline constexpr std::int64_t kMaxPieces =
    100'000;                                    // one node each; a sequence has some thousand steps
inline constexpr std::size_t kMaxRank = 64;     // torch's own limit
inline constexpr std::size_t kMaxPteRank = 16;  // ExecuTorch's kTensorDimensionLimit
inline constexpr std::size_t kMaxNesting = 128;            // sub-graphs, argument lists, tree specs
inline constexpr std::size_t kMaxExpressionDepth = 256;    // symbolic expressions
inline constexpr std::size_t kMaxExpressionBytes = 65536;  // one symbolic expression's text

}  // namespace ptec
