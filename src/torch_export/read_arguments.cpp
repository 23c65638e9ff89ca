#include "torch_export/read_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"
#include "support/printable.h"
#include "torch_export/operator_arguments.h"
#include "torch_export/read_argument.h"
#include "torch_export/read_target.h"

namespace ptec {
namespace {

enum class ArgumentKind : std::int64_t { Unknown = 0, Positional = 1, Keyword = 2 };

ArgumentKind read_kind(const json::Struct& fields) {
  const std::optional<json::Value> field = fields.optional("kind");
  const std::int64_t kind = field ? field->integer() : 0;
  if (kind < 0 || kind > 2) {
    field->fail_malformed(fmt::format("{} is no kind of argument", kind));
  }
  return static_cast<ArgumentKind>(kind);
}

/// Decides where each argument of one node goes.
class ArgumentBinder {
 public:
  explicit ArgumentBinder(const Node& node)
      : node_(node),
        higher_order_(std::string_view(node.target).starts_with(kHigherOrder)),
        schema_(find_argument_names(node.target)),
        rest_(schema_.value_or(ArgumentNames(""))),
        next_(rest_.next()) {}

  /// Whether the argument, which is the next in the file, is a keyword argument.
  bool is_keyword(ArgumentKind kind, const json::Value& name) {
    const std::string_view text = name.string();
    const bool keyword = schema_ ? in_schema(kind, name) : without_schema(kind, text);
    if (keyword && text.empty()) name.fail_malformed("a keyword argument has a name");
    if (!text.empty() && std::find(seen_.begin(), seen_.end(), text) != seen_.end()) {
      name.fail_malformed(fmt::format("argument '{}' is there twice", printable(text)));
    }
    seen_.push_back(text);
    return keyword;
  }

  /// Throws when an argument without a default was not there.
  void finish(const json::Value& inputs) {
    for (; next_; next_ = rest_.next()) {
      if (next_->has_default || std::find(seen_.begin(), seen_.end(), next_->name) != seen_.end()) {
        continue;
      }
      inputs.fail_malformed(fmt::format("{} misses its argument '{}'", node_.target, next_->name));
    }
  }

 private:
  // Writers that did not store the kind named arguments of control flow only when they were
  // keywords.
  bool without_schema(ArgumentKind kind, std::string_view text) const {
    return kind == ArgumentKind::Keyword ||
           (kind == ArgumentKind::Unknown && higher_order_ && !text.empty());
  }

  bool in_schema(ArgumentKind kind, const json::Value& name) {
    const std::string_view text = name.string();
    if (kind != ArgumentKind::Keyword && next_ && !next_->keyword_only && next_->name == text) {
      next_ = rest_.next();
      return false;
    }
    require_known(name);
    if (kind == ArgumentKind::Positional &&
        std::find(seen_.begin(), seen_.end(), text) == seen_.end()) {
      name.fail_malformed(fmt::format("argument '{}' stands where {} takes {}",
                                      printable(text),
                                      node_.target,
                                      next_ && !next_->keyword_only
                                          ? fmt::format("'{}'", next_->name)
                                          : "no further positional argument"));
    }
    return true;
  }

  void require_known(const json::Value& name) const {
    ArgumentNames all = *schema_;
    while (const std::optional<ArgumentName> known = all.next()) {
      if (known->name == name.string()) return;
    }
    name.fail_malformed(
        fmt::format("{} has no argument '{}'", node_.target, printable(name.string())));
  }

  const Node& node_;
  bool higher_order_;
  std::optional<ArgumentNames> schema_;
  ArgumentNames rest_;
  std::optional<ArgumentName> next_;    // the first argument that no positional one has taken
  std::vector<std::string_view> seen_;  // a few, so they are searched one by one
};

}  // namespace

void read_arguments(ReadContext& context,
                    const ValueScope& values,
                    const json::Value& inputs,
                    Node& node,
                    std::size_t depth) {
  ArgumentBinder binder(node);
  inputs.each_item([&](const json::Value& input) {
    const json::Struct fields(input);
    const json::Value name = fields.required("name");
    const json::Value argument = fields.required("arg");
    const bool keyword = binder.is_keyword(read_kind(fields), name);
    Argument read = read_argument(context, values, argument, depth);
    if (keyword) {
      node.kwargs.push_back({std::string(name.string()), std::move(read)});
    } else {
      node.args.push_back(std::move(read));
    }
  });
  binder.finish(inputs);
}

}  // namespace ptec
