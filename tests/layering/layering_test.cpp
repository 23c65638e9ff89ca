// The repository's own rules. That rooms include only earlier rooms is not among them: anything
// else does not compile, and rooms_test.cmake tries it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ptec {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PTEC_SOURCE_DIR;

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

bool has_extension(const fs::path& path, std::initializer_list<std::string_view> extensions) {
  return std::find(extensions.begin(), extensions.end(), path.extension().string()) !=
         extensions.end();
}

std::vector<fs::path> code_files(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::exists(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && has_extension(entry.path(), {".h", ".cpp", ".def"})) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct Include {
  std::string path;
  bool quoted = false;
  int line = 0;
};

std::vector<Include> includes_of(const fs::path& file) {
  std::vector<Include> out;
  std::ifstream in(file);
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.rfind("#include ", 0) != 0 || line.size() < 11) continue;
    const bool quoted = line[9] == '"';
    const std::size_t end = line.find(quoted ? '"' : '>', 10);
    if (end != std::string::npos) out.push_back({line.substr(10, end - 10), quoted, number});
  }
  return out;
}

std::string place(const fs::path& file, const Include& include) {
  return fs::relative(file, kRoot).string() + ":" + std::to_string(include.line) + " includes " +
         include.path;
}

TEST(Layering, PublicHeadersIncludeOnlyPublicHeaders) {
  for (const fs::path& file : code_files(kRoot / "include")) {
    for (const Include& include : includes_of(file)) {
      if (include.quoted) {
        EXPECT_EQ(first_part(include.path), "ptec") << place(file, include);
      }
    }
  }
}

// Text files of the repository, without what builds and tools leave in it.
std::vector<fs::path> text_files() {
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(kRoot); it != fs::recursive_directory_iterator();
       ++it) {
    const std::string name = it->path().filename().string();
    if (it->is_directory() &&
        (name.rfind("build", 0) == 0 || name == ".git" || name == ".venv" || name == ".cache" ||
         name == "fixtures" || name == "samples" || name == "corpus")) {
      it.disable_recursion_pending();
      continue;
    }
    // In a work tree of its own, .git is a file that names a folder of this machine.
    if (it->is_regular_file() && name != ".git") files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void expect_nowhere(const std::vector<std::string>& forbidden) {
  for (const fs::path& file : text_files()) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream content;
    content << in.rdbuf();
    for (const std::string& text : forbidden) {
      EXPECT_EQ(content.str().find(text), std::string::npos)
          << fs::relative(file, kRoot) << " has '" << text << "'";
    }
  }
}

// The searched texts are put together here, so that this file does not hold them itself.
TEST(Repository, NamesNoPathOfOneMachine) {
  const std::string slash = "/";
  expect_nowhere(
      {slash + "root/", slash + "work/", slash + "home/", slash + "Users/", slash + "tmp/h"});
}

TEST(Repository, NamesNoPackageRegistry) {
  const std::string dot = ".";
  expect_nowhere({"pypi" + dot,
                  "files" + dot + "pythonhosted",
                  "deb" + dot + "debian",
                  "--index" + std::string("-url"),
                  "--extra" + std::string("-index")});
}

}  // namespace
}  // namespace ptec
