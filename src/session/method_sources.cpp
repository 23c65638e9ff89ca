#include "session/method_sources.h"

#include <fmt/format.h>
#include <simdjson.h>
#include <sys/stat.h>

#include <map>
#include <utility>

#include "session/problems.h"
#include "support/printable.h"

namespace ptec {
namespace {

using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;  // device, inode

FileIdentity identity_of(const InputFile& file) {
  return {static_cast<std::uint64_t>(file.device_id()), static_cast<std::uint64_t>(file.inode())};
}

void check_name(const std::string& name) {
  if (name.empty()) {
    fail(ErrorCode::InvalidArgument,
         "a method has an empty name; give every method one, as in NAME=FILE");
  }
  if (!simdjson::validate_utf8(name) || name.find('\0') != std::string::npos) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("method name '{}' is not UTF-8 text without NUL, which is all that a .pte can "
                     "hold; rename it",
                     printable(name)));
  }
}

void refuse_same_file(const InputFile& input, const std::string& output) {
  struct stat status {};
  if (::stat(output.c_str(), &status) != 0) return;
  if (status.st_ino == input.inode() && status.st_dev == input.device_id()) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("the output '{}' is the input; give another name", output));
  }
}

/// One program becomes the method; the others of an archive must not vanish silently.
void refuse_several_programs(const archive::Pt2Archive& archive) {
  const std::vector<std::string> names = archive.model_names();
  if (names.size() < 2) return;
  const Breadcrumb here("archive", archive.file().name());
  fail(ErrorCode::Unsupported,
       fmt::format("it has {} programs, among them '{}' and '{}', of which only one could be "
                   "exported; save each in an archive of its own",
                   names.size(),
                   printable(names[0]),
                   printable(names[1])));
}

}  // namespace

void check_method_names(const std::vector<MethodSource>& methods) {
  if (methods.empty()) {
    fail(ErrorCode::InvalidArgument,
         "there is no method to export; name at least one archive, as in NAME=FILE");
  }
  Problems problems;
  std::map<std::string_view, const MethodSource*> seen;
  for (const MethodSource& method : methods) {
    problems.collect([&] {
      check_name(method.name);
      const auto [first, added] = seen.emplace(method.name, &method);
      if (added) return;
      fail(ErrorCode::InvalidArgument,
           fmt::format("method '{}' is given twice, as '{}' and '{}'; give each its own name",
                       printable(method.name),
                       first->second->archive,
                       method.archive));
    });
  }
  problems.throw_if_any();
}

std::vector<archive::Pt2Archive> open_archives(const std::vector<MethodSource>& methods,
                                               const std::string& output) {
  std::vector<archive::Pt2Archive> archives;
  std::map<FileIdentity, const MethodSource*> seen;
  Problems problems;
  for (const MethodSource& method : methods) {
    problems.collect([&] {
      archive::Pt2Archive opened = archive::Pt2Archive::open(method.archive);
      refuse_same_file(opened.file(), output);
      refuse_several_programs(opened);
      const auto [first, added] = seen.emplace(identity_of(opened.file()), &method);
      if (!added) {
        fail(ErrorCode::InvalidArgument,
             fmt::format("methods '{}' and '{}' name the same archive '{}'; export each method's "
                         "program to a file of its own",
                         printable(first->second->name),
                         printable(method.name),
                         method.archive));
      }
      archives.push_back(std::move(opened));
    });
  }
  problems.throw_if_any();
  return archives;
}

}  // namespace ptec
