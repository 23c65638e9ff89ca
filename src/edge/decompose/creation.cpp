// New tensors.
//
// Source: torch 2.14, torch/_refs/__init__.py.
#include <algorithm>

#include "edge/decompose/rules.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr ScalarType kDefaultFloat = ScalarType::Float32;
constexpr MemoryFormatCode kPreserveFormat{4};  // torch.export's number

std::optional<ScalarType> dtype_of(const Rewrite& r) {
  const Argument found = r.args.any(r.args.count(), "dtype");
  const auto* dtype = std::get_if<ScalarType>(&found.v);
  return dtype == nullptr ? std::nullopt : std::optional<ScalarType>(*dtype);
}

/// 0 or 1, as a bool where the tensor is one.
Argument number_of(ScalarType dtype, std::int64_t number) {
  if (dtype == ScalarType::Bool) return number != 0;
  return number;
}

NodeId full(const Rewrite& r, Argument sizes, Argument value, ScalarType dtype) {
  return r.op("full.default", {std::move(sizes), std::move(value)}, {{"dtype", dtype}});
}

Results filled(const Rewrite& r, std::int64_t number) {
  const ScalarType dtype = dtype_of(r).value_or(kDefaultFloat);
  return {full(r, r.args.any(0, "size"), number_of(dtype, number), dtype)};
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
  if (!r.args.has(r.args.count(), "memory_format"))
    keywords.push_back({"memory_format", kPreserveFormat});
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

NodeId difference_of_places(const Rewrite& r, const Dim& rows, const Dim& columns) {
  const NodeId across = arange(r, std::int64_t{0}, r.b.size(columns), std::nullopt);
  const NodeId row = unsqueeze(r, across, -2);
  const NodeId down = arange(r, std::int64_t{0}, r.b.size(rows), std::nullopt);
  const NodeId column = unsqueeze(r, down, -1);
  return r.op("sub.Tensor", {row, column});
}

/// One side of the diagonal; the other becomes zero.
Results triangle(const Rewrite& r, std::string_view compare) {
  const NodeId x = r.self();
  const std::vector<Dim> sizes = r.b.sizes(x);
  if (sizes.size() < 2) return {};
  const NodeId places = difference_of_places(r, sizes[sizes.size() - 2], sizes[sizes.size() - 1]);
  const NodeId mask = r.op(compare, {places, r.args.integer_or(1, "diagonal", 0)});
  const NodeId kept = r.b.dtype(x) == ScalarType::Bool
                          ? r.op("logical_and.default", {mask, x})
                          : where_or_number(r, mask, x, std::int64_t{0});
  return {contiguous(r, kept)};
}
Results tril(const Rewrite& r) { return triangle(r, "le.Scalar"); }
Results triu(const Rewrite& r) { return triangle(r, "ge.Scalar"); }

/// The smallest type that holds a number, as torch counts the rows of `eye`.
ScalarType counting_type(std::int64_t largest) {
  if (largest < 256) return ScalarType::UInt8;
  if (largest < 65536) return ScalarType::UInt16;
  return largest < (std::int64_t{1} << 31) ? ScalarType::Int32 : ScalarType::Int64;
}

NodeId eye_of(const Rewrite& r, const Dim& rows, const Dim& columns) {
  ScalarType type = ScalarType::Int64;
  if (rows.is_number() && columns.is_number())
    type = counting_type(std::max(rows.number(), columns.number()));
  const NodeId down = arange(r, std::int64_t{0}, r.b.size(rows), type);
  const NodeId across = arange(r, std::int64_t{0}, r.b.size(columns), type);
  const NodeId same = r.op("eq.Tensor", {unsqueeze(r, down, -1), across});
  return cast(r, same, dtype_of(r).value_or(kDefaultFloat));
}

Results eye(const Rewrite& r) { return {eye_of(r, r.args.dim(0, "n"), r.args.dim(0, "n"))}; }
Results eye_m(const Rewrite& r) { return {eye_of(r, r.args.dim(0, "n"), r.args.dim(1, "m"))}; }

/// From both ends to the middle, so that both are exact.
Results linspace(const Rewrite& r) {
  const std::int64_t steps = r.args.integer(2, "steps");
  if (steps < 2 || dtype_of(r).value_or(kDefaultFloat) != ScalarType::Float32) return {};
  const double length = r.args.number(1, "end") - r.args.number(0, "start");
  const double step = length / static_cast<double>(steps - 1);
  const NodeId places = arange(r, std::int64_t{0}, steps, std::nullopt);
  const NodeId first = r.op("lt.Scalar", {places, static_cast<double>(steps) / 2});
  const NodeId real = cast(r, places, ScalarType::Float32);
  const NodeId scaled = r.op("mul.Tensor", {real, step});
  const NodeId left = r.op("add.Tensor", {scaled, r.args.any(0, "start")});
  const NodeId rest = r.op("sub.Tensor", {steps - 1, places});
  const NodeId rest_real = cast(r, rest, ScalarType::Float32);
  const NodeId rest_scaled = r.op("mul.Tensor", {rest_real, step});
  const NodeId right = r.op("sub.Tensor", {r.args.any(1, "end"), rest_scaled});
  return {r.op("where.self", {first, left, right})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::linspace.default", linspace},
    {"aten::tril.default", tril},
    {"aten::triu.default", triu},
    {"aten::eye.default", eye},
    {"aten::eye.m", eye_m},
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

Rows<DecomposeRule> creation_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
