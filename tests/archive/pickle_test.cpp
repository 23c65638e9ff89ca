#include "archive/pickle.h"

#include <gtest/gtest.h>

#include <string>

#include "support/error.h"
#include "support/limits.h"
#include "tests/support/expect_error.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

using namespace std::string_literals;
using test::bytes_of;
using test::fails_with;
using test::from_hex;

// What Python's pickle makes of a record of ten fields, by protocol; the engine is "dnRydAE=".
constexpr char kReconstruct2[] =
    "800263746f7263685f74656e736f7272742e64796e616d6f2e72756e74696d652e5f545254456e67696e650a5f7265"
    "636f6e7374727563745f7472745f656e67696e650a71005d71012858010000003771025803000000656e677103580b"
    "000000302538253025302547505571045808000000646e52796441453d710558010000007871065801000000797107"
    "580100000030710858000000007109580c0000006c696e75785f7838365f3634710a68086585710b52710c2e";
constexpr char kReconstruct4[] =
    "80049593000000000000008c28746f7263685f74656e736f7272742e64796e616d6f2e72756e74696d652e5f545254"
    "456e67696e65948c175f7265636f6e7374727563745f7472745f656e67696e659493945d94288c0137948c03656e67"
    "948c0b3025382530253025475055948c08646e52796441453d948c0178948c0179948c0130948c00948c0c6c696e75"
    "785f7838365f363494680a65859452942e";
constexpr char kObject2[] =
    "800263746f7263685f74656e736f7272742e64796e616d6f2e72756e74696d652e5f545254456e67696e650a545254"
    "456e67696e650a7100298171015d71022858010000003771035803000000656e677104580b00000030253825302530"
    "2547505571055808000000646e52796441453d71065801000000787107580100000079710858010000003071095800"
    "000000710a580c0000006c696e75785f7838365f3634710b6809655809000000545254456e67696e65710c86710d62"
    "2e";
constexpr char kObject5[] =
    "80059589000000000000008c28746f7263685f74656e736f7272742e64796e616d6f2e72756e74696d652e5f545254"
    "456e67696e65948c09545254456e67696e659493942981945d94288c0137948c03656e67948c0b3025382530253025"
    "475055948c08646e52796441453d948c0178948c0179948c0130948c00948c0c6c696e75785f7838365f363494680b"
    "6568018694622e";

// Opcodes written out; a string must be under 256 bytes.
std::string text(const std::string& value) {
  std::string out = "X";
  out += static_cast<char>(value.size());
  return out + std::string(3, '\0') + value;
}
const std::string kStart = "\x80\x02";
const std::string kTorchBindClass = "c__torch__.torch.classes.tensorrt\nEngine\n";
const std::string kTag = "ctorch.jit._pickle\nrestore_type_tag\n";
const std::string kReconstructCall =
    "ctorch_tensorrt.dynamo.runtime._TRTEngine\n_reconstruct_trt_engine\n";
const std::string kPythonClass = "ctorch_tensorrt.dynamo.runtime._TRTEngine\nTRTEngine\n";
const std::string kNewObject = ")\x81";
const std::string kList = "](" + text("10") + text("name") + "e";

struct Read {
  PickledClass pickled_class;
  std::vector<std::string> fields;
};

Read read(const std::string& pickle) {
  const InputFile file = InputFile::from_bytes("test.pkl", bytes_of(pickle));
  const PickledEngine engine = read_engine_pickle(file, 0, file.size_bytes());
  Read out{engine.pickled_class, {}};
  for (const TextRange& field : engine.fields) {
    out.fields.push_back(pickle.substr(field.offset_bytes, field.size_bytes));
  }
  return out;
}

const std::vector<std::string> kTenFields = {
    "7", "eng", "0%8%0%0%GPU", "dnRydAE=", "x", "y", "0", "", "linux_x86_64", "0"};

