#include "tests/support/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace ptec::test {
namespace {

using inspect::PteInstruction;
using inspect::PtePlan;
using inspect::PteTensor;

// What a tensor's bytes can be, over all paths that lead to an instruction.
constexpr std::uint8_t kUnwritten = 1;
constexpr std::uint8_t kIntact = 2;
constexpr std::uint8_t kOverwritten = 4;

struct Effect {
  std::vector<std::size_t> reads;
  std::vector<std::size_t> writes;
  std::vector<std::size_t> grows;  // written in part: the rest has to be as it was
};

struct State {
  std::vector<std::uint8_t> bytes;  // by value
  std::map<std::size_t, std::set<std::size_t>>
      shares;  // values that moves made share others' bytes

  bool merge(const State& other) {
    bool changed = false;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      changed = changed || (other.bytes[i] & ~bytes[i]) != 0;
      bytes[i] |= other.bytes[i];
    }
    for (const auto& [value, sources] : other.shares) {
      for (const std::size_t source : sources) {
        const bool added = shares[value].insert(source).second;
        changed = changed || added;
      }
    }
    return changed;
  }
};

class Checker {
 public:
  explicit Checker(const PtePlan& plan) : plan_(plan) {
    for (const auto& chain : plan.chains) code_.insert(code_.end(), chain.begin(), chain.end());
    check_arenas();
    find_delegate_outputs();
    find_views_and_state();
    find_stacks();
  }

  std::vector<std::string> run() {
    std::map<std::size_t, State> blocks{{0, start()}};
    std::set<std::size_t> waiting{0};
    while (!waiting.empty()) {
      const std::size_t block = *waiting.begin();
      waiting.erase(waiting.begin());
      walk(block, blocks.at(block), false, [&](std::size_t next, const State& state) {
        const auto [found, added] = blocks.try_emplace(next, state);
        if (added || found->second.merge(state)) waiting.insert(next);
      });
    }
    for (const auto& [block, state] : blocks)
      walk(block, state, true, [](std::size_t, const State&) {});
    return std::move(problems_);
  }

 private:
  const PteTensor* tensor(std::size_t value) const {
    const auto* found = std::get_if<PteTensor>(&plan_.values[value]);
    return found != nullptr && found->allocation ? found : nullptr;
  }

