// Damaged files: whatever is changed is noticed, or changes nothing.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "archive/engine_object.h"
#include "archive/pt2.h"
#include "support/error.h"
#include "support/payload_reader.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

std::string read_fixture(const char* name) {
  std::ifstream in(test::fixture_path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// All that an exporter can learn from an archive, in one text.
std::string everything_in(const std::string& bytes) {
  const Pt2Archive archive =
      Pt2Archive::from_file(InputFile::from_bytes("x.pt2", test::bytes_of(bytes)));
  std::string out;
  for (const ZipEntry& entry : archive.entries()) {
    const FileRecord& record = entry.record;
    out += record.name + ' ' + std::to_string(record.offset_bytes) + ' ' +
           std::to_string(record.size_bytes) + ' ' + std::to_string(record.crc32) + '\n';
    if (record.name.find("_obj_") != std::string::npos) {
      const EngineObject engine = read_engine_object(archive.source(), record);
      for (const std::string& field : engine.fields) out += field + '\n';
      RecordSums sums;
      PayloadReader reader(engine.engine, sums);
      for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
        out += as_text(chunk);
      }
    } else {
      out += as_text(read_zip_entry(archive.file(), entry, 1u << 20, true));
    }
  }
  return out;
}

// Whether the damaged file is refused (not with Internal), or reads as the whole one does.
::testing::AssertionResult is_noticed_or_harmless(const std::string& damaged,
                                                  const std::string& whole_reads) {
  try {
    if (everything_in(damaged) == whole_reads) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "reads differently without an error";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Internal) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << error.what();
  }
}

TEST(Damage, EveryPrefixIsRefused) {
  const std::string whole = read_fixture("zero_engine.pt2");
  ASSERT_FALSE(whole.empty());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      everything_in(whole.substr(0, size));
      ADD_FAILURE() << size << " bytes were read";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Malformed) << size << ": " << error.what();
    }
  }
}

// Headers, descriptors, directory and end records: all bits of every byte that is no member's data.
TEST(Damage, EveryFlippedBitOfTheContainerIsNoticedOrHarmless) {
  for (const char* name : {"zero_engine.pt2", "mlp_static.saved.pt2"}) {
    const std::string whole = read_fixture(name);
    const std::string reads = everything_in(whole);
    const Pt2Archive archive =
        Pt2Archive::from_file(InputFile::from_bytes("x.pt2", test::bytes_of(whole)));
    std::string is_data(whole.size(), 'n');
    for (const ZipEntry& entry : archive.entries()) {
      is_data.replace(entry.record.offset_bytes,
                      entry.record.size_bytes,
                      std::string(entry.record.size_bytes, 'y'));
    }
    for (std::size_t i = 0; i < whole.size(); ++i) {
      if (is_data[i] == 'y') continue;
      for (const int change : {1, 2, 4, 8, 16, 32, 64, 128}) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ change);
        EXPECT_TRUE(is_noticed_or_harmless(damaged, reads))
            << name << " byte " << i << ' ' << change;
      }
    }
  }
}

// Every byte around the engine's text, and one of sixteen in it: to the checksum they are all
// alike.
TEST(Damage, FlippedBytesOfAnEngineRecordAreRefused) {
  for (const char* name : {"mlp_static.pt2", "mlp_static.saved.pt2"}) {
    const std::string whole = read_fixture(name);
    const Pt2Archive archive =
        Pt2Archive::from_file(InputFile::from_bytes("x.pt2", test::bytes_of(whole)));
    for (const ZipEntry& entry : archive.entries()) {
      if (entry.record.name.find("_obj_") == std::string::npos) continue;
      const Payload engine = read_engine_object(archive.source(), entry.record).engine;
      const std::uint64_t text_begin = engine.offset_bytes() - entry.record.offset_bytes;
      const std::uint64_t text_end = text_begin + engine.encoded_size_bytes();
      for (std::size_t i = 0; i < entry.record.size_bytes; ++i) {
        if (i >= text_begin + 64 && i + 64 < text_end && i % 16 != 0) continue;
        std::string damaged = whole;
        char& byte = damaged[entry.record.offset_bytes + i];
        byte = static_cast<char>(byte ^ (1 << (i % 8)));
        // Nothing reads as nothing, so only a refusal will do.
        EXPECT_TRUE(is_noticed_or_harmless(damaged, "")) << name << " byte " << i;
      }
    }
  }
}

}  // namespace
}  // namespace ptec::archive
