#include "ops/ops.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr OpRow kRows[] = {
#define PTEC_OP(functional, out, arguments, outs, flags) {functional, out, arguments, outs, flags},
#include "ops/ops.def"
#undef PTEC_OP
};

constexpr OpRow kRowsWithoutKernel[] = {
#define PTEC_OP(functional, out, arguments, outs, flags) {functional, out, arguments, outs, flags},
#include "ops/ops_without_kernel.def"
#undef PTEC_OP
};

template <std::size_t N>
constexpr bool sorted_and_unique(const OpRow (&rows)[N]) {
  for (std::size_t i = 1; i < N; ++i) {
    if (!(rows[i - 1].functional < rows[i].functional)) return false;
  }
  return true;
}
static_assert(sorted_and_unique(kRows),
              "rows of ops.def must be sorted by functional form, each once");
static_assert(sorted_and_unique(kRowsWithoutKernel),
              "rows of ops_without_kernel.def must be sorted by functional form, each once");

template <std::size_t N>
const OpRow* find_row(const OpRow (&rows)[N], std::string_view functional) {
  const OpRow* row = std::lower_bound(
      std::begin(rows), std::end(rows), functional, [](const OpRow& r, std::string_view name) {
        return r.functional < name;
      });
  return row == std::end(rows) || row->functional != functional ? nullptr : row;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

struct TypeRow {
  std::string_view word;
  ArgumentType type;
};
constexpr TypeRow kTypes[] = {{"T", ArgumentType::Tensor},
                              {"S", ArgumentType::Scalar},
                              {"i", ArgumentType::Int},
                              {"f", ArgumentType::Double},
                              {"b", ArgumentType::Bool},
                              {"str", ArgumentType::String},
                              {"dtype", ArgumentType::ScalarType},
                              {"format", ArgumentType::MemoryFormat}};

bool strip_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

Argument parse_literal(std::string_view text, ArgumentType type) {
  if (text == "None") return None{};
  if (text == "[]") return Argument::List{};
  if (text == "true" || text == "false") return text == "true";
  if (type == ArgumentType::String) return std::string(text);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  if (std::from_chars(text.data(), end, number).ptr == end) return number;
  double real = 0;
  PTEC_INVARIANT(std::from_chars(text.data(), end, real).ptr == end,
                 "bad default '" + std::string(text) + "' in ops.def");
  return real;
}

ArgumentSchema parse_argument(std::string_view word, bool keyword_only) {
  ArgumentSchema schema;
  schema.keyword_only = keyword_only;
  const std::size_t colon = word.find(':');
  PTEC_INVARIANT(colon != std::string_view::npos,
                 "argument '" + std::string(word) + "' of ops.def has no kind");
  schema.name = std::string(word.substr(0, colon));
  std::string_view kind = word.substr(colon + 1);
  std::optional<std::string_view> literal;
  if (const std::size_t equals = kind.find('='); equals != std::string_view::npos) {
    literal = kind.substr(equals + 1);
    kind = kind.substr(0, equals);
  }
  schema.optional = strip_suffix(kind, "?");
  std::size_t repeat = 0;  // N of i[N]
  if (const std::size_t bracket = kind.find('['); bracket != std::string_view::npos) {
    schema.list = true;
    std::from_chars(kind.data() + bracket + 1, kind.data() + kind.size() - 1, repeat);
    kind = kind.substr(0, bracket);
    schema.optional_items = strip_suffix(kind, "?");
  }
  const auto* row = std::find_if(
      std::begin(kTypes), std::end(kTypes), [kind](const TypeRow& r) { return r.word == kind; });
  PTEC_INVARIANT(row != std::end(kTypes),
                 "argument '" + std::string(word) + "' of ops.def has an unknown kind");
  schema.type = row->type;
  if (literal) {
    Argument value = parse_literal(*literal, schema.type);
    if (schema.list && value.list() == nullptr && !value.is_none())
      value = Argument::List(repeat, value);
    schema.default_value = std::move(value);
  }
  return schema;
}

struct Cache {
  std::mutex mutex;
  std::unordered_map<std::string_view, std::unique_ptr<OpSchema>> by_functional;
  std::unordered_map<std::string_view, std::string_view> functional_by_out;
};

Cache& cache() {
  static Cache instance;
  return instance;
}

const OpSchema* parsed(const OpRow& row, bool has_kernel) {
  const std::lock_guard lock(cache().mutex);
  std::unique_ptr<OpSchema>& slot = cache().by_functional[row.functional];
  if (!slot) {
    slot = std::make_unique<OpSchema>(parse_op_row(row));
    slot->has_kernel = has_kernel;
  }
  return slot.get();
}

}  // namespace

std::optional<std::size_t> OpSchema::find_argument(std::string_view name) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].name == name) return i;
  }
  return std::nullopt;
}

const std::vector<OpRow>& op_rows() {
  static const std::vector<OpRow> rows(std::begin(kRows), std::end(kRows));
  return rows;
}

const std::vector<OpRow>& op_rows_without_kernel() {
  static const std::vector<OpRow> rows(std::begin(kRowsWithoutKernel),
                                       std::end(kRowsWithoutKernel));
  return rows;
}

OpSchema parse_op_row(const OpRow& row) {
  OpSchema schema;
  schema.functional = row.functional;
  schema.out = row.out;
  bool keyword_only = false;
  for (std::string_view word : words(row.arguments)) {
    if (word.starts_with('*')) {
      keyword_only = true;
      word.remove_prefix(1);
    }
    schema.arguments.push_back(parse_argument(word, keyword_only));
  }
  for (std::string_view word : words(row.outs)) {
    schema.list_out = strip_suffix(word, "[]");
    schema.outs.emplace_back(word);
  }
  for (const std::string_view flag : words(row.flags)) {
    PTEC_INVARIANT(flag == "nograd" || flag == "scalar" || flag == "writes",
                   "unknown flag in ops.def");
    schema.scalar_result = schema.scalar_result || flag == "scalar";
    schema.writes_self = schema.writes_self || flag == "writes";
    schema.never_requires_grad = true;
  }
  return schema;
}

const OpSchema* find_op(std::string_view functional) {
  {
    const std::lock_guard lock(cache().mutex);
    const auto known = cache().by_functional.find(functional);
    if (known != cache().by_functional.end()) return known->second.get();
  }
  if (const OpRow* row = find_row(kRows, functional)) return parsed(*row, true);
  const OpRow* row = find_row(kRowsWithoutKernel, functional);
  return row == nullptr ? nullptr : parsed(*row, false);
}

const OpSchema* find_op_by_out(std::string_view out) {
  {
    const std::lock_guard lock(cache().mutex);
    if (cache().functional_by_out.empty()) {
      for (const OpRow& row : kRows) cache().functional_by_out.emplace(row.out, row.functional);
      for (const OpRow& row : kRowsWithoutKernel)
        cache().functional_by_out.emplace(row.out, row.functional);
    }
  }
  const auto found = cache().functional_by_out.find(out);
  return found == cache().functional_by_out.end() ? nullptr : find_op(found->second);
}

bool writes_in_place(std::string_view target) {
  const std::string_view name = target.substr(0, target.rfind('.'));
  return name.ends_with('_') && !name.ends_with("__");
}

}  // namespace ptec::edge
