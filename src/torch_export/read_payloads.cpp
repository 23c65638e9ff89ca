#include "torch_export/read_payloads.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "archive/engine_object.h"
#include "ir/layout_codes.h"
#include "ir/tensor_layout.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"
#include "torch_export/json.h"
#include "torch_export/read_meta.h"

namespace ptec {
namespace {

bool is_tensor(InputKind kind) {
  return kind == InputKind::Parameter || kind == InputKind::Buffer ||
         kind == InputKind::TensorConstant;
}

/// One payload config, with the folder that it speaks of.
class Config {
 public:
  Config(const archive::Pt2Archive& archive, std::string_view model, std::string_view kind)
      : name_(fmt::format("data/{}/{}_{}_config.json", kind, model, kind)),
        folder_(fmt::format("data/{}/", kind)),
        document_(read(archive, name_)),
        root_(document_) {
    const Breadcrumb here("member", name_);
    const json::Struct fields(root_);
    config_.emplace(fields.required("config"));
    for (const simdjson::dom::key_value_pair member : config_->object()) {
      if (!entries_.try_emplace(member.key, member.value).second) {
        config_->fail_malformed(fmt::format("'{}' is there twice", printable(member.key)));
      }
    }
  }
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;

  const std::string& name() const { return name_; }
  const std::string& folder() const { return folder_; }
  std::optional<json::Value> find(std::string_view fqn) const {
    const auto found = entries_.find(fqn);
    if (found == entries_.end()) return std::nullopt;
    return json::Value(found->second, *config_, found->first);
  }

 private:
  static json::Document read(const archive::Pt2Archive& archive, const std::string& name) {
    if (archive.find_member(name) == nullptr) {
      fail(ErrorCode::Malformed, fmt::format("the archive has no '{}'", printable(name, 300)));
    }
    const Breadcrumb here("member", name);
    return json::Document::parse(archive.read_member(name, kMaxJsonBytes));
  }

  std::string name_;
  std::string folder_;
  json::Document document_;
  json::Value root_;
  std::optional<json::Value> config_;
  std::unordered_map<std::string_view, simdjson::dom::element> entries_;  // looked up only
};

std::uint64_t number(const Dim& dim) { return static_cast<std::uint64_t>(dim.number()); }

bool has_expanded_dim(const TensorMeta& meta) {
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    if (number(meta.strides[i]) == 0 && number(meta.sizes[i]) > 1) return true;
  }
  return false;
}

void check_numbers(const TensorMeta& meta, const json::Value& where) {
  bool numbers = meta.storage_offset.is_number();
  for (const Dim& dim : meta.sizes) numbers = numbers && dim.is_number();
  for (const Dim& dim : meta.strides) numbers = numbers && dim.is_number();
  if (!numbers) where.fail_malformed("a stored tensor has a symbolic size");
}

void check_extent(const TensorMeta& meta,
                  const std::string& shape,
                  std::uint64_t record_bytes,
                  const json::Value& where) {
  const Extent extent = extent_of(meta);
  const auto item_bytes = static_cast<std::uint64_t>(info(meta.dtype).size_bytes);
  if (record_bytes % item_bytes != 0) {
    where.fail_malformed(fmt::format("the record has {} bytes, which is no multiple of {} ({})",
                                     record_bytes,
                                     item_bytes,
                                     info(meta.dtype).name));
  }
  if (extent.empty) return;
  if (record_bytes == 0) {
    where.fail_malformed(fmt::format(
        "the record is empty, but the shape is {}: the weights were not saved (fake tensors)",
        shape));
  }
  if (!extent.end_bytes || *extent.end_bytes > record_bytes) {
    where.fail_malformed(
        fmt::format("the view ends at byte {} of a record of {} bytes",
                    extent.end_bytes ? std::to_string(*extent.end_bytes) : "2^64 or more",
                    record_bytes));
  }
  // A CUDA tensor with stride 0 may have been stored expanded, while its strides speak of the
  // storage.
  if (meta.device.type != "cpu" && has_expanded_dim(meta) && extent.packed_bytes == record_bytes) {
    where.fail(ErrorCode::Unsupported,
               fmt::format("an expanded tensor on {}: the file does not say how its bytes lie; "
                           "make it contiguous before saving",
                           printable(meta.device.type)));
  }
}

class Payloads {
 public:
  Payloads(const archive::Pt2Archive& archive, std::string_view model, Program& program)
      : archive_(archive),
        program_(program),
        weights_(archive, model, "weights"),
        constants_(archive, model, "constants") {}

  void read() {
    for (const InputSpec& input : program_.inputs) {
      if (is_tensor(input.kind)) {
        read_tensor(input);
      } else if (input.kind == InputKind::CustomObject) {
        read_object(input);
      }
    }
  }

 private:
  struct Entry {
    const Config& config;
    json::Value value;
  };

  Entry find(const InputSpec& input) const {
    const bool in_weights =
        input.kind == InputKind::Parameter || (input.kind == InputKind::Buffer && input.persistent);
    if (in_weights) {
      if (const std::optional<json::Value> found = weights_.find(input.target)) {
        return {weights_, *found};
      }
    }
    if (input.kind != InputKind::Parameter) {
      if (const std::optional<json::Value> found = constants_.find(input.target)) {
        return {constants_, *found};
      }
    }
    const Config& wanted = in_weights ? weights_ : constants_;
    fail(ErrorCode::Malformed,
         fmt::format("'{}' has no entry in '{}'", printable(input.target), wanted.name()));
  }

