#include "runner.h"

#include <executorch/extension/module/module.h>
#include <executorch/extension/tensor/tensor.h>
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/device_allocator.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/platform.h>
#include <executorch/runtime/platform/runtime.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <set>

#include "support/bytes.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::run {
namespace {

namespace et = executorch::runtime;
using executorch::extension::Module;
using executorch::extension::TensorPtr;
using inspect::PtePlan;
using inspect::PteTensor;

// The runtime logs through a plain function, so what it said has to be kept here: errors only, for
// our message.
std::vector<std::string>& log_lines() {
  static std::vector<std::string> lines;
  return lines;
}

void keep_log(et_timestamp_t,
              et_pal_log_level_t level,
              const char*,
              const char*,
              size_t,
              const char* message,
              size_t length) {
  if (level == kError || level == kFatal)
    log_lines().push_back(printable(std::string_view(message, length), 200));
}

/// The runtime aborts on some faults that no check finds beforehand, such as a value of a kind that
/// a kernel does not take. There is no way back from here.
void give_up() {
  const std::string& said = log_lines().empty() ? "no reason given" : log_lines().back();
  std::fprintf(stderr, "ptec: error: the ExecuTorch runtime gave up: %s\n", said.c_str());
  std::_Exit(error_code_exit_status(ErrorCode::Malformed));
}

void start_runtime() {
  static const bool kStarted = [] {
    et::PalImpl pal = et::PalImpl::create(keep_log, __FILE__);
    pal.abort = give_up;
    const bool registered = et::register_pal(pal);
    et::runtime_init();
    return registered;
  }();
  static_cast<void>(kStarted);
}

std::string log_text() {
  return log_lines().empty() ? "" : ": " + fmt::format("{}", fmt::join(log_lines(), "; "));
}

void check_ok(et::Error error, std::string_view what) {
  if (error == et::Error::Ok) return;
  const bool missing = error == et::Error::OperatorMissing || error == et::Error::NotFound ||
                       error == et::Error::NotImplemented || error == et::Error::NotSupported;
  fail(missing ? ErrorCode::Unsupported : ErrorCode::Malformed,
       fmt::format("the ExecuTorch runtime cannot {}: {} ({:#x}){}",
                   what,
                   et::to_string(error),
                   static_cast<unsigned>(error),
                   log_text()));
}

std::uint64_t machine_memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0
             ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)
             : kMaxArrayBytes;
}

/// An array in the layout that the method wants: its last dimension need not be innermost.
struct Placed {
  std::vector<executorch::aten::SizesType> sizes;
  std::vector<executorch::aten::StridesType> strides;
  std::vector<std::size_t> byte_strides;
};

Placed place(const std::vector<std::int64_t>& shape,
             const std::vector<std::uint8_t>& dim_order,
             std::size_t element_size) {
  Placed out;
  out.sizes.assign(shape.begin(), shape.end());
  out.strides.resize(shape.size());
  out.byte_strides.resize(shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    const std::size_t dim = dim_order[i];
    out.strides[dim] = static_cast<executorch::aten::StridesType>(stride);
    out.byte_strides[dim] = static_cast<std::size_t>(stride) * element_size;
    stride *= std::max<std::int64_t>(shape[dim], 1);
  }
  return out;
}

/// Copies between an array and memory with other strides, in either direction.
template <typename Copy>
void for_each_element(const std::vector<std::int64_t>& shape,
                      const std::vector<std::size_t>& byte_strides,
                      std::size_t element_size,
                      const Copy& copy) {
  const std::uint64_t count = element_count(shape);
  std::vector<std::int64_t> at(shape.size(), 0);
  std::size_t there = 0;
  for (std::size_t i = 0; i < count; ++i) {
    copy(i * element_size, there);
    for (std::size_t dim = shape.size(); dim-- > 0;) {
      there += byte_strides[dim];
      if (++at[dim] < shape[dim]) break;
      there -= byte_strides[dim] * static_cast<std::size_t>(shape[dim]);
      at[dim] = 0;
    }
  }
}

class Call {
 public:
  Call(const PtePlan& plan, Module& module) : plan_(plan), module_(module) {}

  void set_inputs(const std::vector<Input>& inputs) {
    std::vector<et::EValue> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      values.push_back(value_of(inputs[i], plan_.values[plan_.inputs[i]]));
    check_ok(module_.set_inputs(plan_.name, values), "take the inputs");
  }

