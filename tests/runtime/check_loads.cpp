#include "tests/runtime/check_loads.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "pte/pte.h"
#include "runner.h"
#include "support/error.h"
#include "support/input_file.h"
#include "tests/runtime/doubles.h"

namespace ptec::test {
namespace {

using inspect::PtePlan;
using inspect::PteTensor;
using run::Array;

constexpr double kTolerance =
    1e-4;  // absolute and relative: the CPU's kernels sum in another order

/// Numbers that differ from element to element and from input to input.
Array made_up(const PteTensor& tensor, std::size_t input) {
  Array out{tensor.dtype, {tensor.sizes.begin(), tensor.sizes.end()}, {}};
  const std::uint64_t count = run::element_count(out.shape);
  for (std::size_t i = 0; i < count; ++i) {
    const auto element = pattern_bytes(*tensor.dtype, 3, input, i);
    out.bytes.insert(out.bytes.end(), element.begin(), element.end());
  }
  return out;
}

std::vector<run::Input> made_up_inputs(const PtePlan& plan) {
  std::vector<run::Input> out = run::make_inputs(plan, {});
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (const auto* tensor = std::get_if<PteTensor>(&plan.values[plan.inputs[i]]))
      out[i] = made_up(*tensor, i);
  }
  return out;
}

/// Where values of a straight-line method come from.
struct Trace {
  struct Origin {
    std::size_t run = 0;     // delegate call, in order
    std::size_t output = 0;  // which output of it
  };
  std::map<std::int32_t, std::int32_t> copied_from;  // destination of a device copy -> source
  std::map<std::int32_t, Origin> delegate_outputs;
  std::vector<inspect::PteDelegateCall> calls;
};

Trace trace(const PtePlan& plan, const std::vector<std::size_t>& input_counts) {
  Trace out;
  for (const auto& chain : plan.chains) {
    for (const inspect::PteInstruction& instruction : chain) {
      if (const auto* kernel = std::get_if<inspect::PteKernelCall>(&instruction)) {
        const std::string name = plan.operators[kernel->op_index].full_name();
        const bool copy = name == "et_copy::_h2d_copy.out" || name == "et_copy::_d2h_copy.out";
        if (copy && kernel->args.size() == 3) out.copied_from[kernel->args[1]] = kernel->args[0];
      }
      if (const auto* call = std::get_if<inspect::PteDelegateCall>(&instruction)) {
        for (std::size_t i = input_counts[call->delegate_index]; i < call->args.size(); ++i) {
          out.delegate_outputs[call->args[i]] = {out.calls.size(),
                                                 i - input_counts[call->delegate_index]};
        }
        out.calls.push_back(*call);
      }
    }
  }
  return out;
}

class MethodCheck {
 public:
  MethodCheck(const std::string& path,
              const InputFile& file,
              const PtePlan& plan,
              const Expectations& expectations,
              std::size_t first_delegate)
      : file_(file),
        plan_(plan),
        expectations_(expectations),
        first_delegate_(first_delegate),
        first_load_(journal().loads.size()),
        method_(path, plan, expectations.data_files) {}

  void check_delegates() {
    ASSERT_EQ(journal().loads.size() - first_load_, plan_.delegates.size());
    for (std::size_t i = 0; i < plan_.delegates.size(); ++i) {
      SCOPED_TRACE(fmt::format("delegate {}", i));
      const inspect::PteDelegate& wanted = plan_.delegates[i];
      const DelegateLoad& load = journal().loads[first_load_ + i];
      EXPECT_EQ(load.method, plan_.name);
      EXPECT_TRUE(load.blob == file_.read_range(wanted.blob.offset_bytes,
                                                wanted.blob.size_bytes,
                                                wanted.blob.size_bytes,
                                                "blob"));
      std::vector<std::pair<std::string, std::string>> specs;
      for (const inspect::PteCompileSpec& spec : wanted.compile_specs)
        specs.emplace_back(spec.key, spec.value);
      EXPECT_EQ(load.compile_specs, specs);
      input_counts_.push_back(load.parsed.input_names.size());
      const std::size_t index = first_delegate_ + i;
      if (index < expectations_.engines.size()) {
        const auto begin =
            load.blob.begin() + static_cast<std::ptrdiff_t>(load.parsed.engine.offset_bytes);
        EXPECT_TRUE(expectations_.engines[index] == std::vector<std::byte>(begin, load.blob.end()))
            << "another engine";
      }
      if (index < expectations_.inputs.size()) {
        EXPECT_EQ(load.parsed.input_names, expectations_.inputs[index]);
      }
    }
    trace_ = trace(plan_, input_counts_);
  }

