#include "edge/functionalize.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/alias_tracker.h"
#include "ir/names.h"
#include "ops/layouts.h"
#include "ops/ops.h"
#include "ops/promotion.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

enum class Computes { Same, Promote, Divide, Bool };

struct InPlaceRow {
  std::string_view name;
  Computes computes;
};
constexpr InPlaceRow kInPlace[] = {
#define PTEC_IN_PLACE(name, computes) {name, Computes::computes},
#include "ops/in_place.def"
#undef PTEC_IN_PLACE
};

/// Operators that change nothing outside training: the operand, a probability, whether to train.
constexpr std::string_view kDropouts[] = {
    "aten::alpha_dropout.default",
    "aten::dropout.default",
    "aten::feature_alpha_dropout.default",
    "aten::feature_dropout.default",
};

const InPlaceRow* find_in_place(std::string_view target) {
  constexpr std::string_view kSpace = "aten::";
  if (target.substr(0, kSpace.size()) != kSpace) return nullptr;
  const std::string_view name = target.substr(kSpace.size(), target.find('.') - kSpace.size());
  if (name.size() < 2 || name.back() != '_') return nullptr;
  for (const InPlaceRow& row : kInPlace) {
    if (row.name == name.substr(0, name.size() - 1)) return &row;
  }
  return nullptr;
}

/// "aten::add_.Tensor" -> "aten::add.Tensor".
std::string functional_target(std::string_view target) {
  std::string out(target);
  out.erase(out.find('.') - 1, 1);
  return out == "aten::zero.default" ? "aten::zeros_like.default" : out;
}

const Argument* find_argument(const Node& node, std::size_t position, std::string_view name) {
  for (const NamedArgument& argument : node.kwargs) {
    if (argument.name == name) return &argument.value;
  }
  return position < node.args.size() ? &node.args[position] : nullptr;
}

bool is_true(const Argument* argument) {
  const auto* flag = argument == nullptr ? nullptr : std::get_if<bool>(&argument->v);
  return flag != nullptr && *flag;
}

class Functionalizer {
 public:
  explicit Functionalizer(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph), aliases_(program) {
    for (NodeId id = graph_.first(); id != kNoNode; id = graph_.at(id).next)
      tracks_ = tracks_ || (writes_in_place(graph_.at(id).target) &&
                            graph_.at(id).target != "aten::detach_.default");
  }

  FunctionalizeStats run() {
    NodeId next = kNoNode;
    for (NodeId id = graph_.first(); id != kNoNode; id = next) {
      next = graph_.at(id).next;
      if (graph_.at(id).kind == NodeKind::Placeholder) continue;
      const Breadcrumb here("node", graph_.at(id).name);
      if (tracks_) aliases_.refresh_operands(id);
      if (graph_.at(id).kind == NodeKind::Output) continue;
      if (!visit(id) && tracks_) aliases_.note_view(id);
    }
    if (!problems_.empty()) throw Error(ErrorCode::Unsupported, std::move(problems_));
    if (tracks_) aliases_.return_mutations();
    drop_whole_copies();
    return stats_;
  }

 private:
  /// True when the node was handled here and is no view.
  bool visit(NodeId id) {
    const std::string& target = graph_.at(id).target;
    if (target.compare(0, 9, "aten::to.") == 0 || target == "aten::type_as.default")
      return cast(id);
    if (target == "aten::contiguous.default") return make_contiguous(id);
    if (std::find(std::begin(kDropouts), std::end(kDropouts), target) != std::end(kDropouts))
      return drop_out(id);
    if (target == "aten::detach_.default") return bypass(id);  // it stays the same tensor
    if (target == "aten::detach.default") graph_.at(id).target = "aten::alias.default";
    if (!writes_in_place(target)) return false;
    write(id);
    return true;
  }

  /// The node gives way to its first operand, which it would have returned.
  bool bypass(NodeId id) {
    const NodeId operand = *graph_.at(id).args.at(0).node();
    graph_.replace_all_uses(id, operand);
    graph_.erase(id);
    ++stats_.removed;
    return true;
  }

  const TensorMeta* operand_of(NodeId id) const {
    const Node& node = graph_.at(id);
    const NodeId* operand = node.args.empty() ? nullptr : node.args[0].node();
    return operand == nullptr ? nullptr : graph_.at(*operand).value.tensor();
  }

  bool cast(NodeId id) {
    Node& node = graph_.at(id);
    const TensorMeta* operand = operand_of(id);
    const TensorMeta* result = node.value.tensor();
    if (operand == nullptr || result == nullptr) return false;
    // Positions of `copy` and `memory_format` differ from overload to overload; their kinds do not.
    const MemoryFormatCode* format = nullptr;
    bool copy = is_true(find_argument(node, node.args.size(), "copy"));
    int flags = 0;
    for (const Argument& argument : node.args) {
      if (const auto* code = std::get_if<MemoryFormatCode>(&argument.v)) format = code;
      if (const auto* flag = std::get_if<bool>(&argument.v)) copy = (++flags == 2 && *flag) || copy;
    }
    if (const Argument* named = find_argument(node, node.args.size(), "memory_format"))
      format = std::get_if<MemoryFormatCode>(&named->v);
    const bool keeps_layout = format == nullptr || static_cast<std::int64_t>(*format) == 4 ||
                              operand->strides == result->strides;
    if (!copy && keeps_layout && operand->dtype == result->dtype &&
        operand->device == result->device)
      return bypass(id);
    std::vector<NamedArgument> kwargs = {{"dtype", Argument(result->dtype)}};
    if (!(operand->device == result->device)) kwargs.push_back({"device", result->device});
    if (format != nullptr) kwargs.push_back({"memory_format", Argument(*format)});
    node.target = "aten::_to_copy.default";
    const Argument self = node.args[0];
    graph_.set_arguments(id, {self}, std::move(kwargs));
    return true;
  }