TEST(Pickle, ReadsWhatPythonWrites) {
  for (const char* hex : {kReconstruct2, kReconstruct4}) {
    const Read got = read(from_hex(hex));
    EXPECT_EQ(got.pickled_class, PickledClass::ReconstructEngine);
    EXPECT_EQ(got.fields, kTenFields);
  }
  for (const char* hex : {kObject2, kObject5}) {
    const Read got = read(from_hex(hex));
    EXPECT_EQ(got.pickled_class, PickledClass::PythonEngine);
    EXPECT_EQ(got.fields, kTenFields);
  }
}

TEST(Pickle, ReadsATorchBindObject) {
  const Read got = read(kStart + kTorchBindClass + "q\0"s + kNewObject + kTag + kList +
                        text("List[str]") + "\x86Rb.");
  EXPECT_EQ(got.pickled_class, PickledClass::TorchBindEngine);
  EXPECT_EQ(got.fields, (std::vector<std::string>{"10", "name"}));
}

TEST(Pickle, ReadsLongStringsOneByOneAndLongMemoKeys) {
  const std::string long_text = "\x8D\3\0\0\0\0\0\0\0abc"s;
  const Read got = read(kStart + kReconstructCall + "]" + text("10") + "r\x2C\x01\0\0"s + "a" +
                        long_text + "a" + "j\x2C\x01\0\0"s + "a" + "\x85R.");
  EXPECT_EQ(got.fields, (std::vector<std::string>{"10", "abc", "10"}));
}

TEST(Pickle, EveryPrefixIsRefused) {
  for (const char* hex : {kReconstruct2, kObject5}) {
    const std::string whole = from_hex(hex);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_TRUE(fails_with(ErrorCode::Malformed, "byte", [&] { read(whole.substr(0, size)); }))
          << size;
    }
  }
}

TEST(BadPickle, GlobalsThatRunSomething) {
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "opcode GLOBAL at byte 2: 'os.system' is not", [] {
    read(kStart + "cos\nsystem\n(" + text("touch x") + "\x85R.");
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "STACK_GLOBAL at byte 24: 'builtins.eval'", [] {
    read(std::string("\x80\x04") + text("builtins") + text("eval") + "\x93.");
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "'torch.jit._pickle.build_intlist'", [] {
    read(kStart + "ctorch.jit._pickle\nbuild_intlist\n");
  }));
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "'\\x1b[31m.x'", [] { read(kStart + "c\x1b[31m\nx\n"); }));
}

TEST(BadPickle, OpcodesThatAreNotOnTheList) {
  const std::pair<std::string, const char*> cases[] = {
      {"\x82\x01", "EXT1"},
      {"\x83\x01\x01", "EXT2"},
      {"\x84\x01\x01\x01\x01", "EXT4"},
      {"P1\n", "PERSID"},
      {text("1") + "Q", "BINPERSID"},
      {"(ios\nsystem\n", "INST"},
      {"(o", "OBJ"},
      {"}", "EMPTY_DICT"},
      {"N", "NONE"},
      {"J\x01\x01\x01\x01", "BININT"},
      {"\x92", "NEWOBJ_EX"},
      {"\x97", "NEXT_BUFFER"},
      {text("a") + "2", "DUP"},
      {text("a") + "0", "POP"},
      {"t", "TUPLE"},
      {"\x87", "TUPLE3"},
  };
  for (const auto& each : cases) {
    std::string part = "opcode ";
    part.append(each.second).append(" at byte");
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, part, [&] { read(kStart + each.first); }));
  }
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "byte 0x01 at byte 2 is no pickle opcode", [] {
    read(kStart + "\x01");
  }));
}