  void check_call(const ExpectedCall& call) {
    const std::size_t first_run = journal().runs.size();
    plan_output_shapes(call.delegate_output_shapes);
    const std::vector<run::Output> outputs = method_.run(call.inputs);
    ASSERT_EQ(outputs.size(), plan_.outputs.size());
    ASSERT_EQ(journal().runs.size() - first_run, trace_.calls.size());
    for (std::size_t i = 0; i < trace_.calls.size(); ++i) {
      SCOPED_TRACE(fmt::format("delegate call {}", i));
      check_arguments(journal().runs[first_run + i], trace_.calls[i], call);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      SCOPED_TRACE(fmt::format("output {}", i));
      check_output(outputs[i], i, first_run, call);
    }
  }

 private:
  void check_arguments(const DelegateRun& run,
                       const inspect::PteDelegateCall& wanted,
                       const ExpectedCall& call) {
    EXPECT_EQ(run.load, first_load_ + wanted.delegate_index);
    ASSERT_EQ(run.inputs.size() + run.outputs.size(), wanted.args.size());
    for (std::size_t i = 0; i < wanted.args.size(); ++i) {
      SCOPED_TRACE(fmt::format("argument {}", i));
      const DelegateArgument& argument =
          i < run.inputs.size() ? run.inputs[i] : run.outputs[i - run.inputs.size()];
      const auto& tensor =
          std::get<PteTensor>(plan_.values[static_cast<std::size_t>(wanted.args[i])]);
      EXPECT_EQ(argument.array.dtype, tensor.dtype);
      ASSERT_EQ(argument.array.shape.size(), tensor.sizes.size());
      for (std::size_t dim = 0; dim < tensor.sizes.size() && !tensor.dynamic; ++dim) {
        EXPECT_EQ(argument.array.shape[dim], tensor.sizes[dim]);
      }
      EXPECT_EQ(argument.on_device, tensor.device.cuda);
      EXPECT_EQ(argument.device_index, tensor.device.index);
      EXPECT_EQ(argument.in_device_memory,
                tensor.device.cuda && plan_.arenas[tensor.allocation->memory_id].device.cuda);
      if (i < run.inputs.size()) check_input_data(argument, wanted.args[i], call);
    }
  }

  void check_input_data(const DelegateArgument& argument,
                        std::int32_t value,
                        const ExpectedCall& call) {
    const auto copied = trace_.copied_from.find(value);
    const auto source =
        static_cast<std::uint32_t>(copied == trace_.copied_from.end() ? value : copied->second);
    const auto input = std::find(plan_.inputs.begin(), plan_.inputs.end(), source);
    if (input == plan_.inputs.end()) return;
    const auto index = static_cast<std::size_t>(input - plan_.inputs.begin());
    const auto& wanted = std::get<Array>(call.inputs[index]);
    EXPECT_EQ(argument.array.shape, wanted.shape);
    EXPECT_TRUE(argument.array.bytes == wanted.bytes) << "not the data of method input " << index;
  }

  void check_output(const run::Output& output,
                    std::size_t index,
                    std::size_t first_run,
                    const ExpectedCall& call) {
    const auto value = static_cast<std::int32_t>(plan_.outputs[index]);
    const auto copied = trace_.copied_from.find(value);
    const auto origin =
        trace_.delegate_outputs.find(copied == trace_.copied_from.end() ? value : copied->second);
    if (origin != trace_.delegate_outputs.end()) {
      const DelegateArgument& wanted =
          journal().runs[first_run + origin->second.run].outputs[origin->second.output];
      const auto& array = std::get<Array>(output);
      EXPECT_EQ(array.shape, wanted.array.shape);
      EXPECT_TRUE(array.bytes == wanted.array.bytes) << "not what the delegate wrote";
    } else if (index < call.outputs.size()) {
      check_numbers(output, call.outputs[index]);
    }
  }

