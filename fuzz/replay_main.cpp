// Runs a fuzz harness over files without a fuzzing engine: each argument is a file, or a folder
// whose files are taken in the order of their names. The empty input is always tried first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::vector<std::string>& arguments) {
  std::vector<fs::path> files;
  for (const std::string& argument : arguments) {
    if (!fs::is_directory(argument)) {
      files.emplace_back(argument);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(argument)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void run_one(const std::vector<char>& content) {
  // A copy of exactly this size, so that a sanitizer sees the first byte read past the end.
  const std::vector<std::uint8_t> data(content.begin(), content.end());
  LLVMFuzzerTestOneInput(data.data(), data.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::string current = "the empty input";
  try {
    run_one({});
    const std::vector<fs::path> files = files_of({argv + 1, argv + argc});
    for (const fs::path& file : files) {
      current = file.string();
      std::ifstream in(file, std::ios::binary);
      if (!in) {
        std::fprintf(stderr, "cannot read %s\n", current.c_str());
        return 1;
      }
      run_one({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
    }
    std::printf("%zu inputs replayed\n", files.size() + 1);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", current.c_str(), error.what());
    return 1;
  }
  return 0;
}
