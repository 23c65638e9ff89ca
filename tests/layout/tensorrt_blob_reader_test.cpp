#include "layout/tensorrt_blob_reader.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

#include "tests/layout/count_allocations.h"
#include "tests/layout/delegate_dialect.h"
#include "tests/support/blob_builder.h"

namespace ptec {
namespace {

using test::BlobBuilder;

const char* const kJson =
    R"({"io_bindings":[{"name":"x","dtype":"","shape":[],"is_input":true},)"
    R"({"name":"c\u00e4che","dtype":"","shape":[],"is_input":true},)"
    R"({"name":"y","dtype":"","shape":[],"is_input":false},)"
    R"({"name":"new","dtype":"","shape":[],"is_input":false}],)"
    R"("aliased_io":[{"output":"new","input":"cäche","kind":"user"}],"hardware_compatible":true,)"
    R"("device_id":2,"serialized_metadata":"abcde=","target_platform":"linux_x86_64"})";

BlobBuilder good_blob() {
  BlobBuilder blob;
  blob.magic = "TR02";
  blob.json = kJson;
  return blob;
}

BlobBuilder with_json(std::string json) {
  BlobBuilder blob;
  blob.json = std::move(json);
  return blob;
}

struct Blob {
  BlobError error;
  TensorRtBlobHead head;
  TensorRtBlobFacts facts;
  std::vector<TensorRtBinding> bindings;
  std::vector<TensorRtAlias> aliases;
};

/// The texts of the result lie in `bytes`.
Blob read(std::string_view bytes) {
  Blob out;
  out.error = read_tensorrt_head(bytes, bytes.size(), out.head);
  if (out.error.ok()) out.error = read_tensorrt_metadata(bytes, out.head, out.facts);
  if (!out.error.ok()) return out;
  out.bindings.resize(out.facts.binding_count());
  out.aliases.resize(out.facts.alias_count);
  std::vector<std::uint32_t> by_name(out.facts.binding_count());
  out.error = read_tensorrt_lists(
      bytes, out.head, out.facts, {out.bindings.data(), out.aliases.data(), by_name.data()});
  return out;
}

void expect_fault(const BlobBuilder& blob, BlobFault fault, BlobField field, std::size_t at) {
  const std::string bytes = blob.build();
  const BlobError error = read(bytes).error;
  EXPECT_EQ(error.fault, fault) << blob_fault_text(error.fault) << "\n" << blob.json;
  EXPECT_EQ(error.field, field) << blob_field_name(error.field) << "\n" << blob.json;
  EXPECT_EQ(error.offset_bytes, at) << blob.json;
}

TEST(TensorRtBlobReader, ReadsEveryField) {
  const std::string bytes = good_blob().build();
  const Blob blob = read(bytes);
  ASSERT_TRUE(blob.error.ok()) << blob_fault_text(blob.error.fault);
  EXPECT_TRUE(blob.head.aliased);
  EXPECT_EQ(blob.head.metadata_offset_bytes, 32u);
  EXPECT_EQ(blob.head.metadata_size_bytes, std::string_view(kJson).size());
  EXPECT_EQ(blob.head.engine_offset_bytes + blob.head.engine_size_bytes, bytes.size());
  EXPECT_EQ(blob.head.engine_size_bytes, 6u);
  EXPECT_EQ(blob.facts.input_count, 2u);
  EXPECT_EQ(blob.facts.output_count, 2u);
  EXPECT_TRUE(blob.facts.hardware_compatible);
  EXPECT_EQ(blob.facts.device_id, 2);
  EXPECT_TRUE(blob.facts.serialized_metadata == "abcde=");
  EXPECT_TRUE(blob.facts.target_platform == "linux_x86_64");
  ASSERT_EQ(blob.bindings.size(), 4u);
  EXPECT_TRUE(blob.bindings[1].name == "cäche");
  EXPECT_TRUE(blob.bindings[1].is_input);
  EXPECT_TRUE(blob.bindings[1].is_aliased);
  EXPECT_TRUE(blob.bindings[2].name == "y");
  EXPECT_FALSE(blob.bindings[2].is_input);
  EXPECT_FALSE(blob.bindings[2].is_aliased);
  ASSERT_EQ(blob.aliases.size(), 1u);
  EXPECT_EQ(blob.aliases[0].output, 3u);
  EXPECT_EQ(blob.aliases[0].input, 1u);
  EXPECT_EQ(blob.aliases[0].kind, TensorRtAliasKind::User);
}

TEST(TensorRtBlobReader, NeedsNoMoreThanTheHeaderForTheHead) {
  const std::string bytes = good_blob().build();
  TensorRtBlobHead head;
  EXPECT_TRUE(read_tensorrt_head(std::string_view(bytes).substr(0, 32), bytes.size(), head).ok());
  TensorRtBlobFacts facts;
  const std::string_view front = std::string_view(bytes).substr(0, head.engine_offset_bytes);
  EXPECT_TRUE(read_tensorrt_metadata(front, head, facts).ok());
  const BlobError error = read_tensorrt_metadata(front.substr(0, front.size() - 1), head, facts);
  EXPECT_EQ(error.fault, BlobFault::TooShort);
}

TEST(TensorRtBlobReader, TakesWhatTheReferencesReadersTake) {
  // What is absent is false, 0, empty, an output and a cache; unknown keys are passed over.
  const std::string bytes =
      with_json(R"( { "new" : {"io_bindings":[7]}, "io_bindings" : [ {"x":[{}],"name":"a"} ] } )")
          .build();
  const Blob blob = read(bytes);
  ASSERT_TRUE(blob.error.ok()) << blob_fault_text(blob.error.fault);
  EXPECT_EQ(blob.facts.output_count, 1u);
  EXPECT_EQ(blob.facts.device_id, 0);
  EXPECT_FALSE(blob.facts.hardware_compatible);
  EXPECT_TRUE(blob.facts.target_platform.empty());
  BlobBuilder aliased = with_json(
      R"({"io_bindings":[{"name":"i","is_input":true},{"name":"o"}],"aliased_io":[{"input":"i","output":"o"}],"device_id":-1})");
  aliased.magic = "TR02";
  aliased.reserved = std::string(8, '\0');
  const std::string aliased_bytes = aliased.build();
  const Blob other = read(aliased_bytes);
  ASSERT_TRUE(other.error.ok()) << blob_fault_text(other.error.fault);
  EXPECT_EQ(other.aliases.at(0).kind, TensorRtAliasKind::KvCacheUpdate);
  EXPECT_EQ(other.facts.device_id, -1);
}

TEST(TensorRtBlobReader, AllocatesNothing) {
  const std::string bytes = good_blob().build();
  TensorRtBlobHead head;
  TensorRtBlobFacts facts;
  TensorRtBinding bindings[4];
  TensorRtAlias aliases[1];
  std::uint32_t by_name[4];
  const std::size_t before = test::count_allocations();
  const bool read = read_tensorrt_head(bytes, bytes.size(), head).ok() &&
                    read_tensorrt_metadata(bytes, head, facts).ok() &&
                    read_tensorrt_lists(bytes, head, facts, {bindings, aliases, by_name}).ok();
  EXPECT_EQ(test::count_allocations(), before);
  EXPECT_TRUE(read);
  EXPECT_EQ(std::vector<std::uint32_t>(by_name, by_name + 4),
            (std::vector<std::uint32_t>{1, 3, 0, 2}));
}

TEST(TensorRtBlobReader, IsOneWithWhatADelegateCompiles) {
  const std::string bytes = good_blob().build();
  EXPECT_EQ(test::read_like_a_delegate(bytes.data(), bytes.size()), 4);
  EXPECT_EQ(test::read_like_a_delegate(bytes.data(), bytes.size() - 1), -1);
  EXPECT_EQ(test::read_like_a_delegate(nullptr, 0), -1);
}

TEST(TensorRtBlobReader, ReadsManyBindingsWhateverTheirOrder) {
  // Comparing every name with every other would take minutes.
  constexpr std::uint32_t kCount = 100'000;
  std::string names;
  std::string aliases;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::string number = std::to_string(i * 7919 % kCount);
    names += (i == 0 ? "" : ",") + ("{\"name\":\"i" + number) +
             "\",\"is_input\":true},{\"name\":\"o" + number + "\"}";
    aliases += (i == 0 ? "" : ",") + ("{\"output\":\"o" + std::to_string(i)) + "\",\"input\":\"i" +
               number + "\"}";
  }
  BlobBuilder builder =
      with_json("{\"io_bindings\":[" + names + "],\"aliased_io\":[" + aliases + "]}");
  builder.magic = "TR02";
  const std::string bytes = builder.build();
  const Blob blob = read(bytes);
  ASSERT_TRUE(blob.error.ok()) << blob_fault_text(blob.error.fault);
  ASSERT_EQ(blob.facts.alias_count, kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    ASSERT_TRUE(blob.bindings[blob.aliases[i].output].name == "o" + std::to_string(i));
    ASSERT_EQ(blob.aliases[i].input, 2 * i);  // names and aliases take the numbers in one order
  }
}

TEST(TensorRtBlobReader, bad_Header) {
  BlobBuilder magic = good_blob();
  magic.magic = "TR03";
  expect_fault(magic, BlobFault::UnknownMagic, BlobField::Magic, 0);
  BlobBuilder plain = good_blob();
  plain.magic = "TR01";
  expect_fault(plain, BlobFault::WrongMagic, BlobField::Magic, 0);
  BlobBuilder offset = good_blob();
  offset.metadata_offset = 31;
  expect_fault(offset, BlobFault::BelowHeader, BlobField::MetadataOffset, 4);
  BlobBuilder behind = good_blob();
  behind.metadata_offset = 0xFFFFFFFF;
  expect_fault(behind, BlobFault::Overlap, BlobField::MetadataOffset, 4);
  BlobBuilder overlap = good_blob();
  overlap.metadata_offset += 16;
  expect_fault(overlap, BlobFault::Overlap, BlobField::MetadataSize, 8);
  BlobBuilder odd = good_blob();
  odd.engine_offset_shift = 1;
  expect_fault(odd, BlobFault::Misaligned, BlobField::EngineOffset, 12);
  BlobBuilder far = good_blob();
  far.engine_offset_shift = 16;
  expect_fault(far, BlobFault::PastEnd, BlobField::EngineOffset, 12);
  BlobBuilder longer = good_blob();
  longer.engine_size_shift = 1;
  expect_fault(longer, BlobFault::PastEnd, BlobField::EngineSize, 16);
  for (const std::int64_t shift : {-7, -8, -100, -10000}) {  // sizes near 2^64
    BlobBuilder wrapped = good_blob();
    wrapped.engine_size_shift = shift;
    expect_fault(wrapped, BlobFault::PastEnd, BlobField::EngineSize, 16);
  }
  BlobBuilder tail = good_blob();
  tail.tail = "xyz";
  expect_fault(tail, BlobFault::TrailingBytes, BlobField::EngineSize, 16);
  BlobBuilder empty = good_blob();
  empty.engine.clear();
  expect_fault(empty, BlobFault::Empty, BlobField::EngineSize, 16);
  for (std::size_t i = 0; i < 8; ++i) {
    BlobBuilder reserved = good_blob();
    reserved.reserved[i] = 2;
    expect_fault(reserved, BlobFault::NotZero, BlobField::Reserved, 24 + i);
  }
  BlobBuilder padded = good_blob();
  ASSERT_NE(padded.json.size() % 16, 0u);
  padded.padding = ' ';
  expect_fault(padded, BlobFault::NotZero, BlobField::Padding, 32 + padded.json.size());
  BlobBuilder shifted = good_blob();  // one more byte in front of the metadata than it owns
  shifted.metadata_offset = 33;
  expect_fault(shifted, BlobFault::NotZero, BlobField::Padding, 32);
}

TEST(TensorRtBlobReader, bad_Metadata) {
  struct Case {
    std::string_view before;  // the fault is behind it
    std::string_view behind;
    BlobFault fault;
    BlobField field;
  };
  const std::string_view one = R"({"io_bindings":[{"name":"a"}],)";
  const std::string_view two =
      R"({"io_bindings":[{"name":"i","is_input":true},{"name":"o"}],"aliased_io":[{)";
  const std::string deep(200, '[');
  const std::vector<Case> cases = {
      {"", "[]", BlobFault::NoObject, BlobField::Metadata},
      {"", "", BlobFault::NoObject, BlobField::Metadata},
      {"", "{}", BlobFault::Missing, BlobField::IoBindings},
      {R"({"io_bindings":[])", "", BlobFault::Syntax, BlobField::Metadata},
      {R"({"io_bindings":[]})", "x", BlobFault::Syntax, BlobField::Metadata},
      {R"({"io_bindings":[])", ";}", BlobFault::Syntax, BlobField::Metadata},
      {R"({"io_bindings":)", "{}}", BlobFault::NoList, BlobField::IoBindings},
      {R"({"io_bindings":[],"io_bindings":)", "[]}", BlobFault::Repeated, BlobField::IoBindings},
      {R"({"io_bindings":[],"io_bind\u0069ngs":)",
       "[]}",
       BlobFault::Repeated,
       BlobField::IoBindings},
      {R"({"io_bindings":[)", "1]}", BlobFault::NoObject, BlobField::IoBindings},
      {R"({"io_bindings":[{"name":"a"},)",
       R"({"is_input":true}]})",
       BlobFault::Missing,
       BlobField::BindingName},
      {R"({"io_bindings":[{"name":)", "7}]}", BlobFault::NoText, BlobField::BindingName},
      {R"({"io_bindings":[{"name":)", R"(""}]})", BlobFault::Empty, BlobField::BindingName},
      {R"({"io_bindings":[{"name":)",
       R"("a\u0000b"}]})",
       BlobFault::HasZero,
       BlobField::BindingName},
      {"{\"io_bindings\":[{\"name\":\"a", "\xFF\"}]}", BlobFault::BadText, BlobField::BindingName},
      {R"({"io_bindings":[{"name":"a","name":)",
       R"("b"}]})",
       BlobFault::Repeated,
       BlobField::BindingName},
      {R"({"io_bindings":[{"name":"a","is_input":)",
       R"("true"}]})",
       BlobFault::NoBool,
       BlobField::BindingIsInput},
      {R"({"io_bindings":[{"name":"b"},{"name":"a"},{"name":)",
       R"("\u0061"},{"name":"b"}]})",
       BlobFault::Repeated,
       BlobField::BindingName},
      {R"({"io_bindings":[{"name":"a","is_input":true},{"name":)",
       R"("a"}]})",
       BlobFault::Repeated,
       BlobField::BindingName},
      {R"({"io_bindings":[],"device_id":)", R"("0"})", BlobFault::NoInteger, BlobField::DeviceId},
      {R"({"io_bindings":[],"device_id":)", R"(1.5})", BlobFault::Syntax, BlobField::DeviceId},
      {R"({"io_bindings":[],"device_id":)",
       R"(9223372036854775808})",
       BlobFault::OutOfRange,
       BlobField::DeviceId},
      {R"({"io_bindings":[],"hardware_compatible":)",
       R"(1})",
       BlobFault::NoBool,
       BlobField::HardwareCompatible},
      {R"({"io_bindings":[],"serialized_metadata":)",
       R"(null})",
       BlobFault::NoText,
       BlobField::SerializedMetadata},
      {R"({"io_bindings":[],"target_platform":"x","target_platform":)",
       R"("x"})",
       BlobFault::Repeated,
       BlobField::TargetPlatform},
      {one, R"("aliased_io":{}})", BlobFault::NoList, BlobField::AliasedIo},
      {two, R"("output":"o"}]})", BlobFault::Missing, BlobField::AliasInput},
      {two, R"("input":"i"}]})", BlobFault::Missing, BlobField::AliasOutput},
      {two, R"("output":"","input":"i"}]})", BlobFault::Empty, BlobField::AliasOutput},
      {two, R"("output":"x","input":"i"}]})", BlobFault::Unknown, BlobField::AliasOutput},
      {two, R"("output":"i","input":"i"}]})", BlobFault::Unknown, BlobField::AliasOutput},
      {two, R"("output":"o","input":"o"}]})", BlobFault::Unknown, BlobField::AliasInput},
      {two,
       R"("output":"o","input":"i","kind":"k"}]})",
       BlobFault::UnknownKind,
       BlobField::AliasKind},
      {two,
       R"("output":"o","input":"i"},{"output":"o","input":"i"}]})",
       BlobFault::Repeated,
       BlobField::AliasOutput},
  };
  for (const Case& c : cases) {
    BlobBuilder blob = with_json(std::string(c.before) + std::string(c.behind));
    const std::string bytes = [&] {
      if (c.before == two) blob.magic = "TR02";
      return blob.build();
    }();
    const BlobError error = read(bytes).error;
    EXPECT_EQ(error.fault, c.fault) << blob_fault_text(error.fault) << "\n" << blob.json;
    EXPECT_EQ(error.field, c.field) << blob_field_name(error.field) << "\n" << blob.json;
    const bool is_behind = c.before != one && c.before != two && c.fault != BlobFault::Missing;
    if (is_behind) {
      EXPECT_EQ(error.offset_bytes, 32 + c.before.size()) << blob.json;
    }
  }
  EXPECT_EQ(read(with_json(R"({"io_bindings":[],"new":)" + deep).build()).error.fault,
            BlobFault::TooDeep);
}

TEST(TensorRtBlobReader, bad_EveryPrefixIsRefused) {
  const std::string bytes = good_blob().build();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<char> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read({exact.data(), exact.size()}).error.ok()) << size;
  }
}

