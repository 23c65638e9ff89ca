#include "edge/decompose/rules.h"

#include <numeric>
#include <utility>

#include "ops/layouts.h"
#include "ops/promotion.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr MemoryFormatCode kContiguousFormat{1};  // torch.export's number

ScalarType compute_type(ScalarType type) {
  return type == ScalarType::Float16 || type == ScalarType::BFloat16 ? ScalarType::Float32 : type;
}

ScalarType type_with_number(const Rewrite& r, NodeId tensor, const Argument& number) {
  std::vector<TypedOperand> types = {{r.b.dtype(tensor), false, r.b.rank(tensor)}};
  if (const auto typed = typed_operand(r.b.program().graph, number)) types.push_back(*typed);
  return result_type(types);
}

}  // namespace

Elementwise::Elementwise(const Rewrite& r, std::initializer_list<NodeId> operands, Kind kind)
    : r_(r) {
  std::vector<TypedOperand> types;
  for (const NodeId operand : operands)
    types.push_back({r.b.dtype(operand), false, r.b.rank(operand)});
  result_ = ptec::edge::result_type(
      types, kind == Kind::IntToFloat ? PromotionKind::IntToFloat : PromotionKind::Default);
  compute_ = compute_type(result_);
  if (kind == Kind::Bool) result_ = ScalarType::Bool;
}

NodeId Elementwise::in(NodeId operand) const { return cast(r_, operand, compute_); }
NodeId Elementwise::out(NodeId result) const { return cast(r_, result, result_); }

NodeId cast(const Rewrite& r, NodeId value, ScalarType dtype) {
  if (r.meta(value).dtype == dtype) return value;
  return r.op("_to_copy.default", {value}, {{"dtype", dtype}});
}

NodeId contiguous(const Rewrite& r, NodeId value) {
  return is_contiguous(r.b.program(), r.meta(value)) ? value : clone_contiguous(r, value);
}

NodeId clone_contiguous(const Rewrite& r, NodeId value) {
  return r.op("clone.default", {value}, {{"memory_format", kContiguousFormat}});
}

NodeId view(const Rewrite& r, NodeId value, const std::vector<Dim>& sizes) {
  return r.op("view.default", {value, r.b.list(sizes)});
}

NodeId reshape(const Rewrite& r, NodeId value, const std::vector<Dim>& sizes) {
  const TensorMeta meta = r.meta(value);
  if (strides_of_view(r.b.program(), meta, sizes)) return view(r, value, sizes);
  return view(r, clone_contiguous(r, value), sizes);
}

NodeId arange(const Rewrite& r, Argument first, Argument end, std::optional<ScalarType> dtype) {
  std::vector<NamedArgument> keywords;
  if (dtype) keywords.push_back({"dtype", *dtype});
  return r.op("arange.start_step", {std::move(first), std::move(end)}, std::move(keywords));
}

NodeId unsqueeze(const Rewrite& r, NodeId value, std::int64_t dim) {
  return r.op("unsqueeze.default", {value, dim});
}

NodeId transpose(const Rewrite& r, NodeId value, std::size_t a, std::size_t b) {
  std::vector<std::int64_t> dims = count_up(r.b.rank(value));
  std::swap(dims.at(a), dims.at(b));
  return r.op("permute.default", {value, Builder::integers(dims)});
}

NodeId scalar_tensor(const Rewrite& r, Argument number, ScalarType dtype) {
  return r.op("scalar_tensor.default", {std::move(number)}, {{"dtype", dtype}});
}

NodeId where_number(const Rewrite& r, NodeId condition, Argument number, NodeId other) {
  const ScalarType type = type_with_number(r, other, number);
  const NodeId filled = scalar_tensor(r, std::move(number), type);
  return r.op("where.self", {condition, filled, cast(r, other, type)});
}

NodeId where_or_number(const Rewrite& r, NodeId condition, NodeId self, Argument number) {
  const ScalarType type = type_with_number(r, self, number);
  const NodeId filled = scalar_tensor(r, std::move(number), type);
  return r.op("where.self", {condition, cast(r, self, type), filled});
}

std::vector<std::int64_t> count_up(std::size_t count) {
  std::vector<std::int64_t> out(count);
  std::iota(out.begin(), out.end(), std::int64_t{0});
  return out;
}

}  // namespace ptec::edge
