#include "ptec/inspect.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <filesystem>
#include <string>
#include <vector>

#include "ir/text.h"
#include "ptec/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/shared_dir.h"

namespace ptec {
namespace {

using simdjson::dom::element;

Inspection inspect_fixture(const std::string& name) {
  return inspect_file(test::fixture_path(name).string());
}

element parsed(simdjson::dom::parser& parser, const std::string& json) {
  return parser.parse(simdjson::padded_string(json));
}

std::string text_at(const element& root, std::string_view pointer) {
  return std::string(std::string_view(root.at_pointer(pointer)));
}

bool holds(const std::string& text, std::string_view wanted) {
  return text.find(wanted) != std::string::npos;
}

TEST(Inspect, ShowsAProgram) {
  const std::string text = inspection_text(inspect_fixture("mlp_static.pte"));
  EXPECT_TRUE(holds(text, "ExecuTorch program, 20.8 KiB (21300 bytes)")) << text;
  EXPECT_TRUE(holds(text, "          1536          19764  segment 1: delegate 0 of forward"))
      << text;
  EXPECT_TRUE(holds(text, R"(method forward
  inputs
    0  %0 float32[2, 16], cpu
  outputs
    0  %3 float32[2, 8], cpu
  memory
    arena 1  cpu  128 bytes
    arena 2  cuda:0  192 bytes
  instructions
      0  et_copy::_h2d_copy.out(%0) -> %1 float32[2, 16] on cuda:0
      1  delegate 0 TensorRTBackend(%1) -> %2 float32[2, 8] on cuda:0
      2  et_copy::_d2h_copy.out(%2) -> %3 float32[2, 8]
  delegates
    0  TensorRTBackend, segment 1, 19.3 KiB (19764 bytes)
       spec target_device = 'cuda:0'
       TR01 blob for linux_x86_64, device 0
       inputs: input_1
       outputs: output0
       engine: TensorRT-RTX 1.6.1.120, 16.7 KiB (17140 bytes)
  copies in one run: 128 bytes to devices, 64 bytes to the host
      0  %0 -> %1, to cuda:0, 128 bytes
      2  %2 -> %3, from cuda:0, 64 bytes)"))
      << text;
}

TEST(Inspect, InstructionsShowNumbersInPlaceAndTheTypesOfResults) {
  const std::string text = inspection_text(inspect_fixture("zero_engine.pte"));
  EXPECT_TRUE(holds(text, R"(
  instructions
      0  aten::mm.out(%2, %0) -> %3 float32[2, 8]
      1  aten::add.out(%3, %1, 1) -> %4 float32[2, 8]
      2  aten::relu.out(%4) -> %6 float32[2, 8]
      3  aten::cumsum.out(%6, 1, none) -> %7 float32[2, 8]
      4  aten::topk.values(%6, 3, 1, true, true) -> %10 float32[2, 3], %11 int64[2, 3]
  constants
    %0 float32[4, 8], 128 bytes at offset 2304
)")) << text;
}

TEST(Inspect, NumbersThatAnInstructionComputesKeepTheirPlace) {
  const std::string text = inspection_text(inspect_fixture("dynamic_number.pte"));
  EXPECT_TRUE(holds(text, "aten::sym_size.int(%0, 0) -> %2 int\n")) << text;
  EXPECT_TRUE(holds(text, "aten::full.out([%2, 2], 1.5) -> %3 float32[at most 6, 2]")) << text;
}

TEST(Inspect, BuffersThatAProgramChangesAreItsState) {
  const Inspection inspection = inspect_fixture("state.pte");
  const std::string text = inspection_text(inspection);
  EXPECT_TRUE(holds(text, R"(
  state
    %0 float32[2, 3], 24 bytes in arena 1, no initial value
    %2 int64[1], 8 bytes in arena 1, initial value at offset 2432
  memory
)")) << text;
  // Constants are not repeated there, nor buffers among the constants.
  EXPECT_TRUE(holds(text, R"(
  constants
    %1 float32[3], 12 bytes at offset 2304
    %3 int64[], 8 bytes at offset 2320
)")) << text;
  EXPECT_TRUE(holds(text, "aten::copy_(%0, %8, false) -> %0 float32[2, 3]")) << text;
  simdjson::dom::parser parser;
  const element state = parsed(parser, inspection_json(inspection)).at_pointer("/methods/0/state");
  EXPECT_EQ(simdjson::to_string(state), "[0,2]");
}

TEST(Inspect, ProgramsWithoutBuffersHaveNoState) {
  EXPECT_FALSE(holds(inspection_text(inspect_fixture("zero_engine.pte")), "state"));
}

TEST(Inspect, ShowsAnArchive) {
  const std::string text = inspection_text(inspect_fixture("dynamic_batch.pt2"));
  EXPECT_TRUE(holds(text, "torch.export archive, 40.9 KiB (41874 bytes)")) << text;
  EXPECT_TRUE(holds(text, "1..8")) << text;
  EXPECT_TRUE(holds(text, "1  tensorrt::execute_engine.default")) << text;
  EXPECT_TRUE(holds(text, "'_run_on_acc_0_engine': TensorRT-RTX 1.6.1.120, 22.8 KiB (23324 bytes)"))
      << text;
  EXPECT_TRUE(holds(
      text, "built for linux_x86_64, device 0 NVIDIA A100-SXM4-80GB (compute capability 8.0)"))
      << text;
}

TEST(Inspect, TheGraphOfAnArchiveParsesBackToItself) {
  for (const char* name : {"zero_engine.pt2", "mlp_static.pt2", "dynamic_batch.saved.pt2"}) {
    const std::string graph = inspection_graph(inspect_fixture(name));
    EXPECT_EQ(print_program(parse_program(graph)), graph) << name;
  }
}

TEST(Inspect, TheGraphOfAnArchiveIsTheOneThatWasRead) {
  const std::string graph = inspection_graph(inspect_fixture("zero_engine.pt2"));
  EXPECT_TRUE(holds(graph, "aten::topk.default(%relu, 3")) << graph;
  EXPECT_FALSE(holds(graph, ".out(")) << graph;
}

TEST(Inspect, bad_TheGraphOfAProgram) {
  const Inspection program = inspect_fixture("zero_engine.pte");
  EXPECT_TRUE(test::fails_with(ErrorCode::InvalidArgument,
                               "has instructions and no graph; inspect it without --graph",
                               [&program] { inspection_graph(program); }));
}

TEST(Inspect, NamesTheEncodingOfAnEngine) {
  simdjson::dom::parser parser;
  const auto encoding = [&parser](const std::string& name) {
    return text_at(parsed(parser, inspection_json(inspect_fixture(name))),
                   "/programs/0/engines/0/encoding");
  };
  EXPECT_NE(encoding("mlp_static.pt2"), encoding("mlp_static.saved.pt2"));
}

TEST(Inspect, RegionsCoverTheFileToTheLastByte) {
  for (const char* name : {"mlp_static.pte",
                           "two_engines.pte",
                           "zero_engine.pte",
                           "identity.pte",
                           "dynamic_batch.pte"}) {
    SCOPED_TRACE(name);
    simdjson::dom::parser parser;
    const element root = parsed(parser, inspection_json(inspect_fixture(name)));
    std::uint64_t end = 0;
    for (const element region : root["regions"].get_array()) {
      EXPECT_EQ(std::uint64_t(region["offset_bytes"]), end);
      end += std::uint64_t(region["size_bytes"]);
    }
    EXPECT_EQ(end, std::uint64_t(root["size_bytes"]));
    EXPECT_EQ(end, std::filesystem::file_size(test::fixture_path(name)));
  }
}

TEST(Inspect, JsonOfAProgramHasWhatTheTextHas) {
  simdjson::dom::parser parser;
  const element root = parsed(parser, inspection_json(inspect_fixture("mlp_static.pte")));
  EXPECT_EQ(std::int64_t(root["format_version"]), 1);
  EXPECT_EQ(text_at(root, "/kind"), "pte");
  EXPECT_EQ(text_at(root, "/methods/0/name"), "forward");
  EXPECT_EQ(text_at(root, "/methods/0/values/0/dtype"), "float32");
  EXPECT_EQ(text_at(root, "/methods/0/values/1/device"), "cuda:0");
  EXPECT_EQ(text_at(root, "/methods/0/chains/0/0/operator"), "et_copy::_h2d_copy.out");
  EXPECT_EQ(text_at(root, "/methods/0/chains/0/1/kind"), "delegate");
  EXPECT_EQ(text_at(root, "/methods/0/delegates/0/tensorrt/magic"), "TR01");
  EXPECT_EQ(text_at(root, "/methods/0/delegates/0/tensorrt/engine_version"), "1.6.1.120");
  EXPECT_EQ(std::int64_t(root.at_pointer("/methods/0/copied_to_device_bytes")), 128);
}

TEST(Inspect, JsonOfAnArchiveHasWhatTheTextHas) {
  simdjson::dom::parser parser;
  const element root = parsed(parser, inspection_json(inspect_fixture("mlp_static.pt2")));
  EXPECT_EQ(text_at(root, "/kind"), "pt2");
  EXPECT_EQ(text_at(root, "/programs/0/engines/0/target_platform"), "linux_x86_64");
  EXPECT_EQ(text_at(root, "/programs/0/engines/0/inputs/0"), "input_1");
  EXPECT_EQ(std::int64_t(root.at_pointer("/programs/0/engines/0/abi_version")), 10);
  EXPECT_EQ(text_at(root, "/programs/0/engines/0/used_by/0"), "execute_engine");
}

TEST(Inspect, SaysWhenAnEngineIsShared) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  const std::string archive =
      inspection_text(inspect_file((shared / "fixtures" / "shared_engine.pt2").string()));
  EXPECT_TRUE(holds(archive, "shared by 2")) << archive;
  const std::string program =
      inspection_text(inspect_file((shared / "fixtures" / "shared_engine.pte").string()));
  EXPECT_TRUE(holds(program, "shared by 2")) << program;
}

TEST(Inspect, ReadsEveryFixture) {
  std::vector<std::filesystem::path> folders = {test::fixture_path("")};
  if (const auto shared = test::find_shared_dir()) {
    folders.push_back(*shared / "fixtures");
    folders.push_back(*shared / "fixtures" / "models");
  }
  for (const std::filesystem::path& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".pte" && entry.path().extension() != ".pt2") continue;
      SCOPED_TRACE(entry.path().string());
      EXPECT_NO_THROW({
        const Inspection inspection = inspect_file(entry.path().string());
        EXPECT_FALSE(inspection_text(inspection).empty());
        simdjson::dom::parser parser;
        EXPECT_EQ(std::int64_t(parsed(parser, inspection_json(inspection))["format_version"]), 1);
      });
    }
  }
}

TEST(Inspect, bad_AFolder) {
  try {
    inspect_file(test::fixture_path("").string());
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Io);
  }
}

}  // namespace
}  // namespace ptec
