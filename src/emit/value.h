// A method as it will stand in the file: numbered values and a list of instructions.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "ir/program.h"
#include "plan/plan.h"

namespace ptec::emit {

using ValueIndex = std::int32_t;

struct TensorValue {
  SpecId spec = kNoSpec;
  std::uint32_t constant_index =
      0;                      // 0: no data in the file; of a planned tensor its initial value
  std::string external_name;  // not empty: the bytes are in a .ptd, by that name
};
struct IntList {  // indices of Int values, so that symbolic ints can stand in it
  std::vector<std::int64_t> items;
};
struct DoubleList {
  std::vector<double> items;
};
struct BoolList {
  std::vector<bool> items;
};
struct TensorList {
  std::vector<ValueIndex> items;
};
struct OptionalTensorList {
  std::vector<ValueIndex> items;  // -1 for None
};
struct AbsentTensor {};  // stands for None where a kernel wants a tensor: an empty byte tensor

using EValue = std::variant<None,
                            std::int64_t,
                            bool,
                            double,
                            std::string,
                            TensorValue,
                            AbsentTensor,
                            IntList,
                            DoubleList,
                            BoolList,
                            TensorList,
                            OptionalTensorList>;

struct KernelCall {
  std::int32_t operator_index = 0;
  std::vector<ValueIndex> args;
};
struct DelegateCall {
  std::int32_t delegate_index = 0;
  std::vector<ValueIndex> args;
};
/// Makes `to` share what `from` holds.
struct MoveCall {
  ValueIndex from = 0;
  ValueIndex to = 0;
};
/// Goes to another instruction unless the condition holds.
struct JumpFalseCall {
  ValueIndex condition = 0;
  std::int32_t destination = 0;
};
using Instruction = std::variant<KernelCall, DelegateCall, MoveCall, JumpFalseCall>;

struct Operator {
  std::string name;      // "aten::add"
  std::string overload;  // "out"; empty for a default overload
};

struct Method {
  std::string name;
  std::string input_tree;  // container strings, docs/formats/pte.md
  std::string output_tree;
  std::vector<EValue> values;
  std::vector<ValueIndex> inputs;
  std::vector<ValueIndex> outputs;
  std::vector<Instruction> instructions;
  std::vector<Operator> operators;
  std::vector<std::size_t> delegates;  // indices into Program::delegates, in call order
  std::vector<plan::Arena> arenas;
  const Program* program = nullptr;
};

}  // namespace ptec::emit
