// One method of a program, loaded and run by the ExecuTorch runtime.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inputs.h"
#include "pte/pte.h"

namespace ptec::run {

/// What a method returned at one place.
using Output = Input;

/// Throws Unsupported when the method needs backends or kernels that this build has not, naming all
/// of them; InvalidArgument when it needs external data and `data_files` is empty; Limit when its
/// memory would not fit into the machine's.
void check_runnable(const inspect::PteFile& file,
                    const inspect::PtePlan& plan,
                    const std::vector<std::string>& data_files);

/// A loaded method. Buffers that it changes keep their values from one run to the next.
class LoadedMethod {
 public:
  /// Loads the file with full verification. The file has been read by `read_pte`, and
  /// `check_runnable` was content; `plan` outlives the object. Throws Malformed, with the runtime's
  /// own words, when the runtime refuses the program; Unsupported when it has no implementation for
  /// something.
  LoadedMethod(const std::string& path,
               const inspect::PtePlan& plan,
               const std::vector<std::string>& data_files);
  ~LoadedMethod();

  /// Runs the method once with inputs that fit the plan (`make_inputs`). Throws like the
  /// constructor.
  std::vector<Output> run(const std::vector<Input>& inputs);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ptec::run
