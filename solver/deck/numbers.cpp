// Parses the forms of numbers in decks.
#include "deck/numbers.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

namespace crumple::deck {
namespace {

// Exponents that from_chars does not support: D and Q for E, or a sign alone (Fortran's `1.5-3`).
bool parse_fortran_exponent(std::string_view text, std::size_t at, double& value) {
  char buffer[64];
  if (at == 0 || text.size() + 2 > sizeof buffer) return false;
  std::memcpy(buffer, text.data(), at);
  std::size_t n = at;
  if (std::strchr("dDqQeE", text[at])) ++at;
  if (at < text.size() && text[at] == '+') ++at;
  if (at >= text.size()) return false;
  buffer[n++] = 'e';
  std::memcpy(buffer + n, text.data() + at, text.size() - at);
  n += text.size() - at;
  const auto [end, error] = std::from_chars(buffer, buffer + n, value);
  return error == std::errc{} && end == buffer + n;
}

}  // namespace

bool parse_real(std::string_view text, double& value) {
  if (text.front() == '+') text.remove_prefix(1);
  if (text.empty()) return false;
  // "inf", "nan" and "-+1" would be accepted by from_chars or the code below.
  const std::size_t first = text.front() == '-' ? 1 : 0;
  if (first >= text.size() || !(is_digit(text[first]) || text[first] == '.')) return false;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    // A number too small for a double counts as zero; one too large is an error.
    const std::size_t e = text.find_last_of("+-");
    value = 0.0;
    return e != std::string_view::npos && e > 0 && text[e] == '-';
  }
  if (error != std::errc{}) return false;
  if (stop == end) return true;
  if (!std::strchr("+-dDqQeE", *stop)) return false;
  return parse_fortran_exponent(text, static_cast<std::size_t>(stop - text.data()), value);
}

bool parse_integer(std::string_view text, std::int64_t& value) {
  const char *p = text.data(), *const e = p + text.size();
  const bool negative = *p == '-';
  if (*p == '-' || *p == '+') ++p;
  if (p == e) return false;
  if (e - p <= 18) {
    std::int64_t v = 0;
    const char* q = p;
    for (; q < e && is_digit(*q); ++q) v = 10 * v + (*q - '0');
    if (q == e) {
      value = negative ? -v : v;
      return true;
    }
  }
  double real = 0.0;
  if (!parse_real(text, real) || real != std::floor(real) || std::abs(real) > 9.0e15) return false;
  value = static_cast<std::int64_t>(real);
  return true;
}

bool is_blank_or_zero(std::string_view text) {
  while (!text.empty()) {
    const std::size_t start = text.find_first_not_of(" \t,");
    if (start == std::string_view::npos) return true;
    text.remove_prefix(start);
    const std::size_t n = std::min(text.find_first_of(" \t,"), text.size());
    double value = 0.0;
    if (!parse_real(text.substr(0, n), value) || value != 0.0) return false;
    text.remove_prefix(n);
  }
  return true;
}

}  // namespace crumple::deck
