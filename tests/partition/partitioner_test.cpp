// Partitioners of a caller: what the compiler makes of their groups, and which it refuses.
// Not covered here: a delegate that runs; tests/export has programs of two backends.
#include "partition/partitioner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ir/text.h"
#include "partition/fuse.h"
#include "partition/make_partition.h"
#include "ptec/error.h"

namespace ptec {
namespace {

NodeId find(const Program& program, std::string_view name) {
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    if (program.graph.at(id).name == name) return id;
  }
  return kNoNode;
}

/// Takes groups of nodes by name.
using Groups = std::vector<std::vector<std::string>>;

class ByName : public Partitioner {
 public:
  explicit ByName(Groups groups) : groups_(std::move(groups)) {}

  std::string_view backend_id() const override { return "Demo"; }

  Partitioning partition(Program& program) const override {
    Partitioning out;
    for (const std::vector<std::string>& group : groups_) {
      std::vector<NodeId> nodes;
      for (const std::string& name : group) nodes.push_back(find(program, name));
      out.partitions.push_back(make_partition(program, std::move(nodes), TakeConstants::Yes));
      spoil(out.partitions.back());
    }
    return out;
  }

  Delegate preprocess(const Program& program, const Partition& partition) const override {
    Delegate out;
    out.backend_id = backend_id();
    out.name = program.graph.at(partition.nodes.front()).name;
    return out;
  }

 protected:
  virtual void spoil(Partition&) const {}

 private:
  Groups groups_;
};

class WithoutOutputs final : public ByName {
 public:
  using ByName::ByName;

 private:
  void spoil(Partition& partition) const override { partition.outputs.clear(); }
};

constexpr std::string_view kChain = R"(
  method forward(%x: f32[2], %w: f32[2] parameter "w") {
    %a: f32[2] = aten::add.Tensor(%x, %w)
    %b: f32[2] = aten::mul.Tensor(%a, %w)
    %c: f32[2] = aten::sub.Tensor(%b, %a)
    return (%c)
  })";

Program chain() {
  Program program = parse_program(std::string(kChain));
  program.tensors["w"] = {};
  return program;
}

std::vector<std::string> problems_of(Program program, const Partitioner& partitioner) {
  try {
    delegate_to(program, partitioner);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    return error.problems();
  }
  return {};
}

TEST(DelegateToPartitioner, LetsAPartitionReadWhatAnEarlierOneGives) {
  Program program = chain();
  delegate_to(program, ByName(Groups{{"a"}, {"b"}, {"c"}}));
  ASSERT_EQ(program.delegates.size(), 3u);
  std::vector<std::string> targets;
  for (const NodeId id : program.graph.order()) targets.push_back(program.graph.at(id).target);
  EXPECT_EQ(std::count(targets.begin(), targets.end(), kDelegateCall), 3);
  EXPECT_EQ(std::count(targets.begin(), targets.end(), "aten::add.Tensor"), 0);
}

TEST(DelegateToPartitioner, TakesConstantsOutWithTheirLastUser) {
  Program program = chain();
  delegate_to(program, ByName(Groups{{"a"}}));
  EXPECT_EQ(program.tensors.count("w"), 1u);  // `b` still reads it
  delegate_to(program, ByName(Groups{{"b", "c"}}));
  EXPECT_EQ(program.tensors.count("w"), 0u);
  ASSERT_EQ(program.inputs.size(), 1u);
  EXPECT_EQ(program.graph.at(program.inputs[0].node).name, "x");
}

TEST(DelegateToPartitioner, RefusesACycle) {
  const std::vector<std::string> problems = problems_of(chain(), ByName(Groups{{"a", "c"}}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0],
            "partitioner 'Demo' takes 'c' into a partition that 'b', which it reads, depends on");
}

TEST(DelegateToPartitioner, RefusesANodeInTwoPartitions) {
  const std::vector<std::string> problems =
      problems_of(chain(), ByName(Groups{{"a", "b"}, {"b", "c"}}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0], "partitioner 'Demo' takes 'b' into two partitions");
}

TEST(DelegateToPartitioner, RefusesInputsOfTheProgramAndEmptyPartitions) {
  const std::vector<std::string> problems = problems_of(chain(), ByName(Groups{{"x"}, {}}));
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0], "partitioner 'Demo' takes 'x', which is no call of an operator");
  EXPECT_EQ(problems[1], "partitioner 'Demo' has a partition without nodes");
}

TEST(DelegateToPartitioner, RefusesAResultThatWouldVanish) {
  Program program = chain();
  const std::vector<std::string> problems = problems_of(program, WithoutOutputs(Groups{{"a"}}));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0],
            "partitioner 'Demo' takes 'a', which others use, and does not make it an output");
}

TEST(DelegateToPartitioner, ChangesNothingWhenItRefuses) {
  Program program = chain();
  const std::string before = print_program(program);
  EXPECT_THROW(delegate_to(program, ByName(Groups{{"a", "c"}})), Error);
  EXPECT_EQ(print_program(program), before);
}

}  // namespace
}  // namespace ptec
