#include "ir/parse_types.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "ir/parse_number.h"
#include "ir/tensor_layout.h"
#include "ir/text_words.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec {

std::optional<double> parse_real(std::string_view text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  double out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(out)) {
    return std::nullopt;
  }
  return out;
}

Dim TypeParser::dim(std::string_view ends) {
  const std::size_t begin = lexer_.position();
  const std::string_view text = lexer_.expression(ends);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size()) return Dim(number);
  const std::size_t after = lexer_.position();
  lexer_.back_to(begin);
  const std::string where = lexer_.where();
  lexer_.back_to(after);
  const Breadcrumb here("text", where);
  return exprs_.parse_infix(text);
}

std::vector<Dim> TypeParser::dims() {
  std::vector<Dim> out;
  lexer_.expect("[");
  if (lexer_.take("]")) return out;
  do {
    if (out.size() == kMaxRank) {
      lexer_.fail(fmt::format("a tensor has at most {} dimensions", kMaxRank), ErrorCode::Limit);
    }
    out.push_back(dim(",]"));
    if (out.back().is_number() && out.back().number() < 0) {
      lexer_.fail("a size or stride is not negative");
    }
  } while (lexer_.take(","));
  lexer_.expect("]");
  return out;
}

Device TypeParser::device() {
  Device out;
  out.type = lexer_.name();
  if (lexer_.take(":")) out.index = static_cast<std::int64_t>(lexer_.size());
  return out;
}

bool TypeParser::at_tensor() { return find_scalar_type_by_text(lexer_.peek_word()).has_value(); }

TensorMeta TypeParser::begin_tensor(ScalarType dtype) {
  TensorMeta out;
  out.dtype = dtype;
  out.sizes = dims();
  return out;
}

bool TypeParser::modifier(TensorMeta& tensor) {
  if (lexer_.take_word("strides")) {
    tensor.strides = dims();
    if (tensor.strides.size() != tensor.sizes.size()) {
      lexer_.fail(
          fmt::format("{} strides for {} sizes", tensor.strides.size(), tensor.sizes.size()));
    }
  } else if (lexer_.take_word("offset")) {
    lexer_.expect("(");
    tensor.storage_offset = dim(")");
    lexer_.expect(")");
    if (tensor.storage_offset.is_number() && tensor.storage_offset.number() < 0) {
      lexer_.fail("an offset is not negative");
    }
  } else if (lexer_.take_word("on")) {
    tensor.device = device();
  } else if (lexer_.take_word("requires_grad")) {
    tensor.requires_grad = true;
  } else {
    return false;
  }
  return true;
}

void TypeParser::finish(TensorMeta& tensor) {
  if (tensor.strides.size() == tensor.sizes.size()) return;
  std::optional<std::vector<Dim>> strides = contiguous_strides(exprs_, tensor.sizes);
  if (!strides) lexer_.fail("the strides of such a shape pass 63 bits");
  tensor.strides = *std::move(strides);
}

TensorMeta TypeParser::tensor() {
  const std::optional<ScalarType> dtype = find_scalar_type_by_text(lexer_.peek_word());
  if (!dtype) lexer_.fail("wanted the type of a tensor, for example f32[2,4]");
  lexer_.word();
  TensorMeta out = begin_tensor(*dtype);
  while (modifier(out)) {
  }
  finish(out);
  return out;
}

SymScalar TypeParser::scalar(ScalarKind kind) {
  SymScalar out;
  out.kind = kind;
  lexer_.expect("(");
  out.value = dim(")");
  lexer_.expect(")");
  return out;
}

ValueItem TypeParser::item() {
  if (at_tensor()) return tensor();
  if (lexer_.take_word("none")) return NoValue{};
  if (lexer_.take_word("int")) return scalar(ScalarKind::Int);
  if (lexer_.take_word("bool")) return scalar(ScalarKind::Bool);
  if (lexer_.take_word("float")) return scalar(ScalarKind::Float);
  if (lexer_.take_word("object")) return ObjectRef{lexer_.string()};
  if (!lexer_.take_word("real")) lexer_.fail("wanted a type");
  SymScalar out;
  out.kind = ScalarKind::Float;
  lexer_.expect("(");
  out.number = parse_real(lexer_.number_text());
  if (!out.number) lexer_.fail("wanted a real number");
  lexer_.expect(")");
  return out;
}

Value TypeParser::value() {
  if (!lexer_.take("(")) {
    return std::visit([](auto&& content) { return Value{std::move(content)}; }, item());
  }
  std::vector<ValueItem> items;
  if (!lexer_.take(")")) {
    do items.push_back(item());
    while (lexer_.take(","));
    lexer_.expect(")");
  }
  Value out;
  out.v = std::move(items);
  return out;
}

TreeSpec TypeParser::tree(std::size_t depth) {
  if (depth > kMaxNesting) {
    lexer_.fail(fmt::format("containers nest deeper than {} levels", kMaxNesting),
                ErrorCode::Limit);
  }
  TreeSpec out;
  if (lexer_.take("*")) return out;
  if (lexer_.take_word("tuple")) {
    out.type = std::string(kTupleType);
    out.context = kSequenceContext;
  } else if (lexer_.take_word("list")) {
    out.type = std::string(kListType);
    out.context = kSequenceContext;
  } else if (lexer_.take_word("dict")) {
    out.type = std::string(kDictType);
    out.context = kNoKeys;
  } else if (lexer_.take_word("node")) {
    out.type = lexer_.string();
    out.context = lexer_.string();
  } else {
    lexer_.fail("wanted a tree: *, tuple, list, dict or node");
  }
  lexer_.expect("(");
  if (lexer_.take(")")) return out;
  do out.children.push_back(tree(depth + 1));
  while (lexer_.take(","));
  lexer_.expect(")");
  return out;
}

}  // namespace ptec
