// Numbers in fields of 20 columns.
#include "output/dynain/card_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace crumple::output {

namespace {

constexpr std::size_t kWidth = 20;

/// Without the plus sign and leading zeros of the exponent: "1.5e-07" becomes "1.5e-7".
std::string short_exponent(std::string text) {
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::size_t digits = e + 1;
  if (text[digits] == '+')
    text.erase(digits, 1);
  else if (text[digits] == '-')
    ++digits;
  while (text[digits] == '0' && digits + 1 < text.size()) text.erase(digits, 1);
  return text;
}

/// With `digits` significant ones, 0: as many as tell the number from all others. The shorter of both forms.
std::string written(double value, int digits) {
  std::array<char, 400> buffer;  // the longest fixed form has 309 digits before the point
  std::string shortest;
  for (const auto form : {std::chars_format::general, std::chars_format::scientific}) {
    char* const first = buffer.data();
    char* const last = first + buffer.size();
    const bool general = form == std::chars_format::general;
    const std::to_chars_result result =
        digits == 0 ? std::to_chars(first, last, value, form)
                    : std::to_chars(first, last, value, form, general ? digits : digits - 1);
    const std::string text = short_exponent({first, result.ptr});
    if (shortest.empty() || text.size() < shortest.size()) shortest = text;
  }
  return shortest;
}

}  // namespace

std::string real_in_20(double value) {
  std::string text = written(value, 0);
  for (int digits = 17; text.size() > kWidth; --digits) text = written(value, digits);
  return text;
}

void CardLines::field(const std::string& text) {
  to_.append(kWidth - std::min(kWidth, text.size()), ' ');
  to_ += text;
}

void CardLines::integer(GlobalId value) { field(std::to_string(value)); }
void CardLines::real(double value) { field(real_in_20(value)); }
void CardLines::end() { to_ += '\n'; }

}  // namespace crumple::output
