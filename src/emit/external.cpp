#include "emit/external.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/error.h"
#include "support/printable.h"

namespace ptec::emit {

std::uint32_t ExternalTable::add(const std::string& tag,
                                 const std::string& name,
                                 const TensorSpec& spec,
                                 const Payload& bytes) {
  ExternalTensor tensor;
  tensor.name = name;
  tensor.content = table_.add(bytes);
  tensor.dtype = spec.dtype;
  for (const Dim& dim : spec.sizes) tensor.sizes.push_back(dim.number());
  tensor.dim_order = spec.dim_order;

  if (const auto found = by_name_.find(name); found != by_name_.end()) {
    const ExternalTensor& first = files_[found->second.first].tensors[found->second.second];
    if (first.content != tensor.content || first.dtype != tensor.dtype ||
        first.sizes != tensor.sizes || first.dim_order != tensor.dim_order) {
      fail(ErrorCode::Unsupported,
           fmt::format(
               "two methods have different constants by the name '{}', and the runtime finds "
               "what lies outside of the program by name alone; keep this one in the "
               "program, or export the methods to programs of their own",
               printable(name)));
    }
    return tensor.content;
  }
  auto file = std::find_if(
      files_.begin(), files_.end(), [&tag](const ExternalFile& f) { return f.tag == tag; });
  if (file == files_.end()) {
    files_.push_back({tag, {}});
    file = files_.end() - 1;
  }
  by_name_.emplace(
      name, std::pair(static_cast<std::size_t>(file - files_.begin()), file->tensors.size()));
  const std::uint32_t content = tensor.content;
  file->tensors.push_back(std::move(tensor));
  return content;
}

}  // namespace ptec::emit
