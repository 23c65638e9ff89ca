#include "tests/ir/same_program.h"

#include <cmath>
#include <concepts>
#include <map>
#include <string>

namespace ptec::test {
namespace {

class Comparison {
 public:
  Comparison(const Program& a, const Program& b) : a_(a), b_(b) {}

  std::string difference() {
    require(a_.name == b_.name && a_.torch_version == b_.torch_version &&
                a_.verifiers == b_.verifiers && a_.ranges == b_.ranges,
            "method, version, verifiers or ranges");
    compare_graphs(a_.graph, b_.graph);
    compare_specs();
    compare_payloads();
    require(same(a_.input_tree, b_.input_tree), "input tree");
    require(same(a_.output_tree, b_.output_tree), "output tree");
    return difference_;
  }

 private:
  void require(bool condition, const std::string& what) {
    if (!condition && difference_.empty()) difference_ = what;
  }

  std::optional<std::int64_t> example(const Program& program, const Dim& dim) {
    if (dim.is_number()) return dim.number();
    if (program.exprs.at(dim.expr()).hint) return program.exprs.at(dim.expr()).hint;
    std::map<std::string, std::int64_t, std::less<>> hints;
    for (std::size_t id = 0; id < program.exprs.size(); ++id) {
      const Expr& expr = program.exprs.at(ExprId{static_cast<std::uint32_t>(id)});
      if (expr.op == ExprOp::Symbol && expr.hint) hints[expr.symbol] = *expr.hint;
    }
    return program.exprs.evaluate(dim, hints);
  }

  bool same(const Dim& a, const Dim& b) {
    return a.is_number() == b.is_number() && a_.exprs.print(a) == b_.exprs.print(b) &&
           example(a_, a) == example(b_, b);
  }
  bool same(const std::vector<Dim>& a, const std::vector<Dim>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) return false;
    }
    return true;
  }

