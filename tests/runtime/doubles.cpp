#include "tests/runtime/doubles.h"

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/device_allocator.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "support/error.h"

namespace ptec::test {
namespace {

namespace et = executorch::runtime;

std::vector<std::vector<std::int64_t>>& output_shapes() {
  static std::vector<std::vector<std::int64_t>> shapes;
  return shapes;
}

std::vector<std::byte> copied(const void* data, std::size_t size) {
  std::vector<std::byte> out(size);
  if (size != 0) std::memcpy(out.data(), data, size);
  return out;
}

class DeviceDouble final : public et::DeviceAllocator {
 public:
  et::Result<void*> allocate(std::size_t size,
                             et::etensor::DeviceIndex index,
                             std::size_t alignment) override {
    // A little more, so that an empty arena has an address of its own.
    const std::size_t rounded = (size + alignment) / alignment * alignment;
    void* const out = std::aligned_alloc(alignment, rounded);
    if (out == nullptr) return et::Error::MemoryAllocationFailed;
    std::memset(out, 0xDE, rounded);  // device memory is not zero either
    blocks_[static_cast<std::byte*>(out)] = {size, index};
    return out;
  }

  void deallocate(void* pointer, et::etensor::DeviceIndex) override {
    blocks_.erase(static_cast<std::byte*>(pointer));
    std::free(pointer);
  }

  et::Error copy_host_to_device(void* to,
                                const void* from,
                                std::size_t size,
                                et::etensor::DeviceIndex index) override {
    return copy(to, from, size, index, true);
  }
  et::Error copy_device_to_host(void* to,
                                const void* from,
                                std::size_t size,
                                et::etensor::DeviceIndex index) override {
    return copy(to, from, size, index, false);
  }
  et::etensor::DeviceType device_type() const override { return et::etensor::DeviceType::CUDA; }

  bool holds(const void* pointer, std::size_t size) const {
    const auto* const bytes = static_cast<const std::byte*>(pointer);
    for (const auto& [start, block] : blocks_) {
      if (bytes >= start && bytes + size <= start + block.size) return true;
    }
    return false;
  }

 private:
  struct Block {
    std::size_t size = 0;
    int index = 0;
  };

  et::Error copy(void* to, const void* from, std::size_t size, int index, bool to_device) {
    if (!holds(to_device ? to : from, size)) {
      journal().faults.push_back(
          fmt::format("a copy of {} bytes {} touches memory that is not the device's",
                      size,
                      to_device ? "to the device" : "from the device"));
    }
    journal().copies.push_back({to_device, copied(from, size), index});
    std::memcpy(to, from, size);
    return et::Error::Ok;
  }

  std::map<std::byte*, Block> blocks_;
};

DeviceDouble& device() {
  static DeviceDouble double_;
  return double_;
}

DelegateArgument argument_of(const executorch::aten::Tensor& tensor) {
  DelegateArgument out;
  out.array.dtype = inspect::find_pte_dtype(static_cast<int>(tensor.scalar_type()));
  for (ssize_t i = 0; i < tensor.dim(); ++i) out.array.shape.push_back(tensor.size(i));
  out.array.bytes = copied(tensor.const_data_ptr(), tensor.nbytes());
  out.on_device = tensor.device_type() == et::etensor::DeviceType::CUDA;
  out.device_index = tensor.device_index();
  out.in_device_memory = device().holds(tensor.const_data_ptr(), tensor.nbytes());
  return out;
}

et::Error fill_output(executorch::aten::Tensor& tensor, std::size_t load, std::size_t output) {
  if (!output_shapes().empty()) {
    std::vector<executorch::aten::SizesType> sizes(output_shapes().front().begin(),
                                                   output_shapes().front().end());
    output_shapes().erase(output_shapes().begin());
    const et::Error resized = et::resize_tensor(tensor, {sizes.data(), sizes.size()});
    if (resized != et::Error::Ok) return resized;
  }
  const inspect::PteDtype& dtype = *inspect::find_pte_dtype(static_cast<int>(tensor.scalar_type()));
  auto* const data = static_cast<std::byte*>(tensor.mutable_data_ptr());
  for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.numel()); ++i) {
    const std::vector<std::byte> element = pattern_bytes(dtype, load, output, i);
    std::memcpy(data + i * element.size(), element.data(), element.size());
  }
  return et::Error::Ok;
}