  bool make_contiguous(NodeId id) {
    Node& node = graph_.at(id);
    const TensorMeta* operand = operand_of(id);
    const TensorMeta* result = node.value.tensor();
    if (operand == nullptr || result == nullptr) return false;
    const Argument* given = find_argument(node, 1, "memory_format");
    const auto* format = given == nullptr ? nullptr : std::get_if<MemoryFormatCode>(&given->v);
    const MemoryFormatCode wanted = format == nullptr ? MemoryFormatCode{1} : *format;
    const bool already = static_cast<std::int64_t>(wanted) == 2
                             ? has_channels_last_layout(program_, *operand)
                             : is_contiguous(program_, *operand);
    if (already) return bypass(id);
    node.target = "aten::clone.default";
    const Argument self = node.args[0];
    graph_.set_arguments(id, {self}, {{"memory_format", Argument(wanted)}});
    return true;
  }

  bool drop_out(NodeId id) {
    if (is_true(find_argument(graph_.at(id), 2, "train"))) return false;
    return bypass(id);
  }

  void write(NodeId id) {
    Node& node = graph_.at(id);
    const InPlaceRow* row = find_in_place(node.target);
    const TensorMeta* self = operand_of(id);
    if (row == nullptr || self == nullptr) {
      problems_.push_back(Breadcrumb::trail() +
                          fmt::format("{} writes in place in a way that cannot be followed; export "
                                      "the program with run_decompositions() first",
                                      node.target));
      return;
    }
    const NodeId written = aliases_.written_by(id);
    if (const std::string problem = aliases_.problem_with_write(written); !problem.empty()) {
      problems_.push_back(Breadcrumb::trail() + fmt::format("{}: {}", node.target, problem));
      return;
    }
    ++stats_.in_place;
    node.target = functional_target(node.target);
    const TensorMeta wanted = *self;
    TensorMeta computed = wanted;
    computed.dtype = computed_type(node, row->computes, wanted.dtype);
    computed.storage_offset = 0;
    node.value.v = computed;
    infer_strides_if_known(id);
    aliases_.set_value(written, id, cast_back(id, wanted.dtype));
  }

  /// A buffer that becomes a copy of a value becomes that value. (Where the copy casts or
  /// broadcasts it stays: the reference drops it there too, and what reads the buffer later reads
  /// the value before the cast.)
  void drop_whole_copies() {
    const Argument::List results = *graph_.at(graph_.last()).args.at(0).list();
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (program_.outputs[i].kind != OutputKind::BufferMutation) continue;
      const NodeId* id = results[i].node();
      if (id == nullptr || graph_.at(*id).erased || graph_.at(*id).target != "aten::copy.default")
        continue;
      const NodeId source = *graph_.at(*id).args.at(1).node();
      const TensorMeta* from = graph_.at(source).value.tensor();
      const TensorMeta* to = graph_.at(*id).value.tensor();
      if (from == nullptr || to == nullptr || from->dtype != to->dtype || from->sizes != to->sizes)
        continue;
      graph_.replace_all_uses(*id, source);
      graph_.erase(*id);
    }
  }

  ScalarType computed_type(const Node& node, Computes computes, ScalarType own) const {
    if (computes == Computes::Same) return own;
    if (computes == Computes::Bool) return ScalarType::Bool;
    std::vector<TypedOperand> operands;
    for (std::size_t i = 0; i < node.args.size() && i < 2; ++i) {
      if (const auto operand = typed_operand(graph_, node.args[i])) operands.push_back(*operand);
    }
    const bool divides =
        computes == Computes::Divide && find_argument(node, 2, "rounding_mode") == nullptr;
    return result_type(operands, divides ? PromotionKind::IntToFloat : PromotionKind::Default);
  }

  /// The layout follows where there is a rule; elsewhere it stays the operand's.
  void infer_strides_if_known(NodeId id) {
    if (has_layout_rule(graph_.at(id).target)) infer_strides(program_, id);
  }

  NodeId cast_back(NodeId id, ScalarType wanted) {
    if (graph_.at(id).value.tensor()->dtype == wanted) return id;
    Node cast;
    cast.name = names_.unique("_to_copy");
    cast.target = "aten::_to_copy.default";
    cast.args = {Argument(id)};
    cast.kwargs = {{"dtype", Argument(wanted)}};
    TensorMeta meta = *graph_.at(id).value.tensor();
    meta.dtype = wanted;
    cast.value.v = std::move(meta);
    return graph_.insert(std::move(cast), graph_.at(id).next);
  }

  Program& program_;
  Graph& graph_;
  NameTable names_;
  AliasTracker aliases_;
  bool tracks_ = false;
  std::vector<std::string> problems_;
  FunctionalizeStats stats_;
};

}  // namespace

FunctionalizeStats functionalize(Program& program) { return Functionalizer(program).run(); }

}  // namespace ptec::edge
