#include "edge/constant_layout.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ops/layouts.h"
#include "support/error.h"
#include "support/payload_reader.h"

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
  return sizes.size() == 4 && laid_out_as(sizes, strides, dense_strides(sizes, kChannelsLastOrder));
}

/// Whether the dims by falling stride, equal ones in place, are an order that kernels know. It
/// isn't where a dim of size 1 has the stride of another layout: (0, 2, 1, 3) for the weight of a
/// depthwise convolution, channels last.
bool has_known_order(const TensorMeta& meta) {
  const std::vector<std::int64_t> strides = numbers(meta.strides);
  std::vector<std::size_t> order = plain_order(strides.size());
  std::stable_sort(order.begin(), order.end(), [&strides](std::size_t a, std::size_t b) {
    return strides[a] > strides[b];
  });
  return order == plain_order(order.size()) || order == kChannelsLastOrder;
}

void use_plain_strides(TensorMeta& meta) {
  const std::vector<std::int64_t> sizes = numbers(meta.sizes);
  const std::vector<std::int64_t> strides = dense_strides(sizes, plain_order(sizes.size()));
  meta.strides.assign(strides.begin(), strides.end());
}

std::vector<std::byte> gather(const TensorData& data, RecordSums& sums) {
  const std::vector<std::byte> storage = read_payload(data.storage, kMaxGatheredBytes, sums);
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

}  // namespace

ConstantLayoutStats normalize_constant_layout(Program& program) {
  ConstantLayoutStats stats;
  RecordSums sums;
  for (const InputSpec& input : program.inputs) {
    const auto found = program.tensors.find(input.target);
    if (input.kind == InputKind::CustomObject || found == program.tensors.end()) continue;
    TensorData& data = found->second;
    if (is_dense(data.meta)) {
      if (has_known_order(data.meta)) continue;
      use_plain_strides(data.meta);  // its bytes lie so already
      ++stats.restrided;
      continue;
    }
    const Breadcrumb here("constant", input.target);
    data.storage = Payload::of_bytes(gather(data, sums));
    use_plain_strides(data.meta);
    data.meta.storage_offset = 0;
    ++stats.copied;
  }
  if (stats.copied == 0 && stats.restrided == 0) return stats;
  std::set<NodeId> changed;
  for (const InputSpec& input : program.inputs) {  // also placeholders that share one constant
    const auto found = program.tensors.find(input.target);
    if (input.kind == InputKind::CustomObject || found == program.tensors.end()) continue;
    TensorMeta* meta = program.graph.at(input.node).value.tensor();
    if (meta == nullptr || has_strides(*meta, found->second.meta.strides)) continue;
    meta->strides = found->second.meta.strides;
    changed.insert(input.node);
  }
  propagate_strides(program, std::move(changed));
  return stats;
}

}  // namespace ptec::edge
