// The forms of numbers in decks: `3`, `3.0` for an integer, `1.5-3`, `1.5D+3`, `+.5`, `1.`.
#pragma once

#include <cstdint>
#include <string_view>

namespace crumple::deck {

/// `text` without blanks and tabs at both ends.
inline std::string_view trim(std::string_view text) {
  const char *b = text.data(), *e = b + text.size();
  while (b < e && (*b == ' ' || *b == '\t')) ++b;
  while (e > b && (e[-1] == ' ' || e[-1] == '\t')) --e;
  return {b, static_cast<std::size_t>(e - b)};
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Real number of a trimmed, non-empty field; false if it is not a number or does not fit a double.
bool parse_real(std::string_view text, double& value);

/// Integer of a trimmed, non-empty field; a real without fraction (`3.0`, `1e3`) counts as one.
bool parse_integer(std::string_view text, std::int64_t& value);

/// Whether `text` has only blanks and zeros (`0`, `0.0`, `0.000E+00`), with or without commas.
bool is_blank_or_zero(std::string_view text);

}  // namespace crumple::deck
