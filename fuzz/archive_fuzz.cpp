// A .pt2 archive of any bytes: what it is, its directory, its small members and the engines in it.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "archive/engine_object.h"
#include "archive/identify.h"
#include "archive/pt2.h"
#include "support/error.h"
#include "support/payload_reader.h"

namespace {

constexpr std::uint64_t kMaxBytes = 1u << 20;

void read_members(const ptec::archive::Pt2Archive& archive) {
  for (const ptec::archive::ZipEntry& entry : archive.entries()) {
    if (entry.record.name.find("_obj_") != std::string::npos) {
      const ptec::archive::EngineObject engine =
          ptec::archive::read_engine_object(archive.source(), entry.record);
      ptec::RecordSums sums;
      ptec::read_payload(engine.engine, kMaxBytes, sums);
    } else {
      ptec::archive::read_zip_entry(archive.file(), entry, kMaxBytes, true);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    ptec::InputFile file = ptec::InputFile::from_bytes("fuzz", {bytes.begin(), bytes.end()});
    ptec::archive::identify_file(file);
    read_members(ptec::archive::Pt2Archive::from_file(std::move(file)));
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;  // our bug: let the fuzzer keep it
  }
  return 0;
}
