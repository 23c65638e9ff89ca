#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <unordered_map>
#include <utility>

#include "archive/engine_object.h"
#include "ir/layout_codes.h"
#include "ir/names.h"
#include "ir/parse_number.h"
#include "ir/parse_types.h"
#include "ir/targets.h"
#include "ir/tensor_layout.h"
#include "ir/text.h"
#include "ir/text_lexer.h"
#include "ir/text_words.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec {
namespace {

/// Parses the nodes of one graph. Names are its own: a sub-graph sees nothing of what is around it.
class GraphParser {
 public:
  GraphParser(TextLexer& lexer, ExprPool& exprs, std::size_t depth)
      : lexer_(lexer), types_(lexer, exprs), exprs_(exprs), depth_(depth) {}

  Graph& graph() { return graph_; }

  NodeId add_placeholder(std::string name, Value value) {
    Node node;
    node.kind = NodeKind::Placeholder;
    node.name = std::move(name);
    node.value = std::move(value);
    const NodeId id = define(std::move(node));
    graph_.inputs.push_back(id);
    return id;
  }

  /// `{` nodes and `return` up to `}`.
  void parse_body(std::vector<OutputSpec>* outputs) {
    lexer_.expect("{");
    while (lexer_.peek() == '%') parse_call();
    if (!lexer_.take_word("return")) lexer_.fail("wanted a node or 'return'");
    parse_return(outputs);
    lexer_.expect("}");
  }

  std::string name_of_value() {
    lexer_.expect("%");
    return lexer_.name();
  }

  Argument parse_argument() { return parse_argument(depth_ + 1); }

 private:
  // `nesting` counts the lists and graphs around the argument, those of outer graphs included.
  Argument parse_argument(std::size_t nesting) {
    if (nesting > kMaxNesting) {
      lexer_.fail(fmt::format("arguments nest deeper than {} levels", kMaxNesting),
                  ErrorCode::Limit);
    }
    const char next = lexer_.peek();
    if (next == '%') return use(name_of_value());
    if (next == '"') return lexer_.string();
    if (next == '[') return parse_list(nesting);
    if (lexer_.at_number()) return parse_number();
    return parse_word(nesting);
  }

  NodeId define(Node node) {
    const std::size_t position = lexer_.position();
    const auto [known, added] = names_.try_emplace(node.name, Definition{kNoNode, position});
    if (!added) {
      lexer_.fail(fmt::format("%{} is defined twice, first in line {}",
                              printable(node.name),
                              lexer_.line_of(known->second.position)));
    }
    return known->second.node = graph_.insert(std::move(node));
  }

  NodeId use(const std::string& name) const {
    const auto found = names_.find(name);
    if (found == names_.end()) {
      lexer_.fail(fmt::format("%{} is not defined before", printable(name)));
    }
    return found->second.node;
  }

  void parse_call() {
    Node node;
    node.name = name_of_value();
    lexer_.expect(":");
    node.value = types_.value();
    lexer_.expect("=");
    node.target = lexer_.target();
    lexer_.expect("(");
    if (!lexer_.take(")")) {
      do parse_node_argument(node);
      while (lexer_.take(","));
      lexer_.expect(")");
    }
    if (node.target == kGetItem) check_getitem(node);
    if (node.target == kDelegateCall) check_delegate_call(node);
    define(std::move(node));
  }

  void parse_node_argument(Node& node) {
    const std::size_t begin = lexer_.position();
    const char next = lexer_.peek();
    if (next == '"' || is_name_start(next)) {
      std::string name = next == '"' ? lexer_.string() : lexer_.name();
      if (lexer_.take("=")) {
        for (const NamedArgument& known : node.kwargs) {
          if (known.name == name) {
            lexer_.fail(fmt::format("argument '{}' is there twice", printable(name)));
          }
        }
        node.kwargs.push_back({std::move(name), parse_argument()});
        return;
      }
      lexer_.back_to(begin);
    }
    if (!node.kwargs.empty()) lexer_.fail("a positional argument after a named one");
    node.args.push_back(parse_argument());
  }

