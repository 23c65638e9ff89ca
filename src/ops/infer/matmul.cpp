// Products of matrices: contiguous results.
#include "ops/infer/inference.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

void require_rank(const TensorMeta& tensor, std::size_t rank) {
  if (tensor.sizes.size() != rank)
    fail(ErrorCode::Malformed, "a product of tensors of the wrong number of dimensions");
}

Value product(const Inference& in, const TensorMeta& a, const TensorMeta& b, std::size_t rank) {
  require_rank(a, rank);
  require_rank(b, rank);
  const Dim& inner = a.sizes.back();
  const Dim& other = b.sizes[rank - 2];
  if (inner.is_number() && other.is_number() && inner != other)
    fail(ErrorCode::Malformed, "a product of matrices whose inner sizes differ");
  std::vector<Dim> sizes = a.sizes;
  sizes.back() = b.sizes.back();
  return tensor_value(contiguous_meta(in, a, a.dtype, std::move(sizes)));
}

Value mm(const Inference& in) {
  return product(in, in.args.tensor(0, "self"), in.args.tensor(1, "mat2"), 2);
}

Value bmm(const Inference& in) {
  return product(in, in.args.tensor(0, "self"), in.args.tensor(1, "mat2"), 3);
}

Value addmm(const Inference& in) {
  return product(in, in.args.tensor(1, "mat1"), in.args.tensor(2, "mat2"), 2);
}

Value cdist(const Inference& in) {
  const TensorMeta& a = in.args.tensor(0, "x1");
  const TensorMeta& b = in.args.tensor(1, "x2");
  if (a.sizes.size() < 2 || a.sizes.size() != b.sizes.size()) return not_known();
  std::vector<Dim> sizes = a.sizes;
  sizes.back() = b.sizes[b.sizes.size() - 2];
  return tensor_value(contiguous_meta(in, a, a.dtype, std::move(sizes)));
}

constexpr InferRule kRules[] = {{"aten::_cdist_forward.default", cdist},
                                {"aten::mm.default", mm},
                                {"aten::bmm.default", bmm},
                                {"aten::addmm.default", addmm}};

}  // namespace

Rows<InferRule> matmul_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
