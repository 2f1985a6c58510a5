// Text of a deck file to lines, keyword lines to names and formats, lines to fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace crumple::deck {

/// A file mapped into memory, read-only, for as long as the object lives.
class MappedFile {
 public:
  /// Throws std::system_error if the file cannot be opened or mapped.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return {data_, size_}; }
  /// Release the pages; they are read again from the file when needed.
  void release_pages() const;

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
};

/// Lines of a text, with `\n` or `\r\n` ends and comments (`$` in column 1) left out.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text) : text_(text) {}

  /// Next line that is not a comment; false at the end of the text.
  bool next(std::string_view& line);
  /// Number of the last line from next(), from 1.
  std::int32_t number() const { return number_; }
  /// Make next() return the last line again.
  void back() { at_ = last_, number_ = last_number_; }
  std::size_t bytes_left() const { return text_.size() - at_; }

 private:
  std::string_view text_;
  std::size_t at_ = 0, last_ = 0;
  std::int32_t number_ = 0, last_number_ = 0;
};

/// Widths of fixed fields: those of the manual, with 8 replaced by 10, or with all below 20 replaced by 20.
enum class Format : std::uint8_t { standard, i10, wide };

constexpr int field_width(int standard_width, Format format) {
  if (format == Format::wide && standard_width < 20) return 20;
  if (format == Format::i10 && standard_width == 8) return 10;
  return standard_width;
}

/// A keyword line: "*mat_024_title %  comment" has the name MAT_024_TITLE and the I10 format.
struct KeywordLine {
  std::string name;     ///< upper case, without `*` and format sign
  std::string options;  ///< rest of the line, upper case: "LONG=Y MEMORY=20M"
  bool format_given = false;
  Format format = Format::standard;
};
KeywordLine parse_keyword_line(std::string_view line);

/// Value of `name=` in the options of a keyword line ("LONG" -> "Y"), empty if it does not exist.
std::string option_value(const std::string& options, std::string_view name);

/// The options one by one, without blanks around `=`: "LONG=Y", "NCPU=2", "200000000".
std::vector<std::string> option_words(const std::string& options);

/// Whether a line is free format: it has a comma within the card's columns. `columns` is their number,
/// without those of a text field that ends the card, since titles may contain commas. So may notes after the
/// last field, and text beyond column 80 (160 in long format), which no card uses.
bool is_free_format(std::string_view line, std::size_t columns);

/// Cut a line at its commas into at most `n` pieces; if the card ends with text (`text_last`), the last piece
/// has the rest of the line. Pieces beyond `n` are left in `rest`.
void cut_free(std::string_view line, std::size_t n, bool text_last, std::vector<std::string_view>& out,
              std::string_view& rest);

/// Cut a line into columns of `widths`; `text_last` as above.
void cut_fixed(std::string_view line, const std::vector<int>& widths, bool text_last,
               std::vector<std::string_view>& out, std::string_view& rest);

/// `line` with tabs replaced by blanks up to the next multiple of 8 columns.
std::string expand_tabs(std::string_view line);

std::string upper(std::string_view text);

/// Whether the columns of a file's data are 20 wide rather than standard.
///
/// For `*KEYWORD LONG=S` and `LONG=K`, where programs and manuals disagree whether the deck itself is wide,
/// its own columns decide; if they do not show it, 20 wide.
bool looks_wide(std::string_view text);

}  // namespace crumple::deck