  void check_getitem(const Node& node) const {
    const NodeId* source = node.args.size() == 2 ? node.args[0].node() : nullptr;
    const std::int64_t* index =
        node.args.size() == 2 ? std::get_if<std::int64_t>(&node.args[1].v) : nullptr;
    if (source == nullptr || index == nullptr) lexer_.fail("getitem takes a node and an index");
    const std::vector<ValueItem>* list = graph_.at(*source).value.list();
    if (list == nullptr) lexer_.fail("getitem takes from a node that has a list");
    if (*index < 0 || static_cast<std::size_t>(*index) >= list->size()) {
      lexer_.fail(fmt::format("index {} in a list of {}", *index, list->size()));
    }
  }

  void check_delegate_call(const Node& node) const {
    const std::int64_t* index =
        node.args.empty() ? nullptr : std::get_if<std::int64_t>(&node.args[0].v);
    if (index == nullptr || *index < 0) lexer_.fail("a delegate call starts with its index");
  }

  Argument parse_list(std::size_t nesting) {
    lexer_.expect("[");
    Argument::List out;
    if (!lexer_.take("]")) {
      do out.push_back(parse_argument(nesting + 1));
      while (lexer_.take(","));
      lexer_.expect("]");
    }
    return out;
  }

  Argument parse_number() {
    const std::string_view text = lexer_.number_text();
    std::int64_t integer = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (problem == std::errc() && end == text.data() + text.size()) return integer;
    const std::optional<double> real = parse_real(text);
    const bool looks_real = text.find_first_of(".en") != std::string_view::npos;
    if (!real || !looks_real) {
      lexer_.fail(fmt::format("'{}' is no number", printable(text, 40)));
    }
    return *real;
  }

  Argument parse_word(std::size_t nesting) {
    const std::string_view word = lexer_.word();
    if (word == "none") return None{};
    if (word == "true") return true;
    if (word == "false") return false;
    if (const std::optional<double> real = parse_real(word)) return *real;
    if (const std::optional<ScalarType> type = find_scalar_type_by_text(word)) return *type;
    if (word == "device") return types_.device();
    if (word == "layout") {
      const std::optional<LayoutCode> layout = find_layout(lexer_.word());
      if (!layout) lexer_.fail("unknown layout");
      return *layout;
    }
    if (word == "memory_format") {
      const std::optional<MemoryFormatCode> format = find_memory_format(lexer_.word());
      if (!format) lexer_.fail("unknown memory format");
      return *format;
    }
    if (word == "graph") return parse_subgraph(nesting);
    lexer_.fail(fmt::format("unknown word '{}'", printable(word)));
  }

  Argument parse_subgraph(std::size_t nesting) {
    GraphParser inner(lexer_, exprs_, nesting);
    lexer_.expect("(");
    if (!lexer_.take(")")) {
      do {
        std::string name = inner.name_of_value();
        lexer_.expect(":");
        inner.add_placeholder(std::move(name), types_.value());
      } while (lexer_.take(","));
      lexer_.expect(")");
    }
    inner.parse_body(nullptr);
    return std::make_shared<Graph>(std::move(inner.graph_));
  }

  void parse_return(std::vector<OutputSpec>* outputs) {
    Argument::List results;
    lexer_.expect("(");
    if (!lexer_.take(")")) {
      do {
        results.push_back(parse_argument());
        if (outputs != nullptr) outputs->push_back(parse_output_spec());
      } while (lexer_.take(","));
      lexer_.expect(")");
    }
    Node node;
    node.kind = NodeKind::Output;
    node.name = NameTable(graph_).unique("output");
    node.args.emplace_back(std::move(results));
    graph_.output = graph_.insert(std::move(node));
  }

  OutputSpec parse_output_spec() {
    OutputSpec out;
    if (!lexer_.take_word("as")) return out;
    const OutputKindWord* row = find_output_kind(lexer_.word());
    if (row == nullptr) lexer_.fail("unknown kind of output");
    out.kind = row->kind;
    if (row->has_target) out.target = lexer_.string();
    return out;
  }

  struct Definition {
    NodeId node = kNoNode;
    std::size_t position = 0;
  };

  TextLexer& lexer_;
  TypeParser types_;
  ExprPool& exprs_;
  std::size_t depth_;
  Graph graph_;
  std::unordered_map<std::string, Definition> names_;  // looked up only
};

class ProgramParser {
 public:
  explicit ProgramParser(std::string_view text) : lexer_(text) {}

  Program parse() {
    while (!lexer_.take_word("method")) parse_item();
    parse_method();
    if (!lexer_.at_end()) lexer_.fail("wanted the end");
    fill_in();
    return std::move(program_);
  }

