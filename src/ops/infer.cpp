#include "ops/infer.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "ops/infer/inference.h"

namespace ptec::edge {
namespace {

using Table = std::unordered_map<std::string_view, Value (*)(const Inference&)>;  // looked up only

const Table& table() {
  static const Table rules = [] {
    Table out;
    for (const Rows<InferRule>& rows : {creation_inference(),
                                        indexing_inference(),
                                        matmul_inference(),
                                        pointwise_inference(),
                                        reduction_inference(),
                                        spatial_inference(),
                                        view_inference()}) {
      for (const InferRule& rule : rows) out.emplace(rule.target, rule.infer);
    }
    return out;
  }();
  return rules;
}

/// The view that a copying operator copies, "aten::view.default" for "aten::view_copy.default".
std::string view_of(std::string_view target) {
  const std::size_t found = target.find("_copy.");
  if (found == std::string_view::npos) return {};
  return std::string(target.substr(0, found)) + std::string(target.substr(found + 5));
}

void make_contiguous(ExprPool& exprs, TensorMeta& meta) {
  meta.strides = plain_strides(exprs, meta.sizes);
  meta.storage_offset = 0;
}

Value contiguous(ExprPool& exprs, Value value) {
  if (TensorMeta* tensor = value.tensor()) make_contiguous(exprs, *tensor);
  if (auto* list = std::get_if<std::vector<ValueItem>>(&value.v)) {
    for (ValueItem& item : *list) {
      if (auto* tensor = std::get_if<TensorMeta>(&item)) make_contiguous(exprs, *tensor);
    }
  }
  return value;
}

}  // namespace

bool can_infer(std::string_view target) {
  return table().contains(target) || table().contains(view_of(target));
}

std::optional<Value> infer_value(Program& program, const Node& node) {
  const Inference in{program, CallArguments(program, node)};
  const auto own = table().find(node.target);
  const auto rule = own != table().end() ? own : table().find(view_of(node.target));
  if (rule == table().end()) return std::nullopt;
  Value value = rule->second(in);
  if (std::holds_alternative<NoValue>(value.v)) return std::nullopt;
  return own != table().end() ? std::move(value) : contiguous(program.exprs, std::move(value));
}

}  // namespace ptec::edge
