#include "archive/identify.h"

#include <algorithm>
#include <cstring>

#include "archive/zip_end.h"
#include "layout/zip.h"
#include "support/limits.h"

namespace ptec::archive {
namespace {

constexpr std::size_t kHeadBytes = 1024;

struct KindRow {
  FileKind id;
  std::string_view description;
  std::string_view next_step;
};

constexpr KindRow kKinds[] = {
#define PTEC_FILE_KIND(id, description, next_step) {FileKind::id, description, next_step},
#include "archive/file_kinds.def"
#undef PTEC_FILE_KIND
};

const KindRow& row_of(FileKind kind) {
  for (const KindRow& row : kKinds) {
    if (row.id == kind) return row;
  }
  return kKinds[std::size(kKinds) - 1];
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool is_html(std::string_view head) {
  const std::size_t start = head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (start == std::string_view::npos) return false;
  const std::string text = lower_case(head.substr(start, 64));
  return text.starts_with("<!doctype html") || text.starts_with("<html");
}

// An ONNX model is a protobuf: field 1, a small number, is its version; then one of the fields that
// follow in practice: producer name and version, domain, model version, doc string, graph, opset.
bool is_onnx(std::string_view head) {
  if (head.size() < 4 || head[0] != 0x08 || head[1] < 1 || head[1] > 31) return false;
  return std::string_view("\x12\x1A\x22\x28\x32\x3A\x42").find(head[2]) != std::string_view::npos;
}

// The names in a zip's directory, without a judgement on the rest. Empty when there is no directory
// to be found.
std::vector<std::string> peek_names(const InputFile& file) {
  std::vector<std::string> names;
  std::string problem;
  const std::optional<ZipDirectory> place =
      find_zip_directory(file, 0, file.size_bytes(), &problem);
  if (!place || place->size_bytes > kMaxDirectoryBytes) return names;
  std::vector<std::byte> bytes(static_cast<std::size_t>(place->size_bytes));
  file.read_at(place->offset_bytes, bytes);
  Bytes left = bytes;
  while (left.size() >= sizeof(ZipCentralHeader)) {
    ZipCentralHeader header;
    std::memcpy(&header, left.data(), sizeof(header));
    left = left.subspan(sizeof(header));
    const std::size_t name_size = header.name_size;
    const std::size_t rest = name_size + header.extra_size + header.comment_size;
    if (header.signature != kZipCentralSignature || rest > left.size()) break;
    names.emplace_back(as_text(left.first(name_size)));
    left = left.subspan(rest);
  }
  return names;
}

}  // namespace

FileKind kind_of_members(const std::vector<std::string_view>& names) {
  bool has_format = false;
  bool has_models = false;
  bool has_inductor = false;
  bool has_pickle = false;
  bool has_code = false;
  for (const std::string_view name : names) {
    if (name == "serialized_exported_program.json") return FileKind::Pt2Legacy;
    const std::size_t slash = name.find('/');
    const std::string_view inside =
        slash == std::string_view::npos ? std::string_view() : name.substr(slash + 1);
    has_format |= inside == "archive_format";
    has_models |= inside.starts_with("models/") && inside.ends_with(".json");
    has_inductor |=
        inside.starts_with("data/aotinductor/") || name.starts_with("data/aotinductor/");
    has_pickle |= inside == "data.pkl";
    has_code |= inside == "constants.pkl" || inside.starts_with("code/");
  }
  if (has_models) return FileKind::Pt2;
  if (has_inductor) return FileKind::AotInductor;
  if (has_format) return FileKind::Pt2;
  if (has_pickle) return has_code ? FileKind::TorchScript : FileKind::TorchSave;
  return FileKind::OtherZip;
}

FileKind identify_file(const InputFile& file) {
  if (file.size_bytes() == 0) return FileKind::Empty;
  std::vector<std::byte> bytes(
      static_cast<std::size_t>(std::min<std::uint64_t>(file.size_bytes(), kHeadBytes)));
  file.read_at(0, bytes);
  const std::string_view head = as_text(bytes);
  if (head.starts_with("PK\3\4") || head.starts_with("PK\5\6")) {
    const std::vector<std::string> names = peek_names(file);
    return kind_of_members({names.begin(), names.end()});
  }
  const std::string_view identifier = head.size() >= 8 ? head.substr(4, 4) : std::string_view();
  if (identifier == "ET12") return FileKind::Pte;
  if (identifier == "FT01") return FileKind::Ptd;
  if (identifier == "BP08") return FileKind::BundledProgram;
  if (head.starts_with("ftrt") || head.starts_with("vtrt")) return FileKind::TensorRtPlan;
  if (head.starts_with("version https://git-lfs")) return FileKind::GitLfsPointer;
  if (is_html(head)) return FileKind::Html;
  if (is_onnx(head)) return FileKind::Onnx;
  return FileKind::Other;
}

std::string describe_file_kind(FileKind kind) { return std::string(row_of(kind).description); }

std::string next_step(FileKind kind) { return std::string(row_of(kind).next_step); }

}  // namespace ptec::archive
