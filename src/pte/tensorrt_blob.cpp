#include "pte/tensorrt_blob.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout/tensorrt_blob_reader.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

/// Throws what the reader found: its numbers, or the bytes where it is.
void check(const BlobError& error, std::string_view front) {
  if (error.ok()) return;
  const char* const field = blob_field_name(error.field);
  const char* const text = blob_fault_text(error.fault);
  if (blob_fault_has_numbers(error.fault)) {
    fail(ErrorCode::Malformed,
         fmt::format("blob's byte {}: {} {} {} {}",
                     error.offset_bytes,
                     field,
                     error.found,
                     text,
                     error.wanted));
  }
  constexpr std::size_t kShownBytes = 32;
  const std::size_t at = std::min(static_cast<std::size_t>(error.offset_bytes), front.size());
  fail(ErrorCode::Malformed,
       fmt::format("blob's byte {}: {} {}; there is '{}'",
                   error.offset_bytes,
                   field,
                   text,
                   printable(front.substr(at, kShownBytes))));
}

std::string string_of(const JsonText& text) {
  std::string out(text.size_bytes(), '\0');
  text.copy_to(out.data());
  return out;
}

void take_lists(std::string_view front,
                const TensorRtBlobHead& head,
                const TensorRtBlobFacts& facts,
                TensorRtBlob& out) {
  std::vector<TensorRtBinding> bindings(facts.binding_count());
  std::vector<TensorRtAlias> aliases(facts.alias_count);
  std::vector<std::uint32_t> by_name(facts.binding_count());
  check(read_tensorrt_lists(front, head, facts, {bindings.data(), aliases.data(), by_name.data()}),
        front);
  for (const TensorRtBinding& binding : bindings)
    (binding.is_input ? out.input_names : out.output_names).push_back(string_of(binding.name));
  for (const TensorRtAlias& alias : aliases) {
    out.aliased_io.push_back({string_of(bindings[alias.output].name),
                              string_of(bindings[alias.input].name),
                              alias.kind == TensorRtAliasKind::User ? "user" : "kv_cache_update"});
  }
}

}  // namespace

TensorRtBlob read_tensorrt_blob(const InputFile& file, const FileRange& range) {
  std::array<std::byte, sizeof(TensorRtBlobHeader)> start{};
  const auto start_bytes =
      static_cast<std::size_t>(std::min<std::uint64_t>(start.size(), range.size_bytes));
  file.read_at(range.offset_bytes, std::span(start).first(start_bytes));
  TensorRtBlobHead head;
  const std::string_view header = as_text(std::span<const std::byte>(start).first(start_bytes));
  check(read_tensorrt_head(header, range.size_bytes, head), header);

  const std::vector<std::byte> bytes = file.read_range(
      range.offset_bytes, head.engine_offset_bytes, kMaxRecordFieldBytes, "blob metadata");
  const std::string_view front = as_text(bytes);
  TensorRtBlobFacts facts;
  check(read_tensorrt_metadata(front, head, facts), front);

  TensorRtBlob out;
  out.magic = std::string(head.aliased ? kTensorRtMagicAliased : kTensorRtMagicPlain);
  out.metadata_offset_bytes = head.metadata_offset_bytes;
  out.metadata_size_bytes = head.metadata_size_bytes;
  out.engine = {head.engine_offset_bytes, head.engine_size_bytes};
  take_lists(front, head, facts, out);
  out.hardware_compatible = facts.hardware_compatible;
  out.device_id = facts.device_id;
  out.serialized_metadata = string_of(facts.serialized_metadata);
  out.target_platform = string_of(facts.target_platform);
  std::vector<std::byte> plan(
      static_cast<std::size_t>(std::min<std::uint64_t>(kPlanHeaderBytes, out.engine.size_bytes)));
  file.read_at(range.offset_bytes + out.engine.offset_bytes, plan);
  out.plan = read_plan_header(plan);
  return out;
}

}  // namespace ptec::inspect
