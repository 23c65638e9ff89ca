// Passes tested as text: what the graph is before, and its body after.
#pragma once

#include <string>
#include <string_view>

#include "ir/text.h"
#include "ir/verify.h"

namespace ptec::edge::test {

/// The method as printed after `pass`, from its opening line on. The result is verified.
template <typename Pass>
std::string after(std::string_view text, const Pass& pass) {
  Program program = parse_program(text);
  pass(program);
  verify(program, "the pass");
  const std::string printed = print_program(program);
  return printed.substr(printed.find("method "));
}

/// The same for a program that only has to read back as `text`: printed without a pass.
inline std::string as_printed(std::string_view text) {
  return after(text, [](Program&) {});
}

}  // namespace ptec::edge::test
