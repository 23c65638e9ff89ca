#include "data_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "array.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::run {
namespace {

using inspect::PtdEntry;
using inspect::PteTensor;

constexpr std::size_t kNamesShown = 8;  // of tensors that are in no file

struct Found {
  const DataFile* file = nullptr;
  const PtdEntry* entry = nullptr;
};

/// Keys over all files. Looked up only.
using Index = std::unordered_map<std::string_view, Found>;

Index index_of(const inspect::PteFile& program, const std::vector<DataFile>& files) {
  Index out;
  for (const DataFile& file : files) {
    if (file.content.entries.empty()) {
      fail(ErrorCode::InvalidArgument,
           fmt::format("data file '{}' holds nothing; leave it out", file.path));
    }
    for (const PtdEntry& entry : file.content.entries) {
      const auto [first, added] = out.try_emplace(entry.key, Found{&file, &entry});
      if (added) continue;
      fail(ErrorCode::InvalidArgument,
           fmt::format("'{}' is in two data files, '{}' and '{}'; leave one of them out",
                       printable(entry.key),
                       first->second.file->path,
                       file.path));
    }
  }
  for (const inspect::PteNamedData& named : program.named_data) {
    const auto found = out.find(named.key);
    if (found == out.end()) continue;
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is in the program and in data file '{}', which belongs to another",
                     printable(named.key),
                     found->second.file->path));
  }
  return out;
}

std::string type_text(const inspect::PteDtype* dtype,
                      const std::vector<std::int32_t>& sizes,
                      const std::vector<std::uint8_t>& dim_order) {
  return fmt::format("{} in dim order [{}]",
                     array_type_text(*dtype, {sizes.begin(), sizes.end()}),
                     fmt::join(dim_order, ", "));
}

std::string type_text(const PtdEntry& entry) {
  if (!entry.layout) return "no tensor";
  return type_text(entry.layout->dtype, entry.layout->sizes, entry.layout->dim_order);
}

bool same_layout(const PtdEntry& entry, const PteTensor& tensor) {
  return entry.layout && entry.layout->dtype == tensor.dtype &&
         entry.layout->sizes == tensor.sizes && entry.layout->dim_order == tensor.dim_order;
}

std::string paths_text(const std::vector<DataFile>& files) {
  std::string out;
  for (const DataFile& file : files) out += (out.empty() ? "'" : ", '") + file.path + "'";
  return out.empty() ? "no file" : "none of " + out;
}

}  // namespace

std::vector<DataFile> read_data_files(const std::vector<std::string>& paths) {
  std::vector<DataFile> out;
  for (const std::string& path : paths)
    out.push_back({path, inspect::read_ptd(InputFile::open(path))});
  return out;
}

void check_data_files(const inspect::PteFile& program,
                      const inspect::PtePlan& plan,
                      const std::vector<DataFile>& files) {
  const Index index = index_of(program, files);
  const Breadcrumb here("method", plan.name);
  std::vector<std::string> missing;
  for (const inspect::PteValue& value : plan.values) {
    const auto* tensor = std::get_if<PteTensor>(&value);
    if (tensor == nullptr || !tensor->external) continue;
    const auto found = index.find(tensor->fully_qualified_name);
    const std::string name = "'" + printable(tensor->fully_qualified_name) + "'";
    if (found == index.end()) {
      if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
      if (missing.size() > kNamesShown) break;
    } else if (!same_layout(*found->second.entry, *tensor)) {
      fail(ErrorCode::InvalidArgument,
           fmt::format("it takes {} as {}, data file '{}' has {}; that belongs to another program",
                       name,
                       type_text(tensor->dtype, tensor->sizes, tensor->dim_order),
                       found->second.file->path,
                       type_text(*found->second.entry)));
    }
  }
  if (missing.empty()) return;
  if (missing.size() > kNamesShown) missing.back() = "others";
  fail(ErrorCode::InvalidArgument,
       fmt::format("it takes {} from a .ptd file, and {} has that; name the right one with --data",
                   fmt::join(missing, ", "),
                   paths_text(files)));
}

}  // namespace ptec::run
