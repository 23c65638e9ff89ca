// Types, values and trees of IR text.
#pragma once

#include <cstddef>
#include <vector>

#include "ir/program.h"
#include "ir/text_lexer.h"

namespace ptec {

class TypeParser {
 public:
  TypeParser(TextLexer& lexer, ExprPool& exprs) : lexer_(lexer), exprs_(exprs) {}

  /// A type: none, a tensor, a scalar, an object, or a list of them in parentheses.
  Value value();
  /// A tensor's type from its element type on.
  TensorMeta tensor();
  /// Takes `strides`, `offset`, `on` or `requires_grad` for a tensor that `begin_tensor` began.
  bool modifier(TensorMeta& tensor);
  /// Element type and sizes only; `finish` gives it default strides unless it has some.
  TensorMeta begin_tensor(ScalarType dtype);
  void finish(TensorMeta& tensor);
  bool at_tensor();

  Device device();
  Dim dim(std::string_view ends);
  TreeSpec tree(std::size_t depth = 1);

 private:
  ValueItem item();
  std::vector<Dim> dims();
  SymScalar scalar(ScalarKind kind);

  TextLexer& lexer_;
  ExprPool& exprs_;
};

}  // namespace ptec
