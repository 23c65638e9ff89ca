// Proves of a .pte that the unmodified ExecuTorch runtime loads and runs it, and that every
// delegate gets what the file says.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "inputs.h"

namespace ptec::test {

/// One run of a method. Runs of a method share its state.
struct ExpectedCall {
  std::string method = "forward";
  std::vector<run::Input> inputs;  // in order; scalars are taken from the program
  /// What the method returns, where that is known: in a program without engines. Floats may differ
  /// by a tolerance.
  std::vector<run::Input> outputs;
  /// For methods with dynamic shapes: shapes of the delegates' outputs, see plan_output_shapes.
  std::vector<std::vector<std::int64_t>> delegate_output_shapes;
};

struct Expectations {
  std::optional<std::size_t> delegates;  // over all methods
  std::vector<std::vector<std::byte>>
      engines;  // their bytes in order of delegates; empty: only compared with the file's
  std::vector<std::vector<std::string>>
      inputs;                           // binding names in order of delegates; empty: not compared
  std::vector<ExpectedCall> calls;      // empty: runs of each method with made-up inputs,
  int made_up_runs = 1;                 // so many
  std::vector<std::string> data_files;  // .ptd
};

/// Adds a GoogleTest failure for each thing that is not so:
/// - our strict reader takes the file without warnings; the runtime loads it with full
/// verification, and every method of it;
/// - each delegate gets exactly the bytes and compile specs that the file has for it, and they are
/// a sound TR01/TR02 blob;
/// - each call gets as many arguments as the blob has bindings, of the dtype, rank and device that
/// the program states, in memory of
///   that device; arguments copied from method inputs hold the inputs' data, also in order;
/// - outputs copied back from a delegate arrive at the right place of the method's outputs.
/// Returns the names of the methods that could not be run because the stock runtime lacks a kernel
/// for them.
std::vector<std::string> check_loads(const std::string& path,
                                     const Expectations& expectations = {});

}  // namespace ptec::test
