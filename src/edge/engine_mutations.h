// What an engine updates in place, as a mutation that the program's signature states.
#pragma once

#include <set>
#include <string>

#include "ir/program.h"

namespace ptec::edge {

struct EngineMutationStats {
  int declared = 0;
  /// FQNs of the buffers whose new value an engine writes into their own memory.
  std::set<std::string, std::less<>> updated_in_place;
};

/// An engine may write an output into the memory of an input, a cache for example. A trace leaves
/// such outputs out, and the buffer behind the input would look like a constant. Gives every engine
/// call all results of its engine, and states each update of a buffer or of an input of the caller
/// as a mutation, ahead of the outputs that were there. Updates that are stated already stay as
/// they are, so running twice changes nothing. Throws one Unsupported with a line for every update
/// that cannot be stated: of a parameter, a constant or a computed value, and of a buffer that
/// another engine updates too. Needs checked engine calls. Source: Torch-TensorRT 2.14,
/// dynamo/_exporter.py, `_declare_aliased_kv_mutations_on_ep`; which leaves an input of the caller
/// undeclared, and the delegate one argument short.
EngineMutationStats declare_engine_mutations(Program& program);

}  // namespace ptec::edge