  /// Outputs that the program gave no memory need some of ours.
  void set_outputs() {
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
      const auto* tensor = std::get_if<PteTensor>(&plan_.values[plan_.outputs[i]]);
      if (tensor == nullptr || tensor->allocation || tensor->data || tensor->external) continue;
      if (std::find(plan_.inputs.begin(), plan_.inputs.end(), plan_.outputs[i]) !=
          plan_.inputs.end())
        continue;
      const std::vector<std::int64_t> shape(tensor->sizes.begin(), tensor->sizes.end());
      check_ok(module_.set_output(plan_.name,
                                  et::EValue(*tensor_of(
                                      shape, *tensor, std::vector<std::byte>(tensor->size_bytes))),
                                  i),
               "take memory for the outputs");
    }
  }

 private:
  et::EValue value_of(const Input& input, const inspect::PteValue& wanted) {
    if (const auto* number = std::get_if<std::int64_t>(&input)) return et::EValue(*number);
    if (const auto* flag = std::get_if<bool>(&input)) return et::EValue(*flag);
    if (const auto* number = std::get_if<double>(&input)) return et::EValue(*number);
    const auto* array = std::get_if<Array>(&input);
    if (array == nullptr) return et::EValue();
    const PteTensor& tensor = std::get<PteTensor>(wanted);
    const std::size_t element_size = array->dtype->element_size_bytes;
    const Placed placed = place(array->shape, tensor.dim_order, element_size);
    std::vector<std::byte> bytes(array->bytes.size());
    for_each_element(
        array->shape, placed.byte_strides, element_size, [&](std::size_t ours, std::size_t theirs) {
          std::memcpy(bytes.data() + theirs, array->bytes.data() + ours, element_size);
        });
    return et::EValue(*tensor_of(array->shape, tensor, std::move(bytes)));
  }

  /// The tensor and its bytes live as long as this object.
  TensorPtr tensor_of(const std::vector<std::int64_t>& shape,
                      const PteTensor& tensor,
                      std::vector<std::byte> bytes) {
    const Placed placed = place(shape, tensor.dim_order, tensor.dtype->element_size_bytes);
    std::vector<std::byte>& kept =
        bytes_.emplace_back(std::make_unique<std::vector<std::byte>>(std::move(bytes))).operator*();
    std::vector<executorch::aten::DimOrderType> dim_order(tensor.dim_order.begin(),
                                                          tensor.dim_order.end());
    tensors_.push_back(executorch::extension::make_tensor_ptr(
        placed.sizes,
        kept.data(),
        std::move(dim_order),
        placed.strides,
        static_cast<executorch::aten::ScalarType>(tensor.dtype->code)));
    return tensors_.back();
  }

  const PtePlan& plan_;
  Module& module_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> bytes_;
  std::vector<TensorPtr> tensors_;
};

Array array_of(const executorch::aten::Tensor& tensor) {
  Array out;
  out.dtype = inspect::find_pte_dtype(static_cast<int>(tensor.scalar_type()));
  PTEC_INVARIANT(out.dtype != nullptr, "the runtime returned a type that its own loader refuses");
  for (ssize_t i = 0; i < tensor.dim(); ++i) out.shape.push_back(tensor.size(i));
  const std::size_t element_size = out.dtype->element_size_bytes;
  std::vector<std::size_t> byte_strides;
  for (const auto stride : tensor.strides())
    byte_strides.push_back(static_cast<std::size_t>(stride) * element_size);
  out.bytes.resize(element_count(out.shape) * element_size);
  const auto* const data = static_cast<const std::byte*>(tensor.const_data_ptr());
  if (data == nullptr && !out.bytes.empty()) fail(ErrorCode::Malformed, "an output has no memory");
  for_each_element(
      out.shape, byte_strides, element_size, [&](std::size_t ours, std::size_t theirs) {
        std::memcpy(out.bytes.data() + ours, data + theirs, element_size);
      });
  return out;
}

Output output_of(const et::EValue& value) {
  if (value.isTensor()) return array_of(value.toTensor());
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  if (value.isBool()) return value.toBool();
  return std::monostate{};
}

std::set<std::string> missing_backends(const PtePlan& plan) {
  std::set<std::string> out;
  for (const inspect::PteDelegate& delegate : plan.delegates) {
    if (et::get_backend_class(delegate.backend_id.c_str()) == nullptr)
      out.insert(printable(delegate.backend_id));
  }
  return out;
}

std::set<std::string> missing_kernels(const PtePlan& plan) {
  std::set<std::string> out;
  for (const inspect::PteOperator& op : plan.operators) {
    const std::string name = op.full_name();
    if (!et::registry_has_op_function(name.c_str())) out.insert(printable(name));
  }
  return out;
}

