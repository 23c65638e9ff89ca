// Constants that lie beside the program, in .ptd files.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/constants.h"
#include "ir/program.h"

namespace ptec::emit {

struct ExternalTensor {
  std::string name;           // FQN, by which the runtime finds it
  std::uint32_t payload = 0;  // index into ExternalTable::payloads()
  ScalarType dtype = ScalarType::Float32;
  std::vector<std::int64_t> sizes;
  std::vector<std::uint8_t> dim_order;
};

struct ExternalFile {
  std::string tag;  // name without ".ptd"
  std::vector<ExternalTensor> tensors;
};

/// Collects external constants over all methods, in the order of their placeholders. Equal bytes
/// are one payload, whatever the file. Source: ExecuTorch 1.4, exir/emit/_emitter.py and
/// exir/_serialize/_named_data_store.py.
class ExternalTable {
 public:
  /// Says to which file a constant goes, by tag; nothing keeps it in the program.
  using Choice = std::function<std::optional<std::string>(
      const std::string& method, const std::string& name, std::uint64_t size_bytes)>;

  explicit ExternalTable(Choice choice) : choice_(std::move(choice)) {}

  std::optional<std::string> file_for(const std::string& method,
                                      const std::string& name,
                                      std::uint64_t size_bytes) const {
    return choice_(method, name, size_bytes);
  }

  /// Returns the payload's index. A name that is there already stays in its file. Throws
  /// Unsupported when it stands for other bytes or another shape: the runtime knows tensors by name
  /// alone, and the reference lets the last one win.
  std::uint32_t add(const std::string& tag,
                    const std::string& name,
                    const TensorSpec& spec,
                    const Payload& bytes);

  const std::vector<ExternalFile>& files() const { return files_; }  // in order of first use
  const std::vector<Payload>& payloads() const { return table_.payloads(); }

 private:
  Choice choice_;
  ConstantTable table_;
  std::vector<ExternalFile> files_;
  std::map<std::string, std::pair<std::size_t, std::size_t>, std::less<>> by_name_;  // file, tensor
};

}  // namespace ptec::emit