class BackendDouble final : public et::BackendInterface {
 public:
  bool is_available() const override { return true; }

  et::Result<et::DelegateHandle*> init(et::BackendInitContext& context,
                                       et::FreeableBuffer* processed,
                                       et::ArrayRef<et::CompileSpec> specs) const override {
    DelegateLoad load;
    load.method = context.get_method_name();
    load.blob = copied(processed->data(), processed->size());
    try {
      load.parsed = inspect::read_tensorrt_blob(InputFile::from_bytes("blob", load.blob),
                                                {0, load.blob.size()});
    } catch (const Error& error) {
      journal().faults.push_back(error.what());
      return et::Error::InvalidProgram;
    }
    for (const et::CompileSpec& spec : specs) {
      load.compile_specs.emplace_back(
          spec.key, std::string(static_cast<const char*>(spec.value.buffer), spec.value.nbytes));
    }
    journal().loads.push_back(std::move(load));
    processed->Free();
    return new std::size_t(journal().loads.size() - 1);
  }

  et::Error execute(et::BackendExecutionContext&,
                    et::DelegateHandle* handle,
                    et::Span<et::EValue*> args) const override {
    DelegateRun run;
    run.load = *static_cast<std::size_t*>(handle);
    const inspect::TensorRtBlob& blob = journal().loads[run.load].parsed;
    const std::size_t inputs = blob.input_names.size();
    if (args.size() != inputs + blob.output_names.size()) {
      journal().faults.push_back(
          fmt::format("the call has {} arguments for {} inputs and {} outputs",
                      args.size(),
                      inputs,
                      blob.output_names.size()));
      return et::Error::InvalidArgument;
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (!args[i]->isTensor()) {
        journal().faults.push_back(fmt::format("argument {} is no tensor", i));
        return et::Error::InvalidArgument;
      }
      executorch::aten::Tensor& tensor = args[i]->toTensor();
      if (i >= inputs) {
        const et::Error filled = fill_output(tensor, run.load, i - inputs);
        if (filled != et::Error::Ok) return filled;
      }
      (i < inputs ? run.inputs : run.outputs).push_back(argument_of(tensor));
    }
    journal().runs.push_back(std::move(run));
    return et::Error::Ok;
  }

  void destroy(et::DelegateHandle* handle) const override {
    delete static_cast<std::size_t*>(handle);
  }
};

}  // namespace

Journal& journal() {
  static Journal current;
  return current;
}

void start_journal() {
  static BackendDouble backend;
  if (et::get_backend_class("TensorRTBackend") == nullptr) {
    const et::Error registered = et::register_backend({"TensorRTBackend", &backend});
    PTEC_INVARIANT(registered == et::Error::Ok, "the double could not be registered");
    et::register_device_allocator(&device());
  }
  journal() = {};
  output_shapes().clear();
}

void plan_output_shapes(std::vector<std::vector<std::int64_t>> shapes) {
  output_shapes() = std::move(shapes);
}

std::vector<std::byte> pattern_bytes(const inspect::PteDtype& dtype,
                                     std::size_t load,
                                     std::size_t output,
                                     std::size_t index) {
  const std::size_t seed = load * 17 + output * 5 + index;
  if (dtype.name == "float32") {
    const float value = static_cast<float>(seed % 1000) * 0.25F;
    return copied(&value, sizeof(value));
  }
  if (dtype.name == "float64") {
    const double value = static_cast<double>(seed % 1000) * 0.25;
    return copied(&value, sizeof(value));
  }
  if (dtype.name == "float16" || dtype.name == "bfloat16") {
    const auto value = static_cast<std::uint16_t>(0x3C00u | (seed & 0x7Fu));
    return copied(&value, sizeof(value));
  }
  // Integers may be used as indices behind the delegate, so they stay 0 or 1.
  std::vector<std::byte> out(dtype.element_size_bytes);
  out[0] = static_cast<std::byte>(seed & 1u);
  return out;
}

}  // namespace ptec::test
