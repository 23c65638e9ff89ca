// All that an inspection found, ready to be printed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "archive/pt2.h"
#include "ir/program.h"
#include "pte/plan_header.h"
#include "pte/pte.h"
#include "pte/tensorrt_blob.h"
#include "tensorrt/engine_record.h"

namespace ptec::inspect {

// ---- a program (.pte)

/// A stretch of the file. Together they cover it to the last byte, in order.
struct PteRegion {
  FileRange range;
  std::string what;
};

struct PteDelegateFacts {
  std::optional<TensorRtBlob> blob;  // for TensorRTBackend
  std::size_t shared_by = 1;         // delegates that use the same bytes
};

/// One instruction that moves a tensor between host and device.
struct PteCopy {
  std::size_t chain = 0;
  std::size_t instruction = 0;  // in its chain
  std::int32_t source = 0;      // values
  std::int32_t destination = 0;
  bool to_device = false;
  PteDevice device;  // the one that is not the host
  std::uint64_t size_bytes = 0;
};

/// What crosses between host and devices in one run.
struct PteCopyFacts {
  std::vector<PteCopy> each;
  std::uint64_t to_device_bytes = 0;
  std::uint64_t to_host_bytes = 0;
};

struct PtePlanFacts {
  std::vector<PteDelegateFacts> delegates;
  PteCopyFacts copies;
  std::vector<std::uint32_t> state;  // indices of tensors that last from run to run
};

struct PteFacts {
  std::string path;
  PteFile file;
  std::vector<PteRegion> regions;
  std::vector<PtePlanFacts> plans;  // one a plan
};

// ---- an archive (.pt2)

struct EngineFacts {
  std::string fqn;  // of the custom object; empty when the graph itself holds the engine
  archive::EngineEncoding encoding = archive::EngineEncoding::TorchBind;
  tensorrt::EngineRecord record;
  PlanHeader plan;
  std::vector<std::string> users;  // names of the nodes that call it
};

struct ModelFacts {
  std::string name;  // in the archive
  Program program;   // borrows from the archive
  std::vector<std::pair<std::string, std::size_t>>
      operators;  // target and number of nodes, by target
  std::vector<EngineFacts> engines;
};

struct Pt2Facts {
  std::string path;
  archive::Pt2Archive archive;
  std::vector<ModelFacts> models;
};

struct Facts {
  std::variant<PteFacts, Pt2Facts> content;
};

PteFacts gather_pte_facts(const std::string& path, const InputFile& file);
Pt2Facts gather_pt2_facts(const std::string& path, InputFile file);

std::string pte_text(const PteFacts& facts);
std::string pte_json(const PteFacts& facts);
std::string pt2_text(const Pt2Facts& facts);
std::string pt2_json(const Pt2Facts& facts);
std::string pt2_graph(const Pt2Facts& facts);

}  // namespace ptec::inspect
