//  0        6    8                 10 or 12
//  | \x93NUMPY | 1 0 | header size | {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } \n
//  | data
//                      u16, or u32 from version 2 on
// The header is a Python literal, padded with blanks so that the data begins at a multiple of 64.
#include "npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>
#include <charconv>
#include <optional>

#include "support/byte_reader.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::run {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint64_t kMaxHeaderBytes = 1 << 20;  // a real header has about 100
constexpr std::size_t kDataAlignment = 64;

struct DescrRow {
  std::string_view descr;
  std::string_view dtype;
};
constexpr std::array kDescrs = {
    DescrRow{"|b1", "bool"},
    DescrRow{"|i1", "int8"},
    DescrRow{"|u1", "uint8"},
    DescrRow{"<i2", "int16"},
    DescrRow{"<u2", "uint16"},
    DescrRow{"<i4", "int32"},
    DescrRow{"<u4", "uint32"},
    DescrRow{"<i8", "int64"},
    DescrRow{"<u8", "uint64"},
    DescrRow{"<f2", "float16"},
    DescrRow{"<f4", "float32"},
    DescrRow{"<f8", "float64"},
    DescrRow{"<c8", "complex64"},
    DescrRow{"<c16", "complex128"},
};
constexpr std::string_view kBfloat16Descr = "<u2";

/// The three entries of the header, in any order, each once.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    Header out;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !out.descr) {
        out.descr = descr();
      } else if (key == "fortran_order" && !out.fortran_order) {
        out.fortran_order = boolean();
      } else if (key == "shape" && !out.shape) {
        out.shape = shape();
      } else {
        broken(fmt::format("key '{}' is unknown or stands twice", printable(key)));
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    blanks();
    if (position_ != text_.size()) broken("something follows the closing brace");
    return out;
  }

 private:
  [[noreturn]] void broken(std::string_view what) const {
    fail(ErrorCode::Malformed, fmt::format(".npy header, character {}: {}", position_, what));
  }
  void blanks() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n'))
      ++position_;
  }
  bool accept(char wanted) {
    blanks();
    if (position_ >= text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) broken(fmt::format("wanted '{}'", wanted));
  }
  std::string quoted() {
    blanks();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '\'' && quote != '"') broken("wanted a string");
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) broken("string does not end");
    const std::string out(text_.substr(position_ + 1, end - position_ - 1));
    position_ = end + 1;
    return out;
  }
  std::string descr() {
    blanks();
    if (position_ < text_.size() && text_[position_] == '[') {
      fail(ErrorCode::Unsupported, ".npy holds records, wanted an array of numbers");
    }
    return quoted();
  }
  bool boolean() {
    blanks();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_, word.size()) != word) continue;
      position_ += word.size();
      return value;
    }
    broken("wanted True or False");
  }
  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> out;
    expect('(');
    while (!accept(')')) {
      blanks();
      std::int64_t size = 0;
      const char* const begin = text_.data() + position_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) broken("wanted a size");
      position_ += static_cast<std::size_t>(end - begin);
      out.push_back(size);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

const inspect::PteDtype& dtype_of(const std::string& descr, const inspect::PteDtype* wanted) {
  if (wanted != nullptr && wanted->name == "bfloat16" && descr == kBfloat16Descr) return *wanted;
  for (const DescrRow& row : kDescrs) {
    // A single byte has no byte order; NumPy writes '|', but reads any.
    if (descr == row.descr ||
        (row.descr[0] == '|' && descr == fmt::format("<{}", row.descr.substr(1)))) {
      return *find_dtype_by_name(row.dtype);
    }
  }
  fail(ErrorCode::Unsupported,
       fmt::format(".npy holds elements of type '{}', wanted little-endian numbers or bool",
                   printable(descr)));
}

