#include "archive/pt2.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "archive/identify.h"
#include "archive/text_bound.h"
#include "layout/zip.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::archive {
namespace {

constexpr std::uint64_t kMaxMarkerBytes = 64;  // archive_format and its like hold a word

ProblemId problem_with(FileKind kind) {
  switch (kind) {
    case FileKind::Pt2Legacy:
    case FileKind::AotInductor:
    case FileKind::TorchScript:
    case FileKind::TorchSave:
    case FileKind::Pte:
    case FileKind::Ptd:
    case FileKind::BundledProgram:
    case FileKind::TensorRtPlan:
    case FileKind::Onnx:
      return ProblemId::FileOtherKind;
    case FileKind::Pt2:
    case FileKind::OtherZip:
    case FileKind::GitLfsPointer:
    case FileKind::Html:
    case FileKind::Empty:
    case FileKind::Other:
      break;
  }
  return ProblemId::FileNoArchive;
}

[[noreturn]] void refuse(FileKind kind) {
  fail(problem_with(kind), describe_file_kind(kind), {{"next_step", next_step(kind)}});
}

bool starts_like_a_zip(const InputFile& file) {
  std::array<std::byte, 4> start{};
  if (file.size_bytes() < start.size()) return false;
  file.read_at(0, start);
  const std::string_view text = as_text(start);
  return text == "PK\3\4" || text == "PK\5\6";
}

FileKind kind_of_entries(const std::vector<ZipEntry>& entries) {
  std::vector<std::string_view> names;
  names.reserve(entries.size());
  for (const ZipEntry& entry : entries) names.push_back(entry.record.name);
  return kind_of_members(names);
}

// A member that holds one word, without a line feed at its end.
std::string read_marker(const Pt2Archive& archive, std::string_view name) {
  const std::vector<std::byte> bytes = archive.read_member(name, kMaxMarkerBytes);
  std::string_view text = as_text(bytes);
  if (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text);
}

void check_marker(const Pt2Archive& archive, std::string_view name, std::string_view wanted) {
  const std::string found = read_marker(archive, name);
  if (found == wanted) return;
  fail(ErrorCode::Malformed,
       fmt::format("member '{}' is '{}', wanted '{}'", name, printable(found), wanted));
}

void check_container_version(const Pt2Archive& archive) {
  // Older writers call it just `version`; torch reads both.
  const std::string_view name =
      archive.find_member(".data/version") == nullptr && archive.find_member("version") != nullptr
          ? "version"
          : ".data/version";
  const std::string text = read_marker(archive, name);
  const bool is_digit = text.size() == 1 && text[0] >= '1' && text[0] <= '9';
  if (!is_digit && text != "10") {
    fail(ErrorCode::Malformed,
         fmt::format("member '{}' is '{}', wanted a number from 1 to 10", name, printable(text)));
  }
}

void check_byte_order(const Pt2Archive& archive) {
  const std::string order = read_marker(archive, "byteorder");
  if (order == "big") {
    fail(ProblemId::ArchiveBigEndian, "its tensors are big-endian");
  }
  check_marker(archive, "byteorder", "little");
}

// torch 2.8 kept all weights of a program in one file of torch.save.
void check_is_not_torch_2_8(const Pt2Archive& archive) {
  for (const std::string& model : archive.model_names()) {
    for (const std::string_view folder : {"data/weights/", "data/constants/"}) {
      const std::string name = fmt::format("{}{}.pt", folder, model);
      if (archive.find_member(name) != nullptr) {
        fail(ProblemId::ArchiveTooOld,
             fmt::format("a program saved by torch 2.8 (it has '{}')", name));
      }
    }
  }
}

bool is_payload(std::string_view name) {
  return name.starts_with("data/weights/") || name.starts_with("data/constants/");
}

void check_sum(std::uint64_t& sum, std::uint64_t size, std::uint64_t most, std::string_view what) {
  if (size > most - sum) {
    fail(ErrorCode::Limit,
         fmt::format("its compressed members {} inflate to over {} bytes together, the most for a "
                     "file of this size; store them instead",
                     what,
                     most));
  }
  sum += size;
}

// One bound for all compressed members that are read: each is kept in memory while others are.
void check_inflated_sizes(const InputFile& file,
                          std::string_view root,
                          const std::vector<ZipEntry>& entries) {
  std::uint64_t sum = 0;
  std::uint64_t json_sum = 0;
  for (const ZipEntry& entry : entries) {
    const std::string_view inside = std::string_view(entry.record.name).substr(root.size() + 1);
    if (entry.method == kZipMethodStored || !(is_payload(inside) || inside.starts_with("models/")))
      continue;
    check_sum(sum, entry.inflated_size_bytes, max_inflated_bytes(file), "of programs and weights");
    if (!inside.ends_with(".json")) continue;
    check_sum(json_sum, entry.inflated_size_bytes, max_inflated_json_bytes(file), "of JSON");
  }
}

// Payloads are read by position, so those that a zip program has compressed are inflated behind the
// file's end.
void inflate_payloads(InputFile& file, std::string_view root, std::vector<ZipEntry>& entries) {
  for (ZipEntry& entry : entries) {
    const std::string_view inside = std::string_view(entry.record.name).substr(root.size() + 1);
    if (entry.method == kZipMethodStored || !is_payload(inside)) continue;
    const std::vector<std::byte> bytes =
        read_zip_entry(file, entry, max_inflated_bytes(file), true);
    entry.record.offset_bytes = file.append(bytes);
    entry.record.size_bytes = bytes.size();
    entry.method = kZipMethodStored;
  }
}

}  // namespace

