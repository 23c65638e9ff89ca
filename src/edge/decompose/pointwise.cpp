// Operators on elements that are a few others.
//
// Source: torch 2.14, torch/_decomp/decompositions.py and torch/_refs/__init__.py.
#include <cmath>
#include <limits>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.14159265358979323846;

Results square(const Rewrite& r) {
  return {r.op("pow.Tensor_Scalar", {r.self(), std::int64_t{2}})};
}

Results sgn(const Rewrite& r) { return {r.op("sign.default", {r.self()})}; }

Results frac(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const NodeId whole = r.op("trunc.default", {x});
  return {cast.out(r.op("sub.Tensor", {x, whole}))};
}

Results times(const Rewrite& r, double factor) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  return {cast.out(r.op("mul.Tensor", {cast.in(r.self()), factor}))};
}

Results deg2rad(const Rewrite& r) { return times(r, kPi / 180.0); }
Results rad2deg(const Rewrite& r) { return times(r, 180.0 / kPi); }

Results sinc(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = r.op("mul.Tensor", {cast.in(r.self()), kPi});
  const NodeId zero = r.op("eq.Scalar", {x, std::int64_t{0}});
  const NodeId sine = r.op("sin.default", {x});
  const NodeId quotient = r.op("div.Tensor", {sine, x});
  return {cast.out(where_number(r, zero, std::int64_t{1}, quotient))};
}

NodeId finite(const Rewrite& r, NodeId x) {
  const NodeId size = r.op("abs.default", {x});
  const NodeId bounded = r.op("ne.Scalar", {size, kInfinity});
  const NodeId number = r.op("eq.Tensor", {x, x});
  return r.op("mul.Tensor", {number, bounded});
}

bool is_real_number(const Rewrite& r, NodeId x) { return is_floating(r.b.dtype(x)); }

Results isfinite(const Rewrite& r) {
  if (!is_real_number(r, r.self())) return {};
  return {finite(r, r.self())};
}

Results isneginf(const Rewrite& r) {
  if (!is_real_number(r, r.self())) return {};
  return {r.op("eq.Scalar", {r.self(), -kInfinity})};
}

Results isposinf(const Rewrite& r) {
  if (!is_real_number(r, r.self())) return {};
  return {r.op("eq.Scalar", {r.self(), kInfinity})};
}

double largest(ScalarType type) {
  switch (type) {
    case ScalarType::Float16:
      return 65504.0;
    case ScalarType::BFloat16:
      return std::ldexp(255.0, 120);
    case ScalarType::Float64:
      return std::numeric_limits<double>::max();
    default:
      return static_cast<double>(std::numeric_limits<float>::max());
  }
}

Results nan_to_num(const Rewrite& r) {
  const NodeId x = r.self();
  if (!is_real_number(r, x)) return {};
  const double limit = largest(r.b.dtype(x));
  NodeId out = where_number(r, r.op("isnan.default", {x}), r.args.number_or(1, "nan", 0.0), x);
  const NodeId low = r.op("eq.Scalar", {x, -kInfinity});
  out = where_number(r, low, r.args.number_or(3, "neginf", -limit), out);
  const NodeId high = r.op("eq.Scalar", {x, kInfinity});
  return {where_number(r, high, r.args.number_or(2, "posinf", limit), out)};
}

Results logit(const Rewrite& r) {
  const double eps = r.args.number_or(1, "eps", -1.0);
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const NodeId low = r.op("lt.Scalar", {x, eps});
  const NodeId high = r.op("gt.Scalar", {x, 1 - eps});
  const NodeId below = where_number(r, high, 1 - eps, x);
  const NodeId inside = where_number(r, low, eps, below);
  const NodeId rest = r.op("sub.Tensor", {std::int64_t{1}, inside});
  const NodeId odds = r.op("div.Tensor", {inside, rest});
  return {cast.out(r.op("log.default", {odds}))};
}

Results rsub(const Rewrite& r) {
  if (r.args.number_or(2, "alpha", 1) != 1) return {};
  return {r.op("sub.Tensor", {r.args.any(1, "other"), r.self()})};
}

Results floor_divide(const Rewrite& r) {
  return {r.op("div.Tensor_mode",
               {r.self(), r.args.any(1, "other")},
               {{"rounding_mode", std::string("floor")}})};
}

