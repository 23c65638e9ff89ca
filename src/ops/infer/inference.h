// What the rules of infer.h have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "ops/call_arguments.h"
#include "ops/dims.h"
#include "ops/layouts.h"
#include "ops/rows.h"

namespace ptec::edge {

struct Inference {
  Program& program;
  CallArguments args;

  ExprPool& exprs() const { return program.exprs; }
};

struct InferRule {
  std::string_view target;
  Value (*infer)(const Inference&);
};

Rows<InferRule> creation_inference();
Rows<InferRule> indexing_inference();
Rows<InferRule> matmul_inference();
Rows<InferRule> pointwise_inference();
Rows<InferRule> reduction_inference();
Rows<InferRule> spatial_inference();
Rows<InferRule> view_inference();

/// What a rule returns for arguments that it does not cover.
inline Value not_known() { return {}; }
Value tensor_value(TensorMeta meta);
Value list_value(std::vector<TensorMeta> metas);
/// A contiguous tensor on the device of `like`.
TensorMeta contiguous_meta(const Inference& in,
                           const TensorMeta& like,
                           ScalarType dtype,
                           std::vector<Dim> sizes);
/// Strides of a copy that keeps the layout of `like` where it has no gaps or overlaps.
/// Source: torch 2.14, aten/src/ATen/MemoryOverlap and `empty_like` with the preserve format.
std::vector<Dim> preserved_strides(const Inference& in, const TensorMeta& like);
/// The element type in keyword `dtype`, if given.
std::optional<ScalarType> dtype_argument(const Inference& in, std::size_t index);

/// Replaces a size of -1, if there is one, so that all sizes multiply to `count`.
void infer_size(const Inference& in, const Dim& count, std::vector<Dim>& sizes);

inline constexpr std::int64_t kSliceEnd = INT64_MAX;  // what torch writes for "to the end"
struct SliceRange {
  Dim start;
  Dim end;
};
/// Where a slice starts and ends in a dimension of that size: ends counted from the back resolved,
/// clamped, the start not behind the end.
SliceRange slice_range(Program& program, const Dim& size, const Dim& start, const Dim& end);

/// Sizes that a list of sizes broadcasts to. Throws Malformed when they do not.
std::vector<Dim> broadcast_sizes(const std::vector<const TensorMeta*>& operands);
}  // namespace ptec::edge