/// Fortran order has the first dimension innermost.
std::vector<std::byte> transposed(const std::vector<std::byte>& in,
                                  const std::vector<std::int64_t>& shape,
                                  std::size_t element) {
  std::vector<std::byte> out(in.size());
  std::vector<std::int64_t> at(shape.size(), 0);
  for (std::size_t target = 0; target < in.size(); target += element) {
    std::size_t source = 0;
    for (std::size_t dim = shape.size(); dim-- > 0;) {
      source = source * static_cast<std::size_t>(shape[dim]) + static_cast<std::size_t>(at[dim]);
    }
    for (std::size_t i = 0; i < element; ++i) out[target + i] = in[source * element + i];
    for (std::size_t dim = shape.size(); dim-- > 0;) {
      if (++at[dim] < shape[dim]) break;
      at[dim] = 0;
    }
  }
  return out;
}

}  // namespace

Array read_npy(const InputFile& file, const inspect::PteDtype* wanted) {
  const Breadcrumb here("array", file.name());
  const std::vector<std::byte> front =
      file.read_range(0, std::min<std::uint64_t>(file.size_bytes(), 12), 12, ".npy");
  ByteReader reader(front);
  if (as_text(front).substr(0, kMagic.size()) != kMagic)
    fail(ErrorCode::Malformed, "no .npy file: it does not begin with \\x93NUMPY");
  reader.skip(kMagic.size(), ".npy magic");
  const unsigned major = reader.le<std::uint8_t>(".npy version");
  const unsigned minor = reader.le<std::uint8_t>(".npy version");
  if (major < 1 || major > 3 || minor != 0)
    fail(ErrorCode::Unsupported,
         fmt::format(".npy version is {}.{}, wanted 1.0 to 3.0", major, minor));
  const std::uint64_t header_size = major == 1 ? reader.le<std::uint16_t>(".npy header size")
                                               : reader.le<std::uint32_t>(".npy header size");
  const std::vector<std::byte> header_bytes =
      file.read_range(reader.offset_bytes(), header_size, kMaxHeaderBytes, ".npy header");
  const Header header = HeaderParser(as_text(header_bytes)).parse();
  if (!header.descr || !header.fortran_order || !header.shape) {
    fail(ErrorCode::Malformed, ".npy header lacks descr, fortran_order or shape");
  }
  const inspect::PteDtype& dtype = dtype_of(*header.descr, wanted);
  const std::uint64_t size = element_count(*header.shape) * dtype.element_size_bytes;
  const std::uint64_t begin = reader.offset_bytes() + header_size;
  if (file.size_bytes() - begin != size) {
    fail(ErrorCode::Malformed,
         fmt::format(".npy has {} bytes of data, {} needs {}",
                     file.size_bytes() - begin,
                     array_type_text(dtype, *header.shape),
                     size));
  }
  Array out{&dtype, *header.shape, file.read_range(begin, size, kMaxArrayBytes, ".npy data")};
  if (*header.fortran_order) out.bytes = transposed(out.bytes, out.shape, dtype.element_size_bytes);
  return out;
}

std::string npy_bytes(const Array& array) {
  std::string_view descr = array.dtype->name == "bfloat16" ? kBfloat16Descr : std::string_view{};
  for (const DescrRow& row : kDescrs) {
    if (row.dtype == array.dtype->name) descr = row.descr;
  }
  if (descr.empty())
    fail(ErrorCode::Unsupported, fmt::format(".npy has no elements of type {}", array.dtype->name));
  const std::string shape = array.shape.size() == 1
                                ? fmt::format("({},)", array.shape[0])
                                : fmt::format("({})", fmt::join(array.shape, ", "));
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  const std::size_t front = kMagic.size() + 4;
  header.resize(round_up(front + header.size() + 1, kDataAlignment) - front - 1, ' ');
  header += '\n';
  std::string out(kMagic);
  out += '\x01';
  out += '\x00';
  out += static_cast<char>(header.size() & 0xFF);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  out += as_text(array.bytes);
  return out;
}

}  // namespace ptec::run
