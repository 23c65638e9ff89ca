// An ExecuTorch program file (.pte), read strictly: what is in a PteFile obeys docs/formats/pte.md,
// so that its indices can be used and its ranges read without further checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "pte/pte_dtype.h"
#include "support/input_file.h"

namespace ptec::inspect {

/// Bytes of the file. Offsets count from its start.
struct FileRange {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  friend bool operator==(const FileRange&, const FileRange&) = default;
};

struct PteDevice {
  bool cuda = false;
  int index = 0;
  friend bool operator==(const PteDevice&, const PteDevice&) = default;
};

struct PteAllocation {
  std::uint32_t memory_id = 0;  // index into PtePlan::arenas, never 0
  std::uint64_t offset_bytes = 0;
};

struct PteTensor {
  const PteDtype* dtype = nullptr;
  std::vector<std::int32_t> sizes;      // the most that it can have when `dynamic`
  std::vector<std::uint8_t> dim_order;  // outermost first
  bool requires_grad = false;
  bool dynamic = false;
  bool external = false;                    // its bytes are in a .ptd, under `fully_qualified_name`
  std::uint32_t data_buffer_index = 0;      // 0: no bytes in this file
  std::optional<PteAllocation> allocation;  // its place in an arena
  std::string fully_qualified_name;
  PteDevice device;
  std::uint64_t size_bytes = 0;
  std::optional<FileRange> data;  // its bytes in this file: a constant, or a buffer's initial value
};

struct PteNull {};
struct PteIntList {
  std::vector<std::int64_t> values;  // indices of integers
};
struct PteDoubleList {
  std::vector<double> items;
};
struct PteBoolList {
  std::vector<bool> items;
};
struct PteTensorList {
  std::vector<std::int32_t> values;  // indices of tensors
};
struct PteOptionalTensorList {
  std::vector<std::int32_t> values;  // indices of tensors or nulls, -1 for null
};

using PteValue = std::variant<PteNull,
                              std::int64_t,
                              bool,
                              double,
                              PteTensor,
                              std::string,
                              PteIntList,
                              PteDoubleList,
                              PteBoolList,
                              PteTensorList,
                              PteOptionalTensorList>;

/// "tensor", "int list": what a value is, for messages.
std::string_view value_kind_name(const PteValue& value);

struct PteOperator {
  std::string name;
  std::string overload;
  /// "aten::add.out".
  std::string full_name() const { return overload.empty() ? name : name + "." + overload; }
};

struct PteKernelCall {
  std::uint32_t op_index = 0;
  std::vector<std::int32_t> args;  // value indices; the result is repeated at the end
};
struct PteDelegateCall {
  std::uint32_t delegate_index = 0;
  std::vector<std::int32_t> args;  // value indices: inputs, then outputs
};
struct PteMove {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};
struct PteJumpFalse {
  std::uint32_t condition = 0;
  std::uint32_t destination = 0;  // instruction of the chain; one past the last ends it
};
struct PteFree {
  std::uint32_t value = 0;
};
using PteInstruction = std::variant<PteKernelCall, PteDelegateCall, PteMove, PteJumpFalse, PteFree>;

struct PteCompileSpec {
  std::string key;
  std::string value;  // any bytes
};

struct PteDelegate {
  std::string backend_id;
  bool inline_data = false;  // inside the flatbuffer, not in a segment
  std::uint32_t index = 0;   // of the segment, or in the list of inline data
  FileRange blob;
  std::vector<PteCompileSpec> compile_specs;
};

struct PteArena {
  std::uint64_t size_bytes = 0;
  PteDevice device;
};

struct PtePlan {
  std::string name;
  std::string encoded_inputs;  // tree of containers as JSON; may be empty
  std::string encoded_outputs;
  std::vector<PteValue> values;
  std::vector<std::uint32_t> inputs;  // value indices
  std::vector<std::uint32_t> outputs;
  std::vector<std::vector<PteInstruction>> chains;
  std::vector<PteOperator> operators;
  std::vector<PteDelegate> delegates;
  std::vector<PteArena> arenas;  // entry 0 is reserved and empty
};

struct PteNamedData {
  std::string key;
  std::uint32_t segment = 0;
};

/// Where in a segment each constant begins; entry 0 is a placeholder.
struct PteSubsegments {
  std::uint32_t segment = 0;
  std::vector<std::uint64_t> offsets_bytes;
};

struct PteFile {
  std::uint64_t size_bytes = 0;
  std::uint32_t header_size_bytes = 0;   // the extended header's own length; 0: there is none
  std::uint64_t program_size_bytes = 0;  // flatbuffer with the header in it
  std::uint64_t segment_base_bytes = 0;
  std::uint64_t segment_data_size_bytes = 0;
  std::uint32_t version = 0;
  std::vector<PtePlan> plans;
  std::vector<FileRange> segments;
  std::vector<FileRange> inline_delegate_data;
  PteSubsegments constants;
  std::vector<PteSubsegments> mutable_data;  // initial values of buffers
  std::vector<PteNamedData> named_data;
  std::vector<std::string> warnings;  // odd, but the runtime does not mind
};

/// Reads and checks everything but the segments' content. Throws Malformed naming field, wanted and
/// found; Unsupported for a newer version. Memory and time stay a small multiple of the
/// flatbuffer's size, whatever the bytes: fuzz/pte_fuzz.cpp. Source of the rules: ExecuTorch 1.5,
/// runtime/executor/{program,method,tensor_parser_portable}.cpp.
PteFile read_pte(const InputFile& file);

}  // namespace ptec::inspect
