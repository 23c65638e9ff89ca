// The operator tables against the kernels that the unmodified runtime registers.
#include <executorch/runtime/kernel/operator_registry.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ops/ops.h"

namespace ptec::test {
namespace {

/// Default overloads are registered under the operator's name alone.
bool is_registered(std::string_view out) {
  std::string name(out);
  constexpr std::string_view kDefault = ".default";
  if (out.ends_with(kDefault)) name.resize(name.size() - kDefault.size());
  return executorch::runtime::registry_has_op_function(name.c_str());
}

TEST(KernelTable, EveryRowHasAKernel) {
  for (const edge::OpRow& row : edge::op_rows()) EXPECT_TRUE(is_registered(row.out)) << row.out;
}

TEST(KernelTable, NoRowWithoutKernelHasOne) {
  EXPECT_GE(edge::op_rows_without_kernel().size(), 150u);
  for (const edge::OpRow& row : edge::op_rows_without_kernel())
    EXPECT_FALSE(is_registered(row.out)) << row.out;
}

}  // namespace
}  // namespace ptec::test
