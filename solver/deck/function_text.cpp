// Parser of functions in C to steps, and their evaluation.
#include "deck/function_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "base/error.hpp"
#include "deck/lexer.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {

namespace {

/// Comments and ends of lines as blanks.
std::string without_comments(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const std::string_view two = text.substr(i, 2);
    const bool line = two == "//", more = two == "/*";
    if (line || more) {
      const std::size_t end = line ? text.find('\n', i) : text.find("*/", i + 2);
      if (more && end == std::string_view::npos)
        throw Error("CR-D013", "a comment of the function does not end");
      i = end == std::string_view::npos ? text.size() : end + (line ? 1 : 2);
      plain += ' ';
    } else {
      const char c = text[i++];
      plain += std::isspace(static_cast<unsigned char>(c)) ? ' ' : c;
    }
  }
  return plain;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

constexpr std::array kTypes{std::string_view("FLOAT"), std::string_view("DOUBLE"), std::string_view("REAL")};
constexpr std::array kNotSupported{
    std::string_view("WHILE"),  std::string_view("FOR"),    std::string_view("DO"),
    std::string_view("SWITCH"), std::string_view("GOTO"),   std::string_view("INT"),
    std::string_view("STATIC"), std::string_view("CONST"),  std::string_view("CHAR"),
    std::string_view("LONG"),   std::string_view("BREAK"),  std::string_view("STRUCT"),
    std::string_view("VOID"),   std::string_view("PRINTF"), std::string_view("UNSIGNED")};

}  // namespace

class FunctionParser {
 public:
  FunctionParser(std::string text, FunctionText& out) : text_(std::move(text)), out_(out) {}

  void parse() {
    head();
    if (take('=')) {
      out_.steps_.push_back({Kind::give_back, expression(";"), 0});
      take(';');
    } else if (take('{')) {
      block();
    } else {
      fail("expected '=' or '{' after the arguments");
    }
    if (!rest().empty()) fail("the function goes on after its end");
  }

