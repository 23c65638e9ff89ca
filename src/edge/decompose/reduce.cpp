// Reductions.
//
// Source: torch 2.14, torch/_refs/__init__.py, torch/_refs/linalg/__init__.py and
// torch/_decomp/decompositions.py.
#include <cmath>
#include <limits>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

Results sum(const Rewrite& r) {
  std::vector<NamedArgument> keywords;
  if (r.args.has(1, "dtype")) keywords.push_back({"dtype", r.args.any(1, "dtype")});
  return {r.op("sum.dim_IntList", {r.self(), Argument::List{}}, std::move(keywords))};
}

std::vector<NamedArgument> variance_keywords(Argument correction, bool keep) {
  std::vector<NamedArgument> out = {{"correction", std::move(correction)}};
  if (keep) out.push_back({"keepdim", true});
  return out;
}

/// `var` with its flag for Bessel's correction; the numbers are ints where torch has ints.
Results variance(
    const Rewrite& r, std::string_view target, std::size_t flag_at, Argument dims, bool real) {
  const bool corrected = r.args.flag_or(flag_at, "unbiased", true);
  Argument correction = std::int64_t{corrected ? 1 : 0};
  if (real) correction = corrected ? 1.0 : 0.0;
  std::vector<Argument> args = {r.self()};
  if (!dims.is_none()) args.push_back(std::move(dims));
  const bool keep = flag_at == 2 && r.args.flag_or(3, "keepdim", false);
  return r.b.calls("aten::" + std::string(target),
                   std::move(args),
                   variance_keywords(std::move(correction), keep));
}

Results var_all(const Rewrite& r) { return variance(r, "var.correction", 1, None{}, false); }
Results var_dim(const Rewrite& r) {
  return variance(r, "var.correction", 2, r.args.any(1, "dim"), false);
}
Results var_mean_all(const Rewrite& r) {
  return variance(r, "var_mean.correction", 1, None{}, false);
}
Results var_mean_dim(const Rewrite& r) {
  return variance(r, "var_mean.correction", 2, r.args.any(1, "dim"), false);
}
Results std_all(const Rewrite& r) { return variance(r, "std.correction", 1, None{}, false); }
Results std_dim(const Rewrite& r) {
  return variance(r, "std.correction", 2, r.args.any(1, "dim"), false);
}
Results std_mean_dim(const Rewrite& r) {
  return variance(r, "std_mean.correction", 2, r.args.any(1, "dim"), false);
}

/// Half is computed in float, as by Elementwise.
std::vector<Argument> deviation_arguments(const Rewrite& r, NodeId x) {
  std::vector<Argument> args = {x};
  if (r.args.has(1, "dim")) args.push_back(r.args.any(1, "dim"));
  return args;
}

std::vector<NamedArgument> deviation_keywords(const Rewrite& r) {
  return variance_keywords(r.args.number_or(r.args.count(), "correction", 1.0),
                           r.args.flag_or(r.args.count(), "keepdim", false));
}

Results std_correction(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const NodeId var = r.op("var.correction", deviation_arguments(r, x), deviation_keywords(r));
  return {cast.out(r.op("sqrt.default", {var}))};
}

Results std_mean_correction(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const Results both =
      r.b.calls("aten::var_mean.correction", deviation_arguments(r, x), deviation_keywords(r));
  const NodeId deviation = r.op("sqrt.default", {both.at(0)});
  const NodeId first = cast.out(deviation);
  return {first, cast.out(both.at(1))};
}

Results aminmax(const Rewrite& r) {
  const bool keep = r.args.flag_or(r.args.count(), "keepdim", false);
  Argument::List dims;
  if (r.args.has(r.args.count(), "dim")) dims.push_back(r.args.any(r.args.count(), "dim"));
  std::vector<Argument> args = {r.self(), dims};
  if (keep) args.emplace_back(true);
  const NodeId low = r.op("amin.default", args);
  return {low, r.op("amax.default", args)};
}

Results all_as(const Rewrite& r, std::string_view name, std::vector<Argument> rest) {
  const NodeId negated = r.op("logical_not.default", {r.self()});
  rest.insert(rest.begin(), Argument(negated));
  return {r.op("logical_not.default", {r.op(name, std::move(rest))})};
}

std::vector<Argument> dims_and_keep(const Rewrite& r) {
  std::vector<Argument> rest = {r.args.any(1, "dim")};
  if (r.args.flag_or(2, "keepdim", false)) rest.emplace_back(true);
  return rest;
}

Results all(const Rewrite& r) { return all_as(r, "any.dims", {}); }
Results all_dim(const Rewrite& r) { return all_as(r, "any.dim", dims_and_keep(r)); }
Results all_dims(const Rewrite& r) { return all_as(r, "any.dims", dims_and_keep(r)); }