 private:
  void parse_item() {
    TypeParser types(lexer_, program_.exprs);
    if (lexer_.take_word("torch_version")) {
      program_.torch_version = lexer_.string();
    } else if (lexer_.take_word("verifier")) {
      program_.verifiers.push_back(lexer_.string());
    } else if (lexer_.take_word("symbol")) {
      parse_symbol();
    } else if (lexer_.take_word("hint_of")) {
      parse_hint(types);
    } else if (lexer_.take_word("tensor")) {
      parse_tensor(types);
    } else if (lexer_.take_word("object")) {
      parse_object();
    } else if (lexer_.take_word("input_tree")) {
      input_tree_ = types.tree();
    } else if (lexer_.take_word("output_tree")) {
      output_tree_ = types.tree();
    } else {
      lexer_.fail("wanted 'method' or something that comes before it");
    }
  }

  std::optional<std::int64_t> parse_end(std::string_view unbounded) {
    if (lexer_.take(unbounded)) return std::nullopt;
    return lexer_.integer();
  }

  void parse_symbol() {
    const std::string name = lexer_.name();
    if (lexer_.take_word("in")) {
      Range range;
      lexer_.expect("[");
      range.min = parse_end("-inf");
      lexer_.expect(",");
      range.max = parse_end("inf");
      lexer_.expect("]");
      if (range.min && range.max && *range.min > *range.max) lexer_.fail("the range is empty");
      if (!program_.ranges.emplace(name, range).second) {
        lexer_.fail(fmt::format("symbol '{}' is there twice", printable(name)));
      }
    }
    if (lexer_.take_word("hint")) {
      Expr expr;
      expr.op = ExprOp::Symbol;
      expr.symbol = name;
      expr.hint = lexer_.integer();
      program_.exprs.intern(std::move(expr));
    }
  }

  void parse_hint(TypeParser& types) {
    const Dim dim = types.dim("=");
    lexer_.expect("=");
    const std::int64_t value = lexer_.integer();
    if (dim.is_number()) lexer_.fail("a number needs no hint");
    Expr expr = program_.exprs.at(dim.expr());
    expr.hint = value;
    program_.exprs.intern(std::move(expr));
  }

  void parse_tensor(TypeParser& types) {
    const std::string fqn = lexer_.string();
    lexer_.expect(":");
    TensorData data;
    data.meta = types.tensor();
    require_numbers(data.meta);
    lexer_.expect(",");
    data.storage = Payload::of_size(lexer_.size());
    if (!lexer_.take_word("bytes")) lexer_.fail("wanted 'bytes'");
    if (!program_.tensors.emplace(fqn, std::move(data)).second) {
      lexer_.fail(fmt::format("tensor '{}' is there twice", printable(fqn)));
    }
  }

  void parse_object() {
    const std::string fqn = lexer_.string();
    archive::EngineObject object;
    lexer_.expect(":");
    object.encoding = parse_encoding();
    lexer_.expect(",");
    const std::uint64_t fields = lexer_.size();
    if (fields > kMaxRecordFields) {
      lexer_.fail(fmt::format("an engine has at most {} fields", kMaxRecordFields));
    }
    object.fields.resize(static_cast<std::size_t>(fields));
    if (!lexer_.take_word("fields")) lexer_.fail("wanted 'fields'");
    lexer_.expect(",");
    if (!lexer_.take_word("engine")) lexer_.fail("wanted 'engine'");
    object.engine = Payload::of_size(lexer_.size());
    if (!lexer_.take_word("bytes")) lexer_.fail("wanted 'bytes'");
    if (!program_.objects.emplace(fqn, std::move(object)).second) {
      lexer_.fail(fmt::format("object '{}' is there twice", printable(fqn)));
    }
  }

  archive::EngineEncoding parse_encoding() {
    using archive::EngineEncoding;
    const std::string name = lexer_.string();
    for (const EngineEncoding encoding : {EngineEncoding::TorchBind,
                                          EngineEncoding::Reconstruct,
                                          EngineEncoding::PythonObject,
                                          EngineEncoding::GraphStrings}) {
      if (archive::engine_encoding_name(encoding) == name) return encoding;
    }
    lexer_.fail(fmt::format("unknown encoding '{}'", printable(name)));
  }

