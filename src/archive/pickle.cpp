// Pickle is a stack language. An engine is (docs/formats/pt2.md has the bytes):
//
//   GLOBAL class  EMPTY_TUPLE  NEWOBJ                    the object, still empty
//   GLOBAL restore_type_tag                              only in a torchbind pickle
//   EMPTY_LIST  MARK  BINUNICODE ...  APPENDS            the list
//   BINUNICODE "List[str]"  TUPLE2  REDUCE               the list, tagged
//   BUILD  STOP                                          the object gets the list
//
// Strings that occur again may come out of the memo. Values on the stack are small and flat: lists,
// tuples and objects live in tables beside it and are named by index, so that no input can make a
// deep structure.

#include "archive/pickle.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string>

#include "archive/byte_window.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::archive {
namespace {

enum class OpcodeKind { Allowed, RawBytes, Refused };

enum class Opcode : std::uint8_t {
#define PTEC_PICKLE_OPCODE(id, byte, name, kind) id = byte,
#include "archive/pickle_opcodes.def"
#undef PTEC_PICKLE_OPCODE
};

struct OpcodeRow {
  Opcode id;
  std::string_view name;
  OpcodeKind kind;
};

constexpr OpcodeRow kOpcodes[] = {
#define PTEC_PICKLE_OPCODE(id, byte, name, kind) {Opcode::id, name, OpcodeKind::kind},
#include "archive/pickle_opcodes.def"
#undef PTEC_PICKLE_OPCODE
};

enum class Global : std::uint8_t {
  TorchBindEngine,
  RestoreTypeTag,
  ReconstructEngine,
  PythonEngine
};

struct GlobalRow {
  Global id;
  std::string_view module;
  std::string_view name;
};

constexpr GlobalRow kGlobals[] = {
    {Global::TorchBindEngine, "__torch__.torch.classes.tensorrt", "Engine"},
    {Global::RestoreTypeTag, "torch.jit._pickle", "restore_type_tag"},
    {Global::ReconstructEngine,
     "torch_tensorrt.dynamo.runtime._TRTEngine",
     "_reconstruct_trt_engine"},
    {Global::PythonEngine, "torch_tensorrt.dynamo.runtime._TRTEngine", "TRTEngine"},
};

enum class Kind : std::uint8_t { Mark, Text, List, Tuple, Global, Object };

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::Mark:
      return "a mark";
    case Kind::Text:
      return "a string";
    case Kind::List:
      return "a list";
    case Kind::Tuple:
      return "a tuple";
    case Kind::Global:
      return "a global";
    case Kind::Object:
      return "an object";
  }
  return "something else";
}

struct Value {
  Kind kind = Kind::Mark;
  bool tagged = false;  // List: came out of restore_type_tag
  Global global = Global::TorchBindEngine;
  std::size_t index = 0;  // List, Tuple, Object: in its table
  TextRange text{};
};

struct Tuple {
  std::size_t size = 0;
  std::array<Value, 2> items;
};

struct Object {
  PickledClass pickled_class = PickledClass::TorchBindEngine;
  bool built = false;
  std::size_t list = 0;
};

class Machine {
 public:
  Machine(const InputFile& file, std::uint64_t begin, std::uint64_t size)
      : file_(file), window_(file, begin, size) {}

  PickledEngine run();

 private:
  std::string at_opcode(std::string_view message) const;
  [[noreturn]] void refuse(ErrorCode code, std::string_view message) const;
  [[noreturn]] void refuse(ProblemId id, std::string_view reason) const;
  [[noreturn]] void refuse(std::string_view message) const {
    refuse(ErrorCode::Malformed, message);
  }

  const OpcodeRow& next_opcode();
  void step(Opcode opcode);
  void read_protocol();

  void push(Value value);
  Value pop();
  Value pop(Kind kind);
  Value& top(Kind kind);
  void push_text(std::size_t length_size);
  void push_tuple(std::size_t size);
  void append_field(const Value& list, const Value& item);
  void append_many();

