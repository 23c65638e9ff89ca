// Small passes from a functional graph to the edge form, as text. The whole is compared with the
// reference's files in tests/pipeline and tests/cli.
#include <gtest/gtest.h>

#include "edge/asserts.h"
#include "edge/copy_views.h"
#include "edge/dim_order.h"
#include "edge/no_ops.h"
#include "edge/promote.h"
#include "edge/scalars.h"
#include "ir/targets.h"
#include "tests/support/pass_text.h"

namespace ptec::edge {
namespace {

using test::after;
using test::as_printed;

TEST(CopyViews, AReshapedCopyOfAPermutationIsContiguousAndSoIsWhatReadsIt) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,3]) {
      %p: f32[3,2] strides [1,3] = aten::permute.default(%x, [1,0])
      %r: f32[3,2] strides [1,3] = aten::relu.default(%p)
      return (%r) })",
                  copy_views),
            as_printed(R"(
    method forward(%x: f32[2,3]) {
      %p: f32[3,2] = aten::permute_copy.default(%x, [1,0])
      %r: f32[3,2] = aten::relu.default(%p)
      return (%r) })"));
}

TEST(LiftScalars, NumbersBecomeConstantsBeforeTheFirstUserInput) {
  EXPECT_EQ(after(R"(
    method forward(%b: f32[2] buffer "b", %x: f32[2]) {
      %y: f32[2] = aten::mul.Tensor(%x, 2)
      %z: f32[2] = aten::add.Tensor(%y, 0.5)
      %g: b8[2] = aten::gt.Scalar(%z, 0)
      return (%z, %g) })",
                  lift_scalars),
            as_printed(R"(
    method forward(%b: f32[2] buffer "b",
                   %_lifted_tensor_constant1: i64[] buffer "_lifted_tensor_constant1",
                   %_lifted_tensor_constant2: f32[] buffer "_lifted_tensor_constant2", %x: f32[2]) {
      %y: f32[2] = aten::mul.Tensor(%x, %_lifted_tensor_constant1)
      %z: f32[2] = aten::add.Tensor(%y, %_lifted_tensor_constant2)
      %g: b8[2] = aten::gt.Scalar(%z, 0)
      return (%z, %g) })"));
}

TEST(LiftScalars, ASymbolicNumberBecomesScalarTensorBeforeItsUser) {
  EXPECT_EQ(after(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[s0]) {
      %n: int(s0) = aten::sym_size.int(%x, 0)
      %y: f32[s0] = aten::mul.Tensor(%x, %n)
      return (%y) })",
                  lift_scalars),
            as_printed(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[s0]) {
      %n: int(s0) = aten::sym_size.int(%x, 0)
      %scalar_tensor: i32[] = aten::scalar_tensor.default(%n, dtype=i32)
      %y: f32[s0] = aten::mul.Tensor(%x, %scalar_tensor)
      return (%y) })"));
}

TEST(LiftScalars, AGraphOfControlFlowKeepsItsNumbersItself) {
  EXPECT_EQ(after(R"(
    method forward(%p: b8[], %x: f32[2]) {
      %o: f32[2] = aten::add.Tensor(%x, 1.5)
      %c: (f32[2]) = higher_order::cond(%p, graph(%a: f32[2]) {
        %y: f32[2] = aten::mul.Tensor(%a, 2)
        %z: f32[2] = aten::sub.Tensor(%y, 0.5)
        return (%z)
      }, graph(%a: f32[2]) {
        return (%a)
      }, [%o])
      %r: f32[2] = getitem(%c, 0)
      return (%r) })",
                  lift_scalars),
            as_printed(R"(
    method forward(%_lifted_tensor_constant0: f32[] buffer "_lifted_tensor_constant0", %p: b8[],
                   %x: f32[2]) {
      %o: f32[2] = aten::add.Tensor(%x, %_lifted_tensor_constant0)
      %c: (f32[2]) = higher_order::cond(%p, graph(%a: f32[2]) {
        %_tensor_constant0: i64[] = constant("_tensor_constant0")
        %y: f32[2] = aten::mul.Tensor(%a, %_tensor_constant0)
        %_tensor_constant1: f32[] = constant("_tensor_constant1")
        %z: f32[2] = aten::sub.Tensor(%y, %_tensor_constant1)
        return (%z)
      }, graph(%a: f32[2]) {
        return (%a)
      }, [%o])
      %r: f32[2] = getitem(%c, 0)
      return (%r) })"));
}

