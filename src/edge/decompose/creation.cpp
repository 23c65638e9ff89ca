// New tensors.
//
// Source: torch 2.14, torch/_refs/__init__.py.
#include "edge/decompose/rules.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr ScalarType kDefaultFloat = ScalarType::Float32;

std::optional<ScalarType> dtype_of(const Rewrite& r) {
  const Argument found = r.args.any(r.args.count(), "dtype");
  const auto* dtype = std::get_if<ScalarType>(&found.v);
  return dtype == nullptr ? std::nullopt : std::optional<ScalarType>(*dtype);
}

/// 1 in the type of the tensor, as torch's refs have it.
Argument number_of(ScalarType dtype, std::int64_t number) {
  if (is_floating(dtype)) return static_cast<double>(number);
  if (dtype == ScalarType::Bool) return number != 0;
  return number;
}

NodeId full(const Rewrite& r, Argument sizes, Argument value, ScalarType dtype) {
  return r.op("full.default", {std::move(sizes), std::move(value)}, {{"dtype", dtype}});
}

Results filled(const Rewrite& r, std::int64_t number) {
  const ScalarType dtype = dtype_of(r).value_or(kDefaultFloat);
  return {full(r, r.args.any(0, "size"), std::int64_t{number}, dtype)};
}
Results zeros(const Rewrite& r) { return filled(r, 0); }
Results ones(const Rewrite& r) { return filled(r, 1); }

Results new_filled(const Rewrite& r, std::int64_t number) {
  const ScalarType dtype = dtype_of(r).value_or(r.b.dtype(r.self()));
  return {full(r, r.args.any(1, "size"), number_of(dtype, number), dtype)};
}
Results new_zeros(const Rewrite& r) { return new_filled(r, 0); }
Results new_ones(const Rewrite& r) { return new_filled(r, 1); }
Results new_full(const Rewrite& r) {
  const ScalarType dtype = dtype_of(r).value_or(r.b.dtype(r.self()));
  return {full(r, r.args.any(1, "size"), r.args.any(2, "fill_value"), dtype)};
}

Results like(const Rewrite& r, Argument value) {
  std::vector<NamedArgument> keywords = r.args.keywords();
  return {r.op("full_like.default", {r.self(), std::move(value)}, std::move(keywords))};
}
Results zeros_like(const Rewrite& r) {
  return like(r, number_of(dtype_of(r).value_or(r.b.dtype(r.self())), 0));
}
Results ones_like(const Rewrite& r) {
  return like(r, number_of(dtype_of(r).value_or(r.b.dtype(r.self())), 1));
}

Results arange_to(const Rewrite& r) {
  return {r.op("arange.start_step",
               {std::int64_t{0}, r.args.any(0, "end"), std::int64_t{1}},
               r.args.keywords())};
}

Results arange_from(const Rewrite& r) {
  return {r.op("arange.start_step",
               {r.args.any(0, "start"), r.args.any(1, "end"), std::int64_t{1}},
               r.args.keywords())};
}

constexpr DecomposeRule kRules[] = {
    {"aten::zeros.default", zeros},
    {"aten::ones.default", ones},
    {"aten::new_zeros.default", new_zeros},
    {"aten::new_ones.default", new_ones},
    {"aten::new_full.default", new_full},
    {"aten::zeros_like.default", zeros_like},
    {"aten::ones_like.default", ones_like},
    {"aten::arange.default", arange_to},
    {"aten::arange.start", arange_from},
};

}  // namespace

RuleRows<DecomposeRule> creation_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