/// What one run of the method needs beside the file: its arenas, and every tensor that goes in or
/// comes out, once as the caller's array and once as the runtime's. The largest number when it
/// passes that.
std::uint64_t needed_memory_bytes(const PtePlan& plan) {
  std::uint64_t total = 0;
  const auto add = [&total](std::uint64_t bytes) {
    total = checked_add(total, bytes).value_or(std::numeric_limits<std::uint64_t>::max());
  };
  for (const inspect::PteArena& arena : plan.arenas) add(arena.size_bytes);
  for (const std::vector<std::uint32_t>* list : {&plan.inputs, &plan.outputs}) {
    for (const std::uint32_t index : *list) {
      const auto* tensor = std::get_if<PteTensor>(&plan.values[index]);
      if (tensor == nullptr) continue;
      add(tensor->size_bytes);
      add(tensor->size_bytes);
    }
  }
  return total;
}

void check_memory(const PtePlan& plan, std::uint64_t max_bytes) {
  const std::uint64_t needed = needed_memory_bytes(plan);
  const std::uint64_t machine = machine_memory_bytes();
  if (needed <= std::min(max_bytes, machine)) return;
  fail(ErrorCode::Limit,
       machine < max_bytes
           ? fmt::format("method '{}' needs {} bytes of memory, this machine has {}",
                         printable(plan.name),
                         needed,
                         machine)
           : fmt::format("method '{}' needs {} bytes of memory, at most {} are given; more with "
                         "--max-memory",
                         printable(plan.name),
                         needed,
                         max_bytes));
}

/// The arenas of a method, zeroed by the system when they are first touched: a program may plan
/// much more than it uses. Nothing for one that plans device memory, which is the runtime's matter.
class PlannedMemory {
 public:
  explicit PlannedMemory(const PtePlan& plan) {
    for (const inspect::PteArena& arena : plan.arenas) {
      if (arena.device.cuda) return;
    }
    for (std::size_t i = 1; i < plan.arenas.size(); ++i) {
      const auto size = static_cast<std::size_t>(plan.arenas[i].size_bytes);
      buffers_.emplace_back(
          static_cast<std::uint8_t*>(std::calloc(std::max<std::size_t>(size, 1), 1)));
      if (buffers_.back() == nullptr) throw std::bad_alloc();
      spans_.emplace_back(buffers_.back().get(), size);
    }
    allocator_.emplace(et::Span<et::Span<std::uint8_t>>(spans_.data(), spans_.size()));
  }

  et::HierarchicalAllocator* allocator() { return allocator_ ? &*allocator_ : nullptr; }

 private:
  struct Free {
    void operator()(std::uint8_t* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<std::uint8_t, Free>> buffers_;
  std::vector<et::Span<std::uint8_t>> spans_;
  std::optional<et::HierarchicalAllocator> allocator_;
};

}  // namespace

void check_runnable(const PtePlan& plan, std::uint64_t max_memory_bytes) {
  start_runtime();
  if (const auto missing = missing_backends(plan); !missing.empty()) {
    fail(ErrorCode::Unsupported,
         fmt::format("method '{}' needs backend {}, which this build does not have",
                     printable(plan.name),
                     fmt::join(missing, ", ")));
  }
  if (const auto missing = missing_kernels(plan); !missing.empty()) {
    fail(ErrorCode::Unsupported,
         fmt::format("method '{}' needs kernel {}, which this build does not have",
                     printable(plan.name),
                     fmt::join(missing, ", ")));
  }
  for (const inspect::PteArena& arena : plan.arenas) {
    if (arena.device.cuda && et::get_device_allocator(et::etensor::DeviceType::CUDA) == nullptr) {
      fail(ErrorCode::Unsupported,
           fmt::format("method '{}' plans memory on a GPU, which this build cannot allocate",
                       printable(plan.name)));
    }
  }
  check_memory(plan, max_memory_bytes);
}

struct LoadedMethod::State {
  State(const std::string& path,
        const PtePlan& its_plan,
        const std::vector<std::string>& data_files)
      : plan(its_plan), memory(its_plan), module(path, data_files) {}
  const PtePlan& plan;
  PlannedMemory memory;  // outlives the method in the module
  Module module;
};

LoadedMethod::LoadedMethod(const std::string& path,
                           const PtePlan& plan,
                           const std::vector<std::string>& data_files)
    : state_(std::make_unique<State>(path, plan, data_files)) {
  check_ok(state_->module.load(et::Program::Verification::InternalConsistency), "load the program");
  check_ok(state_->module.load_method(plan.name, state_->memory.allocator()), "load the method");
}

LoadedMethod::~LoadedMethod() = default;

std::vector<Output> LoadedMethod::run(const std::vector<Input>& inputs) {
  log_lines().clear();
  Call call(state_->plan, state_->module);
  call.set_inputs(inputs);
  call.set_outputs();
  auto results = state_->module.execute(state_->plan.name, std::vector<et::EValue>{});
  check_ok(results.error(), "run the method");
  std::vector<Output> out;
  for (const et::EValue& value : results.get()) out.push_back(output_of(value));
  return out;
}

}  // namespace ptec::run
