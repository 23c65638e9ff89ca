// The repository's own rules: which folder may include which, and that no file names one machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ptec {
namespace {

namespace fs = std::filesystem;

// The stages of src/ in the order of the data's journey. A stage may include itself and those
// before it.
constexpr std::array<std::string_view, 11> kStages = {"support",
                                                      "layout",
                                                      "archive",
                                                      "program",
                                                      "tensorrt",
                                                      "edge",
                                                      "partition",
                                                      "plan",
                                                      "emit",
                                                      "backends",
                                                      "inspect"};

const fs::path kRoot = PTEC_SOURCE_DIR;

std::optional<std::size_t> find_stage(std::string_view name) {
  const auto found = std::find(kStages.begin(), kStages.end(), name);
  if (found == kStages.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kStages.begin());
}

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

TEST(Layering, EveryFolderOfSrcIsAStage) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(find_stage(entry.path().filename().string())) << entry.path();
  }
}

TEST(Layering, StagesIncludeOnlyEarlierOnes) {
  for (const fs::path& file : code_files(kRoot / "src")) {
    const auto own = find_stage(first_part(fs::relative(file, kRoot / "src").string()));
    if (!own) continue;  // src/ itself sees every stage
    for (const Include& include : includes_of(file)) {
      const auto other = find_stage(first_part(include.path));
      if (other) {
        EXPECT_LE(*other, *own) << place(file, include);
      }
    }
  }
}

TEST(Layering, BackendsStopAtPartition) {
  for (const fs::path& file : code_files(kRoot / "src" / "backends")) {
    for (const Include& include : includes_of(file)) {
      const auto other = find_stage(first_part(include.path));
      if (!other || first_part(include.path) == "backends") continue;
      EXPECT_LE(*other, *find_stage("partition")) << place(file, include);
    }
  }
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

TEST(Layering, TheCommandLineSeesOnlyPublicHeaders) {
  for (const fs::path& file : code_files(kRoot / "tools" / "ptec")) {
    for (const Include& include : includes_of(file)) {
      EXPECT_FALSE(find_stage(first_part(include.path))) << place(file, include);
      EXPECT_EQ(include.path.find("../"), std::string::npos) << place(file, include);
    }
  }
}

// It reads programs before it hands them to the runtime, and needs nothing else of ours.
TEST(Layering, TheRunnerSeesNothingOfTheCompiler) {
  for (const fs::path& file : code_files(kRoot / "tools" / "ptec-run")) {
    for (const Include& include : includes_of(file)) {
      const std::string stage = first_part(include.path);
      EXPECT_TRUE(!find_stage(stage) || stage == "support" || stage == "layout" ||
                  stage == "inspect")
          << place(file, include);
    }
  }
}

TEST(Layering, ArchiveAndProgramNeedNoOtherStage) {
  for (const char* stage : {"support", "archive"}) {
    for (const fs::path& file : code_files(kRoot / "src" / stage)) {
      for (const Include& include : includes_of(file)) {
        EXPECT_NE(first_part(include.path), "program") << place(file, include);
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
    if (it->is_regular_file()) files.push_back(it->path());
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
