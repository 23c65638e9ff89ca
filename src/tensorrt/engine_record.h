// What a TensorRT engine travels with: names of its bindings, its device, its flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "archive/engine_object.h"
#include "support/payload.h"

namespace ptec::tensorrt {

struct EngineDevice {
  std::int64_t id = 0;     // CUDA device index that the engine was built for
  std::int64_t major = 0;  // compute capability
  std::int64_t minor = 0;
  std::int64_t type = 0;  // 0 GPU, 1 DLA
  std::string name;
};

enum class AliasKind : std::uint8_t { KvCacheUpdate, User };

/// An output binding that shares memory with an input binding.
struct EngineAlias {
  std::size_t output = 0;  // index in EngineRecord::output_names
  std::size_t input = 0;   // index in EngineRecord::input_names
  AliasKind kind = AliasKind::KvCacheUpdate;
};

struct EngineRecord {
  int abi_version = 0;
  std::string name;
  EngineDevice device;
  Payload engine;                         // the serialized TensorRT engine
  std::vector<std::string> input_names;   // bindings, in the order of the call's tensors
  std::vector<std::string> output_names;  // in the order of the call's results
  bool hardware_compatible = false;
  std::string metadata;         // base64 of a Python pickle; copied through, never decoded
  std::string target_platform;  // one spelling: linux_x86_64, linux_aarch64, windows_x86_64,
                                // windows_arm64, unknown
  bool requires_output_allocator = false;
  bool dynamic_resource_allocation = false;
  bool multi_device = false;
  std::vector<EngineAlias> aliased_io;  // in record order, each output at most once

  /// One entry an output: its alias, null when the output has memory of its own.
  std::vector<const EngineAlias*> aliases_by_output() const;
};

std::string_view alias_kind_name(AliasKind kind);

/// Parses the record's fields by the rules of its ABI version (7 to 10). Throws Unsupported for
/// another version, naming both, and Malformed, naming field index, wanted and found, for the rest:
/// field count, device text, flags, platform, empty engine, empty or duplicate binding names, no
/// bindings at all, aliases that name unknown bindings. Throws Limit for more than
/// kMaxEngineBindings names or aliases. Takes time in N log N of the number of names, whatever they
/// are.
EngineRecord parse_engine_record(const archive::EngineObject& object);

}  // namespace ptec::tensorrt