  std::string text_of(const Value& value) const;
  void push_global(const std::string& module, const std::string& name);
  void new_object();
  void reduce();
  void build();

  void put(std::uint64_t key);
  void get(std::uint64_t key);
  PickledEngine stop();

  const InputFile& file_;
  ByteWindow window_;
  const OpcodeRow* opcode_ = nullptr;  // the current one, for messages
  std::uint64_t opcode_offset_ = 0;

  std::vector<Value> stack_;
  std::map<std::uint64_t, Value> memo_;
  std::vector<std::vector<TextRange>> lists_;
  std::vector<Tuple> tuples_;
  std::vector<Object> objects_;
};

std::string Machine::at_opcode(std::string_view message) const {
  return fmt::format("pickle opcode {} at byte {}: {}", opcode_->name, opcode_offset_, message);
}

void Machine::refuse(ErrorCode code, std::string_view message) const {
  fail(code, at_opcode(message));
}

void Machine::refuse(ProblemId id, std::string_view reason) const { fail(id, at_opcode(reason)); }

const OpcodeRow& Machine::next_opcode() {
  opcode_offset_ = window_.offset_bytes();
  const std::uint64_t byte = window_.le(1, "pickle opcode");
  for (const OpcodeRow& row : kOpcodes) {
    if (static_cast<std::uint64_t>(row.id) == byte) return row;
  }
  fail(ErrorCode::Malformed,
       fmt::format("byte {:#04x} at byte {} is no pickle opcode", byte, opcode_offset_));
}

PickledEngine Machine::run() {
  for (std::size_t count = 0;; ++count) {
    opcode_ = &next_opcode();
    if (count == kMaxPickleOpcodes) {
      refuse(ErrorCode::Limit, fmt::format("over {} opcodes", kMaxPickleOpcodes));
    }
    if (opcode_->kind == OpcodeKind::RawBytes) {
      refuse(ProblemId::EngineNotBase64, "engine is raw bytes, wanted base64 text");
    }
    if (opcode_->kind == OpcodeKind::Refused) refuse("not allowed in an engine's record");
    if ((opcode_->id == Opcode::Proto) != (count == 0)) {
      refuse(count == 0 ? "a pickle begins with PROTO" : "PROTO stands at the start only");
    }
    if (opcode_->id == Opcode::Stop) return stop();
    step(opcode_->id);
  }
}

void Machine::step(Opcode opcode) {
  switch (opcode) {
    case Opcode::Proto:
      return read_protocol();
    case Opcode::Frame:  // a hint for readers with a buffer; long strings lie outside
      return static_cast<void>(window_.le(8, "pickle frame"));
    case Opcode::Mark:
      return push({});
    case Opcode::Binunicode:
      return push_text(4);
    case Opcode::ShortBinunicode:
      return push_text(1);
    case Opcode::Binunicode8:
      return push_text(8);
    case Opcode::EmptyTuple:
      return push_tuple(0);
    case Opcode::Tuple1:
      return push_tuple(1);
    case Opcode::Tuple2:
      return push_tuple(2);
    case Opcode::EmptyList:
      lists_.emplace_back();
      return push({.kind = Kind::List, .index = lists_.size() - 1});
    case Opcode::Append: {
      const Value item = pop(Kind::Text);
      return append_field(top(Kind::List), item);
    }
    case Opcode::Appends:
      return append_many();
    case Opcode::Global: {
      const std::string module = window_.line(kMaxPickleNameBytes, "pickle module name");
      const std::string name = window_.line(kMaxPickleNameBytes, "pickle global name");
      return push_global(module, name);
    }
    case Opcode::StackGlobal: {
      const Value name = pop(Kind::Text);
      const Value module = pop(Kind::Text);
      return push_global(text_of(module), text_of(name));
    }
    case Opcode::Newobj:
      return new_object();
    case Opcode::Reduce:
      return reduce();
    case Opcode::Build:
      return build();
    case Opcode::Binput:
      return put(window_.le(1, "pickle memo key"));
    case Opcode::LongBinput:
      return put(window_.le(4, "pickle memo key"));
    case Opcode::Memoize:
      return put(memo_.size());
    case Opcode::Binget:
      return get(window_.le(1, "pickle memo key"));
    case Opcode::LongBinget:
      return get(window_.le(4, "pickle memo key"));
    default:
      refuse("not allowed in an engine's record");
  }
}

