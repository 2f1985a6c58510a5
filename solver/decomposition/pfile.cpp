// The pfile: words, numbers and braces.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "deck/nearest_name.hpp"
#include "decomposition/directions.hpp"

namespace crumple::decomposition {

namespace {

constexpr double kMostWhole = 9007199254740992.0;  ///< 2^53: a double cannot represent all integers beyond it

struct Word {
  std::string text;  ///< lower case
  int line = 0;
};

/// Words of the text; braces are words, commas and equals signs count as blanks, # and $ begin a comment.
std::vector<Word> split(const std::string& text) {
  std::vector<Word> words;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find_first_of("#$"));
    std::string spaced;
    for (const char c : line) {
      if (c == '{' || c == '}')
        spaced += std::string(" ") + c + ' ';
      else
        spaced += c == ',' || c == '=' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    std::istringstream in(spaced);
    for (std::string word; in >> word;) words.push_back({word, number});
  }
  return words;
}

bool is_number(const std::string& word, double& value) {
  const char* first = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(first, word.data() + word.size(), value);
  return error == std::errc{} && end == word.data() + word.size();
}

/// Words for the detection of misspellings; very short words are left out.
constexpr const char* kWords[] = {"silist", "parts", "partsets", "box",  "sphere", "cylinder", "region",
                                  "lumped", "nproc", "numproc",  "show", "method", "3vec"};

class Parser {
 public:
  Parser(std::vector<Word> words, std::string name) : words_(std::move(words)), name_(std::move(name)) {}

  Directions parse() {
    while (!at_end()) {
      const Word section = take("a section such as decomp");
      expect("{", section.text);
      if (section.text == "decomp" || section.text == "decomposition")
        decomp();
      else
        skip_block(section);
    }
    return std::move(out_);
  }

 private:
  bool at_end() const { return at_ == words_.size(); }

  [[noreturn]] void fail(const std::string& expected) const {
    const int line = words_.empty() ? 1 : words_[std::min(at_, words_.size() - 1)].line;
    throw Error("CR-P020",
                fmt::format("expected {}, found {}", expected,
                            at_end() ? "the end of the pfile" : "'" + words_[at_].text + "'"),
                Place{name_, line, "", ""});
  }

  Word take(const char* what) {
    if (at_end()) fail(what);
    return words_[at_++];
  }

  void expect(const char* brace, const std::string& after) {
    if (at_end() || words_[at_].text != brace) fail(fmt::format("'{}' after {}", brace, after));
    ++at_;
  }

  bool take_brace_end() {
    if (at_end()) fail("'}'");
    if (words_[at_].text != "}") return false;
    ++at_;
    return true;
  }

  double number(const std::string& of) {
    double value = 0;
    if (at_end() || !is_number(words_[at_].text, value)) fail("a number of " + of);
    ++at_;
    return value;
  }

  template <std::size_t N>
  std::array<double, N> numbers(const std::string& of) {
    std::array<double, N> values{};
    for (double& value : values) value = number(of);
    return values;
  }

  /// An integer in the range of T.
  template <class T>
  T whole(const std::string& of) {
    const double most = std::min(static_cast<double>(std::numeric_limits<T>::max()), kMostWhole);
    double value = 0;
    if (at_end() || !is_number(words_[at_].text, value) || !(std::abs(value) <= most) ||
        value != std::trunc(value))
      fail("a whole number of " + of);
    ++at_;
    return static_cast<T>(value);
  }

  std::vector<GlobalId> ids(const std::string& of) {
    std::vector<GlobalId> list{whole<GlobalId>(of)};
    for (double value = 0; !at_end() && is_number(words_[at_].text, value);)
      list.push_back(whole<GlobalId>(of));
    return list;
  }

  void ignore(const Word& word) {
    const auto near = std::find_if(std::begin(kWords), std::end(kWords), [&](const char* known) {
      return word.text.size() > 3 && deck::edits(word.text, known) == 1;
    });
    const std::string hint = near == std::end(kWords) ? "" : fmt::format(" (did you mean {}?)", *near);
    out_.ignored.push_back(fmt::format("{}:{} {}{}", name_, word.line, word.text, hint));
  }