Results count_nonzero(const Rewrite& r) {
  const NodeId other = r.op("ne.Scalar", {r.self(), std::int64_t{0}});
  return {r.op("sum.dim_IntList", {other, r.args.any(1, "dim")})};
}

Results logsumexp(const Rewrite& r) {
  NodeId x = r.self();
  if (!is_floating(r.b.dtype(x))) return {};
  const std::vector<std::int64_t> given = r.args.integers(1, "dim");
  const bool keep = r.args.flag_or(2, "keepdim", false);
  if (given.empty()) return {};
  const Argument dims = Builder::integers(given);
  const NodeId high = r.op("amax.default", {x, dims, true});
  const NodeId size = r.op("abs.default", {high});
  const NodeId infinite = r.op("eq.Scalar", {size, std::numeric_limits<double>::infinity()});
  const NodeId base = where_number(r, infinite, 0.0, high);
  const NodeId shaped = keep ? base : r.op("squeeze.dims", {base, dims});
  const NodeId shifted = r.op("sub.Tensor", {x, base});
  const NodeId power = r.op("exp.default", {shifted});
  std::vector<Argument> sum = {power, dims};
  if (keep) sum.emplace_back(true);
  const NodeId log = r.op("log.default", {r.op("sum.dim_IntList", std::move(sum))});
  return {r.op("add.Tensor", {log, shaped})};
}

struct NormArguments {
  Argument order;
  Argument dims;
  bool keep = false;
};

std::vector<Argument> reduction(NodeId x, const NormArguments& norm, bool for_extremum) {
  std::vector<Argument> args = {x, norm.dims};
  if (for_extremum && norm.dims.is_none()) args[1] = Argument::List{};
  if (norm.keep) args.emplace_back(true);
  return args;
}

Results norm_of(const Rewrite& r, NodeId x, const NormArguments& norm) {
  const auto* whole = std::get_if<std::int64_t>(&norm.order.v);
  const double order =
      whole != nullptr ? static_cast<double>(*whole) : std::get<double>(norm.order.v);
  const ScalarType type = r.b.dtype(x);
  if (order == 0 || std::isnan(order) || !is_floating(type)) return {};
  if (std::isinf(order)) {
    const NodeId size = r.op("abs.default", {x});
    return {r.op(order > 0 ? "amax.default" : "amin.default", reduction(size, norm, true))};
  }
  if (type == ScalarType::Float16 || type == ScalarType::BFloat16)
    x = cast(r, x, ScalarType::Float32);
  if (std::fmod(order, 2.0) != 0) x = r.op("abs.default", {x});
  const NodeId power = r.op("pow.Tensor_Scalar", {x, norm.order});
  const NodeId sum = r.op("sum.dim_IntList", reduction(power, norm, false));
  return {cast(r, r.op("pow.Tensor_Scalar", {sum, 1.0 / order}), type)};
}

/// Whether every dimension that is folded has size 1: torch then takes another way.
bool folds_nothing(const Rewrite& r, const std::vector<std::int64_t>& dims) {
  const std::vector<Dim>& sizes = r.b.sizes(r.self());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    bool named = dims.empty();
    for (const std::int64_t dim : dims) named = named || wrapped_dim(dim, sizes.size()) == i;
    if (named && !is_number(sizes[i], 1)) return false;
  }
  return true;
}

Argument wrapped_dims(const Rewrite& r, const std::vector<std::int64_t>& dims) {
  if (dims.empty()) return None{};
  std::vector<std::int64_t> out;
  for (const std::int64_t dim : dims)
    out.push_back(static_cast<std::int64_t>(wrapped_dim(dim, r.b.rank(r.self()))));
  return Builder::integers(out);
}

Results vector_norm(const Rewrite& r) {
  if (r.args.has(r.args.count(), "dtype")) return {};
  NormArguments norm;
  norm.order = r.args.any(1, "ord");
  if (norm.order.is_none()) norm.order = std::int64_t{2};
  const std::vector<std::int64_t> dims = r.args.integers(2, "dim");
  if (folds_nothing(r, dims)) return {};
  norm.dims = wrapped_dims(r, dims);
  norm.keep = r.args.flag_or(3, "keepdim", false);
  return norm_of(r, r.self(), norm);
}

/// `norm` with an exponent and dimensions.
Results norm_dims(const Rewrite& r) {
  NormArguments norm;
  norm.order = r.args.any(1, "p");
  if (norm.order.is_none()) norm.order = 2.0;
  const std::vector<std::int64_t> dims = r.args.integers(2, "dim");
  if (folds_nothing(r, dims)) return {};
  norm.dims = wrapped_dims(r, dims);
  norm.keep = r.args.flag_or(3, "keepdim", false);
  return norm_of(r, r.self(), norm);
}

