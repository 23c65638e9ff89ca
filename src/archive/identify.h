// What a file is, judged by its first bytes and by the names inside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/input_file.h"

namespace ptec::archive {

enum class FileKind {
  Pt2,          // zip with <root>/archive_format
  Pt2Legacy,    // torch.export.save of torch <= 2.7
  AotInductor,  // .pt2 package without models/
  TorchScript,  // torch.jit.save
  TorchSave,    // torch.save
  OtherZip,
  Pte,             // ExecuTorch program
  Ptd,             // ExecuTorch external tensors
  BundledProgram,  // ExecuTorch .bpte
  TensorRtPlan,    // a bare serialized engine, TensorRT or TensorRT-RTX
  Onnx,
  GitLfsPointer,
  Html,
  Empty,
  Other,
};

/// Reads at most a few KiB, and the directory of a zip file. Never throws for content.
FileKind identify_file(const InputFile& file);

/// What a zip file is, by the names of its members.
FileKind kind_of_members(const std::vector<std::string_view>& names);

/// "an ONNX model", and what a user who meant to export it does next.
std::string describe_file_kind(FileKind kind);
std::string next_step(FileKind kind);

}  // namespace ptec::archive