  // The record that `path_name` names. The start of its name says what it holds.
  const archive::ZipEntry& record_of(const Config& config,
                                     const json::Value& path_name,
                                     bool wants_tensor) const {
    const std::string_view name = path_name.string();
    if (name.empty() || name.find_first_of("/\\") != std::string_view::npos || name == "." ||
        name == "..") {
      path_name.fail_malformed(fmt::format("'{}' is no plain file name", printable(name)));
    }
    const bool tensor = name.starts_with(&config == &weights_ ? "weight_" : "tensor_");
    const bool object = &config == &constants_ &&
                        (name.starts_with("custom_obj_") || name.starts_with("opaque_obj_"));
    if (!tensor && !object) {
      path_name.fail_malformed(fmt::format("'{}' is no kind of payload", printable(name)));
    }
    if (tensor != wants_tensor) {
      path_name.fail_malformed(fmt::format("'{}' holds {}, wanted {}",
                                           printable(name),
                                           tensor ? "a tensor" : "an object",
                                           wants_tensor ? "a tensor" : "an object"));
    }
    const archive::ZipEntry* entry = archive_.find_member(config.folder() + std::string(name));
    if (entry == nullptr) {
      path_name.fail_malformed(
          fmt::format("the archive has no '{}{}'", config.folder(), printable(name)));
    }
    if (entry->method != 0) {
      path_name.fail(ErrorCode::Unsupported, "the record is compressed; store it instead");
    }
    return *entry;
  }

  void read_tensor(const InputSpec& input) {
    const Breadcrumb here("tensor", input.target);
    const Entry entry = find(input);
    const Breadcrumb in("member", entry.config.name());
    const json::Struct fields(entry.value);
    const json::Value path_name = fields.required("path_name");
    fields.required("is_param").boolean();
    const bool pickled = fields.required("use_pickle").boolean();
    const archive::ZipEntry& record = record_of(entry.config, path_name, true);
    const std::optional<json::Value> meta = fields.optional("tensor_meta");
    if (!meta) entry.value.fail_malformed("a tensor has a tensor_meta");
    if (pickled) {
      entry.value.fail(ErrorCode::Unsupported,
                       "a tensor subclass, stored as a pickle; use plain tensors for weights");
    }
    ReadContext context{program_.exprs};
    TensorData data;
    data.meta = read_tensor_meta(context, *meta);
    check_numbers(data.meta, *meta);
    check_same_as_graph(input, data.meta, *meta);
    check_extent(data.meta,
                 shape_text(program_.exprs, data.meta.sizes),
                 record.record.size_bytes,
                 entry.value);
    data.storage = Payload::of_range(archive_.file(),
                                     record.record,
                                     record.record.offset_bytes,
                                     record.record.size_bytes,
                                     PayloadEncoding::Raw);
    program_.tensors.insert_or_assign(input.target, std::move(data));
  }

  // The graph's description is what the program's operators were checked against.
  void check_same_as_graph(const InputSpec& input,
                           const TensorMeta& stored,
                           const json::Value& where) const {
    const TensorMeta& in_graph = *program_.graph.at(input.node).value.tensor();
    if (in_graph.dtype == stored.dtype && in_graph.sizes == stored.sizes) return;
    where.fail_malformed(fmt::format("{}{} is stored, the graph says {}{}",
                                     info(stored.dtype).name,
                                     shape_text(program_.exprs, stored.sizes),
                                     info(in_graph.dtype).name,
                                     shape_text(program_.exprs, in_graph.sizes)));
  }

  void read_object(const InputSpec& input) {
    const Breadcrumb here("object", input.target);
    const std::vector<NodeId>& users = program_.graph.at(input.node).users;
    if (users.empty() || program_.objects.contains(input.target)) return;
    for (const NodeId user : users) {
      const Node& node = program_.graph.at(user);
      if (node.target.starts_with("tensorrt::")) continue;
      fail(ErrorCode::Unsupported,
           fmt::format("node '{}' ({}) uses it; only engines of TensorRT are read",
                       printable(node.name),
                       node.kind == NodeKind::Output ? "the result" : printable(node.target)));
    }
    const Entry entry = find(input);
    const archive::ZipEntry& record = object_record(entry);
    program_.objects.emplace(input.target,
                             archive::read_engine_object(archive_.file(), record.record));
  }

  const archive::ZipEntry& object_record(const Entry& entry) const {
    const Breadcrumb here("member", entry.config.name());
    const json::Struct fields(entry.value);
    const json::Value path_name = fields.required("path_name");
    return record_of(entry.config, path_name, false);
  }

  const archive::Pt2Archive& archive_;
  Program& program_;
  Config weights_;
  Config constants_;
};

}  // namespace

void read_payloads(const archive::Pt2Archive& archive, std::string_view model, Program& program) {
  program.tensors.clear();
  program.objects.clear();
  Payloads(archive, model, program).read();
}

void describe_payloads(Program& program) {
  for (const InputSpec& input : program.inputs) {
    if (is_tensor(input.kind)) {
      TensorData data;
      data.meta = *program.graph.at(input.node).value.tensor();
      program.tensors.try_emplace(input.target, std::move(data));
    } else if (input.kind == InputKind::CustomObject) {
      program.objects.try_emplace(input.target);
    }
  }
}

}  // namespace ptec
