#include "torch_export/read_graph.h"

#include <fmt/format.h>

#include <utility>

#include "ir/targets.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"
#include "torch_export/read_argument.h"
#include "torch_export/read_arguments.h"
#include "torch_export/read_target.h"
#include "torch_export/read_values.h"

namespace ptec {
namespace {

Value value_of(ValueItem item) {
  return std::visit([](auto&& content) { return Value{std::move(content)}; }, std::move(item));
}

class GraphReader {
 public:
  GraphReader(ReadContext& context, const json::Struct& graph, std::size_t depth)
      : context_(context), values_(graph), depth_(depth) {}

  Graph read(const json::Struct& graph, const LiteralNames& literal_names) {
    const json::Value inputs = graph.required("inputs");
    const json::Value outputs = graph.required("outputs");
    const json::Value nodes = graph.required("nodes");
    check_count(inputs);
    check_count(nodes);
    std::size_t index = 0;
    inputs.each_item([&](const json::Value& input) {
      const std::string_view name =
          index < literal_names.size() ? literal_names[index] : std::string_view();
      read_input(input, index++, name);
    });
    index = 0;
    nodes.each_item([&](const json::Value& node) {
      place_ = {Place::List::Nodes, index++};
      read_node(node);
    });
    read_outputs(outputs);
    return std::move(graph_);
  }

 private:
  static void check_count(const json::Value& list) {
    const std::size_t count = list.item_count();
    if (count > kMaxNodes) {
      list.fail(ErrorCode::Limit, fmt::format("{} items; at most {} are read", count, kMaxNodes));
    }
  }

  void read_input(const json::Value& input, std::size_t index, std::string_view literal_name) {
    const ReferenceReader reference(input);
    Node node;
    node.kind = NodeKind::Placeholder;
    if (const json::Value* name = reference.name()) {
      node.name = name->string();
      node.value = value_of(values_.describe(context_, *name, reference.kind()));
      const NodeId id = graph_.insert(std::move(node));
      values_.define(*name, id, {Place::List::Inputs, index});
      graph_.inputs.push_back(id);
    } else {
      read_argument(context_, values_, input, depth_);  // only checks it
      node.name = values_.unique_name(literal_name.empty() ? "constant" : literal_name);
      graph_.inputs.push_back(graph_.insert(std::move(node)));
    }
  }

  void read_outputs(const json::Value& outputs) {
    Argument::List results;
    outputs.each_item([&](const json::Value& output) {
      results.push_back(read_argument(context_, values_, output, depth_));
    });
    Node node;
    node.kind = NodeKind::Output;
    node.name = values_.unique_name("output");
    node.args.emplace_back(std::move(results));
    graph_.output = graph_.insert(std::move(node));
  }

  void read_node(const json::Value& value) {
    const json::Struct fields(value);
    const json::Value target = fields.required("target");
    const json::Value inputs = fields.required("inputs");
    const json::Value outputs = fields.required("outputs");
    if (!fields.required("metadata").element().is_object()) {
      fields.required("metadata").object();  // says what it is instead
    }
    const std::optional<json::Value> name = fields.optional("name");
    const std::optional<json::Value> single = fields.optional("is_hop_single_tensor_return");

    const std::string_view label = name ? name->string() : target.string();
    const Breadcrumb here("node", label);
    Node node;
    node.target = find_target(target.string());
    if (node.target.empty()) {
      target.fail(ErrorCode::Unsupported,
                  fmt::format("'{}' is no operator that this version understands",
                              printable(target.string())));
    }
    read_arguments(context_, values_, inputs, node, depth_);
    const bool in_tuple =
        std::string_view(node.target).starts_with(kHigherOrder) && !(single && single->boolean());
    read_results(outputs, std::move(node), name, in_tuple);
  }

  std::string own_name(const Node& node, const std::optional<json::Value>& name) {
    if (name && !name->string().empty()) return values_.unique_name(name->string());
    std::string_view base = node.target;  // "aten::topk.default" -> "topk"
    base.remove_prefix(base.find("::") + 2);
    return values_.unique_name(base.substr(0, base.find('.')));
  }

  void read_results(const json::Value& outputs,
                    Node node,
                    const std::optional<json::Value>& name,
                    bool in_tuple) {
    const std::size_t count = outputs.item_count();
    if (count == 0) {
      node.name = own_name(node, name);
      graph_.insert(std::move(node));
      outputs.each_item([](const json::Value&) {});  // an object is no list
      return;
    }
    if (count > 1 || in_tuple) return read_several(outputs, std::move(node), name);
    outputs.each_item([&](const json::Value& output) {
      if (const json::Union only(output); only.is("as_tensors")) {
        read_elements(only.content(), std::move(node), name);
      } else {
        read_single(output, std::move(node), name);
      }
    });
  }

