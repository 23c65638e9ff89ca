// The text of models/model.json for the few shapes of program that tests make up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/zip_writer.h"

namespace ptec::test {

/// Already written JSON, item by item; `finish_program_json` joins and frames them.
struct ProgramJson {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::string nodes;          // joined with ", ": may be large
  std::string tensor_values;  // the same
  std::string custom_obj_values;
  std::vector<std::string> input_specs;
  std::vector<std::string> output_specs;
  std::vector<std::string> forward_arg_names;  // one a user input
};

/// Value of one `tensor_values` key: contiguous float32 of two dimensions on "cpu" or "cuda".
std::string tensor_meta_json(int rows, int columns, std::string_view device);

/// Appends `item` to a list that is kept as joined text.
void append_item(std::string& list, std::string_view item);

/// The whole record, as torch 2.14 writes it for a program whose user inputs and outputs are plain
/// tensors (one output stands alone, several come as a tuple).
std::string finish_program_json(const ProgramJson& program);

/// Writes the records that every archive has after its program, in torch's order.
void write_archive_tail(ZipWriter& zip, const std::string& root);

}  // namespace ptec::test
