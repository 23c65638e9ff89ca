// The export-time half of TensorRTBackend.
#pragma once

#include <vector>

#include "partition/backend.h"

namespace ptec::backends {

/// Claims every engine call as a delegate of its own, the last one first, and packs engine and
/// bindings. Compile specs are the caller's, then `target_device` = "cuda:ID" of the engine unless
/// the caller gave one.
class TensorRtBackend final : public Backend {
 public:
  explicit TensorRtBackend(std::vector<CompileSpec> compile_specs = {});

  std::string_view id() const override { return "TensorRTBackend"; }
  std::vector<Partition> find_partitions(Program& program) const override;
  Delegate preprocess(const Program& program, const Partition& partition) const override;

 private:
  std::vector<CompileSpec> compile_specs_;
};

}  // namespace ptec::backends
