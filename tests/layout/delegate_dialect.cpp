// The reader of blobs as a delegate on a device includes it: C++17, no exceptions, no RTTI, and
// lists in memory that is fixed.
#include "tests/layout/delegate_dialect.h"

#include "layout/tensorrt_blob_reader.h"

#if defined(__cpp_exceptions) || defined(__cpp_rtti) || __cplusplus >= 202002L
#error "this file stands for code without exceptions, RTTI and C++20"
#endif

namespace ptec::test {

int read_like_a_delegate(const void* data, std::size_t size_bytes) {
  const std::string_view front(static_cast<const char*>(data), size_bytes);
  TensorRtBlobHead head;
  TensorRtBlobFacts facts;
  BlobError error = read_tensorrt_head(front, size_bytes, head);
  if (error.ok()) error = read_tensorrt_metadata(front, head, facts);
  constexpr std::uint32_t kMost = 16;
  static TensorRtBinding bindings[kMost];
  static TensorRtAlias aliases[kMost];
  static std::uint32_t by_name[kMost];
  if (error.ok() && facts.binding_count() <= kMost && facts.alias_count <= kMost)
    error = read_tensorrt_lists(front, head, facts, {bindings, aliases, by_name});
  return error.ok() ? static_cast<int>(facts.binding_count()) : -1;
}

}  // namespace ptec::test
