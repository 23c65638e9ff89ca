#include "edge/constant_layout.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "edge/control_flow.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr std::uint64_t kMaxGatheredBytes = std::uint64_t{4} << 30;  // it is gathered in memory

std::vector<std::int64_t> numbers(const std::vector<Dim>& dims) {
  std::vector<std::int64_t> out;
  for (const Dim& dim : dims) out.push_back(dim.number());
  return out;
}

/// Strides of a dense tensor with its dims laid out in `order`, outermost first.
std::vector<std::int64_t> dense_strides(const std::vector<std::int64_t>& sizes,
                                        const std::vector<std::size_t>& order) {
  std::vector<std::int64_t> strides(sizes.size());
  std::int64_t stride = 1;
  for (auto dim = order.rbegin(); dim != order.rend(); ++dim) {
    strides[*dim] = stride;
    stride *= std::max<std::int64_t>(sizes[*dim], 1);
  }
  return strides;
}

std::vector<std::size_t> plain_order(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  for (std::size_t i = 0; i < rank; ++i) order[i] = i;
  return order;
}

/// Dims of size 1 may have any stride.
bool laid_out_as(const std::vector<std::int64_t>& sizes,
                 const std::vector<std::int64_t>& strides,
                 const std::vector<std::int64_t>& wanted) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return true;
    if (sizes[i] != 1 && strides[i] != wanted[i]) return false;
  }
  return true;
}

bool is_dense(const TensorMeta& meta) {
  const std::vector<std::int64_t> sizes = numbers(meta.sizes);
  const std::vector<std::int64_t> strides = numbers(meta.strides);
  if (laid_out_as(sizes, strides, dense_strides(sizes, plain_order(sizes.size())))) return true;
  return sizes.size() == 4 && laid_out_as(sizes, strides, dense_strides(sizes, {0, 2, 3, 1}));
}

std::vector<std::byte> gather(const TensorData& data) {
  const std::vector<std::byte> storage = read_payload(data.storage, kMaxGatheredBytes);
  const std::size_t item = static_cast<std::size_t>(info(data.meta.dtype).size_bytes);
  const std::vector<std::int64_t> sizes = numbers(data.meta.sizes);
  const std::vector<std::int64_t> strides = numbers(data.meta.strides);
  std::uint64_t count = item;
  for (const std::int64_t size : sizes) {
    const std::optional<std::uint64_t> product =
        checked_mul(count, static_cast<std::uint64_t>(size));
    if (!product || *product > kMaxGatheredBytes)
      fail(ErrorCode::Limit, "a strided constant is over 4 GiB");
    count = *product;
  }
  std::vector<std::byte> out(count);
  std::vector<std::int64_t> index(sizes.size(), 0);
  std::int64_t element = data.meta.storage_offset.number();
  for (std::size_t at = 0; at < out.size(); at += item) {
    std::memcpy(out.data() + at,
                slice(storage, static_cast<std::uint64_t>(element) * item, item, "constant").data(),
                item);
    for (std::size_t dim = sizes.size(); dim-- > 0;) {
      element += strides[dim];
      if (++index[dim] < sizes[dim]) break;
      element -= strides[dim] * sizes[dim];
      index[dim] = 0;
    }
  }
  return out;
}

bool has_strides(const TensorMeta& meta, const std::vector<Dim>& strides) {
  return meta.strides == strides;
}

/// Contiguous strides of a tensor whose sizes are numbers; nothing when one is symbolic.
std::optional<std::vector<Dim>> contiguous_strides(const TensorMeta& meta) {
  for (const Dim& size : meta.sizes) {
    if (!size.is_number()) return std::nullopt;
  }
  const std::vector<std::int64_t> sizes = numbers(meta.sizes);
  const std::vector<std::int64_t> strides = dense_strides(sizes, plain_order(sizes.size()));
  return std::vector<Dim>(strides.begin(), strides.end());
}

bool is_contiguous(const TensorMeta& meta) {
  const std::optional<std::vector<Dim>> wanted = contiguous_strides(meta);
  return wanted && has_strides(meta, *wanted);
}

/// Gives `node` contiguous results when all that it reads is contiguous. True when that changed
/// one.
bool follow_inputs(Graph& graph, Node& node) {
  bool contiguous = true;
  for_each_input(node, [&](NodeId input) {
    const TensorMeta* tensor = graph.at(input).value.tensor();
    contiguous = contiguous && (tensor == nullptr || is_contiguous(*tensor));
  });
  if (!contiguous) {
    fail(ErrorCode::Unsupported,
         "reads a constant that was made contiguous beside a tensor that is not; the layout of its "
         "result is not known");
  }
  bool changed = false;
  const auto visit = [&changed](TensorMeta& meta) {
    const std::optional<std::vector<Dim>> wanted = contiguous_strides(meta);
    if (!wanted || has_strides(meta, *wanted)) return;
    meta.strides = *wanted;
    changed = true;
  };
  if (TensorMeta* tensor = node.value.tensor()) visit(*tensor);
  if (auto* list = std::get_if<std::vector<ValueItem>>(&node.value.v)) {
    for (ValueItem& item : *list) {
      if (TensorMeta* tensor = std::get_if<TensorMeta>(&item)) visit(*tensor);
    }
  }
  return changed;
}

/// Lets the layouts of results follow those of the placeholders in `changed`.
void propagate(Graph& graph, std::set<NodeId> changed) {
  for (NodeId id = graph.first(); id != kNoNode && !changed.empty(); id = graph.at(id).next) {
    Node& node = graph.at(id);
    if (node.kind != NodeKind::Call) continue;
    bool reads_changed = false;
    for_each_input(node,
                   [&](NodeId input) { reads_changed = reads_changed || changed.contains(input); });
    if (!reads_changed) continue;
    const Breadcrumb here("node", node.name);
    if (is_control_flow(node.target)) {
      fail(ErrorCode::Unsupported,
           "is given a constant that was made contiguous; make it contiguous before the export");
    }
    if (follow_inputs(graph, node)) changed.insert(id);
  }
}

}  // namespace

ConstantLayoutStats normalize_constant_layout(Program& program) {
  ConstantLayoutStats stats;
  for (const InputSpec& input : program.inputs) {
    const auto found = program.tensors.find(input.target);
    if (input.kind == InputKind::CustomObject || found == program.tensors.end()) continue;
    TensorData& data = found->second;
    if (is_dense(data.meta)) continue;
    const Breadcrumb here("constant", input.target);
    if (data.storage.is_range()) verify_record_crc(*data.storage.file(), *data.storage.record());
    data.storage = Payload::of_bytes(gather(data));
    const std::vector<std::int64_t> sizes = numbers(data.meta.sizes);
    const std::vector<std::int64_t> strides = dense_strides(sizes, plain_order(sizes.size()));
    data.meta.strides.assign(strides.begin(), strides.end());
    data.meta.storage_offset = 0;
    ++stats.copied;
  }
  if (stats.copied == 0) return stats;
  std::set<NodeId> changed;
  for (const InputSpec& input : program.inputs) {  // also placeholders that share one constant
    const auto found = program.tensors.find(input.target);
    if (input.kind == InputKind::CustomObject || found == program.tensors.end()) continue;
    TensorMeta* meta = program.graph.at(input.node).value.tensor();
    if (meta == nullptr || has_strides(*meta, found->second.meta.strides)) continue;
    meta->strides = found->second.meta.strides;
    changed.insert(input.node);
  }
  propagate(program.graph, std::move(changed));
  return stats;
}

}  // namespace ptec::edge