Results float_power(const Rewrite& r) {
  const NodeId x = cast(r, r.self(), ScalarType::Float64);
  return {r.op("pow.Tensor_Scalar", {x, r.args.number(1, "exponent")})};
}

Results addcmul_with(const Rewrite& r, std::string_view name) {
  const NodeId a = r.args.node(1, "tensor1");
  const NodeId b = r.args.node(2, "tensor2");
  const Elementwise cast(r, {r.self(), a, b});
  Argument value = r.args.any(3, "value");
  if (value.is_none()) value = std::int64_t{1};
  const NodeId self = cast.in(r.self());
  const NodeId first = cast.in(a);
  const NodeId second = cast.in(b);
  const NodeId scaled = r.op("mul.Tensor", {first, value});
  const NodeId combined = r.op(name, {scaled, second});
  return {cast.out(r.op("add.Tensor", {self, combined}))};
}

Results addcmul(const Rewrite& r) { return addcmul_with(r, "mul.Tensor"); }
Results addcdiv(const Rewrite& r) { return addcmul_with(r, "div.Tensor"); }

NodeId interpolated(const Rewrite& r, NodeId start, NodeId end, NodeId weight) {
  const NodeId size = r.op("abs.default", {weight});
  const NodeId far = r.op("ge.Scalar", {size, 0.5});
  const NodeId less = r.op("sub.Tensor", {weight, std::int64_t{1}});
  const NodeId factor = r.op("where.self", {far, less, weight});
  const NodeId base = r.op("where.self", {far, end, start});
  const NodeId difference = r.op("sub.Tensor", {end, start});
  const NodeId part = r.op("mul.Tensor", {factor, difference});
  return r.op("add.Tensor", {part, base});
}

Results lerp_tensor(const Rewrite& r) {
  const NodeId end = r.args.node(1, "end");
  const NodeId weight = r.args.node(2, "weight");
  const Elementwise cast(r, {r.self(), end, weight});
  const NodeId a = cast.in(r.self());
  const NodeId b = cast.in(end);
  return {cast.out(interpolated(r, a, b, cast.in(weight)))};
}

Results lerp_scalar(const Rewrite& r) {
  const NodeId end = r.args.node(1, "end");
  const Elementwise cast(r, {r.self(), end});
  const NodeId a = cast.in(r.self());
  const NodeId b = cast.in(end);
  const NodeId weight =
      r.op("full.default", {Argument::List{}, r.args.any(2, "weight")}, {{"dtype", r.b.dtype(a)}});
  return {cast.out(interpolated(r, a, b, weight))};
}

Results clamp_min(const Rewrite& r) {
  return {r.op("clamp.default", {r.self(), r.args.any(1, "min")})};
}

Results clamp_max(const Rewrite& r) {
  return {r.op("clamp.default", {r.self(), None{}, r.args.any(1, "max")})};
}

Results where_self_number(const Rewrite& r) {
  return {where_or_number(
      r, r.args.node(0, "condition"), r.args.node(1, "self"), r.args.any(2, "other"))};
}

Results where_number_other(const Rewrite& r) {
  return {
      where_number(r, r.args.node(0, "condition"), r.args.any(1, "self"), r.args.node(2, "other"))};
}

Results where_numbers(const Rewrite& r) {
  const Argument self = r.args.any(1, "self");
  const Argument other = r.args.any(2, "other");
  const auto real = [](const Argument& a) { return std::holds_alternative<double>(a.v); };
  const auto flag = [](const Argument& a) { return std::holds_alternative<bool>(a.v); };
  const ScalarType type = real(self) || real(other)   ? ScalarType::Float32
                          : flag(self) && flag(other) ? ScalarType::Bool
                                                      : ScalarType::Int64;
  const NodeId second = scalar_tensor(r, other, type);
  const NodeId first = scalar_tensor(r, self, type);
  return {r.op("where.self", {r.args.node(0, "condition"), first, second})};
}

Results masked_fill_number(const Rewrite& r) {
  const NodeId x = r.self();
  const NodeId value = scalar_tensor(r, r.args.any(2, "value"), r.b.dtype(x));
  return {r.op("where.self", {r.args.node(1, "mask"), value, x})};
}

Results masked_fill_tensor(const Rewrite& r) {
  const NodeId x = r.self();
  const NodeId value = cast(r, r.args.node(2, "value"), r.b.dtype(x));
  return {r.op("where.self", {r.args.node(1, "mask"), value, x})};
}

