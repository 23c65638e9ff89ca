// The data files (.ptd) that a method is run with: all that it takes from them is there.
#pragma once

#include <string>
#include <vector>

#include "pte/ptd.h"
#include "pte/pte.h"

namespace ptec::run {

struct DataFile {
  std::string path;
  inspect::PtdFile content;
};

/// Reads them strictly. Throws what `read_ptd` throws.
std::vector<DataFile> read_data_files(const std::vector<std::string>& paths);

/// Throws InvalidArgument when tensors that the method takes from a data file are in none of them,
/// naming them; when one is in two of them, or has another type or shape there; when a key is in
/// the program too; and for a data file without keys, which the runtime does not take.
void check_data_files(const inspect::PteFile& program,
                      const inspect::PtePlan& plan,
                      const std::vector<DataFile>& files);

}  // namespace ptec::run