TEST(CastMixedTypes, OperandsOfAnotherTypeAreCastInArgumentOrder) {
  EXPECT_EQ(after(R"(
    method forward(%i: i64[2], %x: f16[2], %k: i64[]) {
      %y: f16[2] = aten::add.Tensor(%i, %x)
      %z: f32[2] = aten::div.Tensor(%i, %k)
      %w: i64[2] = aten::mul.Tensor(%i, %k)
      return (%y, %z, %w) })",
                  cast_mixed_types),
            as_printed(R"(
    method forward(%i: i64[2], %x: f16[2], %k: i64[]) {
      %_to_copy: f16[2] = aten::_to_copy.default(%i, dtype=f16)
      %y: f16[2] = aten::add.Tensor(%_to_copy, %x)
      %_to_copy_1: f32[2] = aten::_to_copy.default(%i, dtype=f32)
      %_to_copy_2: f32[] = aten::_to_copy.default(%k, dtype=f32)
      %z: f32[2] = aten::div.Tensor(%_to_copy_1, %_to_copy_2)
      %w: i64[2] = aten::mul.Tensor(%i, %k)
      return (%y, %z, %w) })"));
}

TEST(RemoveNoOps, WholeSlicesAndCastsToTheSameTypeGiveWay) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[4], %e: f32[0]) {
      %s: f32[4] = aten::slice_copy.Tensor(%x, 0, 0, 4)
      %t: f32[4] = aten::_to_copy.default(%s, dtype=f32)
      %h: f16[4] = aten::_to_copy.default(%t, dtype=f16)
      %c: f32[4] = aten::cat.default([%e, %t])
      %n: f32[0] = aten::cat.default([%e, %e])
      return (%h, %c, %n) })",
                  remove_no_ops),
            as_printed(R"(
    method forward(%x: f32[4], %e: f32[0]) {
      %h: f16[4] = aten::_to_copy.default(%x, dtype=f16)
      %c: f32[4] = aten::cat.default([%x])
      %n: f32[0] = aten::full.default([0], 0, dtype=f32)
      return (%h, %c, %n) })"));
}

TEST(RemoveNoOps, ADynamicSliceStays) {
  const char* text = R"(
    symbol s0 in [2, 6] hint 4
    method forward(%x: f32[s0]) {
      %s: f32[s0] = aten::slice_copy.Tensor(%x, 0, 0, 9223372036854775807)
      return (%s) })";
  EXPECT_EQ(after(text, remove_no_ops), as_printed(text));
}

TEST(UseDimOrders, TheMemoryFormatBecomesAListOfDims) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %k: f32[]) {
      %a: f16[2,4,6,8] strides [192,1,32,4] = aten::_to_copy.default(%x, dtype=f16)
      %b: f32[2,4,6,8] = aten::clone.default(%x, memory_format=memory_format contiguous_format)
      %c: i64[] = aten::_to_copy.default(%k, dtype=i64)
      return (%a, %b, %c) })",
                  use_dim_orders),
            as_printed(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %k: f32[]) {
      %a: f16[2,4,6,8] strides [192,1,32,4] = dim_order_ops::_to_dim_order_copy.default(%x, dtype=f16, dim_order=[0,2,3,1])
      %b: f32[2,4,6,8] = dim_order_ops::_clone_dim_order.default(%x, dim_order=[0,1,2,3])
      %c: i64[] = dim_order_ops::_to_dim_order_copy.default(%k, dtype=i64, dim_order=[])
      return (%a, %b, %c) })"));
}