  void read_single(const json::Value& output, Node node, const std::optional<json::Value>& name) {
    const ReferenceReader reference(output);
    if (const json::Value* result = reference.name()) {
      node.name = result->string();
      node.value = value_of(values_.describe(context_, *result, reference.kind()));
      const NodeId id = graph_.insert(std::move(node));
      values_.define(*result, id, place_);
      return;
    }
    node.name = own_name(node, name);
    node.value = value_of(literal_result(reference, output));
    graph_.insert(std::move(node));
  }

  // An element of a result without a name: absent, or a number that was known when the program was
  // traced.
  ValueItem literal_result(const ReferenceReader& reference, const json::Value& output) {
    const std::string_view tag = reference.tag();
    if (tag == "as_none") return NoValue{};
    if (tag == "as_int" || tag == "as_sym_int") {
      const Argument number = read_argument(context_, values_, output, depth_);
      SymScalar out;
      out.value = Dim(std::get<std::int64_t>(number.v));
      return out;
    }
    if (tag == "as_bool" || tag == "as_sym_bool") {
      const Argument number = read_argument(context_, values_, output, depth_);
      SymScalar out;
      out.kind = ScalarKind::Bool;
      out.value = Dim(std::get<bool>(number.v) ? 1 : 0);
      return out;
    }
    if (tag == "as_float" || tag == "as_sym_float") {
      const Argument number = read_argument(context_, values_, output, depth_);
      SymScalar out;
      out.kind = ScalarKind::Float;
      out.number = std::get<double>(number.v);
      return out;
    }
    if (tag.ends_with("s") && tag.starts_with("as_")) {
      output.fail(ErrorCode::Unsupported,
                  fmt::format("a result that is a list among others ({})", printable(tag)));
    }
    output.fail(ErrorCode::Unsupported, fmt::format("a result of the form '{}'", printable(tag)));
  }

  void read_several(const json::Value& outputs, Node node, const std::optional<json::Value>& name) {
    std::vector<ValueItem> items;
    items.reserve(outputs.item_count());
    outputs.each_item([&](const json::Value& output) {
      const ReferenceReader reference(output);
      if (const json::Value* result = reference.name()) {
        items.push_back(values_.describe(context_, *result, reference.kind()));
      } else {
        items.push_back(literal_result(reference, output));
      }
    });
    const NodeId id = insert_list(std::move(node), name, std::move(items));
    std::size_t index = 0;
    outputs.each_item([&](const json::Value& output) {
      const ReferenceReader reference(output);
      if (const json::Value* result = reference.name()) insert_getitem(id, index, *result);
      ++index;
    });
  }

  void read_elements(const json::Value& elements,
                     Node node,
                     const std::optional<json::Value>& name) {
    std::vector<ValueItem> items;
    items.reserve(elements.item_count());
    elements.each_item([&](const json::Value& element) {
      const json::Struct reference(element);
      items.push_back(values_.describe(context_, reference.required("name"), std::nullopt));
    });
    const NodeId id = insert_list(std::move(node), name, std::move(items));
    std::size_t index = 0;
    elements.each_item([&](const json::Value& element) {
      const json::Struct reference(element);
      insert_getitem(id, index++, reference.required("name"));
    });
  }

  NodeId insert_list(Node node,
                     const std::optional<json::Value>& name,
                     std::vector<ValueItem> items) {
    node.name = own_name(node, name);
    node.value.v = std::move(items);
    return graph_.insert(std::move(node));
  }

  void insert_getitem(NodeId list, std::size_t index, const json::Value& name) {
    Node node;
    node.name = name.string();
    node.target = kGetItem;
    node.args.emplace_back(list);
    node.args.emplace_back(static_cast<std::int64_t>(index));
    node.value = value_of((*graph_.at(list).value.list())[index]);
    const NodeId id = graph_.insert(std::move(node));
    values_.define(name, id, place_);
  }

  ReadContext& context_;
  ValueScope values_;
  std::size_t depth_;
  Graph graph_;
  Place place_;
};

}  // namespace

Graph read_graph(ReadContext& context,
                 const json::Value& value,
                 const LiteralNames& literal_names,
                 std::size_t depth) {
  const json::Struct graph(value);
  return GraphReader(context, graph, depth).read(graph, literal_names);
}

}  // namespace ptec