 private:
  using Kind = FunctionText::Step::Kind;
  static constexpr int kDepth = 64;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("CR-D013", fmt::format("{} at '{}'", what, std::string_view(text_).substr(at_, 20)));
  }
  [[noreturn]] static void refuse(const std::string& what) {
    throw Error("CR-D320", what + " in a function");
  }

  std::string_view rest() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return std::string_view(text_).substr(at_);
  }
  bool take(char c) {
    if (!rest().starts_with(c)) return false;
    ++at_;
    return true;
  }
  /// The next name in upper case, without passing it; empty if there is none.
  std::string peek() {
    const std::string_view left = rest();
    const std::size_t end = std::min(
        static_cast<std::size_t>(std::ranges::find_if_not(left, is_word) - left.begin()), left.size());
    return end == 0 || is_digit(left[0]) ? std::string{} : upper(left.substr(0, end));
  }
  std::string word() {
    std::string found = peek();
    if (found.empty()) fail("expected a name");
    if (std::ranges::find(kNotSupported, found) != kNotSupported.end())
      refuse(fmt::format("'{}' is not supported", found));
    at_ += found.size();
    return found;
  }
  bool take_type() {
    const std::string found = peek();
    if (std::ranges::find(kTypes, found) == kTypes.end()) return false;
    at_ += found.size();
    return true;
  }

  void head() {
    take_type();
    out_.name_ = word();
    if (!take('(')) fail("expected '(' and the arguments");
    while (!take(')')) {
      if (!out_.variables_.empty() && !take(',')) fail("expected ',' or ')'");
      take_type();
      declare(word());
    }
    out_.arguments_ = out_.variables_.size();
  }

  /// Names are compared in upper case; C tells them apart by case.
  void declare(const std::string& name) {
    if (std::ranges::find(out_.variables_, name) != out_.variables_.end())
      refuse(fmt::format("two variables with the name {}, or that differ in case only,", name));
    if (out_.variables_.size() == FunctionText::kMostVariables)
      refuse(fmt::format("more than {} variables", FunctionText::kMostVariables));
    out_.variables_.push_back(name);
  }
  std::size_t variable(const std::string& name) const {
    const auto found = std::ranges::find(out_.variables_, name);
    if (found == out_.variables_.end()) fail(fmt::format("'{}' is not declared", name));
    return static_cast<std::size_t>(found - out_.variables_.begin());
  }

  void block() {
    while (!take('}')) {
      if (rest().empty()) fail("expected '}'");
      statement();
    }
  }

  void statement() {
    if (++depth_ > kDepth) fail("too deeply nested");
    if (take('{')) {
      block();
    } else if (take(';')) {
    } else if (take_type()) {
      declarations();
    } else if (const std::string first = word(); first == "IF") {
      branch();
    } else if (first == "RETURN") {
      out_.steps_.push_back({Kind::give_back, expression(";"), 0});
      end_of_statement();
    } else if (first == "ELSE") {
      fail("'else' without 'if'");
    } else {
      assignment(first);
      end_of_statement();
    }
    --depth_;
  }

  void end_of_statement() {
    if (!take(';')) fail("expected ';'");
  }

  void declarations() {
    do {
      const std::string name = word();
      declare(name);
      if (take('=')) out_.steps_.push_back({Kind::assign, expression(",;"), variable(name)});
    } while (take(','));
    if (take('[')) refuse("arrays are not supported");
    end_of_statement();
  }

  void assignment(const std::string& name) {
    if (take('(')) refuse(fmt::format("a call of {} without use of its value is not supported", name));
    if (take('[')) refuse("arrays are not supported");
    const std::size_t to = variable(name);
    const std::string_view left = rest();
    if (left.starts_with("++") || left.starts_with("--")) refuse("'++' and '--' are not supported");
    const char operation = left.empty() ? ' ' : left[0];
    if (std::string_view("+-*/").find(operation) != std::string_view::npos) ++at_;
    if (!take('=')) fail("expected '='");
    if (operation == '=') {
      out_.steps_.push_back({Kind::assign, expression(";"), to});
    } else {
      const std::string value(until(";"));
      out_.steps_.push_back({Kind::assign, add(fmt::format("{}{}({})", name, operation, value)), to});
    }
  }

  void branch() {
    if (!take('(')) fail("expected '(' after 'if'");
    const std::size_t test = out_.steps_.size();
    out_.steps_.push_back({Kind::jump_if_zero, expression(")"), 0});
    if (!take(')')) fail("expected ')'");
    statement();
    if (peek() != "ELSE") {
      out_.steps_[test].to = out_.steps_.size();
      return;
    }
    word();
    const std::size_t past = out_.steps_.size();
    out_.steps_.push_back({Kind::jump, 0, 0});
    out_.steps_[test].to = out_.steps_.size();
    statement();
    out_.steps_[past].to = out_.steps_.size();
  }

  /// The text up to one of the characters `ends` outside parentheses, which stays.
  std::string_view until(std::string_view ends) {
    const std::size_t from = at_;
    for (int open = 0; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (open == 0 && ends.find(c) != std::string_view::npos) break;
      if (c == '{' || c == '}') fail("expected ';'");
      if (c == '?' || c == '[' || c == '^' || c == '%' || c == '"')
        refuse(fmt::format("'{}' is not supported", c));
      open += (c == '(') - (c == ')');
    }
    return trim(std::string_view(text_).substr(from, at_ - from));
  }
  std::size_t expression(std::string_view ends) { return add(std::string(until(ends))); }

  std::size_t add(const std::string& text) {
    if (text.empty()) fail("expected a value");
    refuse_integer_division(text);
    FunctionText::Compiled compiled{Expression(text, Functions::of_functions), {}};
    for (const std::string& name : compiled.expression.names()) compiled.variable.push_back(variable(name));
    out_.expressions_.push_back(std::move(compiled));
    return out_.expressions_.size() - 1;
  }

  /// 1/2 is 0 in C.
  static void refuse_integer_division(const std::string& text) {
    for (std::size_t slash = text.find('/'); slash != std::string::npos; slash = text.find('/', slash + 1))
      if (is_integer(text, slash, -1) && is_integer(text, slash, +1))
        refuse("a division of two integers, which C cuts off: write 1.0/2.0; it is not supported");
  }
  /// Whether the number beside a slash, to its left or right, is an integer.
  static bool is_integer(const std::string& text, std::size_t slash, int way) {
    const auto n = static_cast<std::ptrdiff_t>(text.size());
    auto k = static_cast<std::ptrdiff_t>(slash) + way;
    while (k >= 0 && k < n && text[static_cast<std::size_t>(k)] == ' ') k += way;
    bool any = false, integer = true;
    for (; k >= 0 && k < n; k += way) {
      const char c = text[static_cast<std::size_t>(k)];
      if (!is_word(c) && c != '.') break;
      any = true;
      integer = integer && is_digit(c);
    }
    return any && integer;
  }

  std::string text_;
  FunctionText& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

FunctionText::FunctionText(std::string_view text) { FunctionParser(without_comments(text), *this).parse(); }

bool FunctionText::uses(std::size_t argument) const {
  return std::ranges::any_of(expressions_, [&](const Compiled& of) {
    return std::ranges::find(of.variable, argument) != of.variable.end();
  });
}

double FunctionText::value(const Compiled& of, const double* variables) const {
  return of.expression.evaluate([&](std::size_t slot) { return variables[of.variable[slot]]; });
}

double FunctionText::operator()(std::span<const double> given) const {
  std::array<double, kMostVariables> variables;
  variables.fill(std::numeric_limits<double>::quiet_NaN());
  std::copy_n(given.begin(), arguments_, variables.begin());
  for (std::size_t at = 0; at < steps_.size();) {
    const Step& step = steps_[at++];
    switch (step.kind) {
      case Step::Kind::assign:
        variables[step.to] = value(expressions_[step.expression], variables.data());
        break;
      case Step::Kind::jump_if_zero:
        if (value(expressions_[step.expression], variables.data()) == 0.0) at = step.to;
        break;
      case Step::Kind::jump:
        at = step.to;
        break;
      case Step::Kind::give_back:
        return value(expressions_[step.expression], variables.data());
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace crumple::deck
