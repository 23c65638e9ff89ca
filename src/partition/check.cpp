#include "partition/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "ir/targets.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec {
namespace {

bool contains(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

class Check {
 public:
  Check(const Program& program, std::string_view backend_id)
      : graph_(program.graph), backend_id_(backend_id) {}

  void one(const Partition& partition) {
    if (partition.nodes.empty()) {
      problem("has a partition without nodes");
      return;
    }
    const std::set<NodeId> inside(partition.nodes.begin(), partition.nodes.end());
    for (const NodeId node : partition.nodes) {
      if (graph_.at(node).kind != NodeKind::Call || graph_.at(node).target == kDelegateCall)
        problem(fmt::format("takes '{}', which is no call of an operator", name(node)));
      if (!taken_.insert(node).second)
        problem(fmt::format("takes '{}' into two partitions", name(node)));
      check_values(partition, inside, node);
    }
    check_convex(inside);
  }

  std::vector<std::string> take_problems() { return std::move(problems_); }

 private:
  void check_values(const Partition& partition, const std::set<NodeId>& inside, NodeId node) {
    for_each_input(graph_.at(node), [&](NodeId input) {
      const bool known = inside.contains(input) || contains(partition.inputs, input) ||
                         contains(partition.constants, input) ||
                         std::holds_alternative<ObjectRef>(graph_.at(input).value.v);
      if (!known) {
        problem(fmt::format("takes '{}' and makes '{}' neither an input nor a constant of it",
                            name(node),
                            name(input)));
      }
    });
    const std::vector<NodeId>& users = graph_.at(node).users;
    const bool used_outside = std::any_of(
        users.begin(), users.end(), [&inside](NodeId user) { return !inside.contains(user); });
    if (used_outside && !contains(partition.outputs, node)) {
      problem(
          fmt::format("takes '{}', which others use, and does not make it an output", name(node)));
    }
  }

  /// Follows what comes out of the partition: none of it may come back in.
  void check_convex(const std::set<NodeId>& inside) {
    std::set<NodeId> after;  // outside, and fed by the partition
    for (NodeId id = graph_.first(); id != kNoNode; id = graph_.at(id).next) {
      const bool is_inside = inside.contains(id);
      bool fed = false;
      for_each_input(graph_.at(id), [&](NodeId input) {
        if (is_inside && after.contains(input)) {
          problem(fmt::format("takes '{}' into a partition that '{}', which it reads, depends on",
                              name(id),
                              name(input)));
        }
        fed = fed || after.contains(input) || inside.contains(input);
      });
      if (!is_inside && fed) after.insert(id);
    }
  }

  std::string name(NodeId node) const { return printable(graph_.at(node).name); }

  void problem(const std::string& what) {
    problems_.push_back(Breadcrumb::trail() + fmt::format("partitioner '{}' {}",
                                                          printable(std::string(backend_id_)),
                                                          what));
  }

  const Graph& graph_;
  std::string_view backend_id_;
  std::set<NodeId> taken_;
  std::vector<std::string> problems_;
};

}  // namespace

void check_partitions(const Program& program,
                      const Partitioner& partitioner,
                      const std::vector<Partition>& partitions) {
  Check check(program, partitioner.backend_id());
  for (const Partition& partition : partitions) check.one(partition);
  std::vector<std::string> problems = check.take_problems();
  if (!problems.empty()) throw Error(ErrorCode::InvalidArgument, std::move(problems));
}

}  // namespace ptec