Results fill_tensor(const Rewrite& r) {
  return {r.op("copy.default", {r.self(), r.args.node(1, "value")})};
}

Results xlogy(const Rewrite& r) {
  const NodeId other = r.args.node(1, "other");
  const Elementwise cast(r, {r.self(), other}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const NodeId y = cast.in(other);
  const NodeId zero = r.op("eq.Scalar", {x, std::int64_t{0}});
  const NodeId log = r.op("log.default", {y});
  const NodeId product = r.op("mul.Tensor", {x, log});
  const NodeId safe = where_number(r, zero, std::int64_t{0}, product);
  const NodeId missing = r.op("isnan.default", {y});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {cast.out(where_number(r, missing, nan, safe))};
}

Results logaddexp(const Rewrite& r) {
  const NodeId other = r.args.node(1, "other");
  const Elementwise cast(r, {r.self(), other});
  const NodeId a = cast.in(r.self());
  const NodeId b = cast.in(other);
  const NodeId larger = r.op("ge.Tensor", {a, b});
  const NodeId high = r.op("where.self", {larger, a, b});
  const NodeId low = r.op("where.self", {larger, b, a});
  const NodeId infinite = r.op("logical_not.default", {finite(r, a)});
  const NodeId equal = r.op("eq.Tensor", {a, b});
  const NodeId both = r.op("logical_and.default", {infinite, equal});
  const NodeId difference = r.op("sub.Tensor", {low, high});
  const NodeId power = r.op("exp.default", {difference});
  const NodeId log = r.op("log1p.default", {power});
  const NodeId sum = r.op("add.Tensor", {high, log});
  return {cast.out(r.op("where.self", {both, a, sum}))};
}

Results isclose(const Rewrite& r) {
  const NodeId a = r.self();
  const NodeId b = r.args.node(1, "other");
  if (!is_real_number(r, a) || r.args.flag_or(4, "equal_nan", false)) return {};
  const NodeId equal = r.op("eq.Tensor", {a, b});
  const NodeId scaled = r.op("mul.Scalar", {b, r.args.number_or(2, "rtol", 1e-5)});
  const NodeId size = r.op("abs.default", {scaled});
  const NodeId allowed = r.op("add.Scalar", {size, r.args.number_or(3, "atol", 1e-8)});
  const NodeId difference = r.op("sub.Tensor", {a, b});
  const NodeId actual = r.op("abs.default", {difference});
  const NodeId bounded = finite(r, actual);
  const NodeId within = r.op("le.Tensor", {actual, allowed});
  const NodeId close = r.op("bitwise_and.Tensor", {bounded, within});
  return {r.op("bitwise_or.Tensor", {equal, close})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::square.default", square},
    {"aten::sgn.default", sgn},
    {"aten::frac.default", frac},
    {"aten::deg2rad.default", deg2rad},
    {"aten::rad2deg.default", rad2deg},
    {"aten::sinc.default", sinc},
    {"aten::special_sinc.default", sinc},
    {"aten::isfinite.default", isfinite},
    {"aten::isneginf.default", isneginf},
    {"aten::isposinf.default", isposinf},
    {"aten::nan_to_num.default", nan_to_num},
    {"aten::logit.default", logit},
    {"aten::special_logit.default", logit},
    {"aten::rsub.Scalar", rsub},
    {"aten::rsub.Tensor", rsub},
    {"aten::floor_divide.default", floor_divide},
    {"aten::floor_divide.Scalar", floor_divide},
    {"aten::float_power.Tensor_Scalar", float_power},
    {"aten::addcmul.default", addcmul},
    {"aten::addcdiv.default", addcdiv},
    {"aten::lerp.Scalar", lerp_scalar},
    {"aten::lerp.Tensor", lerp_tensor},
    {"aten::clamp_min.default", clamp_min},
    {"aten::clamp_max.default", clamp_max},
    {"aten::where.ScalarOther", where_self_number},
    {"aten::where.ScalarSelf", where_number_other},
    {"aten::where.Scalar", where_numbers},
    {"aten::masked_fill.Scalar", masked_fill_number},
    {"aten::masked_fill.Tensor", masked_fill_tensor},
    {"aten::fill.Tensor", fill_tensor},
    {"aten::xlogy.Tensor", xlogy},
    {"aten::special_xlogy.default", xlogy},
    {"aten::logaddexp.default", logaddexp},
    {"aten::isclose.default", isclose},
};

constexpr Renaming kRenamings[] = {
    {"aten::negative.default", "aten::neg.default"},
    {"aten::absolute.default", "aten::abs.default"},
    {"aten::arccos.default", "aten::acos.default"},
    {"aten::arccosh.default", "aten::acosh.default"},
    {"aten::arcsin.default", "aten::asin.default"},
    {"aten::arcsinh.default", "aten::asinh.default"},
    {"aten::arctan.default", "aten::atan.default"},
    {"aten::arctan2.default", "aten::atan2.default"},
    {"aten::arctanh.default", "aten::atanh.default"},
    {"aten::fix.default", "aten::trunc.default"},
    {"aten::lift_fresh_copy.default", "aten::clone.default"},
    {"aten::special_erf.default", "aten::erf.default"},
    {"aten::special_erfc.default", "aten::erfc.default"},
    {"aten::special_erfinv.default", "aten::erfinv.default"},
    {"aten::special_exp2.default", "aten::exp2.default"},
    {"aten::special_expit.default", "aten::sigmoid.default"},
    {"aten::special_expm1.default", "aten::expm1.default"},
    {"aten::special_log1p.default", "aten::log1p.default"},
    {"aten::max.other", "aten::maximum.default"},
    {"aten::min.other", "aten::minimum.default"},
    {"aten::clip.default", "aten::clamp.default"},
    {"aten::clip.Tensor", "aten::clamp.Tensor"},
    {"aten::true_divide.Tensor", "aten::div.Tensor"},
    {"aten::true_divide.Scalar", "aten::div.Tensor"},
    {"aten::divide.Tensor", "aten::div.Tensor"},
    {"aten::divide.Scalar", "aten::div.Tensor"},
    {"aten::divide.Tensor_mode", "aten::div.Tensor_mode"},
    {"aten::multiply.Tensor", "aten::mul.Tensor"},
    {"aten::multiply.Scalar", "aten::mul.Tensor"},
    {"aten::subtract.Tensor", "aten::sub.Tensor"},
    {"aten::subtract.Scalar", "aten::sub.Tensor"},
    {"aten::greater.Tensor", "aten::gt.Tensor"},
    {"aten::greater.Scalar", "aten::gt.Scalar"},
    {"aten::greater_equal.Tensor", "aten::ge.Tensor"},
    {"aten::greater_equal.Scalar", "aten::ge.Scalar"},
    {"aten::less.Tensor", "aten::lt.Tensor"},
    {"aten::less.Scalar", "aten::lt.Scalar"},
    {"aten::less_equal.Tensor", "aten::le.Tensor"},
    {"aten::less_equal.Scalar", "aten::le.Scalar"},
    {"aten::not_equal.Tensor", "aten::ne.Tensor"},
    {"aten::not_equal.Scalar", "aten::ne.Scalar"},
    {"aten::__and__.Tensor", "aten::bitwise_and.Tensor"},
    {"aten::__and__.Scalar", "aten::bitwise_and.Scalar"},
    {"aten::__or__.Tensor", "aten::bitwise_or.Tensor"},
    {"aten::__or__.Scalar", "aten::bitwise_or.Scalar"},
    {"aten::__xor__.Tensor", "aten::bitwise_xor.Tensor"},
    {"aten::__xor__.Scalar", "aten::bitwise_xor.Scalar"},
    {"aten::concat.default", "aten::cat.default"},
    {"aten::concatenate.default", "aten::cat.default"},
    {"aten::linalg_matmul.default", "aten::matmul.default"},
    {"aten::special_softmax.default", "aten::softmax.int"},
    {"aten::special_log_softmax.default", "aten::log_softmax.int"},
    {"aten::ger.default", "aten::outer.default"},
    {"aten::swapaxes.default", "aten::transpose.int"},
    {"aten::swapdims.default", "aten::transpose.int"},
    {"aten::moveaxis.intlist", "aten::movedim.intlist"},
    {"aten::moveaxis.int", "aten::movedim.int"},
    {"aten::row_stack.default", "aten::vstack.default"},
    {"aten::_reshape_copy.default", "aten::reshape.default"},
    {"aten::item.default", "aten::_local_scalar_dense.default"},
};

}  // namespace

Rows<DecomposeRule> pointwise_rules() { return {kRules, std::size(kRules)}; }
Rows<Renaming> renamings() { return {kRenamings, std::size(kRenamings)}; }

}  // namespace ptec::edge
