// Expected types are what torch 2.14's torch.result_type and torch.promote_types answer.
#include "ops/promotion.h"

#include <gtest/gtest.h>

#include "ptec/error.h"

namespace ptec::edge {
namespace {

using T = ScalarType;

TEST(Promotion, PairsOfTypes) {
  EXPECT_EQ(promote_types(T::Int32, T::Int64), T::Int64);
  EXPECT_EQ(promote_types(T::UInt8, T::Int8), T::Int16);
  EXPECT_EQ(promote_types(T::UInt8, T::Int32), T::Int32);
  EXPECT_EQ(promote_types(T::Bool, T::UInt8), T::UInt8);
  EXPECT_EQ(promote_types(T::Int64, T::Float16), T::Float16);
  EXPECT_EQ(promote_types(T::Float16, T::BFloat16), T::Float32);
  EXPECT_EQ(promote_types(T::BFloat16, T::Float64), T::Float64);
  EXPECT_EQ(promote_types(T::Complex64, T::Float64), T::Complex128);
}

TEST(Promotion, ATensorWithDimensionsOutranksOneWithoutOfItsCategory) {
  EXPECT_EQ(result_type({{T::Float16, false, 2}, {T::Float32, false, 0}}), T::Float16);
  EXPECT_EQ(result_type({{T::Int32, false, 2}, {T::Float64, false, 0}}), T::Float64);
  EXPECT_EQ(result_type({{T::UInt8, false, 1}, {T::Int64, false, 0}}), T::UInt8);
  EXPECT_EQ(result_type({{T::Bool, false, 1}, {T::Int32, false, 0}}), T::Int32);
}

TEST(Promotion, ANumberOnlyBringsItsCategory) {
  EXPECT_EQ(result_type({{T::Float16, false, 2}, {T::Float32, true, 0}}), T::Float16);
  EXPECT_EQ(result_type({{T::Int32, false, 2}, {T::Float32, true, 0}}), T::Float32);
  EXPECT_EQ(result_type({{T::Int16, false, 0}, {T::Int64, true, 0}}), T::Int16);
}

TEST(Promotion, DivisionOfIntegersIsFloat) {
  EXPECT_EQ(result_type({{T::Int64, false, 1}, {T::Int64, false, 1}}, PromotionKind::IntToFloat),
            T::Float32);
  EXPECT_EQ(result_type({{T::Float64, false, 1}, {T::Int64, false, 1}}, PromotionKind::IntToFloat),
            T::Float64);
}

TEST(Promotion, bad_PairsThatTorchRefuses) {
  EXPECT_THROW(promote_types(T::UInt16, T::Int32), Error);
  EXPECT_THROW(promote_types(T::Float8E4M3FN, T::Float32), Error);
}

}  // namespace
}  // namespace ptec::edge