TEST(BadPickle, EngineInRawBytes) {
  const std::string front = kStart + kReconstructCall + "](" + text("10");
  for (const std::string& raw : {"B\1\0\0\0x"s,
                                 "C\1x"s,
                                 "\x8E\1\0\0\0\0\0\0\0x"s,
                                 "\x96\1\0\0\0\0\0\0\0x"s,
                                 "c_codecs\nencode\n"s}) {
    EXPECT_TRUE(fails_with(ErrorCode::Unsupported, "engine is raw bytes, wanted base64 text", [&] {
      read(front + raw);
    }));
  }
}

TEST(BadPickle, WrongShapes) {
  const std::string tagged = kTag + kList + text("List[str]") + "\x86R";
  const std::pair<std::string, const char*> cases[] = {
      {".", "wanted one engine on the stack, found 0 items"},
      {kList + ".", "found 1 items"},
      {kTorchBindClass + kNewObject + ".", "given no state"},
      {kTorchBindClass + kNewObject + kList + "b.", "a list tagged List[str]"},
      {kTorchBindClass + kNewObject + tagged + "bX\1\0\0\0a."s, "found 2 items"},
      {kTorchBindClass + kNewObject + tagged + "b..", "1 bytes follow the end"},
      {kTorchBindClass + kNewObject + tagged + "b" + tagged + "b.", "has its state already"},
      {kTorchBindClass + text("a") + "\x85\x81", "no constructor arguments"},
      {kTag + kList + text("List[int]") + "\x86R", "the tag List[str]"},
      {kTag + kNewObject, "wanted the engine's class"},
      {kPythonClass + kNewObject + kList + text("Other") + "\x86" + "b", "the text TRTEngine"},
      {kPythonClass + kNewObject + tagged + "b", "the text TRTEngine"},
      {kReconstructCall + kList + kList + "\x86R", "wants one list"},
      {kReconstructCall + text("a") + "\x85R", "wants one list"},
      {kReconstructCall + "]\x85R.", "no fields"},
      {kPythonClass + kList + "\x85R", "calls a class"},
      {"](]e", "holds strings only, found a list"},
      {"])a", "wanted a string, found a tuple"},
      {text("a") + text("b") + "a", "wanted a list, found a string"},
      {"e", "no mark on the stack"},
      {std::string("(").append(text("a")).append("e"), "no list below the mark"},
      {"(\x85", "the stack is empty"},
      {"q\0"s, "the stack is empty"},
      {"h\5"s, "memo key 5 was never put"},
      {"\x80\x02", "PROTO stands at the start"},
      {"X\xFF\xFF\xFF\xFF"
       "abc",
       "pickle string at byte 7 needs 4294967295 bytes, 3 are left"},
      {"\x8D\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"
       "abc",
       "needs 18446744073709551615 bytes"},
      {std::string("c").append(300, 'm').append("\nx\n"), "over 256 bytes long"},
      {text("m") + text(std::string(200, 'n')) + "\x93", "is not allowed"},
  };
  for (const auto& each : cases) {
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, each.second, [&] { read(kStart + each.first); }));
  }
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "begins with PROTO", [] { read("]."); }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "protocol 1, wanted", [] { read("\x80\x01."); }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "protocol 6, wanted", [] { read("\x80\x06."); }));
}

TEST(BadPickle, HugeCounts) {
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "over 256 items on the stack", [] {
    read(kStart + std::string(1'000'000, ']'));
  }));
  EXPECT_TRUE(fails_with(
      ErrorCode::Limit, "memo key 4294967295", [] { read(kStart + "]r\xFF\xFF\xFF\xFF"); }));
  std::string nested = ")";
  nested.append(1'000'000, '\x85');
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "over 100000 opcodes", [&] { read(kStart + nested); }));
  std::string memo = "]";
  memo.append(1'000'000, '\x94');
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "at byte", [&] { read(kStart + memo); }));
  std::string fields = "]";
  for (std::size_t i = 0; i <= kMaxRecordFields; ++i) fields += text("f") + "a";
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "over 64 fields", [&] { read(kStart + fields); }));
}

}  // namespace
}  // namespace ptec::archive
