#include "archive/engine_object.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "archive/pickle.h"
#include "archive/text_bound.h"
#include "archive/zip.h"
#include "layout/zip.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec::archive {
namespace {

struct Range {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

bool is_zip(const InputFile& file, const FileRecord& record) {
  std::array<std::byte, 4> start{};
  if (record.size_bytes < start.size()) return false;
  file.read_at(record.offset_bytes, start);
  le32 signature;
  std::memcpy(&signature, start.data(), start.size());
  return signature == kZipLocalSignature;
}

// `archive/data.pkl` of the zip that a torchbind object is. Its checksums are not looked at: torch
// can leave them zero, and the record around them has one.
Range find_nested_pickle(const InputFile& file, const FileRecord& record) {
  const std::vector<ZipEntry> entries =
      read_zip_directory(file, record.offset_bytes, record.size_bytes);
  const auto found = std::find_if(entries.begin(), entries.end(), [](const ZipEntry& entry) {
    return entry.record.name == "archive/data.pkl";
  });
  if (found == entries.end()) {
    fail(ErrorCode::Malformed,
         fmt::format("the zip file at byte {} has no archive/data.pkl", record.offset_bytes));
  }
  if (found->method != kZipMethodStored) {
    fail(ProblemId::MemberCompressed, "archive/data.pkl in it is compressed");
  }
  return {found->record.offset_bytes, found->record.size_bytes};
}

EngineEncoding encoding_of(PickledClass pickled_class, bool nested) {
  if (nested != (pickled_class == PickledClass::TorchBindEngine)) {
    fail(ErrorCode::Malformed,
         nested ? "a Python engine in a zip file; only torchbind engines are written so"
                : "a torchbind engine outside of a zip file");
  }
  switch (pickled_class) {
    case PickledClass::TorchBindEngine:
      return EngineEncoding::TorchBind;
    case PickledClass::ReconstructEngine:
      return EngineEncoding::Reconstruct;
    case PickledClass::PythonEngine:
      break;
  }
  return EngineEncoding::PythonObject;
}

std::string read_field(const InputFile& file, const TextRange& text, std::size_t index) {
  const std::string what = fmt::format("engine record's field {}", index);
  const std::vector<std::byte> bytes =
      file.read_range(text.offset_bytes, text.size_bytes, kMaxRecordFieldBytes, what);
  const std::string_view view = as_text(bytes);
  if (!simdjson::validate_utf8(view.data(), view.size())) {
    fail(ErrorCode::Malformed, fmt::format("{} at byte {} is not UTF-8", what, text.offset_bytes));
  }
  return std::string(view);
}

}  // namespace

std::string_view engine_encoding_name(EngineEncoding encoding) {
  switch (encoding) {
    case EngineEncoding::TorchBind:
      return "torchbind object";
    case EngineEncoding::Reconstruct:
      return "reconstruct call";
    case EngineEncoding::PythonObject:
      return "Python object";
    case EngineEncoding::GraphStrings:
      return "strings in the graph";
  }
  return "unknown";
}

EngineObject read_engine_object(const ByteSource::Handle& archive, const FileRecord& record) {
  const InputFile& file = *archive->file();
  const Breadcrumb here("member", record.name);
  const bool nested = is_zip(file, record);
  const Range pickle =
      nested ? find_nested_pickle(file, record) : Range{record.offset_bytes, record.size_bytes};
  const PickledEngine pickled = read_engine_pickle(file, pickle.offset_bytes, pickle.size_bytes);
  EngineObject out;
  out.encoding = encoding_of(pickled.pickled_class, nested);
  if (pickled.fields.size() <= kEngineFieldIndex) {
    fail(ErrorCode::Malformed,
         fmt::format("engine record has {} field{}; ABI 7 has 10",
                     pickled.fields.size(),
                     pickled.fields.size() == 1 ? "" : "s"));
  }
  // The bound holds for all fields together: one text may be fetched from the memo many times.
  const std::uint64_t max_bytes = max_record_text_bytes(record.size_bytes);
  std::uint64_t total_bytes = 0;
  for (std::size_t i = 0; i < pickled.fields.size(); ++i) {
    const TextRange& text = pickled.fields[i];
    if (i == kEngineFieldIndex) {
      out.fields.emplace_back();
      continue;
    }
    if (text.size_bytes > max_bytes - total_bytes) {
      fail(ErrorCode::Limit,
           fmt::format("engine record's fields have over {} bytes together, the most for a record "
                       "of {} bytes",
                       max_bytes,
                       record.size_bytes));
    }
    total_bytes += text.size_bytes;
    out.fields.push_back(read_field(file, text, i));
  }
  const TextRange& engine = pickled.fields[kEngineFieldIndex];
  out.engine = Payload::of_range(
      archive, record, engine.offset_bytes, engine.size_bytes, PayloadEncoding::Base64);
  return out;
}

}  // namespace ptec::archive
