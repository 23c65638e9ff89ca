// Operators that put tensors together, or pick elements by index.
#include <algorithm>

#include "ops/infer/inference.h"
#include "ops/promotion.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

const TensorMeta& tensor_at(const Inference& in, NodeId id) {
  return *in.program.graph.at(id).value.tensor();
}

bool is_skipped(const TensorMeta& tensor) {  // an empty list of numbers joins anything
  return tensor.sizes.size() == 1 && is_number(tensor.sizes[0], 0);
}

Value cat(const Inference& in) {
  std::vector<const TensorMeta*> parts;
  std::vector<TypedOperand> types;
  const TensorMeta* shape = nullptr;
  for (const NodeId id : in.args.nodes(0, "tensors")) {
    const TensorMeta& part = tensor_at(in, id);
    types.push_back({part.dtype, false, part.sizes.size()});
    parts.push_back(&part);
    if (!is_skipped(part) && shape == nullptr) shape = &part;
  }
  if (parts.empty()) fail(ErrorCode::Malformed, "cat of no tensors");
  if (shape == nullptr) return tensor_value(*parts[0]);
  TensorMeta out = *shape;
  const std::size_t dim = wrapped_dim(in.args.integer_or(1, "dim", 0), out.sizes.size());
  if (out.sizes.empty()) fail(ErrorCode::Malformed, "cat of tensors without dimensions");
  out.sizes[dim] = 0;
  bool channels_last = true;
  for (const TensorMeta* part : parts) {
    if (is_skipped(*part)) continue;
    if (part->sizes.size() != out.sizes.size())
      fail(ErrorCode::Malformed, "cat of tensors of different numbers of dimensions");
    out.sizes[dim] = add_dims(in.exprs(), out.sizes[dim], part->sizes[dim]);
    channels_last = channels_last && is_channels_last(in.program, *part);
  }
  out.dtype = result_type(types);
  out.storage_offset = 0;
  out.strides = channels_last
                    ? dense_strides(in.exprs(), out.sizes, channels_last_order(out.sizes.size()))
                    : plain_strides(in.exprs(), out.sizes);
  return tensor_value(std::move(out));
}

Value gather(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  return tensor_value(contiguous_meta(in, self, self.dtype, in.args.tensor(2, "index").sizes));
}

Value index_select(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  std::vector<Dim> sizes = self.sizes;
  const std::vector<Dim>& index = in.args.tensor(2, "index").sizes;
  if (!sizes.empty())
    sizes[wrapped_dim(in.args.integer(1, "dim"), sizes.size())] = index.empty() ? Dim(1) : index[0];
  return tensor_value(contiguous_meta(in, self, self.dtype, std::move(sizes)));
}

/// x[i, :, j]: the indices broadcast; they take the place of the first when they stand together,
/// else come first.
Value index(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  const Argument* list = in.args.find(1, "indices");
  if (list == nullptr || list->list() == nullptr)
    fail(ErrorCode::Malformed, "index without a list of indices");
  std::vector<const TensorMeta*> indices;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < list->list()->size(); ++i) {
    const NodeId* node = (*list->list())[i].node();
    if (node == nullptr) continue;
    const TensorMeta* tensor = in.program.graph.at(*node).value.tensor();
    if (tensor == nullptr || tensor->dtype == ScalarType::Bool ||
        tensor->dtype == ScalarType::UInt8)
      return not_known();  // an index by a mask has a size that only the data tells
    indices.push_back(tensor);
    places.push_back(i);
  }
  if (indices.empty() || places.back() >= self.sizes.size())
    fail(ErrorCode::Malformed, "more indices than dimensions, or none");
  const std::vector<Dim> picked = broadcast_sizes(indices);
  const bool together = places.back() - places.front() + 1 == places.size();
  std::vector<Dim> sizes;
  if (!together) sizes = picked;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (together && i == places.front()) sizes.insert(sizes.end(), picked.begin(), picked.end());
    if (!std::count(places.begin(), places.end(), i)) sizes.push_back(self.sizes[i]);
  }
  TensorMeta out = contiguous_meta(in, self, self.dtype, std::move(sizes));
  return tensor_value(std::move(out));
}

Value like_self(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  TensorMeta out = self;
  out.strides = preserved_strides(in, self);
  out.storage_offset = 0;
  return tensor_value(std::move(out));
}

Value embedding(const Inference& in) {
  const TensorMeta& weight = in.args.tensor(0, "weight");
  std::vector<Dim> sizes = in.args.tensor(1, "indices").sizes;
  if (weight.sizes.size() != 2) fail(ErrorCode::Malformed, "an embedding table that is no matrix");
  sizes.push_back(weight.sizes[1]);
  return tensor_value(contiguous_meta(in, weight, weight.dtype, std::move(sizes)));
}

Value repeat(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  std::vector<Dim> sizes = in.args.dims(1, "repeats");
  if (sizes.size() < self.sizes.size())
    fail(ErrorCode::Malformed, "repeat with fewer counts than dimensions");
  const std::size_t offset = sizes.size() - self.sizes.size();
  for (std::size_t i = 0; i < self.sizes.size(); ++i)
    sizes[offset + i] = multiply_dims(in.exprs(), sizes[offset + i], self.sizes[i]);
  return tensor_value(contiguous_meta(in, self, self.dtype, std::move(sizes)));
}

constexpr InferRule kRules[] = {
    {"aten::cat.default", cat},
    {"aten::gather.default", gather},
    {"aten::index_select.default", index_select},
    {"aten::index.Tensor", index},
    {"aten::index_put.default", like_self},
    {"aten::scatter.src", like_self},
    {"aten::scatter.value", like_self},
    {"aten::scatter_add.default", like_self},
    {"aten::scatter_reduce.two", like_self},
    {"aten::slice_scatter.default", like_self},
    {"aten::masked_scatter.default", like_self},
    {"aten::flip.default", like_self},
    {"aten::embedding.default", embedding},
    {"aten::repeat.default", repeat},
};

}  // namespace

Rows<InferRule> indexing_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
