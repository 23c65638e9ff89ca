// Infix text of symbolic expressions: `4*s7 + 1`, `s0//2`, `Max(s0, 6)`.
//
//   sum     := product { ("+" | "-") product }
//   product := ["-"] power { ("*" | "//" | "/") power }       "/" between two integers only
//   power   := atom [ "**" atom ]
//   atom    := number | name | head "(" [ sum { "," sum } ] ")" | "(" sum ")"
//
// A minus sign directly before a digit belongs to the number. Symbols whose names could be read as
// something else are written Symbol("name").
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

enum Level { kSum = 1, kProduct = 2, kPower = 3, kAtom = 4 };

class Printer {
 public:
  explicit Printer(const ExprPool& pool) : pool_(pool) {}

  std::string print(ExprId id, Level least) const {
    const Expr& expr = pool_.at(id);
    std::string text = text_of(expr);
    return level_of(expr) < least ? "(" + text + ")" : text;
  }

 private:
  static Level level_of(const Expr& expr) {
    switch (expr.op) {
      case ExprOp::Integer:
        return expr.number < 0 ? kSum : kAtom;
      case ExprOp::Float:
        return std::signbit(expr.real) ? kSum : kAtom;
      case ExprOp::Add:
        return kSum;
      case ExprOp::Mul:
      case ExprOp::FloorDiv:
        return kProduct;
      case ExprOp::Pow:
        return kPower;
      default:
        return kAtom;
    }
  }

  std::string text_of(const Expr& expr) const {
    switch (expr.op) {
      case ExprOp::Symbol:
        return symbol(expr.symbol);
      case ExprOp::Integer:
        return std::to_string(expr.number);
      case ExprOp::Rational:
        return fmt::format("({}/{})", expr.number, expr.denominator);
      case ExprOp::Float:
        return real(expr.real);
      case ExprOp::Add:
        return sum(expr);
      case ExprOp::Mul:
        return product(expr);
      case ExprOp::Pow:
        return print(expr.args[0], kAtom) + "**" + print(expr.args[1], kAtom);
      case ExprOp::FloorDiv:
        return print(expr.args[0], kAtom) + "//" + print(expr.args[1], kAtom);
      default:
        return call(expr);
    }
  }

  static std::string symbol(const std::string& name) {
    if (ExprScanner::is_name(name) && !find_expr_constant(name)) return name;
    std::string out = "Symbol(\"";
    for (const char c : name) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\")";
  }

  static std::string real(double value) {
    std::string out = fmt::format("{}", value);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return out;
  }

  // The number comes last, as people write it.
  std::string sum(const Expr& expr) const {
    std::string out;
    const auto add = [&out](std::string term) {
      if (out.empty()) {
        out = std::move(term);
      } else if (term.starts_with('-') && !term.starts_with("-9223372036854775808")) {
        out += " - " + term.substr(1);
      } else {
        out += " + " + term;
      }
    };
    for (const ExprId arg : expr.args) {
      if (pool_.at(arg).op != ExprOp::Integer) add(print(arg, kProduct));
    }
    for (const ExprId arg : expr.args) {
      if (pool_.at(arg).op == ExprOp::Integer) add(std::to_string(pool_.at(arg).number));
    }
    return out;
  }

  std::string product(const Expr& expr) const {
    std::string out;
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      const Expr& factor = pool_.at(expr.args[i]);
      if (i == 0 && factor.op == ExprOp::Integer) {
        out = std::to_string(factor.number);
        continue;
      }
      const std::string text = print(expr.args[i], kPower);
      if (i == 1 && out == "-1" && !ExprScanner::is_digit(text.front()) && text.front() != '-') {
        out = "-" + text;
      } else {
        out += (i == 0 ? "" : "*") + text;
      }
    }
    return out;
  }

  std::string call(const Expr& expr) const {
    std::string out(expr_op_info(expr.op).head);
    if (find_expr_constant(out)) return out;
    if (expr.op == ExprOp::OpaqueUnary) out += expr.symbol;
    out += '(';
    for (std::size_t i = 0; i < expr.args.size(); ++i) {
      if (i > 0) out += ", ";
      out += print(expr.args[i], kSum);
    }
    return out + ")";
  }

  const ExprPool& pool_;
};

class InfixParser {
 public:
  InfixParser(ExprPool& pool, std::string_view text) : pool_(pool), scan_(text) {}

  ExprId parse() {
    const ExprId out = parse_sum();
    scan_.skip_spaces();
    if (!scan_.at_end()) scan_.fail("wanted the end");
    return out;
  }

 private:
  ExprId negated(ExprId id) { return make_expr(pool_, ExprOp::Mul, {pool_.integer(-1), id}); }

