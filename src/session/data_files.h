// The .ptd files of an export.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "archive/pt2.h"
#include "emit/external.h"
#include "emit/ptd_file.h"
#include "ptec/export.h"
#include "support/output_file.h"

namespace ptec {

struct DataFile {
  std::string path;  // in the program's folder
  emit::PtdImage image;
};

/// Tells the caller how far the writing of all files together is.
class WriteProgress {
 public:
  /// Borrows the options.
  WriteProgress(const ExportOptions& options, std::uint64_t total_bytes)
      : options_(options), total_bytes_(total_bytes) {}

  void watch(OutputFile& file);
  void finished(const OutputFile& file) { before_bytes_ += file.size_bytes(); }

 private:
  const ExportOptions& options_;
  std::uint64_t total_bytes_;
  std::uint64_t before_bytes_ = 0;  // of the files that are complete
};

/// The caller's choice with checked names. Throws InvalidArgument for a name that is no plain file
/// name.
emit::ExternalTable::Choice external_choice(const ExportOptions& options);

/// Throws InvalidArgument when a file would replace the program or an archive.
std::vector<DataFile> lay_out_data_files(const emit::ExternalTable& external,
                                         const std::vector<archive::Pt2Archive>& archives,
                                         const std::string& output);

/// Writes all of them, and only then puts any in its place.
void write_data_files(const std::vector<DataFile>& files, WriteProgress& progress);

}  // namespace ptec
