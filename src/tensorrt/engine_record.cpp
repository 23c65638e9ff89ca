#include "tensorrt/engine_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "support/error.h"
#include "support/limits.h"
#include "tensorrt/name_index.h"

namespace ptec::tensorrt {
namespace {

enum Field : std::size_t {
  kAbiVersion,
  kName,
  kDevice,
  kEngine,
  kInputNames,
  kOutputNames,
  kHardwareCompatible,
  kMetadata,
  kTargetPlatform,
  kRequiresOutputAllocator,
  kResourceAllocation,
  kMultiDevice,
  kAliasedIo,
};

struct AbiRow {
  int version;
  std::size_t field_count;
  std::string_view written_by;
};

constexpr AbiRow kAbis[] = {
#define PTEC_ENGINE_ABI(version, fields, written_by) {version, fields, written_by},
#include "tensorrt/engine_abi.def"
#undef PTEC_ENGINE_ABI
};

struct PlatformRow {
  std::string_view written;
  std::string_view canonical;
};

constexpr PlatformRow kPlatforms[] = {
    {"linux_x86_64", "linux_x86_64"},
    {"linux_aarch64", "linux_aarch64"},
    {"windows_x86_64", "windows_x86_64"},
    {"windows_arm64", "windows_arm64"},
    {"win_x86_64", "windows_x86_64"},  // older Python-only runtime
    {"win_arm64", "windows_arm64"},
    {"unknown", "unknown"},
};

struct AliasKindRow {
  AliasKind kind;
  std::string_view name;
};

constexpr AliasKindRow kAliasKinds[] = {{AliasKind::KvCacheUpdate, "kv_cache_update"},
                                        {AliasKind::User, "user"}};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

/// The `N` parts of a text that has that many; a longer one is not taken apart.
template <std::size_t N>
std::optional<std::array<std::string_view, N>> split_into(std::string_view text, char separator) {
  if (std::count(text.begin(), text.end(), separator) != std::ptrdiff_t{N} - 1) return std::nullopt;
  std::array<std::string_view, N> parts;
  for (std::string_view& part : parts) {
    part = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return parts;
}

/// At most so much of a text from the file is printed.
std::string shown(std::string_view text) {
  constexpr std::size_t kShownBytes = 80;
  return fmt::format("'{}'{}", text.substr(0, kShownBytes), text.size() > kShownBytes ? "…" : "");
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void bad_field(Field field,
                            std::string_view what,
                            std::string_view wanted,
                            std::string_view found) {
  fail(ErrorCode::Malformed,
       fmt::format("engine record field {} ({}): wanted {}, found {}",
                   static_cast<std::size_t>(field),
                   what,
                   wanted,
                   shown(found)));
}

const AbiRow& find_abi(const archive::EngineObject& object) {
  if (object.fields.empty()) fail(ErrorCode::Malformed, "engine record is empty");
  const std::string& text = object.fields[kAbiVersion];
  const std::optional<std::int64_t> version = parse_integer(text);
  for (const AbiRow& row : kAbis) {
    if (version == row.version) return row;
  }
  if (!version) bad_field(kAbiVersion, "ABI version", "a number", text);
  fail(ErrorCode::Unsupported,
       fmt::format("engine record has ABI version {}; this ptec reads {} to {} (Torch-TensorRT 2.8 "
                   "to 2.14); compile "
                   "the model again with one of those",
                   *version,
                   kAbis[0].version,
                   std::end(kAbis)[-1].version));
}

EngineDevice parse_device(const std::string& text) {
  const auto parts = split_into<5>(text, '%');
  if (!parts) bad_field(kDevice, "device", "id%major%minor%type%name", text);
  std::array<std::int64_t, 4> numbers{};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::optional<std::int64_t> number = parse_integer((*parts)[i]);
    if (!number) bad_field(kDevice, "device", "id%major%minor%type%name with four numbers", text);
    numbers[i] = *number;
  }
  if (numbers[0] < 0 || numbers[0] > 127) {
    bad_field(kDevice, "device", "a device id from 0 to 127, which is what a .pte can hold", text);
  }
  if (numbers[3] != 0 && numbers[3] != 1)
    bad_field(kDevice, "device", "type 0 (GPU) or 1 (DLA)", text);
  return {numbers[0], numbers[1], numbers[2], numbers[3], std::string((*parts)[4])};
}

/// Parts of a list field. They are counted before anything is made of them.
std::vector<std::string_view> split_list(Field field,
                                         std::string_view what,
                                         std::string_view text) {
  if (text.empty()) return {};
  const std::size_t count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '%')) + 1;
  if (count > kMaxEngineBindings) {
    fail(ErrorCode::Limit,
         fmt::format("engine record field {} ({}) has {} entries; ptec takes {}",
                     static_cast<std::size_t>(field),
                     what,
                     count,
                     kMaxEngineBindings));
  }
  return split(text, '%');
}

std::vector<std::string> parse_names(Field field, std::string_view what, const std::string& text) {
  const std::vector<std::string_view> parts = split_list(field, what, text);
  for (const std::string_view name : parts) {
    if (name.empty()) bad_field(field, what, "names without an empty one", text);
  }
  const NameIndex index(parts);
  if (const std::optional<std::size_t> repeat = index.first_repeat())
    bad_field(field, what, fmt::format("{} only once", shown(parts[*repeat])), text);
  return {parts.begin(), parts.end()};
}

bool parse_flag(Field field, std::string_view what, const std::string& text) {
  if (text != "0" && text != "1") bad_field(field, what, "0 or 1", text);
  return text == "1";
}

std::string parse_platform(const std::string& text) {
  for (const PlatformRow& row : kPlatforms) {
    if (row.written == text) return std::string(row.canonical);
  }
  bad_field(kTargetPlatform,
            "target platform",
            "linux_x86_64, linux_aarch64, windows_x86_64, windows_arm64 or unknown",
            text);
}

std::vector<EngineAlias> parse_aliases(const std::string& text,
                                       const EngineRecord& record,
                                       const NameIndex& inputs) {
  constexpr std::string_view kWhat = "aliased I/O";
  const NameIndex outputs(record.output_names);
  std::vector<bool> seen(record.output_names.size(), false);
  std::vector<EngineAlias> aliases;
  for (const std::string_view item : split_list(kAliasedIo, kWhat, text)) {
    const auto parts = split_into<3>(item, '@');
    if (!parts) bad_field(kAliasedIo, kWhat, "output@input@kind", item);
    const auto* kind = std::find_if(
        std::begin(kAliasKinds), std::end(kAliasKinds), [&parts](const AliasKindRow& row) {
          return row.name == (*parts)[2];
        });
    if (kind == std::end(kAliasKinds))
      bad_field(kAliasedIo, kWhat, "kind kv_cache_update or user", item);
    const std::optional<std::size_t> output = outputs.find((*parts)[0]);
    if (!output) bad_field(kAliasedIo, kWhat, "the name of an output", item);
    const std::optional<std::size_t> input = inputs.find((*parts)[1]);
    if (!input) bad_field(kAliasedIo, kWhat, "the name of an input", item);
    if (seen[*output]) bad_field(kAliasedIo, kWhat, "each output once", text);
    seen[*output] = true;
    aliases.push_back({*output, *input, kind->kind});
  }
  if (!aliases.empty() && record.requires_output_allocator)
    bad_field(kAliasedIo, kWhat, "nothing, since the engine needs an output allocator", text);
  return aliases;
}

}  // namespace

