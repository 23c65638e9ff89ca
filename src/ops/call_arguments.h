// Reads the arguments of one call by place or by name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// The arguments of a call as its schema names them: positional at `index`, or a keyword. A missing
/// one and None are the same. Throws Malformed, naming the operator and the argument, for one that
/// is of another kind than asked for. Borrows the node: do not keep it over insertions.
class CallArguments {
 public:
  CallArguments(const Program& program, const Node& node) : program_(program), node_(node) {}

  const Argument* find(std::size_t index, std::string_view name) const;
  bool has(std::size_t index, std::string_view name) const { return find(index, name) != nullptr; }

  NodeId node(std::size_t index, std::string_view name) const;
  const TensorMeta& tensor(std::size_t index, std::string_view name) const;
  const TensorMeta* find_tensor(std::size_t index, std::string_view name) const;
  std::vector<NodeId> nodes(std::size_t index, std::string_view name) const;

  /// Whether it is an integer that only a run tells, or a list with one.
  bool has_symbol(std::size_t index, std::string_view name) const;

  /// False and True count as 0 and 1. Throws Unsupported for an integer that only a run tells.
  std::int64_t integer(std::size_t index, std::string_view name) const;
  std::int64_t integer_or(std::size_t index, std::string_view name, std::int64_t otherwise) const;
  double number(std::size_t index, std::string_view name) const;
  double number_or(std::size_t index, std::string_view name, double otherwise) const;
  bool flag_or(std::size_t index, std::string_view name, bool otherwise) const;
  std::string_view text_or(std::size_t index,
                           std::string_view name,
                           std::string_view otherwise) const;
  /// A list of numbers; one number is a list of one. Empty when missing.
  std::vector<std::int64_t> integers(std::size_t index, std::string_view name) const;
  /// The same with symbolic scalars among them.
  std::vector<Dim> dims(std::size_t index, std::string_view name) const;
  Dim dim(std::size_t index, std::string_view name) const;
  Dim dim_or(std::size_t index, std::string_view name, Dim otherwise) const;
  /// The argument as it is, or None.
  Argument any(std::size_t index, std::string_view name) const;
  std::size_t count() const { return node_.args.size(); }
  const std::vector<NamedArgument>& keywords() const { return node_.kwargs; }
  std::string_view target() const { return node_.target; }

 private:
  [[noreturn]] void wrong(std::string_view name, std::string_view wanted) const;
  [[noreturn]] void refuse_symbol(std::string_view name) const;
  bool is_symbolic(const Argument& argument) const;
  Dim dim_of(const Argument& argument, std::string_view name) const;

  const Program& program_;
  const Node& node_;
};

/// A dimension counted from the front; `rank` 0 counts as 1. Throws Malformed when it is outside.
std::size_t wrapped_dim(std::int64_t dim, std::size_t rank);

}  // namespace ptec::edge
