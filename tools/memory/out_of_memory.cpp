// operator new for the tools. It throws, whatever allocator is behind it: mimalloc is a C library
// in most packages, and its own operator new ends the process instead. It works before `main` too,
// where an exception would end in std::terminate without a word.
#include "memory/out_of_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "ptec/error.h"
#ifdef PTEC_MIMALLOC
#include <mimalloc.h>
#endif

namespace {

bool main_runs = false;  // before that there is one thread

constexpr std::string_view kMessage = "ptec: error: out of memory\n";

[[noreturn]] void give_up() noexcept {
  // Nothing here allocates. What cannot be written there cannot be said anywhere.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  ::_exit(ptec::error_code_exit_status(ptec::ErrorCode::Limit));
}

/// An exception that nobody can catch: thrown where none may leave, or before the edge of the tool.
[[noreturn]] void on_terminate() {
  if (const std::exception_ptr error = std::current_exception()) {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      give_up();
    } catch (...) {  // NOLINT(bugprone-empty-catch): as without a handler
    }
  }
  std::abort();
}

#ifndef PTEC_OWN_NEW_OFF

void* allocate(std::size_t size) noexcept {
#ifdef PTEC_MIMALLOC
  return ::mi_malloc(size);
#else
  return std::malloc(size == 0 ? 1 : size);  // NOLINT: this is what new is made of
#endif
}

void* allocate(std::size_t size, std::align_val_t alignment) noexcept {
  const auto bytes = static_cast<std::size_t>(alignment);
#ifdef PTEC_MIMALLOC
  return ::mi_malloc_aligned(size, bytes);
#else
  return std::aligned_alloc(bytes, (size + bytes - 1) / bytes * bytes);
#endif
}

void release(void* memory) noexcept {
#ifdef PTEC_MIMALLOC
  ::mi_free(memory);
#else
  std::free(memory);  // NOLINT: this is what delete is made of
#endif
}

void* checked(void* memory) {
  if (memory != nullptr) return memory;
  if (!main_runs) give_up();
  throw std::bad_alloc();
}

#endif

}  // namespace

namespace ptec::cli {

void expect_out_of_memory() {
  main_runs = true;
  std::set_terminate(on_terminate);
}

}  // namespace ptec::cli

#ifndef PTEC_OWN_NEW_OFF

void* operator new(std::size_t size) { return checked(allocate(size)); }
void* operator new[](std::size_t size) { return checked(allocate(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return checked(allocate(size, alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(size, alignment);
}

void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  release(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  release(memory);
}

#endif
