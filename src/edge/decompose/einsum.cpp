// Sums of products that are written as labels of dimensions: "bij,bjk->bik".
//
// Operands are brought into one order of dimensions, results first and sums last, those that they
// do not have being of size 1. Two of them become one product of batches of matrices, in which a
// dimension is of the batch, of the rows, of the columns or summed over.
//
// Source: torch 2.14, aten/src/ATen/native/Linear.cpp, einsum and sumproduct_pair.
#include <algorithm>
#include <string>
#include <string_view>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;
using Numbers = std::vector<std::int64_t>;

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

struct Equation {
  std::vector<std::string> operands;
  std::string order;        // every label once: of the result, then those summed over
  std::size_t results = 0;  // how many labels are of the result
};

bool is_plain(std::string_view labels) {
  return labels.find_first_not_of(kLetters) == std::string_view::npos;
}

bool repeats_a_label(std::string_view labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels.find(labels[i], i + 1) != std::string_view::npos) return true;
  }
  return false;
}

std::string without_spaces(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (letter != ' ') out.push_back(letter);
  }
  return out;
}

/// None for ellipses, diagonals, and what torch does not take.
std::optional<Equation> parse_equation(std::string_view given) {
  const std::string text = without_spaces(given);
  const std::size_t arrow = text.find("->");
  Equation out;
  std::string left = text.substr(0, arrow);
  for (std::size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',')) {
    out.operands.push_back(left.substr(0, comma));
    left.erase(0, comma + 1);
  }
  out.operands.push_back(left);
  std::string all;
  for (const std::string& labels : out.operands) {
    if (!is_plain(labels) || repeats_a_label(labels)) return std::nullopt;
    all += labels;
  }
  const auto count = [&](char letter) { return std::count(all.begin(), all.end(), letter); };
  if (arrow != std::string::npos) {
    out.order = text.substr(arrow + 2);
    if (!is_plain(out.order) || repeats_a_label(out.order)) return std::nullopt;
    for (const char letter : out.order) {
      if (count(letter) == 0) return std::nullopt;
    }
  } else {
    for (const char letter : kLetters) {
      if (count(letter) == 1) out.order.push_back(letter);
    }
  }
  out.results = out.order.size();
  for (const char letter : kLetters) {
    if (count(letter) > 0 && out.order.find(letter) == std::string::npos)
      out.order.push_back(letter);
  }
  return out;
}

/// The operand with a dimension for each label, in the order of all.
NodeId in_order(const Rewrite& r, NodeId x, const std::string& labels, const std::string& order) {
  Numbers dims;
  auto next = static_cast<std::int64_t>(labels.size());
  for (const char label : order) {
    const std::size_t at = labels.find(label);
    if (at == std::string::npos) x = unsqueeze(r, x, next);
    dims.push_back(at == std::string::npos ? next++ : static_cast<std::int64_t>(at));
  }
  return r.op("permute.default", {x, Builder::integers(dims)});
}

NodeId summed(const Rewrite& r, NodeId x, const Numbers& dims) {
  return dims.empty() ? x : r.op("sum.dim_IntList", {x, Builder::integers(dims), true});
}

Numbers joined(std::initializer_list<Numbers> parts) {
  Numbers out;
  for (const Numbers& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

/// The product of both, summed over `sums`, which both have. What is summed stays as a 1.
NodeId sum_of_products(const Rewrite& r, NodeId left, NodeId right, const Numbers& sums) {
  if (sums.empty()) return r.op("mul.Tensor", {left, right});
  const Sizes a = r.b.sizes(left);
  const Sizes b = r.b.sizes(right);
  Numbers both;
  Numbers rows;
  Numbers columns;
  for (std::int64_t dim = 0; dim < static_cast<std::int64_t>(a.size()); ++dim) {
    if (std::find(sums.begin(), sums.end(), dim) != sums.end()) continue;
    const bool in_left = !is_number(a[static_cast<std::size_t>(dim)], 1);
    const bool in_right = !is_number(b[static_cast<std::size_t>(dim)], 1);
    (in_left && in_right ? both : in_left ? rows : columns).push_back(dim);
  }
  const auto sizes_of = [](const Sizes& sizes, const Numbers& dims) {
    Sizes out;
    for (const std::int64_t dim : dims) out.push_back(sizes[static_cast<std::size_t>(dim)]);
    return out;
  };
  const Dim batch = r.b.product(sizes_of(a, both));
  const Dim height = r.b.product(sizes_of(a, rows));
  const Dim inner = r.b.product(sizes_of(a, sums));
  const Dim width = r.b.product(sizes_of(b, columns));
  const auto turned = [&r](NodeId x, const Numbers& dims) {
    return r.op("permute.default", {x, Builder::integers(dims)});
  };
  const NodeId first =
      reshape(r, turned(left, joined({both, rows, sums, columns})), {batch, height, inner});
  const NodeId second =
      reshape(r, turned(right, joined({both, sums, columns, rows})), {batch, inner, width});
  const NodeId product = r.op("bmm.default", {first, second});
  Sizes out = sizes_of(a, both);
  for (const Dim& size : sizes_of(a, rows)) out.push_back(size);
  out.insert(out.end(), sums.size(), Dim(1));
  for (const Dim& size : sizes_of(b, columns)) out.push_back(size);
  const Numbers order = joined({both, rows, sums, columns});
  Numbers back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return turned(view(r, product, out), back);
}

NodeId contracted(const Rewrite& r, NodeId left, NodeId right, std::size_t results) {
  Numbers both;
  Numbers only_left;
  Numbers only_right;
  for (std::size_t dim = results; dim < r.b.rank(left); ++dim) {
    const bool in_left = !is_number(r.b.sizes(left)[dim], 1);
    const bool in_right = !is_number(r.b.sizes(right)[dim], 1);
    if (!in_left && !in_right) continue;
    (in_left && in_right ? both
     : in_left           ? only_left
                         : only_right)
        .push_back(static_cast<std::int64_t>(dim));
  }
  const NodeId first = summed(r, left, only_left);
  const NodeId second = summed(r, right, only_right);
  const NodeId product = sum_of_products(r, first, second, both);
  Sizes sizes = r.b.sizes(product);
  if (sizes.size() == results) return product;
  sizes.resize(results);
  return view(r, product, sizes);
}

bool labels_fit(const Rewrite& r, const Equation& equation, const std::vector<NodeId>& operands) {
  if (operands.size() != equation.operands.size() || operands.size() > 2) return false;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (r.b.rank(operands[i]) != equation.operands[i].size()) return false;
  }
  return true;
}

Results einsum(const Rewrite& r) {
  const std::optional<Equation> equation = parse_equation(r.args.text_or(0, "equation", ""));
  const std::vector<NodeId> operands = r.args.nodes(1, "tensors");
  if (!equation || !labels_fit(r, *equation, operands) || r.args.has(2, "path")) return {};
  std::vector<NodeId> ordered;
  for (std::size_t i = 0; i < operands.size(); ++i)
    ordered.push_back(in_order(r, operands[i], equation->operands[i], equation->order));
  if (ordered.size() == 2) return {contracted(r, ordered[0], ordered[1], equation->results)};
  if (equation->order.size() == equation->results) return {ordered[0]};
  Numbers sums;
  for (std::size_t dim = equation->results; dim < equation->order.size(); ++dim)
    sums.push_back(static_cast<std::int64_t>(dim));
  return {r.op("sum.dim_IntList", {ordered[0], Builder::integers(sums)})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::einsum.default", einsum},
};

}  // namespace

Rows<DecomposeRule> einsum_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
