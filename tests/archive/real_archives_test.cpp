// Every real archive at hand, read by us and by libzip.

#include <gtest/gtest.h>
#include <zip.h>

#include <algorithm>
#include <filesystem>

#include "archive/engine_object.h"
#include "archive/pt2.h"
#include "tests/support/shared_dir.h"

namespace ptec::archive {
namespace {

std::vector<std::filesystem::path> archives_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".pt2") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

void compare_with_libzip(const Pt2Archive& archive, const std::string& path) {
  zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, nullptr);
  ASSERT_NE(zip, nullptr);
  ASSERT_EQ(static_cast<std::size_t>(zip_get_num_entries(zip, 0)), archive.entries().size());
  zip_uint64_t index = 0;
  for (const ZipEntry& entry : archive.entries()) {
    zip_stat_t stat;
    ASSERT_EQ(zip_stat_index(zip, index, 0, &stat), 0);
    EXPECT_EQ(entry.record.name, stat.name);
    EXPECT_EQ(entry.record.size_bytes, stat.comp_size);
    EXPECT_EQ(entry.inflated_size_bytes, stat.size);
    EXPECT_EQ(entry.record.crc32, stat.crc);
    zip_file_t* file = zip_fopen_index(zip, index, 0);
    ASSERT_NE(file, nullptr);
    std::vector<std::byte> theirs(stat.size);
    EXPECT_EQ(zip_fread(file, theirs.data(), theirs.size()),
              static_cast<zip_int64_t>(theirs.size()));
    zip_fclose(file);
    EXPECT_EQ(read_zip_entry(archive.file(), entry, 1u << 30, true), theirs);
    ++index;
  }
  zip_discard(zip);
}

/// Archives of one fault or feature each have a few bytes in the place of an engine.
bool has_real_engine(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.rfind("small_", 0) != 0 && name.rfind("fault_", 0) != 0;
}

void read_everything(const std::filesystem::path& folder) {
  int engines = 0;
  for (const std::filesystem::path& path : archives_in(folder)) {
    SCOPED_TRACE(path.string());
    const Pt2Archive archive = Pt2Archive::open(path.string());
    EXPECT_EQ(archive.model_names(), std::vector<std::string>{"model"});
    compare_with_libzip(archive, path.string());
    for (const ZipEntry& entry : archive.entries()) {
      if (entry.record.name.find("_obj_") == std::string::npos) continue;
      const EngineObject object = read_engine_object(archive.file(), entry.record);
      EXPECT_EQ(object.fields.size(), 13u);
      EXPECT_EQ(object.fields[0], "10");
      PayloadReader reader(object.engine, PayloadReader::Check::WholeRecord);
      std::uint64_t size = 0;
      std::string start;
      for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
        if (size == 0) start = as_text(chunk.first(4));
        size += chunk.size();
      }
      EXPECT_EQ(size, object.engine.size_bytes());
      if (has_real_engine(path)) {
        EXPECT_EQ(start, "vtrt");
      }
      ++engines;
    }
  }
  EXPECT_GT(engines, 0);
}

TEST(RealArchives, OfTheRepositoryRead) { read_everything(PTEC_FIXTURES_DIR); }

TEST(RealArchives, OfTheSharedFolderRead) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  read_everything(shared / "fixtures");
}

}  // namespace
}  // namespace ptec::archive
