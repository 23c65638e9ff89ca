// The reader of what TensorRTBackend gets: as the inspector wraps it, and bare, over memory that
// ends where the bytes do. What it takes for JSON has to be that for another reader too.
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "pte/tensorrt_blob.h"
#include "layout/tensorrt_blob_reader.h"
#include "support/error.h"

namespace {

void read_bare(std::string_view bytes) {
  ptec::TensorRtBlobHead head;
  if (!ptec::read_tensorrt_head(bytes, bytes.size(), head).ok()) return;
  const std::vector<char> exact(bytes.begin(), bytes.begin() + head.engine_offset_bytes);
  const std::string_view front(exact.data(), exact.size());
  ptec::TensorRtBlobFacts facts;
  if (!ptec::read_tensorrt_metadata(front, head, facts).ok()) return;
  std::vector<ptec::TensorRtBinding> bindings(facts.binding_count());
  std::vector<ptec::TensorRtAlias> aliases(facts.alias_count);
  std::vector<std::uint32_t> by_name(facts.binding_count());
  const bool right = ptec::read_tensorrt_lists(
                         front, head, facts, {bindings.data(), aliases.data(), by_name.data()})
                         .ok();
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  const simdjson::error_code error =
      parser.parse(bytes.data() + head.metadata_offset_bytes, head.metadata_size_bytes).get(json);
  // That one also refuses numbers that it cannot hold.
  if (error != simdjson::SUCCESS && error != simdjson::NUMBER_ERROR) std::abort();
  if (!right) return;
  for (const ptec::TensorRtAlias& alias : aliases) {
    if (!bindings.at(alias.input).is_input || bindings.at(alias.output).is_input) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  read_bare(ptec::as_text(bytes));
  try {
    const auto file = ptec::InputFile::from_bytes("fuzz.blob", {bytes.begin(), bytes.end()});
    static_cast<void>(ptec::inspect::read_tensorrt_blob(file, {0, file.size_bytes()}));
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;
  }
  return 0;
}