void Machine::read_protocol() {
  const std::uint64_t protocol = window_.le(1, "pickle protocol");
  if (protocol < 2 || protocol > 5) {
    refuse(fmt::format("protocol {}, wanted 2 to 5", protocol));
  }
}

void Machine::push(Value value) {
  if (stack_.size() == kMaxPickleStack) {
    refuse(ErrorCode::Limit, fmt::format("over {} items on the stack", kMaxPickleStack));
  }
  stack_.push_back(value);
}

Value Machine::pop() {
  if (stack_.empty() || stack_.back().kind == Kind::Mark) refuse("the stack is empty");
  const Value out = stack_.back();
  stack_.pop_back();
  return out;
}

Value Machine::pop(Kind kind) {
  const Value out = pop();
  if (out.kind != kind) {
    refuse(fmt::format("wanted {}, found {}", kind_name(kind), kind_name(out.kind)));
  }
  return out;
}

Value& Machine::top(Kind kind) {
  const Value value = pop(kind);
  stack_.push_back(value);
  return stack_.back();
}

void Machine::push_text(std::size_t length_size) {
  const std::uint64_t size = window_.le(length_size, "pickle string length");
  const TextRange text{window_.offset_bytes(), size};
  window_.skip(size, "pickle string");
  push({.kind = Kind::Text, .text = text});
}

void Machine::push_tuple(std::size_t size) {
  Tuple tuple;
  tuple.size = size;
  for (std::size_t i = size; i-- > 0;) tuple.items[i] = pop();
  tuples_.push_back(tuple);
  push({.kind = Kind::Tuple, .index = tuples_.size() - 1});
}

void Machine::append_field(const Value& list, const Value& item) {
  if (item.kind != Kind::Text) {
    refuse(fmt::format("an engine's record holds strings only, found {}", kind_name(item.kind)));
  }
  std::vector<TextRange>& fields = lists_[list.index];
  if (fields.size() == kMaxRecordFields) {
    refuse(ErrorCode::Limit, fmt::format("engine record has over {} fields", kMaxRecordFields));
  }
  fields.push_back(item.text);
}

void Machine::append_many() {
  std::size_t mark = stack_.size();
  while (mark > 0 && stack_[mark - 1].kind != Kind::Mark) --mark;
  if (mark == 0) refuse("no mark on the stack");
  if (mark == 1 || stack_[mark - 2].kind != Kind::List) refuse("no list below the mark");
  const Value list = stack_[mark - 2];
  for (std::size_t i = mark; i < stack_.size(); ++i) append_field(list, stack_[i]);
  stack_.resize(mark - 1);
}

std::string Machine::text_of(const Value& value) const {
  if (value.text.size_bytes > kMaxPickleNameBytes) {
    refuse(fmt::format(
        "a name of {} bytes, at most {} are read", value.text.size_bytes, kMaxPickleNameBytes));
  }
  std::string out(static_cast<std::size_t>(value.text.size_bytes), '\0');
  file_.read_at(value.text.offset_bytes, std::as_writable_bytes(std::span(out)));
  return out;
}

void Machine::push_global(const std::string& module, const std::string& name) {
  for (const GlobalRow& row : kGlobals) {
    if (row.module == module && row.name == name) {
      return push({.kind = Kind::Global, .global = row.id});
    }
  }
  if (module == "_codecs" && name == "encode") {  // how protocol 2 writes bytes
    refuse(ProblemId::EngineNotBase64, "engine is raw bytes, wanted base64 text");
  }
  refuse(fmt::format(
      "'{}.{}' is not allowed in an engine's record", printable(module), printable(name)));
}