  ExprId parse_sum() {
    const ExprDepth level(depth_, scan_);
    std::vector<ExprId> terms{parse_product()};
    while (true) {
      if (scan_.take("+")) {
        terms.push_back(parse_product());
      } else if (scan_.take("-")) {
        terms.push_back(negated(parse_product()));
      } else {
        break;
      }
    }
    return terms.size() == 1 ? terms[0] : make_expr(pool_, ExprOp::Add, std::move(terms));
  }

  ExprId parse_product() {
    scan_.skip_spaces();
    const bool minus = scan_.peek() == '-' && !ExprScanner::is_digit(scan_.peek(1));
    if (minus) scan_.advance();
    ExprId out = parse_power();
    while (true) {
      if (scan_.take("//")) {
        out = make_expr(pool_, ExprOp::FloorDiv, {out, parse_power()});
      } else if (scan_.take("/")) {
        out = quotient(out, parse_power());
      } else if (scan_.take("*")) {
        out = make_expr(pool_, ExprOp::Mul, {out, parse_power()});
      } else {
        return minus ? negated(out) : out;
      }
    }
  }

  ExprId quotient(ExprId a, ExprId b) {
    const Expr numerator = pool_.at(a);
    const Expr denominator = pool_.at(b);
    if (numerator.op != ExprOp::Integer || denominator.op != ExprOp::Integer ||
        denominator.number == 0) {
      scan_.fail("'/' stands between two integers only, the second not 0");
    }
    const std::optional<ExprId> out = make_rational(pool_, numerator.number, denominator.number);
    if (!out) scan_.fail("the integer does not fit in 64 bits");
    return *out;
  }

  ExprId parse_power() {
    const ExprId base = parse_atom();
    if (!scan_.take("**")) return base;
    return make_expr(pool_, ExprOp::Pow, {base, parse_atom()});
  }

  ExprId parse_atom() {
    if (scan_.take("(")) {
      const ExprId out = parse_sum();
      scan_.expect(")");
      return out;
    }
    scan_.skip_spaces();
    if (ExprScanner::is_digit(scan_.peek()) || scan_.peek() == '-') return parse_number();
    const std::string_view name = scan_.take_name();
    if (name.empty()) scan_.fail("wanted an expression");
    if (scan_.take("(")) return parse_call(name);
    if (const std::optional<ExprOp> constant = find_expr_constant(name)) {
      Expr expr;
      expr.op = *constant;
      return pool_.intern(std::move(expr));
    }
    return pool_.symbol(name);
  }

  ExprId parse_number() {
    std::size_t length = scan_.peek() == '-' ? 1 : 0;
    while (ExprScanner::is_digit(scan_.peek(length))) ++length;
    if (scan_.peek(length) != '.' && scan_.peek(length) != 'e') {
      return pool_.integer(scan_.take_integer());
    }
    Expr expr;
    expr.op = ExprOp::Float;
    const char* begin = scan_.text().data() + scan_.position();
    const char* end = scan_.text().data() + scan_.text().size();
    const auto [stop, problem] = std::from_chars(begin, end, expr.real);
    if (problem != std::errc() || !std::isfinite(expr.real)) scan_.fail("wanted a finite number");
    scan_.advance(static_cast<std::size_t>(stop - begin));
    return pool_.intern(std::move(expr));
  }

  ExprId parse_call(std::string_view head) {
    if (head == expr_op_info(ExprOp::Symbol).head) {
      const std::string name = scan_.take_string('"');
      if (name.empty()) scan_.fail("a symbol needs a name");
      scan_.expect(")");
      return pool_.symbol(name);
    }
    const ExprOpInfo* info = find_expr_op(head);
    if (info == nullptr || info->max_arity == 0) {
      scan_.fail(fmt::format("unknown head '{}'", printable(head)));
    }
    std::vector<ExprId> args;
    do args.push_back(parse_sum());
    while (scan_.take(","));
    scan_.expect(")");
    if (!accepts(*info, args.size())) {
      scan_.fail(fmt::format("{} does not take {} arguments", info->head, args.size()));
    }
    std::string symbol;
    if (info->op == ExprOp::OpaqueUnary) symbol = head.substr(kOpaqueUnaryHead.size());
    return make_expr(pool_, info->op, std::move(args), std::move(symbol));
  }

  ExprPool& pool_;
  ExprScanner scan_;
  std::size_t depth_ = 0;
};

}  // namespace

std::string ExprPool::print(const Dim& dim) const {
  if (dim.is_number()) return std::to_string(dim.number());
  return Printer(*this).print(dim.expr(), kSum);
}

Dim ExprPool::parse_infix(std::string_view text) {
  return make_dim(*this, InfixParser(*this, text).parse());
}

}  // namespace ptec
