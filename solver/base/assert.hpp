// What must hold inside the program, checked in builds with CRUMPLE_AUDIT (preset audit).
//
//   CRUMPLE_ASSERT(begin <= end, begin, end);
//
// A condition that does not hold prints the rank, the place, the condition, the values given and the calls
// that led there, and aborts. What users can cause is an Error (base/error.hpp), never an assertion. Values
// may be anything that fmt prints. Without CRUMPLE_AUDIT nothing is evaluated.
#pragma once

#ifdef CRUMPLE_AUDIT
#include <fmt/format.h>

#include <string>
#include <string_view>
#endif

namespace crumple {

#ifdef CRUMPLE_AUDIT
/// Prints what failed, with the calls that led here, and aborts.
[[noreturn]] void fail_assertion(const char* file, int line, const char* function, const char* condition,
                                 const std::string& values);

namespace detail {
/// "a, b = 1, 2" of the names as they are written and the values.
template <class... Values>
std::string named(const char* names, const Values&... values) {
  std::string text;
  ((text += fmt::format("{}{}", text.empty() ? "" : ", ", values)), ...);
  return text.empty() ? text : fmt::format("{} = {}", names, text);
}
}  // namespace detail

#define CRUMPLE_ASSERT(condition, ...)                                                              \
  do {                                                                                              \
    if (!(condition))                                                                               \
      ::crumple::fail_assertion(__FILE__, __LINE__, __func__, #condition,                           \
                                ::crumple::detail::named(#__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__)); \
  } while (false)
#else
#define CRUMPLE_ASSERT(condition, ...) static_cast<void>(sizeof(!(condition)))
#endif

}  // namespace crumple
