#include "npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "inputs.h"
#include "print.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::run {
namespace {

/// A .npy file of version 1 with this header, as NumPy pads it, and these data.
InputFile npy_file(std::string header, std::string_view data, char major = 1) {
  std::string text = std::string("\x93NUMPY") + major + '\0';
  header += '\n';
  text += static_cast<char>(header.size());
  text += '\0';
  if (major > 1) text.append(2, '\0');
  text += header;
  text += data;
  const Bytes bytes = as_bytes(text);
  return InputFile::from_bytes("x.npy", {bytes.begin(), bytes.end()});
}

void expect_broken(const InputFile& file, ErrorCode code, const std::string& message) {
  try {
    read_npy(file);
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(std::string(error.what()), "array 'x.npy': " + message);
  }
}

TEST(Npy, ReadsWhatNumPyWrites) {
  // numpy.save of numpy.array([[1, 2, 3], [4, 5, 6]], dtype='i2')
  const std::string data("\1\0\2\0\3\0\4\0\5\0\6\0", 12);
  const Array array =
      read_npy(npy_file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", data));
  EXPECT_EQ(array_type_text(*array.dtype, array.shape), "int16[2, 3]");
  EXPECT_EQ(as_text(array.bytes), data);
  EXPECT_EQ(array_text(array, false), "[[1 2 3]\n [4 5 6]]");
}

TEST(Npy, TurnsFortranOrderAround) {
  const std::string data("\1\4\2\5\3\6", 6);
  const Array array =
      read_npy(npy_file("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", data));
  EXPECT_EQ(as_text(array.bytes), std::string("\1\2\3\4\5\6", 6));
}

TEST(Npy, ReadsVersionTwoScalarsAndEmptyArrays) {
  EXPECT_EQ(read_npy(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (), }", "abcd", 2))
                .shape.size(),
            0u);
  EXPECT_EQ(read_npy(npy_file("{'shape': (0, 4), 'fortran_order': False, 'descr': '<f4'}", ""))
                .bytes.size(),
            0u);
  EXPECT_EQ(read_npy(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "abcd"))
                .shape[0],
            1);
}

TEST(Npy, TakesBfloat16FromSixteenBits) {
  const InputFile file = npy_file("{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }",
                                  std::string("\x80\x3f", 2));
  EXPECT_EQ(read_npy(file).dtype->name, "uint16");
  const Array array = read_npy(file, find_dtype_by_name("bfloat16"));
  EXPECT_EQ(array.dtype->name, "bfloat16");
  EXPECT_EQ(array_text(array, false), "[1.]");
}

TEST(Npy, WhatIsWrittenReadsBack) {
  for (const char* name :
       {"float32", "int64", "bool", "float16", "bfloat16", "uint8", "complex64"}) {
    const inspect::PteDtype& dtype = *find_dtype_by_name(name);
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {3}, {2, 0, 4}, {2, 3, 1}}) {
      const Array array = filled_array(dtype, shape, 1);
      const std::string text = npy_bytes(array);
      const Bytes bytes = as_bytes(text);
      EXPECT_EQ((text.size() - array.bytes.size()) % 64, 0u);
      const Array back =
          read_npy(InputFile::from_bytes("x.npy", {bytes.begin(), bytes.end()}), &dtype);
      EXPECT_EQ(back.dtype, array.dtype);
      EXPECT_EQ(back.shape, array.shape);
      EXPECT_TRUE(back.bytes == array.bytes);
    }
  }
}

TEST(Npy, bad_Files) {
  expect_broken(InputFile::from_bytes("x.npy", std::vector<std::byte>(30)),
                ErrorCode::Malformed,
                "no .npy file: it does not begin with \\x93NUMPY");
  expect_broken(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd"),
                ErrorCode::Malformed,
                ".npy has 4 bytes of data, float32[2] needs 8");
  expect_broken(npy_file("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", "abcd"),
                ErrorCode::Unsupported,
                ".npy holds elements of type '>f4', wanted little-endian numbers or bool");
  expect_broken(npy_file("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "abcd"),
                ErrorCode::Unsupported,
                ".npy holds elements of type '|O', wanted little-endian numbers or bool");
  expect_broken(
      npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd"),
      ErrorCode::Unsupported,
      ".npy holds records, wanted an array of numbers");
  expect_broken(npy_file("{'descr': '<f4', 'shape': (1,), }", "abcd"),
                ErrorCode::Malformed,
                ".npy header lacks descr, fortran_order or shape");
  expect_broken(npy_file("{'descr': '<f4', 'descr': '<f4'}", "abcd"),
                ErrorCode::Malformed,
                ".npy header, character 25: key 'descr' is unknown or stands twice");
  expect_broken(npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", "abcd"),
                ErrorCode::Malformed,
                ".npy header, character 51: wanted a size");
  expect_broken(
      npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
               "abcd"),
      ErrorCode::Limit,
      "shape [4611686018427387904, 4] has more than 1099511627776 elements");
  expect_broken(
      npy_file("{}", "", 9), ErrorCode::Unsupported, ".npy version is 9.0, wanted 1.0 to 3.0");
}

