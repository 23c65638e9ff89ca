// Reads the constructor notation in which torch.export stores symbolic sizes.
//
//   expr := name "(" [ item { "," item } ] ")" | name | "-" name
//   item := expr | integer | text in single quotes | name "=" (expr | integer)
//
// torch hands such texts to an evaluating parser; here they only become nodes of the pool.
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "sym/expr_make.h"
#include "sym/expr_op_info.h"
#include "sym/expr_scan.h"
#include "sym/sym_expr.h"

namespace ptec {
namespace {

/// What a constructor was given: expressions, or one text, or plain integers.
struct Items {
  std::vector<ExprId> exprs;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  std::size_t count() const { return exprs.size() + integers.size() + texts.size(); }
};

class SreprParser {
 public:
  SreprParser(ExprPool& pool, std::string_view text) : pool_(pool), scan_(text) {}

  ExprId parse() {
    const ExprId out = parse_expr();
    scan_.skip_spaces();
    if (!scan_.at_end()) scan_.fail("wanted the end");
    return out;
  }

 private:
  ExprId parse_expr() {
    const ExprDepth level(depth_, scan_);
    if (scan_.take("-")) {
      const ExprId operand = constant(scan_.take_name());
      return make_expr(pool_, ExprOp::Mul, {pool_.integer(-1), operand});
    }
    return parse_named(scan_.take_name());
  }

  ExprId parse_named(std::string_view name) {
    if (name.empty()) scan_.fail("wanted an expression");
    if (!scan_.take("(")) return constant(name);
    const ExprOpInfo* info = find_expr_op(name);
    if (info == nullptr) scan_.fail(fmt::format("unknown head '{}'", printable(name)));
    Items items;
    if (!scan_.take(")")) {
      do parse_item(items);
      while (scan_.take(","));
      scan_.expect(")");
    }
    return build(*info, name, items);
  }

  ExprId constant(std::string_view name) {
    const std::optional<ExprOp> op = find_expr_constant(name);
    if (!op) scan_.fail(fmt::format("unknown name '{}'", printable(name)));
    Expr expr;
    expr.op = *op;
    return pool_.intern(std::move(expr));
  }

  void parse_item(Items& items) {
    scan_.skip_spaces();
    const char next = scan_.peek();
    if (next == '\'') {
      items.texts.push_back(scan_.take_string('\''));
    } else if (ExprScanner::is_digit(next) ||
               (next == '-' && ExprScanner::is_digit(scan_.peek(1)))) {
      items.integers.push_back(scan_.take_integer());
    } else if (next == '-') {
      items.exprs.push_back(parse_expr());
    } else {
      const ExprDepth level(depth_, scan_);
      const std::string_view name = scan_.take_name();
      if (scan_.take("=")) {
        skip_option();  // an assumption or a precision: identity is the name alone
      } else {
        items.exprs.push_back(parse_named(name));
      }
    }
  }

  void skip_option() {
    if (scan_.take("True") || scan_.take("False")) return;
    Items ignored;
    parse_item(ignored);
  }

  ExprId build(const ExprOpInfo& info, std::string_view head, Items& items) {
    switch (info.op) {
      case ExprOp::Symbol:
        if (items.texts.size() != 1 || items.count() != 1 || items.texts[0].empty()) {
          scan_.fail("Symbol takes one name");
        }
        return pool_.symbol(items.texts[0]);
      case ExprOp::Integer:
        if (items.integers.size() != 1 || items.count() != 1)
          scan_.fail("Integer takes one integer");
        return pool_.integer(items.integers[0]);
      case ExprOp::Rational:
        return rational(items);
      case ExprOp::Float:
        if (items.texts.size() != 1 || items.count() != 1) scan_.fail("Float takes one text");
        return real(items.texts[0]);
      default:
        break;
    }
    if (!items.integers.empty() || !items.texts.empty()) {
      scan_.fail(fmt::format("{} takes expressions", info.head));
    }
    if (!accepts(info, items.exprs.size()) || find_expr_constant(info.head)) {
      scan_.fail(fmt::format("{} does not take {} arguments", info.head, items.exprs.size()));
    }
    std::string symbol;
    if (info.op == ExprOp::OpaqueUnary) symbol = head.substr(kOpaqueUnaryHead.size());
    return make_expr(pool_, info.op, std::move(items.exprs), std::move(symbol));
  }

  ExprId rational(const Items& items) {
    if (items.integers.size() != 2 || items.count() != 2) scan_.fail("Rational takes two integers");
    if (items.integers[1] == 0) scan_.fail("the denominator is 0");
    const std::optional<ExprId> out = make_rational(pool_, items.integers[0], items.integers[1]);
    if (!out) scan_.fail("the integer does not fit in 64 bits");
    return *out;
  }

  ExprId real(const std::string& text) {
    Expr expr;
    expr.op = ExprOp::Float;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, expr.real);
    if (problem != std::errc() || stop != end || !std::isfinite(expr.real)) {
      scan_.fail(fmt::format("'{}' is no finite number", printable(text)));
    }
    return pool_.intern(std::move(expr));
  }

  ExprPool& pool_;
  ExprScanner scan_;
  std::size_t depth_ = 0;
};

}  // namespace

Dim ExprPool::parse_srepr(std::string_view text) {
  return make_dim(*this, SreprParser(*this, text).parse());
}

}  // namespace ptec