  bool same(const TensorMeta& a, const TensorMeta& b) {
    return a.dtype == b.dtype && same(a.sizes, b.sizes) && same(a.strides, b.strides) &&
           same(a.storage_offset, b.storage_offset) && a.requires_grad == b.requires_grad &&
           a.device == b.device;
  }
  bool same(const SymScalar& a, const SymScalar& b) {
    return a.kind == b.kind && same(a.value, b.value) &&
           a.number.has_value() == b.number.has_value() &&
           (!a.number || same(*a.number, *b.number));
  }
  static bool same(const ObjectRef& a, const ObjectRef& b) { return a.fqn == b.fqn; }
  static bool same(NoValue, NoValue) { return true; }
  bool same(const std::vector<ValueItem>& a, const std::vector<ValueItem>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same_variant(a[i], b[i])) return false;
    }
    return true;
  }

  // Bits, so that -0.0 and NaN count.
  static bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  }
  bool same(NodeId a, NodeId b) const { return graph_a_->at(a).name == graph_b_->at(b).name; }
  bool same(const Argument::List& a, const Argument::List& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same_argument(a[i], b[i])) return false;
    }
    return true;
  }
  bool same(const std::shared_ptr<Graph>& a, const std::shared_ptr<Graph>& b) {
    const Graph* outer_a = graph_a_;
    const Graph* outer_b = graph_b_;
    compare_graphs(*a, *b);
    graph_a_ = outer_a;
    graph_b_ = outer_b;
    return difference_.empty();
  }
  bool same_argument(const Argument& a, const Argument& b) { return same_variant(a.v, b.v); }
  template <typename T>
  requires(std::equality_comparable<T> && !std::is_same_v<T, NodeId> &&
           !std::is_same_v<T, double>) bool same(const T& a, const T& b) {
    return a == b;
  }

  template <typename Variant>
  bool same_variant(const Variant& a, const Variant& b) {
    if (a.index() != b.index()) return false;
    return std::visit(
        [&](const auto& value) {
          return same(value, std::get<std::remove_cvref_t<decltype(value)>>(b));
        },
        a);
  }
  bool same(const TreeSpec& a, const TreeSpec& b) {
    if (a.type != b.type || a.context != b.context || a.children.size() != b.children.size()) {
      return false;
    }
    for (std::size_t i = 0; i < a.children.size(); ++i) {
      if (!same(a.children[i], b.children[i])) return false;
    }
    return true;
  }

  bool same_nodes(const std::vector<NodeId>& a, const std::vector<NodeId>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!same(a[i], b[i])) return false;
    }
    return true;
  }

  void compare_graphs(const Graph& a, const Graph& b) {
    graph_a_ = &a;
    graph_b_ = &b;
    require(a.size() == b.size(), "number of nodes");
    if (!difference_.empty()) return;
    NodeId in_b = b.first();
    for (NodeId in_a = a.first(); in_a != kNoNode; in_a = a.at(in_a).next) {
      compare_nodes(a.at(in_a), b.at(in_b));
      in_b = b.at(in_b).next;
    }
    require(same_nodes(a.inputs, b.inputs), "inputs of the graph");
  }

  void compare_nodes(const Node& a, const Node& b) {
    require(a.kind == b.kind && a.name == b.name && a.target == b.target, "node " + a.name);
    require(same(a.args, b.args), "arguments of " + a.name);
    require(a.kwargs.size() == b.kwargs.size(), "keyword arguments of " + a.name);
    for (std::size_t i = 0; difference_.empty() && i < a.kwargs.size(); ++i) {
      require(a.kwargs[i].name == b.kwargs[i].name &&
                  same_argument(a.kwargs[i].value, b.kwargs[i].value),
              "keyword arguments of " + a.name);
    }
    require(same_variant(a.value.v, b.value.v), "value of " + a.name);
    require(same_nodes(a.users, b.users), "users of " + a.name);
  }

  void compare_specs() {
    require(a_.inputs.size() == b_.inputs.size() && a_.outputs.size() == b_.outputs.size(),
            "number of specs");
    for (std::size_t i = 0; difference_.empty() && i < a_.inputs.size(); ++i) {
      const InputSpec& a = a_.inputs[i];
      const InputSpec& b = b_.inputs[i];
      require(a.kind == b.kind && same(a.node, b.node) && a.target == b.target &&
                  a.persistent == b.persistent && same_argument(a.constant, b.constant) &&
                  a.name == b.name,
              "input " + a.name);
    }
    for (std::size_t i = 0; difference_.empty() && i < a_.outputs.size(); ++i) {
      require(
          a_.outputs[i].kind == b_.outputs[i].kind && a_.outputs[i].target == b_.outputs[i].target,
          "output " + std::to_string(i));
    }
  }

  void compare_payloads() {
    require(a_.tensors.size() == b_.tensors.size() && a_.objects.size() == b_.objects.size(),
            "number of payloads");
    if (!difference_.empty()) return;
    for (const auto& entry : a_.tensors) {
      const auto other = b_.tensors.find(entry.first);
      require(other != b_.tensors.end() && same(entry.second.meta, other->second.meta) &&
                  entry.second.storage.size_bytes() == other->second.storage.size_bytes(),
              "tensor " + entry.first);
    }
    for (const auto& entry : a_.objects) {
      const auto other = b_.objects.find(entry.first);
      require(other != b_.objects.end() && entry.second.encoding == other->second.encoding &&
                  entry.second.fields.size() == other->second.fields.size() &&
                  entry.second.engine.size_bytes() == other->second.engine.size_bytes(),
              "object " + entry.first);
    }
  }

  const Program& a_;
  const Program& b_;
  const Graph* graph_a_ = nullptr;
  const Graph* graph_b_ = nullptr;
  std::string difference_;
};

}  // namespace

::testing::AssertionResult same_program(const Program& a, const Program& b) {
  const std::string difference = Comparison(a, b).difference();
  if (difference.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "the programs differ in: " << difference;
}

}  // namespace ptec::test