std::string_view alias_kind_name(AliasKind kind) {
  for (const AliasKindRow& row : kAliasKinds) {
    if (row.kind == kind) return row.name;
  }
  return "";
}

std::vector<const EngineAlias*> EngineRecord::aliases_by_output() const {
  std::vector<const EngineAlias*> out(output_names.size(), nullptr);
  for (const EngineAlias& alias : aliased_io) out[alias.output] = &alias;
  return out;
}

EngineRecord parse_engine_record(const archive::EngineObject& object) {
  const AbiRow& abi = find_abi(object);
  const std::vector<std::string>& fields = object.fields;
  if (fields.size() != abi.field_count) {
    fail(ErrorCode::Malformed,
         fmt::format("engine record has {} fields; ABI version {} (Torch-TensorRT {}) has {}",
                     fields.size(),
                     abi.version,
                     abi.written_by,
                     abi.field_count));
  }
  EngineRecord record;
  record.abi_version = abi.version;
  record.name = fields[kName];
  record.device = parse_device(fields[kDevice]);
  record.engine = object.engine;
  if (record.engine.size_bytes() == 0)
    bad_field(kEngine, "engine", "base64 of a serialized engine", "");
  record.input_names = parse_names(kInputNames, "input binding names", fields[kInputNames]);
  record.output_names = parse_names(kOutputNames, "output binding names", fields[kOutputNames]);
  if (record.output_names.empty())
    bad_field(kOutputNames, "output binding names", "at least one name", "");
  const NameIndex inputs(record.input_names);
  for (const std::string& name : record.output_names) {
    if (inputs.find(name)) {
      bad_field(kOutputNames, "output binding names", "names that no input has", name);
    }
  }
  record.hardware_compatible =
      parse_flag(kHardwareCompatible, "hardware compatible", fields[kHardwareCompatible]);
  record.metadata = fields[kMetadata];
  record.target_platform = parse_platform(fields[kTargetPlatform]);
  record.requires_output_allocator = parse_flag(
      kRequiresOutputAllocator, "requires output allocator", fields[kRequiresOutputAllocator]);
  if (fields.size() > kResourceAllocation) {
    record.dynamic_resource_allocation =
        parse_flag(kResourceAllocation, "resource allocation", fields[kResourceAllocation]);
  }
  if (fields.size() > kMultiDevice) {
    record.multi_device = parse_flag(kMultiDevice, "multi-device", fields[kMultiDevice]);
  }
  if (fields.size() > kAliasedIo)
    record.aliased_io = parse_aliases(fields[kAliasedIo], record, inputs);
  return record;
}

}  // namespace ptec::tensorrt