  static void check_numbers(const run::Output& output, const run::Input& wanted) {
    ASSERT_EQ(output.index(), wanted.index());
    const auto* array = std::get_if<Array>(&output);
    if (array == nullptr) {
      if (const auto* real = std::get_if<double>(&output)) {
        EXPECT_NEAR(*real, std::get<double>(wanted), kTolerance);
      } else if (const auto* number = std::get_if<std::int64_t>(&output)) {
        EXPECT_EQ(*number, std::get<std::int64_t>(wanted));
      } else if (const auto* flag = std::get_if<bool>(&output)) {
        EXPECT_EQ(*flag, std::get<bool>(wanted));
      }
      return;
    }
    const Array& other = std::get<Array>(wanted);
    ASSERT_EQ(array->dtype, other.dtype);
    ASSERT_EQ(array->shape, other.shape);
    const std::uint64_t count = run::element_count(array->shape);
    for (std::size_t i = 0; i < count; ++i) {
      const run::Number a = run::element_at(*array, i);
      const run::Number b = run::element_at(other, i);
      if (a.kind == run::Number::Kind::Real) {
        const bool same = a.real == b.real || (std::isnan(a.real) && std::isnan(b.real));
        // Half floats have fewer digits than the tolerance asks for.
        const double scale = array->dtype->element_size_bytes == 2 ? 100 : 1;
        if (same) continue;
        ASSERT_NEAR(a.real, b.real, scale * kTolerance * (1 + std::abs(b.real))) << "element " << i;
      } else {
        ASSERT_EQ(a.integer, b.integer) << "element " << i;
        ASSERT_EQ(a.whole, b.whole) << "element " << i;
      }
    }
  }

  const InputFile& file_;
  const PtePlan& plan_;
  const Expectations& expectations_;
  std::size_t first_delegate_;
  std::size_t first_load_;
  run::LoadedMethod method_;
  std::vector<std::size_t> input_counts_;
  Trace trace_;
};

void check_method(const std::string& path,
                  const InputFile& file,
                  const PtePlan& plan,
                  const Expectations& expectations,
                  std::size_t first_delegate) {
  MethodCheck check(path, file, plan, expectations, first_delegate);
  check.check_delegates();
  if (::testing::Test::HasFatalFailure()) return;
  if (expectations.calls.empty()) {
    ExpectedCall call;
    call.inputs = made_up_inputs(plan);
    for (int i = 0; i < expectations.made_up_runs; ++i) check.check_call(call);
  }
  for (const ExpectedCall& call : expectations.calls) {
    if (call.method != plan.name) continue;
    ExpectedCall full = call;
    const std::vector<run::Input> own = run::make_inputs(plan, {});
    ASSERT_EQ(full.inputs.size(), own.size()) << "inputs of the call";
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!std::holds_alternative<Array>(own[i])) full.inputs[i] = own[i];
    }
    check.check_call(full);
  }
}

}  // namespace

std::vector<std::string> check_loads(const std::string& path, const Expectations& expectations) {
  start_journal();
  std::vector<std::string> not_run;
  try {
    const InputFile file = InputFile::open(path);
    const inspect::PteFile pte = inspect::read_pte(file);
    EXPECT_EQ(pte.warnings, std::vector<std::string>{});
    std::size_t delegates = 0;
    for (const PtePlan& plan : pte.plans) {
      SCOPED_TRACE("method " + plan.name);
      const std::size_t first_delegate = delegates;
      delegates += plan.delegates.size();
      try {
        run::check_runnable(pte, plan, expectations.data_files);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::Unsupported) throw;
        not_run.push_back(plan.name);
        continue;
      }
      check_method(path, file, plan, expectations, first_delegate);
    }
    if (expectations.delegates) {
      EXPECT_EQ(delegates, *expectations.delegates);
    }
  } catch (const Error& error) {
    ADD_FAILURE() << error.what();
  }
  EXPECT_EQ(journal().faults, std::vector<std::string>{});
  return not_run;
}

}  // namespace ptec::test
