#include "tests/support/engine_archive.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tests/support/program_json.h"
#include "tests/support/zip_writer.h"

namespace ptec::test {
namespace {

constexpr std::uint64_t kChunkBytes = std::uint64_t{3} << 18;  // whole base64 groups, whole words
constexpr std::string_view kRoot = "engines";

// The finaliser of SplitMix64: every bit of the input moves every bit of the output.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

using ChunkReader = std::function<void(std::uint64_t offset_bytes, std::span<std::byte> out)>;

std::string digest(std::uint64_t size_bytes, const ChunkReader& read) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_128bits_reset(state.get());
  std::vector<std::byte> chunk(kChunkBytes);
  for (std::uint64_t offset = 0; offset < size_bytes; offset += kChunkBytes) {
    const auto out = std::span(chunk).first(
        static_cast<std::size_t>(std::min(kChunkBytes, size_bytes - offset)));
    read(offset, out);
    XXH3_128bits_update(state.get(), out.data(), out.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

std::uint64_t base64_size(std::uint64_t size_bytes) { return (size_bytes + 2) / 3 * 4; }

void encode_base64(std::span<const std::byte> bytes, std::string& out) {
  static constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out.clear();
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      out.push_back(k <= count ? kAlphabet[(group >> (18 - 6 * k)) & 63] : '=');
    }
  }
}

void write_engine_text(ByteSink& out, std::uint64_t seed, std::uint64_t size_bytes) {
  std::vector<std::byte> chunk(kChunkBytes);
  std::string text;
  for (std::uint64_t offset = 0; offset < size_bytes; offset += kChunkBytes) {
    const auto bytes = std::span(chunk).first(
        static_cast<std::size_t>(std::min(kChunkBytes, size_bytes - offset)));
    fill_pattern(seed, offset, bytes);
    encode_base64(bytes, text);
    out.write(text);
  }
}

std::string little_endian(std::uint64_t value, int width_bytes) {
  std::string out;
  for (int i = 0; i < width_bytes; ++i) {
    out.push_back(static_cast<char>(static_cast<unsigned char>((value >> (8 * i)) & 0xFF)));
  }
  return out;
}

// A record's pickle, cut where the engine's text stands.
struct Pickle {
  std::string before;
  std::string after;
};

std::string long_string_header(std::uint64_t size_bytes) {
  return size_bytes > 0xFFFFFFFFu ? '\x8D' + little_endian(size_bytes, 8)
                                  : 'X' + little_endian(size_bytes, 4);
}

// Record fields of ABI 10 in front of the engine and behind it.
std::vector<std::string> leading_fields(int index) {
  return {"10", fmt::format("_run_on_acc_{}_engine", index), "0%8%0%0%NVIDIA A100-SXM4-80GB"};
}
std::vector<std::string> trailing_fields(int bindings) {
  std::string inputs = "input_1";
  std::string outputs = "output0";
  for (int i = 1; i < bindings; ++i) {
    inputs += fmt::format("%input_{}", i + 1);
    outputs += fmt::format("%output{}", i);
  }
  return {inputs, outputs, "0", "gASVBAAAAAAAAAB9lC4=", "linux_x86_64", "0", "0", "0", ""};
}

Pickle torchbind_pickle(int index, int bindings, std::uint64_t text_size) {
  char memo = 0;
  const auto put = [&memo] { return std::string("q") + memo++; };
  const auto string = [&](const std::string& text) {
    return 'X' + little_endian(text.size(), 4) + text + put();
  };
  Pickle pickle;
  pickle.before = std::string("\x80\x02") + "c__torch__.torch.classes.tensorrt\nEngine\n" + put();
  pickle.before += ")\x81";
  pickle.before += "ctorch.jit._pickle\nrestore_type_tag\n" + put() + "](";
  for (const std::string& field : leading_fields(index)) pickle.before += string(field);
  pickle.before += long_string_header(text_size);
  pickle.after = put();
  std::string zero;  // what fetches the "0" that was there before
  for (const std::string& field : trailing_fields(bindings)) {
    if (field == "0" && !zero.empty()) {
      pickle.after += zero;
      continue;
    }
    pickle.after += string(field);
    if (field == "0") zero = std::string("h") + static_cast<char>(memo - 1);
  }
  pickle.after += 'e' + string("List[str]");
  pickle.after += std::string("\x86") + "R" + put();
  pickle.after += 'b' + put() + '.';
  return pickle;
}

Pickle protocol4_pickle(int index, int bindings, std::uint64_t text_size) {
  const auto string = [](const std::string& text) {
    const std::string opcode = text.size() < 256 ? '\x8C' + little_endian(text.size(), 1)
                                                 : 'X' + little_endian(text.size(), 4);
    return opcode + text + '\x94';
  };
  const auto frame = [](const std::string& body) {
    return '\x95' + little_endian(body.size(), 8) + body;
  };
  std::string head = string("torch_tensorrt.dynamo.runtime._TRTEngine") +
                     string("_reconstruct_trt_engine") + "\x93\x94]\x94(";
  for (const std::string& field : leading_fields(index)) head += string(field);
  std::string rest = "\x94";
  for (const std::string& field : trailing_fields(bindings)) rest += string(field);
  rest += "e\x85\x94R\x94.";
  return {std::string("\x80\x04") + frame(head) + long_string_header(text_size), frame(rest)};
}

// The nested zip of a torchbind object. A dry run counts its size.
void write_torchbind_object(ByteSink& out,
                            CountingSink* dry_run,
                            const Pickle& pickle,
                            std::uint64_t seed,
                            std::uint64_t engine_size_bytes) {
  const std::uint64_t text_size = base64_size(engine_size_bytes);
  ZipWriter zip(out);
  zip.begin_member("archive/data.pkl", pickle.before.size() + text_size + pickle.after.size());
  zip.ByteSink::write(pickle.before);
  if (dry_run != nullptr) {
    zip.skip(*dry_run, text_size);
  } else {
    write_engine_text(zip, seed, engine_size_bytes);
  }
  zip.ByteSink::write(pickle.after);
  zip.end_member();
  zip.add_member("archive/version", "3\n");
  zip.add_member("archive/byteorder", "little");
  zip.add_member("archive/.data/serialization_id", std::string(40, '2'));
  zip.finish();
}

void write_engine_member(ZipWriter& zip, const EngineArchiveOptions& options, int index) {
  const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(index);
  const std::uint64_t text_size = base64_size(options.engine_size_bytes);
  if (options.form == RecordForm::Pickle4) {
    const Pickle pickle = protocol4_pickle(index, options.bindings, text_size);
    zip.begin_member(fmt::format("{}/data/constants/opaque_obj_{}", kRoot, index),
                     pickle.before.size() + text_size + pickle.after.size());
    zip.ByteSink::write(pickle.before);
    write_engine_text(zip, seed, options.engine_size_bytes);
    zip.ByteSink::write(pickle.after);
    zip.end_member();
    return;
  }
  const Pickle pickle = torchbind_pickle(index, options.bindings, text_size);
  CountingSink count;
  write_torchbind_object(count, &count, pickle, seed, options.engine_size_bytes);
  zip.begin_member(fmt::format("{}/data/constants/custom_obj_{}", kRoot, index),
                   count.size_bytes());
  write_torchbind_object(zip, nullptr, pickle, seed, options.engine_size_bytes);
  zip.end_member();
}

std::string engine_program(int engines, int bindings) {
  constexpr std::string_view kClass = "__torch__.torch.classes.tensorrt.Engine";
  ProgramJson program;
  std::string previous = "x";
  append_item(program.tensor_values, R"("x": )" + tensor_meta_json(2, 16, "cuda"));
  for (int i = 0; i < engines; ++i) {
    const std::string object = fmt::format("obj__run_on_acc_{}_engine", i);
    const std::string output = i == 0 ? "getitem" : fmt::format("getitem_{}", i);
    const std::string reference =
        fmt::format(R"({{"name": "{}", "class_fqn": "{}"}})", object, kClass);
    program.inputs.push_back(fmt::format(R"({{"as_custom_obj": {}}})", reference));
    program.input_specs.push_back(fmt::format(
        R"({{"custom_obj": {{"arg": {}, "custom_obj_name": "_run_on_acc_{}.engine"}}}})",
        reference,
        i));
    append_item(program.custom_obj_values, fmt::format(R"("{}": {})", object, reference));
    std::string values;
    std::string results;
    for (int k = 0; k < bindings; ++k) {
      append_item(values, fmt::format(R"({{"name": "{}"}})", previous));
      const std::string result = k == 0 ? output : fmt::format("{}_{}_unused", output, k);
      append_item(results, fmt::format(R"({{"name": "{}"}})", result));
      append_item(program.tensor_values,
                  fmt::format(R"("{}": {})", result, tensor_meta_json(2, 16, "cuda")));
    }
    append_item(
        program.nodes,
        fmt::format(
            R"({{"target": "torch.ops.tensorrt.execute_engine.default", "inputs": [)"
            R"({{"name": "input_tensors", "arg": {{"as_tensors": [{}]}}, )"
            R"("kind": 1}}, {{"name": "engine", "arg": {{"as_custom_obj": {}}}, "kind": 1}}], )"
            R"("outputs": [{{"as_tensors": [{}]}}], "metadata": {{}}, )"
            R"("is_hop_single_tensor_return": null, "name": "execute_engine{}"}})",
            values,
            reference,
            results,
            i == 0 ? "" : fmt::format("_{}", i)));
    previous = output;
  }
  program.inputs.push_back(R"({"as_tensor": {"name": "x"}})");
  program.input_specs.push_back(R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})");
  program.forward_arg_names = {"x"};
  program.outputs.push_back(fmt::format(R"({{"as_tensor": {{"name": "{}"}}}})", previous));
  program.output_specs.push_back(
      fmt::format(R"({{"user_output": {{"arg": {{"as_tensor": {{"name": "{}"}}}}}}}})", previous));
  return finish_program_json(program);
}

}  // namespace

