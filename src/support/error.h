// Raising errors: one function throws, breadcrumbs say where.
#pragma once

#include <string>
#include <string_view>

#include "ptec/error.h"

namespace ptec {

/// Marks what is being worked on until the end of the scope: `Breadcrumb here("archive", path);`.
/// Costs two pointer stores; the texts are read only if something below throws, so both must
/// outlive the scope.
class Breadcrumb {
 public:
  Breadcrumb(std::string_view kind, std::string_view name);
  ~Breadcrumb();
  Breadcrumb(const Breadcrumb&) = delete;
  Breadcrumb& operator=(const Breadcrumb&) = delete;

  /// "archive 'model.pt2': engine 'x': " for the scopes open on this thread, outermost first.
  static std::string trail();

 private:
  std::string_view kind_;
  std::string_view name_;
  const Breadcrumb* outer_;
};

/// Throws `Error` with the breadcrumb trail in front of `message`.
[[noreturn]] void fail(ErrorCode code, std::string_view message);

/// For our own bugs only: throws `Internal`, in every build.
#define PTEC_INVARIANT(condition, why)                                                           \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      ::ptec::fail(                                                                              \
          ::ptec::ErrorCode::Internal,                                                           \
          std::string("broken invariant: ") + (why) + "; this is a bug in ptec, please report"); \
    }                                                                                            \
  } while (false)

}  // namespace ptec