void Machine::new_object() {
  const Value arguments = pop(Kind::Tuple);
  const Value made = pop(Kind::Global);
  if (tuples_[arguments.index].size != 0) refuse("wanted no constructor arguments");
  Object object;
  if (made.global == Global::PythonEngine) {
    object.pickled_class = PickledClass::PythonEngine;
  } else if (made.global != Global::TorchBindEngine) {
    refuse("wanted the engine's class, found a function");
  }
  objects_.push_back(object);
  push({.kind = Kind::Object, .index = objects_.size() - 1});
}

void Machine::reduce() {
  const Tuple arguments = tuples_[pop(Kind::Tuple).index];
  const Value callee = pop(Kind::Global);
  const Value& first = arguments.items[0];
  const Value& second = arguments.items[1];
  if (callee.global == Global::RestoreTypeTag) {
    if (arguments.size != 2 || first.kind != Kind::List || second.kind != Kind::Text ||
        text_of(second) != "List[str]") {
      refuse("restore_type_tag wants a list and the tag List[str]");
    }
    Value list = first;
    list.tagged = true;
    return push(list);
  }
  if (callee.global != Global::ReconstructEngine) refuse("calls a class");
  if (arguments.size != 1 || first.kind != Kind::List || first.tagged) {
    refuse("_reconstruct_trt_engine wants one list");
  }
  objects_.push_back({PickledClass::ReconstructEngine, true, first.index});
  push({.kind = Kind::Object, .index = objects_.size() - 1});
}

void Machine::build() {
  const Value state = pop();
  Object& object = objects_[top(Kind::Object).index];
  if (object.built) refuse("the object has its state already");
  if (object.pickled_class == PickledClass::TorchBindEngine) {
    if (state.kind != Kind::List || !state.tagged) {
      refuse("a torchbind engine's state is a list tagged List[str]");
    }
    object.list = state.index;
  } else {
    const bool is_pair = state.kind == Kind::Tuple && tuples_[state.index].size == 2;
    const Tuple pair = is_pair ? tuples_[state.index] : Tuple();
    if (!is_pair || pair.items[0].kind != Kind::List || pair.items[0].tagged ||
        pair.items[1].kind != Kind::Text || text_of(pair.items[1]) != "TRTEngine") {
      refuse("a TRTEngine's state is a list and the text TRTEngine");
    }
    object.list = pair.items[0].index;
  }
  object.built = true;
}

void Machine::put(std::uint64_t key) {
  if (key >= kMaxMemoEntries) {
    refuse(ErrorCode::Limit, fmt::format("memo key {}, at most {} are kept", key, kMaxMemoEntries));
  }
  const Value value = pop();
  stack_.push_back(value);
  memo_[key] = value;
}

void Machine::get(std::uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) refuse(fmt::format("memo key {} was never put", key));
  push(found->second);
}

PickledEngine Machine::stop() {
  if (stack_.size() != 1 || stack_[0].kind != Kind::Object) {
    refuse(fmt::format("wanted one engine on the stack, found {} items", stack_.size()));
  }
  if (window_.remaining() != 0) {
    refuse(fmt::format("{} bytes follow the end of the pickle", window_.remaining()));
  }
  const Object& object = objects_[stack_[0].index];
  if (!object.built) refuse("the engine was given no state");
  const std::vector<TextRange>& fields = lists_[object.list];
  if (fields.empty()) refuse("engine record has no fields");
  return {object.pickled_class, fields};
}

}  // namespace

PickledEngine read_engine_pickle(const InputFile& file,
                                 std::uint64_t begin_offset_bytes,
                                 std::uint64_t size_bytes) {
  return Machine(file, begin_offset_bytes, size_bytes).run();
}

}  // namespace ptec::archive