  void require_numbers(const TensorMeta& meta) const {
    bool numbers = meta.storage_offset.is_number();
    for (const Dim& dim : meta.sizes) numbers = numbers && dim.is_number();
    for (const Dim& dim : meta.strides) numbers = numbers && dim.is_number();
    if (!numbers) lexer_.fail("a stored tensor has a symbolic shape");
  }

  void parse_method() {
    program_.name = lexer_.name();
    GraphParser graph(lexer_, program_.exprs, 0);
    lexer_.expect("(");
    if (!lexer_.take(")")) {
      do parse_input(graph);
      while (lexer_.take(","));
      lexer_.expect(")");
    }
    graph.parse_body(&program_.outputs);
    program_.graph = std::move(graph.graph());
  }

  // Properties of the type and of the input may come in any order.
  void parse_input(GraphParser& graph) {
    TypeParser types(lexer_, program_.exprs);
    std::string name = graph.name_of_value();
    lexer_.expect(":");
    InputSpec input;
    input.name = name;
    Value value;
    std::optional<TensorMeta> tensor;
    if (types.at_tensor()) {
      tensor = types.begin_tensor(*find_scalar_type_by_text(lexer_.word()));
    } else {
      value = types.value();
    }
    while ((tensor && types.modifier(*tensor)) || parse_input_property(graph, input)) {
    }
    if (tensor) {
      types.finish(*tensor);
      value.v = *std::move(tensor);
    }
    check_input(value, input);
    input.node = graph.add_placeholder(std::move(name), std::move(value));
    program_.inputs.push_back(std::move(input));
  }

  bool parse_input_property(GraphParser& graph, InputSpec& input) {
    if (lexer_.take_word("named")) {
      input.name = lexer_.string();
      return true;
    }
    if (lexer_.take_word("non_persistent")) {
      input.persistent = false;
      return true;
    }
    const std::optional<InputKind> kind = find_input_kind(lexer_.peek_word());
    if (!kind || *kind == InputKind::CustomObject) return false;
    lexer_.word();
    input.kind = *kind;
    if (*kind == InputKind::ConstantInput) {
      input.constant = graph.parse_argument();
    } else if (*kind != InputKind::Token) {
      input.target = lexer_.string();
    }
    return true;
  }

  void check_input(const Value& value, InputSpec& input) const {
    switch (input.kind) {
      case InputKind::Parameter:
      case InputKind::Buffer:
      case InputKind::TensorConstant:
        if (value.tensor() == nullptr) lexer_.fail("a parameter, buffer or constant is a tensor");
        require_numbers(*value.tensor());
        break;
      case InputKind::UserInput:
        if (const ObjectRef* object = std::get_if<ObjectRef>(&value.v)) {
          if (!object->fqn.empty()) {
            input.kind = InputKind::CustomObject;
            input.target = object->fqn;
          }
        }
        break;
      case InputKind::ConstantInput:
        if (std::holds_alternative<std::shared_ptr<Graph>>(input.constant.v) ||
            input.constant.node() != nullptr || input.constant.list() != nullptr) {
          lexer_.fail("a constant input is a literal");
        }
        break;
      case InputKind::CustomObject:
      case InputKind::Token:
        break;
    }
  }

  // What the text left out.
  void fill_in() {
    for (const InputSpec& input : program_.inputs) {
      if (input.kind == InputKind::CustomObject) {
        program_.objects.try_emplace(input.target);
      } else if (input.kind == InputKind::Parameter || input.kind == InputKind::Buffer ||
                 input.kind == InputKind::TensorConstant) {
        TensorData data;
        data.meta = *program_.graph.at(input.node).value.tensor();
        data.storage = Payload::of_size(extent_of(data.meta).end_bytes.value_or(0));
        program_.tensors.try_emplace(input.target, std::move(data));
      }
    }
    program_.input_tree = input_tree_ ? *std::move(input_tree_) : default_input_tree(program_);
    program_.output_tree = output_tree_ ? *std::move(output_tree_) : default_output_tree(program_);
  }

  TextLexer lexer_;
  Program program_;
  std::optional<TreeSpec> input_tree_;
  std::optional<TreeSpec> output_tree_;
};

}  // namespace

Program parse_program(std::string_view text) { return ProgramParser(text).parse(); }

}  // namespace ptec