TEST(Npy, bad_EveryPrefixIsRefused) {
  const std::string text = npy_bytes(filled_array(*find_dtype_by_name("float32"), {2}, 1));
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Bytes bytes = as_bytes(text).first(size);
    EXPECT_THROW(read_npy(InputFile::from_bytes("x.npy", {bytes.begin(), bytes.end()})), Error)
        << size;
  }
}

TEST(Print, CutsLongArrays) {
  Array array = filled_array(*find_dtype_by_name("int32"), {9, 8}, 0);
  EXPECT_EQ(array_text(array, false),
            "[[0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]\n ...\n [0 0 0 ... 0 0 "
            "0]\n [0 0 0 ... 0 0 0]\n [0 0 0 ... 0 0 0]]");
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("bool"), {70}, 1), true).size(),
            2 + 70 * 4 + 69u);
}

TEST(Print, WritesNumbersAsNumPyDoes) {
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("float32"), {}, 1), false), "1.");
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("float16"), {1}, 1), false), "[1.]");
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("complex64"), {1}, 1), false), "[1.+0.j]");
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("float32"), {1, 2, 2}, 0), false),
            "[[[0. 0.]\n  [0. 0.]]]");
  EXPECT_EQ(array_text(filled_array(*find_dtype_by_name("float32"), {0, 2}, 0), false), "[]");
}

// ---- inputs

inspect::PtePlan plan_with(std::vector<inspect::PteValue> values) {
  inspect::PtePlan out;
  out.name = "forward";
  for (std::uint32_t i = 0; i < values.size(); ++i) out.inputs.push_back(i);
  out.values = std::move(values);
  return out;
}

inspect::PteTensor tensor_of(std::vector<std::int32_t> sizes, bool dynamic = false) {
  inspect::PteTensor out;
  out.dtype = find_dtype_by_name("float32");
  out.dim_order.resize(sizes.size());
  out.sizes = std::move(sizes);
  out.dynamic = dynamic;
  return out;
}

void expect_refused(const inspect::PtePlan& plan,
                    const std::vector<std::string>& texts,
                    const std::string& message) {
  try {
    make_inputs(plan, texts);
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(Inputs, AreTheProgramsOwnWithoutAny) {
  const auto inputs = make_inputs(
      plan_with({tensor_of({2, 3}), std::int64_t{7}, 2.5, true, inspect::PteNull{}}), {});
  ASSERT_EQ(inputs.size(), 5u);
  EXPECT_EQ(array_text(std::get<Array>(inputs[0]), false), "[[1. 1. 1.]\n [1. 1. 1.]]");
  EXPECT_EQ(std::get<std::int64_t>(inputs[1]), 7);
  EXPECT_EQ(std::get<double>(inputs[2]), 2.5);
  EXPECT_TRUE(std::get<bool>(inputs[3]));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(inputs[4]));
}

TEST(Inputs, TakeFilledArraysAndRecordedNumbers) {
  const auto inputs =
      make_inputs(plan_with({tensor_of({4, 3}, true), tensor_of({}), std::int64_t{7}}),
                  {"zeros:2x3:float32", "ones:scalar", "7"});
  EXPECT_EQ(array_text(std::get<Array>(inputs[0]), false), "[[0. 0. 0.]\n [0. 0. 0.]]");
  EXPECT_EQ(array_text(std::get<Array>(inputs[1]), false), "1.");
}

TEST(Inputs, bad_CountShapeAndDtype) {
  const inspect::PtePlan plan = plan_with({tensor_of({2, 3})});
  expect_refused(
      plan, {"default", "default"}, "method 'forward' has 1 inputs: float32[2, 3]; found 2");
  expect_refused(
      plan,
      {"ones:2x4"},
      "method 'forward': input '0': wrong shape: wanted float32[2, 3], found float32[2, 4]");
  expect_refused(plan,
                 {"ones:6"},
                 "method 'forward': input '0': wrong rank: wanted float32[2, 3], found float32[6]");
  expect_refused(
      plan,
      {"ones:2x3:int64"},
      "method 'forward': input '0': wrong dtype: wanted float32[2, 3], found int64[2, 3]");
  expect_refused(plan,
                 {"ones:2x3:float31"},
                 "method 'forward': input '0': there is no element type 'float31', only uint8, "
                 "int8, int16, int32, int64, float16, "
                 "float32, float64, complex64, bool, bfloat16, uint16, uint32, uint64");
  expect_refused(
      plan, {"ones:2*3"}, "method 'forward': input '0': shape goes on with '*3', wanted 'x'");
  expect_refused(
      plan_with({tensor_of({4}, true)}),
      {"ones:5"},
      "method 'forward': input '0': wrong shape: wanted float32[4] or less, found float32[5]");
  expect_refused(
      plan_with({std::int64_t{7}}),
      {"8"},
      "method 'forward': input '0': wanted int 7, which the program was traced with, found '8'");
}

}  // namespace
}  // namespace ptec::run