Pt2Archive Pt2Archive::open(const std::string& path) { return from_file(InputFile::open(path)); }

Pt2Archive Pt2Archive::from_file(InputFile file) {
  const std::string path = file.name();  // outlives the move below
  const Breadcrumb here("archive", path);
  if (!starts_like_a_zip(file)) refuse(identify_file(file));
  std::vector<ZipEntry> entries = read_zip_directory(file, 0, file.size_bytes());
  const FileKind kind = kind_of_entries(entries);
  if (kind != FileKind::Pt2) refuse(kind);

  Pt2Archive out;
  const std::string& first = entries.front().record.name;
  out.root_ = first.substr(0, first.find('/'));
  const std::string prefix = out.root_ + '/';
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& name = entries[i].record.name;
    if (!name.starts_with(prefix)) {
      fail(ErrorCode::Malformed,
           fmt::format("member '{}' lies outside the root folder '{}'", name, out.root_));
    }
    out.index_.emplace(name.substr(prefix.size()), i);
  }
  check_inflated_sizes(file, out.root_, entries);
  inflate_payloads(file, out.root_, entries);
  out.text_bytes_left_ = std::make_unique<std::uint64_t>(max_record_text_bytes(file.size_bytes()));
  out.source_ = ByteSource::of_file(std::move(file));
  out.entries_ = std::make_unique<std::vector<ZipEntry>>(std::move(entries));

  check_marker(out, "archive_format", "pt2");
  check_marker(out, "archive_version", "0");
  check_container_version(out);
  check_byte_order(out);
  if (out.model_names().empty()) {
    fail(ErrorCode::Malformed, "no program in it: no member 'models/*.json'");
  }
  check_is_not_torch_2_8(out);
  return out;
}

std::vector<std::string> Pt2Archive::model_names() const {
  constexpr std::string_view kFolder = "models/";
  constexpr std::string_view kSuffix = ".json";
  std::vector<std::string> out;
  for (auto at = index_.lower_bound(kFolder); at != index_.end(); ++at) {
    const std::string& name = at->first;
    if (!name.starts_with(kFolder)) break;
    if (name.size() <= kFolder.size() + kSuffix.size() || !name.ends_with(kSuffix)) continue;
    out.push_back(name.substr(kFolder.size(), name.size() - kFolder.size() - kSuffix.size()));
  }
  return out;
}

void Pt2Archive::spend_text(std::uint64_t size_bytes) const {
  if (size_bytes > *text_bytes_left_) {
    fail(ErrorCode::Limit,
         fmt::format("its engine records have over {} bytes of text together, engines left aside, "
                     "the most for an archive of this size",
                     max_record_text_bytes(file().size_bytes())));
  }
  *text_bytes_left_ -= size_bytes;
}

const ZipEntry* Pt2Archive::find_member(std::string_view name) const {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &(*entries_)[found->second];
}

const ZipEntry& Pt2Archive::member(std::string_view name) const {
  const ZipEntry* found = find_member(name);
  if (found == nullptr) {
    fail(ErrorCode::Malformed, fmt::format("the archive has no member '{}'", printable(name)));
  }
  return *found;
}

std::vector<std::byte> Pt2Archive::read_member(std::string_view name,
                                               std::uint64_t max_bytes) const {
  return read_zip_entry(file(), member(name), max_bytes, true);
}

}  // namespace ptec::archive
