// What is in an archive (.pt2), a program (.pte) or its external data (.ptd).
#pragma once

#include <memory>
#include <string>

namespace ptec {

namespace inspect {
struct Facts;
}

/// All that `inspect_file` found. Copying it copies nothing.
class Inspection {
 public:
  explicit Inspection(std::shared_ptr<const inspect::Facts> facts) : facts_(std::move(facts)) {}
  const inspect::Facts& facts() const { return *facts_; }

 private:
  std::shared_ptr<const inspect::Facts> facts_;
};

/// Reads the file strictly; of weights and engines only the first bytes. The file is told by its
/// content, not by its name. Throws Error: Io, Malformed, Unsupported, Limit for what their names
/// say.
Inspection inspect_file(const std::string& path);

/// For people. May change from version to version.
std::string inspection_text(const Inspection& inspection);

/// For programs: docs/formats/inspect.md. Keys are only ever added.
std::string inspection_json(const Inspection& inspection);

/// The graphs of an archive as the reader made them, in the language of docs/formats/ir.md; where
/// an archive has several programs, a comment with its name stands before each. Throws
/// InvalidArgument for a program (.pte), which holds instructions and no graph, and for data (.ptd).
std::string inspection_graph(const Inspection& inspection);

}  // namespace ptec
