#include "emit/container_text.h"

#include "support/json_text.h"

namespace ptec::emit {
namespace {

void append_node(std::string& out, const TreeSpec& tree) {
  out += "{\"type\": ";
  if (tree.type) {
    append_json_string(out, *tree.type);
    out += ", \"context\": ";
    append_json_string(out, tree.context);
  } else {
    out += "null, \"context\": null";
  }
  out += ", \"children_spec\": [";
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    if (i > 0) out += ", ";
    append_node(out, tree.children[i]);
  }
  out += "]}";
}

}  // namespace

std::string container_text(const TreeSpec& tree) {
  std::string out = "[1, ";
  append_node(out, tree);
  out += ']';
  return out;
}

}  // namespace ptec::emit
