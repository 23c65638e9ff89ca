// Copies lists and texts out of a flatbuffer that its verifier was content with.
#pragma once

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ptec::inspect {

/// Parts of a flatbuffer may be shared, so that a small file can claim a huge content. Every part
/// is paid for out of a budget of bytes; Malformed is thrown when it is used up.
class FlatbufferWalk {
 public:
  explicit FlatbufferWalk(std::uint64_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// Empty when there is none.
  std::string text(const flatbuffers::String* in) {
    if (in == nullptr) return {};
    spend(in->size());
    return in->str();
  }

  template <typename Out, typename In>
  std::vector<Out> numbers(const flatbuffers::Vector<In>& in) {
    spend(std::uint64_t{sizeof(In)} * in.size());
    std::vector<Out> out;
    out.reserve(in.size());
    // The verifier aligns the length of a list, not its elements.
    for (flatbuffers::uoffset_t i = 0; i < in.size(); ++i) {
      In value{};
      std::memcpy(&value, in.Data() + std::size_t{i} * sizeof(In), sizeof(In));
      out.push_back(static_cast<Out>(flatbuffers::EndianScalar(value)));
    }
    return out;
  }

  /// Calls `each(table, index)` for a list of tables. A null entry is refused: accessors would take
  /// the entry itself for a table.
  template <typename T, typename Each>
  void tables(const flatbuffers::Vector<flatbuffers::Offset<T>>* in,
              std::string_view what,
              const Each& each) {
    if (in == nullptr) return;
    spend(std::uint64_t{sizeof(flatbuffers::uoffset_t)} * in->size());
    for (flatbuffers::uoffset_t i = 0; i < in->size(); ++i) {
      const auto* entry = in->Data() + std::size_t{i} * sizeof(flatbuffers::uoffset_t);
      if (flatbuffers::ReadScalar<flatbuffers::uoffset_t>(entry) == 0) {
        fail(ErrorCode::Malformed, fmt::format("{} {} is null", what, i));
      }
      each(*in->Get(i), std::size_t{i});
    }
  }

 private:
  void spend(std::uint64_t size_bytes) {
    if (size_bytes > budget_bytes_) {
      fail(ErrorCode::Malformed,
           "flatbuffer uses the same bytes over and over: its content is many times its size");
    }
    budget_bytes_ -= size_bytes;
  }

  std::uint64_t budget_bytes_;
};

/// A field that the runtime reads without asking whether it is there.
template <typename T>
const T& required(const T* field, std::string_view what) {
  if (field == nullptr) fail(ErrorCode::Malformed, fmt::format("{} is missing", what));
  return *field;
}

}  // namespace ptec::inspect