void fill_pattern(std::uint64_t seed, std::uint64_t offset_bytes, std::span<std::byte> out) {
  constexpr std::array<unsigned char, 8> kHeader = {'f', 't', 'r', 't', 0, 0, 0, 0};
  constexpr std::array<unsigned char, 8> kVersion = {10, 10, 0, 31, 0, 0, 0, 0};
  for (std::size_t i = 0; i < out.size(); i += 8) {
    const std::uint64_t position = offset_bytes + i;
    std::array<unsigned char, 8> word{};
    if (position == 0) {
      word = kHeader;
    } else if (position == 24) {
      word = kVersion;
    } else {
      // Counted up in steps of the golden ratio, as SplitMix64 does.
      word = std::bit_cast<std::array<unsigned char, 8>>(
          mix(mix(seed) + (position / 8) * 0x9E3779B97F4A7C15u));
    }
    std::memcpy(out.data() + i, word.data(), std::min<std::size_t>(8, out.size() - i));
  }
}

void write_engine_archive(const std::string& path, const EngineArchiveOptions& options) {
  FileSink file(path);
  ZipWriter zip(file);
  const std::string root(kRoot);
  zip.add_member(root + "/data/weights/model_weights_config.json", R"({"config": {}})");
  std::string config;
  for (int i = 0; i < options.engines; ++i) {
    write_engine_member(zip, options, i);
    append_item(
        config,
        fmt::format(R"("_run_on_acc_{}.engine": {{"path_name": "{}_{}", "is_param": false, )"
                    R"("use_pickle": true, "tensor_meta": null}})",
                    i,
                    options.form == RecordForm::Pickle4 ? "opaque_obj" : "custom_obj",
                    i));
  }
  zip.add_member(root + "/data/constants/model_constants_config.json",
                 R"({"config": {)" + config + "}}");
  zip.add_member(root + "/models/model.json", engine_program(options.engines, options.bindings));
  write_archive_tail(zip, root);
  zip.finish();
  file.close();
}

std::string pattern_digest(std::uint64_t seed, std::uint64_t size_bytes) {
  return digest(size_bytes, [seed](std::uint64_t offset, std::span<std::byte> out) {
    fill_pattern(seed, offset, out);
  });
}

std::string file_digest(const std::string& path,
                        std::uint64_t offset_bytes,
                        std::uint64_t size_bytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error("open " + path + ": " + std::strerror(errno));
  const auto read = [&](std::uint64_t offset, std::span<std::byte> out) {
    while (!out.empty()) {
      const ::ssize_t got =
          ::pread(descriptor, out.data(), out.size(), static_cast<::off_t>(offset_bytes + offset));
      if (got <= 0) throw std::runtime_error("read " + path + ": short");
      offset += static_cast<std::uint64_t>(got);
      out = out.subspan(static_cast<std::size_t>(got));
    }
  };
  try {
    const std::string result = digest(size_bytes, read);
    ::close(descriptor);
    return result;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

}  // namespace ptec::test
