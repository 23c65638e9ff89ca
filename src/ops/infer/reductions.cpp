// Operators that fold dimensions, and those along one dimension.
#include <algorithm>

#include "ops/infer/inference.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

bool is_integral(ScalarType type) { return !is_floating(type) && !is_complex(type); }

/// Which dimensions a reduction folds: all when none is named.
std::vector<bool> folded(const TensorMeta& self, const std::vector<std::int64_t>& dims) {
  std::vector<bool> out(std::max<std::size_t>(self.sizes.size(), 1), dims.empty());
  for (const std::int64_t dim : dims) out[wrapped_dim(dim, self.sizes.size())] = true;
  return out;
}

TensorMeta reduced(const Inference& in,
                   const std::vector<std::int64_t>& dims,
                   bool keep,
                   ScalarType dtype) {
  const TensorMeta& self = in.args.tensor(0, "self");
  const std::vector<bool> fold = folded(self, dims);
  std::vector<Dim> sizes;
  for (std::size_t i = 0; i < self.sizes.size(); ++i) {
    if (!fold[i] || keep) sizes.push_back(fold[i] ? Dim(1) : self.sizes[i]);
  }
  return contiguous_meta(in, self, dtype, std::move(sizes));
}

ScalarType sum_type(const Inference& in, std::size_t index) {
  if (const std::optional<ScalarType> dtype = dtype_argument(in, index)) return *dtype;
  const ScalarType self = in.args.tensor(0, "self").dtype;
  return is_integral(self) ? ScalarType::Int64 : self;
}

Value sum_dims(const Inference& in) {
  return tensor_value(reduced(
      in, in.args.integers(1, "dim"), in.args.flag_or(2, "keepdim", false), sum_type(in, 3)));
}

Value sum_all(const Inference& in) { return tensor_value(reduced(in, {}, false, sum_type(in, 1))); }

Value mean_all(const Inference& in) {
  const std::optional<ScalarType> dtype = dtype_argument(in, 1);
  return tensor_value(reduced(in, {}, false, dtype.value_or(in.args.tensor(0, "self").dtype)));
}

Value mean_dims(const Inference& in) {
  const std::optional<ScalarType> dtype = dtype_argument(in, 3);
  return tensor_value(reduced(in,
                              in.args.integers(1, "dim"),
                              in.args.flag_or(2, "keepdim", false),
                              dtype.value_or(in.args.tensor(0, "self").dtype)));
}

Value extremum_dims(const Inference& in) {  // amax, amin
  return tensor_value(reduced(in,
                              in.args.integers(1, "dim"),
                              in.args.flag_or(2, "keepdim", false),
                              in.args.tensor(0, "self").dtype));
}

Value extremum_all(const Inference& in) {
  return tensor_value(reduced(in, {}, false, in.args.tensor(0, "self").dtype));
}

Value extremum_dim(const Inference& in) {  // values and their places
  const std::vector<std::int64_t> dims = {in.args.integer(1, "dim")};
  const bool keep = in.args.flag_or(2, "keepdim", false);
  return list_value({reduced(in, dims, keep, in.args.tensor(0, "self").dtype),
                     reduced(in, dims, keep, ScalarType::Int64)});
}

Value place_of_extremum(const Inference& in) {  // argmax, argmin
  return tensor_value(reduced(
      in, in.args.integers(1, "dim"), in.args.flag_or(2, "keepdim", false), ScalarType::Int64));
}

Value any_all(const Inference& in) {
  return tensor_value(reduced(in, {}, false, ScalarType::Bool));
}

Value any_dims(const Inference& in) {
  // Of all reductions, this one takes an empty list of dimensions at its word.
  if (in.args.has(1, "dim") && in.args.integers(1, "dim").empty()) {
    const TensorMeta& self = in.args.tensor(0, "self");
    return tensor_value(contiguous_meta(in, self, ScalarType::Bool, self.sizes));
  }
  return tensor_value(reduced(
      in, in.args.integers(1, "dim"), in.args.flag_or(2, "keepdim", false), ScalarType::Bool));
}

Value prod_dim(const Inference& in) {
  return tensor_value(reduced(
      in, in.args.integers(1, "dim"), in.args.flag_or(2, "keepdim", false), sum_type(in, 3)));
}

Value variance(const Inference& in) {
  return tensor_value(reduced(in,
                              in.args.integers(1, "dim"),
                              in.args.flag_or(3, "keepdim", false),
                              in.args.tensor(0, "self").dtype));
}

Value variance_dims(const Inference& in) {
  return tensor_value(reduced(in,
                              in.args.integers(1, "dim"),
                              in.args.flag_or(3, "keepdim", false),
                              in.args.tensor(0, "self").dtype));
}

Value variance_and_mean(const Inference& in) {
  const TensorMeta one = *variance(in).tensor();
  return list_value({one, one});
}

Value along_dim(const Inference& in) {  // cumsum, softmax: the layout stays
  const TensorMeta& self = in.args.tensor(0, "self");
  TensorMeta out = self;
  out.strides = preserved_strides(in, self);
  out.storage_offset = 0;
  return tensor_value(std::move(out));
}

Value softmax(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  TensorMeta out = *along_dim(in).tensor();
  out.dtype = in.args.flag_or(2, "half_to_float", false) ? ScalarType::Float32 : self.dtype;
  out.strides = preserved_strides(in, self);
  return tensor_value(std::move(out));
}

Value cumsum(const Inference& in) {
  TensorMeta out = *along_dim(in).tensor();
  out.dtype = sum_type(in, 2);
  return tensor_value(std::move(out));
}

Value topk(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  std::vector<Dim> sizes = self.sizes;
  if (!sizes.empty())
    sizes[wrapped_dim(in.args.integer_or(2, "dim", -1), sizes.size())] = in.args.dim(1, "k");
  return list_value({contiguous_meta(in, self, self.dtype, sizes),
                     contiguous_meta(in, self, ScalarType::Int64, sizes)});
}

Value sort(const Inference& in) {
  TensorMeta values = *along_dim(in).tensor();
  TensorMeta places = values;
  places.dtype = ScalarType::Int64;
  return list_value({std::move(values), std::move(places)});
}

constexpr InferRule kRules[] = {
    {"aten::sum.dim_IntList", sum_dims},
    {"aten::sum.default", sum_all},
    {"aten::mean.default", mean_all},
    {"aten::mean.dim", mean_dims},
    {"aten::amax.default", extremum_dims},
    {"aten::amin.default", extremum_dims},
    {"aten::max.default", extremum_all},
    {"aten::min.default", extremum_all},
    {"aten::max.dim", extremum_dim},
    {"aten::min.dim", extremum_dim},
    {"aten::argmax.default", place_of_extremum},
    {"aten::argmin.default", place_of_extremum},
    {"aten::any.default", any_all},
    {"aten::any.dim", any_dims},
    {"aten::any.dims", any_dims},
    {"aten::prod.default", sum_all},
    {"aten::prod.dim_int", prod_dim},
    {"aten::var.correction", variance},
    {"aten::var.dim", variance_dims},
    {"aten::var_mean.correction", variance_and_mean},
    {"aten::cumsum.default", cumsum},
    {"aten::cumprod.default", cumsum},
    {"aten::_softmax.default", softmax},
    {"aten::_log_softmax.default", softmax},
    {"aten::topk.default", topk},
    {"aten::sort.default", sort},
};

}  // namespace

Rows<InferRule> reduction_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