Results norm_scalar(const Rewrite& r) {
  if (folds_nothing(r, {})) return {};
  NormArguments norm;
  norm.order = r.args.any(1, "p");
  if (norm.order.is_none()) norm.order = std::int64_t{2};
  norm.dims = None{};
  return norm_of(r, r.self(), norm);
}

Results pairwise_distance(const Rewrite& r) {
  const NodeId difference = r.op("sub.Tensor", {r.args.node(0, "x1"), r.args.node(1, "x2")});
  const NodeId moved = r.op("add.Scalar", {difference, r.args.number_or(3, "eps", 1e-6)});
  if (r.b.rank(moved) == 0) return {};
  NormArguments norm;
  norm.order = r.args.number_or(2, "p", 2.0);
  norm.dims = Builder::integers({static_cast<std::int64_t>(r.b.rank(moved)) - 1});
  norm.keep = r.args.flag_or(4, "keepdim", false);
  return norm_of(r, moved, norm);
}

Results cdist(const Rewrite& r) {
  return {r.op("_cdist_forward.default",
               {r.args.node(0, "x1"),
                r.args.node(1, "x2"),
                r.args.number_or(2, "p", 2.0),
                r.args.any(3, "compute_mode")})};
}

Results nansum(const Rewrite& r) {
  const NodeId missing = r.op("isnan.default", {r.self()});
  const NodeId safe = where_number(r, missing, std::int64_t{0}, r.self());
  std::vector<Argument> args = {safe, r.args.any(1, "dim")};
  if (r.args.flag_or(2, "keepdim", false)) args.emplace_back(true);
  return {r.op("sum.dim_IntList", std::move(args))};
}

Results trace(const Rewrite& r) {
  const NodeId diagonal = r.op("diagonal.default", {r.self()});
  return {r.op("sum.default", {clone_contiguous(r, diagonal)})};
}

NodeId square_norm(const Rewrite& r, NodeId x, std::int64_t dim) {
  NormArguments norm;
  norm.order = std::int64_t{2};
  norm.dims = Builder::integers({dim});
  norm.keep = true;
  const Results out = norm_of(r, x, norm);
  return r.op("clone.default", {out.at(0)});
}

Results cosine_similarity(const Rewrite& r) {
  const NodeId a = r.args.node(0, "x1");
  const NodeId b = r.args.node(1, "x2");
  if (r.b.dtype(a) != r.b.dtype(b) || r.b.sizes(a) != r.b.sizes(b) || !is_floating(r.b.dtype(a)))
    return {};
  const auto dim =
      static_cast<std::int64_t>(wrapped_dim(r.args.integer_or(2, "dim", 1), r.b.rank(a)));
  const NodeId first = square_norm(r, a, dim);
  const NodeId second = square_norm(r, b, dim);
  const NodeId eps = scalar_tensor(r, r.args.number_or(3, "eps", 1e-8), r.b.dtype(a));
  const NodeId first_safe = r.op("clamp.Tensor", {first, eps});
  const NodeId second_safe = r.op("clamp.Tensor", {second, eps});
  const NodeId right = r.op("div.Tensor", {b, second_safe});
  const NodeId left = r.op("div.Tensor", {a, first_safe});
  const NodeId product = r.op("mul.Tensor", {left, right});
  return {r.op("sum.dim_IntList", {product, Builder::integers({dim})})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::sum.default", sum},
    {"aten::var.default", var_all},
    {"aten::var.dim", var_dim},
    {"aten::var_mean.default", var_mean_all},
    {"aten::var_mean.dim", var_mean_dim},
    {"aten::std.default", std_all},
    {"aten::std.dim", std_dim},
    {"aten::std.correction", std_correction},
    {"aten::std_mean.dim", std_mean_dim},
    {"aten::std_mean.correction", std_mean_correction},
    {"aten::aminmax.default", aminmax},
    {"aten::all.default", all},
    {"aten::all.dim", all_dim},
    {"aten::all.dims", all_dims},
    {"aten::count_nonzero.default", count_nonzero},
    {"aten::count_nonzero.dim_IntList", count_nonzero},
    {"aten::logsumexp.default", logsumexp},
    {"aten::linalg_vector_norm.default", vector_norm},
    {"aten::norm.Scalar", norm_scalar},
    {"aten::norm.ScalarOpt_dim", norm_dims},
    {"aten::pairwise_distance.default", pairwise_distance},
    {"aten::cdist.default", cdist},
    {"aten::nansum.default", nansum},
    {"aten::trace.default", trace},
    {"aten::cosine_similarity.default", cosine_similarity},
};

}  // namespace

Rows<DecomposeRule> reduction_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