  void check_arenas() {
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      const PteTensor* found = tensor(i);
      if (found == nullptr) continue;
      const inspect::PteArena& arena = plan_.arenas.at(found->allocation->memory_id);
      if (found->allocation->offset_bytes + found->size_bytes > arena.size_bytes ||
          found->allocation->offset_bytes % 16 != 0 || !(found->device == arena.device)) {
        problems_.push_back(fmt::format("value {} does not lie in its arena", i));
      }
    }
  }

  void add(std::int32_t value, std::vector<std::size_t>& list) const {
    const auto index = static_cast<std::size_t>(value);
    if (value >= 0 && std::holds_alternative<PteTensor>(plan_.values[index])) {
      list.push_back(index);
    } else if (const auto* tensors = std::get_if<inspect::PteTensorList>(&plan_.values[index])) {
      for (const std::int32_t item : tensors->values) add(item, list);
    } else if (const auto* some =
                   std::get_if<inspect::PteOptionalTensorList>(&plan_.values[index])) {
      for (const std::int32_t item : some->values) {
        if (item >= 0) add(item, list);
      }
    }
  }

  /// The last argument is what the operator returns, and that is what it writes.
  Effect effect_of(const inspect::PteKernelCall& call) const {
    Effect out;
    const std::string name = plan_.operators[call.op_index].full_name();
    if (name == "executorch_prim::et_copy_index.tensor") {
      add(call.args[0], out.grows);
      add(call.args[1], out.reads);
      return out;
    }
    if (name.starts_with("aten::sym_size")) return out;  // looks at no data
    if (name == "executorch_prim::et_view.default") {    // makes its last argument share the first
      add(call.args[0], out.reads);
      return out;
    }
    add(call.args.back(), out.writes);
    std::vector<std::size_t> arguments;
    for (const std::int32_t argument : call.args) add(argument, arguments);
    for (const std::size_t argument : arguments) {
      if (std::find(out.writes.begin(), out.writes.end(), argument) == out.writes.end())
        out.reads.push_back(argument);
    }
    const bool in_place = plan_.operators[call.op_index].name.ends_with("_");
    if (in_place && name != "aten::copy_") std::swap(out.writes, out.grows);
    return out;
  }

  Effect effect_of(std::size_t at) const {
    if (const auto* kernel = std::get_if<inspect::PteKernelCall>(&code_[at]))
      return effect_of(*kernel);
    Effect out;
    if (const auto* call = std::get_if<inspect::PteDelegateCall>(&code_[at])) {
      for (const std::int32_t argument : call->args) {
        const auto index = static_cast<std::size_t>(argument);
        add(argument, delegate_outputs_.contains({at, index}) ? out.writes : out.reads);
      }
    } else if (const auto* jump = std::get_if<inspect::PteJumpFalse>(&code_[at])) {
      add(static_cast<std::int32_t>(jump->condition), out.reads);
    }
    return out;
  }

  /// What the instruction makes share what: target, source.
  std::optional<std::pair<std::size_t, std::size_t>> share_at(std::size_t at) const {
    if (const auto* move = std::get_if<inspect::PteMove>(&code_[at]))
      return std::pair<std::size_t, std::size_t>(move->to, move->from);
    const auto* call = std::get_if<inspect::PteKernelCall>(&code_[at]);
    if (call == nullptr || plan_.operators[call->op_index].name != "executorch_prim::et_view")
      return std::nullopt;
    return std::pair(static_cast<std::size_t>(call->args.back()),
                     static_cast<std::size_t>(call->args.front()));
  }

  /// What a loop stacks up, by the loop's first instruction: it starts anew with each run of the
  /// loop.
  void find_stacks() {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      const Effect effect = effect_of(at);
      if (effect.grows.empty()) continue;
      std::optional<std::pair<std::size_t, std::size_t>> innermost;  // length, start
      for (std::size_t end = at; end < code_.size(); ++end) {
        const inspect::PteJumpFalse* jump = jump_at(end);
        if (jump == nullptr || jump->destination > at) continue;
        const std::pair<std::size_t, std::size_t> loop(end - jump->destination, jump->destination);
        innermost = innermost ? std::min(*innermost, loop) : loop;
      }
      for (const std::size_t stack : effect.grows) {
        if (innermost) stacks_[innermost->second].insert(stack);
      }
    }
  }

  /// A delegate writes what nothing has written before. Methods with delegates do not jump.
  void find_delegate_outputs() {
    std::set<std::size_t> written(plan_.inputs.begin(), plan_.inputs.end());
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (const auto* call = std::get_if<inspect::PteDelegateCall>(&code_[at])) {
        for (const std::int32_t argument : call->args) {
          const auto index = static_cast<std::size_t>(argument);
          if (tensor(index) != nullptr && !written.contains(index))
            delegate_outputs_.insert({at, index});
        }
      }
      const Effect effect = effect_of(at);
      written.insert(effect.writes.begin(), effect.writes.end());
    }
  }

  void find_views_and_state() {
    std::set<std::size_t> seen(plan_.inputs.begin(), plan_.inputs.end());
    std::set<std::size_t> ever_written;
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (const auto share = share_at(at)) {
        ever_written.insert(share->first);
        seen.insert(share->first);
      }
      const Effect effect = effect_of(at);
      for (const std::size_t value : effect.reads) {
        if (seen.insert(value).second) first_read_.insert(value);
      }
      for (const auto* list : {&effect.writes, &effect.grows}) {
        seen.insert(list->begin(), list->end());
        ever_written.insert(list->begin(), list->end());
      }
    }
    for (const std::uint32_t value : plan_.outputs) {
      if (!seen.contains(value)) first_read_.insert(value);
    }
    for (const std::size_t value : first_read_) {
      if (ever_written.contains(value) || tensor(value) == nullptr) continue;
      for (const std::size_t base : ever_written) {
        if (same_place(value, base)) views_.insert(value);
      }
    }
  }

  bool same_place(std::size_t a, std::size_t b) const {
    const PteTensor* first = tensor(a);
    const PteTensor* second = tensor(b);
    return first != nullptr && second != nullptr &&
           first->allocation->memory_id == second->allocation->memory_id &&
           first->allocation->offset_bytes == second->allocation->offset_bytes &&
           first->size_bytes == second->size_bytes;
  }

  bool overlap(std::size_t a, std::size_t b) const {
    const PteTensor* first = tensor(a);
    const PteTensor* second = tensor(b);
    return first != nullptr && second != nullptr &&
           first->allocation->memory_id == second->allocation->memory_id &&
           first->allocation->offset_bytes <
               second->allocation->offset_bytes + second->size_bytes &&
           second->allocation->offset_bytes < first->allocation->offset_bytes + first->size_bytes;
  }

  State start() const {
    State state;
    for (std::size_t i = 0; i < plan_.values.size(); ++i) {
      const bool state_or_constant =
          tensor(i) == nullptr || (first_read_.contains(i) && !views_.contains(i));
      state.bytes.push_back(state_or_constant ? kIntact : kUnwritten);
    }
    for (const std::uint32_t input : plan_.inputs) state.bytes[input] = kIntact;
    return state;
  }

  std::set<std::size_t> storage_of(std::size_t value, const State& state) const {
    const auto found = state.shares.find(value);
    return found == state.shares.end() ? std::set<std::size_t>{value} : found->second;
  }

  void read(std::size_t at, std::size_t value, std::uint8_t allowed, const State& state) {
    if ((state.bytes[value] & ~allowed) == 0) return;
    const std::string_view what = (state.bytes[value] & kOverwritten) != 0
                                      ? "was written over"
                                      : "may never have been written";
    problems_.push_back(fmt::format("instruction {} reads value {}, which {}", at, value, what));
  }

  void write(std::size_t value, State& state) const {
    const std::set<std::size_t> storage = storage_of(value, state);
    for (std::size_t other = 0; other < plan_.values.size(); ++other) {
      if (other == value) continue;
      const auto touched = [&](std::size_t bytes) {
        return std::any_of(storage.begin(), storage.end(), [&](std::size_t written) {
          return bytes == written || overlap(bytes, written);
        });
      };
      const std::set<std::size_t> others = storage_of(other, state);
      if (std::none_of(others.begin(), others.end(), touched)) continue;
      if (views_.contains(other) && same_place(other, value)) {
        state.bytes[other] = kIntact;
      } else if ((state.bytes[other] & kIntact) != 0) {
        state.bytes[other] =
            static_cast<std::uint8_t>((state.bytes[other] & ~kIntact) | kOverwritten);
      }
    }
    state.bytes[value] = kIntact;
  }

  /// Nothing when the instruction goes on to the next one only.
  const inspect::PteJumpFalse* jump_at(std::size_t at) const {
    return std::get_if<inspect::PteJumpFalse>(&code_[at]);
  }

  /// A false that no instruction changes is there to jump always.
  bool always_jumps(const inspect::PteJumpFalse& jump) const {
    const bool* flag = std::get_if<bool>(&plan_.values[jump.condition]);
    if (flag == nullptr || *flag) return false;
    return std::none_of(code_.begin(), code_.end(), [&jump](const PteInstruction& item) {
      const auto* call = std::get_if<inspect::PteKernelCall>(&item);
      return call != nullptr &&
             std::find(call->args.begin(),
                       call->args.end(),
                       static_cast<std::int32_t>(jump.condition)) != call->args.end();
    });
  }

  bool starts_block(std::size_t at) {
    if (block_starts_.empty()) {
      block_starts_.insert(0);
      for (const PteInstruction& item : code_) {
        if (const auto* jump = std::get_if<inspect::PteJumpFalse>(&item))
          block_starts_.insert(jump->destination);
      }
    }
    return block_starts_.contains(at);
  }

  template <typename Successor>
  void walk(std::size_t at, State state, bool report, const Successor& successor) {
    for (const std::size_t begin = at; at < code_.size(); ++at) {
      if (at != begin && starts_block(at)) {
        if (const auto stacks = stacks_.find(at); stacks != stacks_.end()) {
          for (const std::size_t stack : stacks->second) state.bytes[stack] = kUnwritten;
        }
        return successor(at, state);
      }
      const Effect effect = effect_of(at);
      if (report) {
        for (const std::size_t value : effect.reads) read(at, value, kIntact, state);
        for (const std::size_t value : effect.grows) read(at, value, kIntact | kUnwritten, state);
      }
      for (const auto* list : {&effect.writes, &effect.grows}) {
        for (const std::size_t value : *list) write(value, state);
      }
      if (const auto share = share_at(at)) {
        state.shares[share->first] = storage_of(share->second, state);
        state.bytes[share->first] = state.bytes[share->second];
      }
      if (const inspect::PteJumpFalse* jump = jump_at(at)) {
        successor(jump->destination, state);
        if (!always_jumps(*jump)) successor(at + 1, state);
        return;
      }
    }
    if (!report) return;
    for (const std::uint32_t output : plan_.outputs) read(code_.size(), output, kIntact, state);
    for (const std::size_t kept : first_read_) {
      if (!views_.contains(kept)) read(code_.size(), kept, kIntact, state);
    }
  }

  const PtePlan& plan_;
  std::vector<PteInstruction> code_;
  std::set<std::pair<std::size_t, std::size_t>> delegate_outputs_;  // instruction, value
  std::set<std::size_t> first_read_;
  std::set<std::size_t> views_;
  std::set<std::size_t> block_starts_;
  std::map<std::size_t, std::set<std::size_t>> stacks_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> find_memory_conflicts(const PtePlan& plan) { return Checker(plan).run(); }

}  // namespace ptec::test