  /// Skips an open block and the blocks in it.
  void skip_block(const Word& word) {
    ignore(word);
    for (int depth = 1; depth > 0;) {
      const Word next = take("'}'");
      depth += next.text == "{" ? 1 : next.text == "}" ? -1 : 0;
    }
  }

  /// Skips a word without effect, with its numbers or its block.
  void skip_word(const Word& word) {
    if (!at_end() && words_[at_].text == "{") {
      ++at_;
      return skip_block(word);
    }
    ignore(word);
    for (double value = 0; !at_end() && is_number(words_[at_].text, value);) ++at_;
  }

  bool transformation(const std::string& word, std::vector<Transformation>& list) {
    if (word.size() == 2 && (word[0] == 's' || word[0] == 'r') && word[1] >= 'x' && word[1] <= 'z') {
      const int axis = word[1] - 'x';
      const double value = number(word);
      list.push_back(word[0] == 's' ? Transformation::scale(axis, value)
                                    : Transformation::rotation(axis, value));
    } else if (word == "c2r" || word == "s2r") {
      const auto kind = word == "c2r" ? Transformation::Kind::cylindrical : Transformation::Kind::spherical;
      list.push_back({kind, numbers<9>(word)});
    } else if (word == "3vec" || word == "vec3") {
      list.push_back(Transformation::to_vectors(numbers<9>(word)));
    } else if (word == "mat") {
      list.push_back({Transformation::Kind::matrix, numbers<9>(word)});
    } else {
      return false;
    }
    return true;
  }

  bool selection(const std::string& word, Region& region) {
    const auto append = [&](std::vector<GlobalId>& to) {
      const auto list = ids(word);
      to.insert(to.end(), list.begin(), list.end());
    };
    if (word == "parts" || word == "part")
      append(region.parts);
    else if (word == "partsets" || word == "partset")
      append(region.part_sets);
    else if (word == "silist")
      append(region.contacts);
    else if (word == "box")
      region.box = numbers<6>(word);
    else if (word == "sphere")
      region.sphere = numbers<4>(word);
    else if (word == "cylinder")
      region.cylinder = numbers<7>(word);
    else
      return false;
    return true;
  }

  void region() {
    Region region;
    const int line = words_[at_ - 1].line;
    expect("{", "region");
    while (!take_brace_end()) {
      const Word word = take("a word of region");
      if (selection(word.text, region) || transformation(word.text, region.transformations)) continue;
      if (word.text == "lumped")
        region.ranks = 1;
      else if (word.text == "nproc")
        region.ranks = std::max(1, whole<int>("nproc"));
      else
        skip_word(word);
    }
    if (!region.selects())
      throw Error("CR-P020", "a region names no elements: parts, partsets, silist, box, sphere or cylinder",
                  Place{name_, line, "", ""});
    region.place = Place{name_, line, "", ""};
    out_.regions.push_back(std::move(region));
  }

  void decomp() {
    while (!take_brace_end()) {
      const Word word = take("a word of decomp");
      Region of_list;
      if (transformation(word.text, out_.transformations)) continue;
      if (word.text == "region") {
        region();
      } else if (selection(word.text, of_list)) {
        of_list.place = Place{name_, word.line, "", word.text};
        out_.regions.push_back(std::move(of_list));
      } else if (word.text == "numproc") {
        out_.ranks = whole<int>("numproc");
      } else if (word.text == "show") {
        out_.show = true;
      } else if (word.text == "method") {
        method(take("the method's name"));
      } else {
        skip_word(word);
      }
    }
  }

  void method(const Word& name) {
    if (name.text == "rcb")
      out_.method = Method::rcb;
    else if (name.text == "metis")
      out_.method = Method::metis;
    else
      ignore(name);
  }

  std::vector<Word> words_;
  std::string name_;
  std::size_t at_ = 0;
  Directions out_;
};

}  // namespace

Directions parse_pfile(const std::string& text, const std::string& name) {
  return Parser(split(text), name).parse();
}

Directions read_pfile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in) text << in.rdbuf();
  if (!in) throw Error("CR-P021", "cannot read the pfile " + path);
  return parse_pfile(text.str(), path);
}

}  // namespace crumple::decomposition