TEST(MakeOperandsContiguous, AMeanOfChannelsLastReadsACopy) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %y: f32[2,4,6,8]) {
      %a: f32[2,4,1,1] = aten::mean.dim(%x, [-1,-2], true)
      %b: f32[2,4,1,1] = aten::mean.dim(%y, [-1,-2], true)
      return (%a, %b) })",
                  make_operands_contiguous),
            as_printed(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %y: f32[2,4,6,8]) {
      %_to_dim_order_copy: f32[2,4,6,8] = dim_order_ops::_to_dim_order_copy.default(%x, dim_order=[0,1,2,3])
      %a: f32[2,4,1,1] = aten::mean.dim(%_to_dim_order_copy, [-1,-2], true)
      %b: f32[2,4,1,1] = aten::mean.dim(%y, [-1,-2], true)
      return (%a, %b) })"));
}

TEST(MakeOperandsContiguous, AChannelsLastTensorBesideOneWithoutDimensionsIsCopied) {
  EXPECT_EQ(after(R"(
    method forward(%k: f32[] buffer "k", %x: f32[2,4,6,8] strides [192,1,32,4]) {
      %a: f32[2,4,6,8] strides [192,1,32,4] = aten::mul.Tensor(%x, %k)
      %b: f32[2,4,6,8] strides [192,1,32,4] = aten::mul.Tensor(%x, %x)
      %c: f32[2,8,6,8] strides [384,1,64,8] = aten::cat.default([%x, %b], 1)
      return (%a, %c) })",
                  make_operands_contiguous),
            as_printed(R"(
    method forward(%k: f32[] buffer "k", %x: f32[2,4,6,8] strides [192,1,32,4]) {
      %_to_dim_order_copy: f32[2,4,6,8] = dim_order_ops::_to_dim_order_copy.default(%x, dim_order=[0,1,2,3])
      %a: f32[2,4,6,8] = aten::mul.Tensor(%_to_dim_order_copy, %k)
      %b: f32[2,4,6,8] strides [192,1,32,4] = aten::mul.Tensor(%x, %x)
      %_to_dim_order_copy_1: f32[2,4,6,8] = dim_order_ops::_to_dim_order_copy.default(%x, dim_order=[0,1,2,3])
      %_to_dim_order_copy_2: f32[2,4,6,8] = dim_order_ops::_to_dim_order_copy.default(%b, dim_order=[0,1,2,3])
      %c: f32[2,8,6,8] = aten::cat.default([%_to_dim_order_copy_1, %_to_dim_order_copy_2], 1)
      return (%a, %c) })"));
}

TEST(MakeOperandsContiguous, AnEngineReadsContiguousTensorsOnly) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4]) {
      %c: (f32[2,4]) = delegate::call(0, %x)
      %y: f32[2,4] = getitem(%c, 0)
      return (%y) })",
                  make_operands_contiguous),
            as_printed(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4]) {
      %_to_dim_order_copy: f32[2,4,6,8] = dim_order_ops::_to_dim_order_copy.default(%x, dim_order=[0,1,2,3])
      %c: (f32[2,4]) = delegate::call(0, %_to_dim_order_copy)
      %y: f32[2,4] = getitem(%c, 0)
      return (%y) })"));
}

TEST(RemoveAsserts, TheNumbersThatOnlyTheyUsedGoToo) {
  EXPECT_EQ(after(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[s0]) {
      %n: int(s0) = aten::sym_size.int(%x, 0)
      %ok: bool(1) = sym::ge(%n, 2)
      %a: none = aten::_assert_scalar.default(%ok, "at least 2")
      %y: f32[s0] = aten::relu.default(%x)
      return (%y) })",
                  remove_asserts),
            as_printed(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[s0]) {
      %y: f32[s0] = aten::relu.default(%x)
      return (%y) })"));
}

}  // namespace
}  // namespace ptec::edge