TEST(TensorRtBlobReader, bad_EveryChangedByteOfHeaderAndPaddingIsSeen) {
  const std::string good = good_blob().build();
  const std::size_t json_end = 32 + std::string_view(kJson).size();
  ASSERT_NE(json_end % 16, 0u);
  for (std::size_t at = 0; at < good.size() - 6; ++at) {
    if (at == 32) at = json_end;
    for (int value = 0; value < 256; ++value) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(value);
      const bool harmless = bytes == good || (at == 24 && value == 0);
      EXPECT_EQ(read(bytes).error.ok(), harmless) << "byte " << at << " is " << value;
    }
  }
}

TEST(TensorRtBlobReader, bad_EveryChangedByteOfTheMetadataLeavesJsonOrIsSeen) {
  const std::string good = good_blob().build();
  const std::size_t json_size = std::string_view(kJson).size();
  simdjson::dom::parser parser;
  std::size_t accepted = 0;
  for (std::size_t at = 32; at < 32 + json_size; ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(value);
      const BlobError error = read(bytes).error;
      simdjson::dom::element ignored;
      const bool is_json =
          parser.parse(bytes.data() + 32, json_size).get(ignored) == simdjson::SUCCESS;
      if (error.ok()) {
        ++accepted;
        EXPECT_TRUE(is_json) << "byte " << at << " is " << value;
      }
      // All that is JSON and yet refused is refused for what it says.
      const bool no_json = error.fault == BlobFault::BadText ||
                           (error.fault == BlobFault::Syntax && error.field != BlobField::DeviceId);
      EXPECT_FALSE(no_json && is_json) << "byte " << at << " is " << value;
      EXPECT_LE(error.offset_bytes, 32 + json_size);
    }
  }
  EXPECT_GT(accepted, json_size);  // letters of names, for example
}

}  // namespace
}  // namespace ptec
