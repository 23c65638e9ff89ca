#include "torch_export/read_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec {
namespace {

constexpr std::int64_t kTreeProtocol = 1;

// Containers whose context is the text "null".
constexpr std::array<std::string_view, 4> kSequences = {
    "builtins.tuple",
    "builtins.list",
    "torch.Size",
    "torch.fx.immutable_collections.immutable_list"};

// Containers whose context is a JSON list of keys.
constexpr std::array<std::string_view, 3> kDicts = {
    "builtins.dict", "collections.OrderedDict", "torch.fx.immutable_collections.immutable_dict"};

template <typename Names>
bool is_one_of(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_context(const TreeSpec& tree, const json::Value& context) {
  if (is_one_of(kSequences, *tree.type)) {
    if (!context.is_string() || tree.context != "null") {
      context.fail_malformed(fmt::format("the context of a {} is the text 'null'", *tree.type));
    }
  } else if (is_one_of(kDicts, *tree.type)) {
    if (!context.is_string()) context.fail_malformed("the context of a dict is a text");
    const Breadcrumb here("keys of", *tree.type);
    const json::Document keys = json::Document::parse(tree.context);
    const json::Value list(keys);
    const std::size_t count = keys.root().is_array() ? list.item_count() : 0;
    if (!keys.root().is_array() || count != tree.children.size()) {
      context.fail_malformed(fmt::format(
          "wanted a list of {} keys, found {}", tree.children.size(), printable(tree.context)));
    }
  }
}

TreeSpec read_node(const json::Value& value, std::size_t depth) {
  if (depth > kMaxNesting) {
    value.fail(ErrorCode::Limit, fmt::format("containers nest deeper than {} levels", kMaxNesting));
  }
  const json::Struct node(value);
  TreeSpec out;
  const json::Value type = node.required("type");
  const json::Value context = node.required("context");
  const json::Value children = node.required("children_spec");
  if (!type.is_null()) out.type = std::string(type.string());
  if (!context.is_null()) {
    out.context = context.is_string() ? std::string(context.string()) : context.text();
  }
  children.each_item(
      [&](const json::Value& child) { out.children.push_back(read_node(child, depth + 1)); });
  if (out.type) {
    check_context(out, context);
  } else if (!context.is_null() || !out.children.empty()) {
    value.fail_malformed("a leaf has no context and no children");
  }
  return out;
}

}  // namespace

TreeSpec read_tree(const json::Value& text_field) {
  const std::string path = text_field.path();
  const std::string_view text = text_field.string();
  const Breadcrumb here("tree", path);
  const json::Document document = json::Document::parse(text);
  const json::Value root(document);
  TreeSpec out;
  std::size_t index = 0;
  root.each_item([&](const json::Value& item) {
    if (index == 0 && item.integer() != kTreeProtocol) {
      item.fail(
          ErrorCode::Unsupported,
          fmt::format("tree protocol {}, this reader knows {}", item.integer(), kTreeProtocol));
    }
    if (index == 1) out = read_node(item, 1);
    ++index;
  });
  if (index != 2)
    root.fail_malformed(fmt::format("wanted [protocol, tree], found {} items", index));
  return out;
}

std::size_t leaf_count(const TreeSpec& tree) {
  if (!tree.type) return 1;
  std::size_t count = 0;
  for (const TreeSpec& child : tree.children) count += leaf_count(child);
  return count;
}

}  // namespace ptec
