#include "ops/call_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "support/error.h"

namespace ptec::edge {

namespace {

/// torch takes False and True where a number is wanted.
std::optional<std::int64_t> whole_number(const Argument& argument) {
  if (const auto* number = std::get_if<std::int64_t>(&argument.v)) return *number;
  if (const auto* flag = std::get_if<bool>(&argument.v)) return *flag ? 1 : 0;
  return std::nullopt;
}

}  // namespace

void CallArguments::wrong(std::string_view name, std::string_view wanted) const {
  fail(ErrorCode::Malformed,
       fmt::format("argument '{}' of {} has to be {}", name, node_.target, wanted));
}

void CallArguments::refuse_symbol(std::string_view name) const {
  fail(ErrorCode::Unsupported,
       fmt::format("argument '{}' of {} depends on a size that is only known when the program runs",
                   name,
                   node_.target));
}

bool CallArguments::is_symbolic(const Argument& argument) const {
  if (argument.node() == nullptr) return false;
  const SymScalar* scalar = program_.graph.at(*argument.node()).value.scalar();
  return scalar != nullptr && scalar->kind == ScalarKind::Int;
}

bool CallArguments::has_symbol(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found == nullptr) return false;
  if (found->list() == nullptr) return is_symbolic(*found);
  return std::any_of(found->list()->begin(), found->list()->end(), [this](const Argument& item) {
    return is_symbolic(item);
  });
}

const Argument* CallArguments::find(std::size_t index, std::string_view name) const {
  const Argument* found = index < node_.args.size() ? &node_.args[index] : nullptr;
  for (const NamedArgument& named : node_.kwargs) {
    if (named.name == name) found = &named.value;
  }
  return found == nullptr || found->is_none() ? nullptr : found;
}

NodeId CallArguments::node(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found == nullptr || found->node() == nullptr) wrong(name, "a tensor");
  return *found->node();
}

const TensorMeta* CallArguments::find_tensor(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found == nullptr || found->node() == nullptr) return nullptr;
  return program_.graph.at(*found->node()).value.tensor();
}

const TensorMeta& CallArguments::tensor(std::size_t index, std::string_view name) const {
  const TensorMeta* found = find_tensor(index, name);
  if (found == nullptr) wrong(name, "a tensor");
  return *found;
}

std::vector<NodeId> CallArguments::nodes(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found == nullptr || found->list() == nullptr) wrong(name, "a list of tensors");
  std::vector<NodeId> out;
  for (const Argument& item : *found->list()) {
    if (item.node() == nullptr || program_.graph.at(*item.node()).value.tensor() == nullptr)
      wrong(name, "a list of tensors");
    out.push_back(*item.node());
  }
  return out;
}

std::int64_t CallArguments::integer(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found != nullptr) {
    if (const std::optional<std::int64_t> number = whole_number(*found)) return *number;
    if (is_symbolic(*found)) refuse_symbol(name);
  }
  wrong(name, "an integer");
}

std::int64_t CallArguments::integer_or(std::size_t index,
                                       std::string_view name,
                                       std::int64_t otherwise) const {
  return has(index, name) ? integer(index, name) : otherwise;
}

double CallArguments::number(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found != nullptr) {
    if (const auto* real = std::get_if<double>(&found->v)) return *real;
  }
  return static_cast<double>(integer(index, name));
}

double CallArguments::number_or(std::size_t index, std::string_view name, double otherwise) const {
  return has(index, name) ? number(index, name) : otherwise;
}

bool CallArguments::flag_or(std::size_t index, std::string_view name, bool otherwise) const {
  return has(index, name) ? integer(index, name) != 0 : otherwise;
}

std::string_view CallArguments::text_or(std::size_t index,
                                        std::string_view name,
                                        std::string_view otherwise) const {
  const Argument* found = find(index, name);
  if (found == nullptr) return otherwise;
  const auto* text = std::get_if<std::string>(&found->v);
  if (text == nullptr) wrong(name, "a text");
  return *text;
}

std::vector<std::int64_t> CallArguments::integers(std::size_t index, std::string_view name) const {
  std::vector<std::int64_t> out;
  for (const Dim& dim : dims(index, name)) {
    if (!dim.is_number()) refuse_symbol(name);
    out.push_back(dim.number());
  }
  return out;
}

Dim CallArguments::dim_of(const Argument& argument, std::string_view name) const {
  if (const std::optional<std::int64_t> number = whole_number(argument)) return *number;
  if (is_symbolic(argument)) return program_.graph.at(*argument.node()).value.scalar()->value;
  wrong(name, "an integer");
}

std::vector<Dim> CallArguments::dims(std::size_t index, std::string_view name) const {
  std::vector<Dim> out;
  const Argument* found = find(index, name);
  if (found == nullptr) return out;
  if (found->list() == nullptr) return {dim_of(*found, name)};
  for (const Argument& item : *found->list()) out.push_back(dim_of(item, name));
  return out;
}

Dim CallArguments::dim(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  if (found == nullptr) wrong(name, "an integer");
  return dim_of(*found, name);
}

Dim CallArguments::dim_or(std::size_t index, std::string_view name, Dim otherwise) const {
  return has(index, name) ? dim(index, name) : otherwise;
}

Argument CallArguments::any(std::size_t index, std::string_view name) const {
  const Argument* found = find(index, name);
  return found == nullptr ? Argument(None{}) : *found;
}

std::size_t wrapped_dim(std::int64_t dim, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank == 0 ? 1 : rank);
  if (dim < -count || dim >= count) {
    fail(ErrorCode::Malformed,
         fmt::format("dimension {} is outside a tensor of {} dimensions", dim, rank));
  }
  return static_cast<std::size_t>(dim < 0 ? dim + count : dim);
}

}  // namespace ptec::edge
