#include "session/data_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <memory>
#include <string_view>
#include <utility>

#include "support/error.h"
#include "support/printable.h"

namespace ptec {
namespace {

constexpr std::string_view kSuffix = ".ptd";

std::string tag_of(std::string name) {
  if (name.ends_with(kSuffix)) name.resize(name.size() - kSuffix.size());
  if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is no name for a data file beside the program; give a plain file name",
                     printable(name)));
  }
  return name;
}

void check_path(const std::string& path,
                const std::vector<archive::Pt2Archive>& archives,
                const std::string& output) {
  struct stat status {};
  bool taken = path == output;
  if (!taken && ::stat(path.c_str(), &status) == 0) {
    for (const archive::Pt2Archive& archive : archives) {
      taken = taken || (status.st_ino == archive.file().inode() &&
                        status.st_dev == archive.file().device_id());
    }
  }
  if (taken) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("the data file '{}' is the program or an archive; give another name", path));
  }
}

}  // namespace

void WriteProgress::watch(OutputFile& file) {
  if (!options_.on_progress) return;
  file.on_progress([this](std::uint64_t written) {
    return options_.on_progress(before_bytes_ + written, total_bytes_);
  });
}

emit::ExternalTable::Choice external_choice(const ExportOptions& options) {
  return [&options](const std::string& method,
                    const std::string& name,
                    std::uint64_t size_bytes) -> std::optional<std::string> {
    const std::optional<std::string> file = options.external_file({method, name, size_bytes});
    return file ? std::optional(tag_of(*file)) : std::nullopt;
  };
}

std::vector<DataFile> lay_out_data_files(const emit::ExternalTable& external,
                                         const std::vector<archive::Pt2Archive>& archives,
                                         const std::string& output) {
  const std::size_t slash = output.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : output.substr(0, slash + 1);
  std::vector<DataFile> out;
  for (const emit::ExternalFile& file : external.files()) {
    std::string path = folder + file.tag + std::string(kSuffix);
    check_path(path, archives, output);
    out.push_back({std::move(path), emit::lay_out_ptd(file, external.payloads())});
  }
  return out;
}

void write_data_files(const std::vector<DataFile>& files, WriteProgress& progress) {
  std::vector<std::unique_ptr<OutputFile>> written;
  for (const DataFile& one : files) {
    written.push_back(std::make_unique<OutputFile>(one.path));
    progress.watch(*written.back());
    emit::write_ptd_file(*written.back(), one.image);
    progress.finished(*written.back());
  }
  for (const std::unique_ptr<OutputFile>& file : written) file->commit();
}

}  // namespace ptec
