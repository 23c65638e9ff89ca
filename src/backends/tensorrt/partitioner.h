// The export-time half of TensorRTBackend.
#pragma once

#include <string_view>
#include <vector>

#include "partition/partitioner.h"

namespace ptec::backends {

/// Claims every engine call as a delegate of its own, the last one first, and packs engine and
/// bindings. Compile specs are the caller's, then `target_device` = "cuda:ID" of the engine unless
/// the caller gave one.
class TensorRtPartitioner final : public Partitioner {
 public:
  explicit TensorRtPartitioner(std::vector<CompileSpec> compile_specs = {});

  std::string_view backend_id() const override { return "TensorRTBackend"; }
  Partitioning partition(Program& program) const override;
  Delegate preprocess(const Program& program, const Partition& partition) const override;

 private:
  std::vector<CompileSpec> compile_specs_;
};

}  // namespace ptec::backends
