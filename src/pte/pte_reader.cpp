#include <array>

#include "pte/pte.h"
#include "pte/pte_check.h"
#include "pte/pte_container.h"
#include "pte/pte_decode.h"
#include "support/error.h"

namespace ptec::inspect {

PteFile read_pte(const InputFile& file) {
  const Breadcrumb here("program", file.name());
  PteFile out;
  const std::vector<std::byte> flatbuffer = read_pte_container(file, out);
  decode_pte_program(flatbuffer, out);
  check_pte_regions(file, out);
  check_pte_program(out);
  return out;
}

std::string_view value_kind_name(const PteValue& value) {
  static constexpr std::array<std::string_view, std::variant_size_v<PteValue>> kNames = {
      "null",
      "int",
      "bool",
      "double",
      "tensor",
      "string",
      "int list",
      "double list",
      "bool list",
      "tensor list",
      "optional tensor list"};
  return kNames[value.index()];
}

}  // namespace ptec::inspect
