// Text to lines, keyword lines to names and formats, lines to fields.
#include "deck/lexer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "deck/numbers.hpp"

namespace crumple::deck {

MappedFile::MappedFile(const std::string& path) {
  const auto fail = [&](int code) { throw std::system_error(code, std::generic_category(), path); };
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail(errno);
  struct stat status {};
  int code = ::fstat(file, &status) != 0 ? errno : 0;
  if (code == 0 && S_ISDIR(status.st_mode)) code = EISDIR;
  if (code == 0 && status.st_size > 0) {
    size_ = static_cast<std::size_t>(status.st_size);
    void* const map = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    if (map == MAP_FAILED) {
      code = errno;
    } else {
      data_ = static_cast<const char*>(map);
      ::madvise(map, size_, MADV_SEQUENTIAL);
    }
  }
  ::close(file);
  if (code != 0) fail(code);
}

void MappedFile::release_pages() const {
  if (size_ > 0) ::madvise(const_cast<char*>(data_), size_, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (size_ > 0) ::munmap(const_cast<char*>(data_), size_);
}

bool LineScanner::next(std::string_view& line) {
  last_ = at_;
  last_number_ = number_;
  while (at_ < text_.size()) {
    const char* const begin = text_.data() + at_;
    const std::size_t left = text_.size() - at_;
    const auto* end = static_cast<const char*>(std::memchr(begin, '\n', left));
    std::size_t n = end ? static_cast<std::size_t>(end - begin) : left;
    last_ = at_;
    last_number_ = number_++;
    at_ += end ? n + 1 : n;
    if (*begin == '$') continue;
    while (n > 0 && begin[n - 1] == '\r') --n;
    line = {begin, n};
    return true;
  }
  return false;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

KeywordLine parse_keyword_line(std::string_view line) {
  KeywordLine out;
  line.remove_prefix(1);
  const std::size_t n = std::min(line.find_first_of(" \t,"), line.size());
  out.name = upper(line.substr(0, n));
  out.options = upper(trim(line.substr(n)));
  const auto format_of = [&](char sign) {
    out.format_given = true;
    out.format = sign == '%' ? Format::i10 : sign == '+' ? Format::wide : Format::standard;
  };
  const std::string_view signs = "%+-";
  if (!out.name.empty() && signs.find(out.name.back()) != std::string_view::npos) {
    format_of(out.name.back());
    out.name.pop_back();
  } else if (!out.options.empty() && signs.find(out.options[0]) != std::string_view::npos &&
             (out.options.size() == 1 || out.options[1] == ' ')) {
    format_of(out.options[0]);
  }
  return out;
}

std::string option_value(const std::string& options, std::string_view name) {
  std::size_t at = 0;
  while ((at = options.find(name, at)) != std::string::npos) {
    std::size_t p = at + name.size();
    const bool whole = at == 0 || options[at - 1] == ' ' || options[at - 1] == ',';
    while (p < options.size() && options[p] == ' ') ++p;
    if (whole && p < options.size() && options[p] == '=') {
      p = options.find_first_not_of(' ', p + 1);
      if (p == std::string::npos) return {};
      return options.substr(p, std::min(options.find_first_of(" ,", p), options.size()) - p);
    }
    at += name.size();
  }
  return {};
}

std::vector<std::string> option_words(const std::string& options) {
  std::vector<std::string> words;
  bool joined = false;  // the next text belongs to the word before
  std::size_t end = 0;
  for (std::size_t at; (at = options.find_first_not_of(" ,\t", end)) != std::string::npos;) {
    end = std::min(options.find_first_of(" ,\t", at), options.size());
    const std::string word = options.substr(at, end - at);
    if (!words.empty() && (joined || word[0] == '='))
      words.back() += word;
    else
      words.push_back(word);
    joined = word.back() == '=';
  }
  return words;
}

bool is_free_format(std::string_view line, std::size_t columns) {
  return line.substr(0, columns).find(',') != std::string_view::npos;
}

void cut_free(std::string_view line, std::size_t n, bool text_last, std::vector<std::string_view>& out,
              std::string_view& rest) {
  out.clear();
  rest = {};
  while (out.size() < n) {
    const bool whole = text_last && out.size() + 1 == n;
    const std::size_t comma = whole ? std::string_view::npos : line.find(',');
    out.push_back(trim(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
  rest = line;
}

void cut_fixed(std::string_view line, const std::vector<int>& widths, bool text_last,
               std::vector<std::string_view>& out, std::string_view& rest) {
  out.clear();
  rest = {};
  std::size_t at = 0;
  for (std::size_t i = 0; i < widths.size() && at < line.size(); ++i) {
    const bool whole = text_last && i + 1 == widths.size();
    const std::size_t w = whole ? std::string_view::npos : static_cast<std::size_t>(widths[i]);
    out.push_back(trim(line.substr(at, w)));
    at = whole ? line.size() : at + w;
  }
  if (at < line.size()) rest = line.substr(at);
}

std::string expand_tabs(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == '\t')
      out.append(8 - out.size() % 8, ' ');
    else
      out += c;
  }
  return out;
}

namespace {

constexpr std::size_t kStandardColumns = 80;

// A wide line has a number in the fifth field or beyond, or all its words end, or all begin, at a border of
// 20 columns. A note beyond column 80 is not used.
bool is_wide_line(std::string_view line) {
  if (line.size() > kStandardColumns) {
    const std::string_view fifth = trim(line.substr(kStandardColumns, 20));
    double ignored = 0.0;
    if (!fifth.empty() && parse_real(fifth, ignored)) return true;
    line = line.substr(0, kStandardColumns);
    line = line.substr(0, line.find_last_not_of(' ') + 1);
  }
  bool ends = true, begins = true;
  for (std::size_t at = line.find_first_not_of(' '); at != line.npos; at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    ends = ends && end % 20 == 0;
    begins = begins && at % 20 == 0;
    at = end;
  }
  // Words that fill their columns from the left in standard format begin at column 1, too.
  return ends || (begins && line.size() > 20);
}

}  // namespace

bool looks_wide(std::string_view text) {
  LineScanner scanner(text);
  std::string_view line;
  int wide = 0, standard = 0;
  bool marked = false;  // a keyword with '+', '-' or '%' gives its own width, not that of the file
  for (int left = 2000; left > 0 && scanner.next(line); --left) {
    line = line.substr(0, line.find_last_not_of(" \t") + 1);
    if (!line.empty() && line[0] == '*') marked = parse_keyword_line(line).format_given;
    if (marked || line.empty() || line[0] == '*' || is_free_format(line, kStandardColumns)) continue;
    ++(is_wide_line(line) ? wide : standard);
  }
  return wide >= standard;
}

}  // namespace crumple::deck
