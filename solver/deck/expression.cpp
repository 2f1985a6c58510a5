// Recursive-descent parser to reverse Polish, and its evaluation.
#include "deck/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

struct Operation {
  std::string_view name;
  int arguments;  // -1: one or more
  double (*apply)(const double* a, int n);
};

double extreme(const double* a, int n, bool largest) {
  return largest ? *std::max_element(a, a + n) : *std::min_element(a, a + n);
}

/// STEP and HAVSIN (x, x0, h0, x1, h1): from h0 at x0 to h1 at x1 by a shape from 0 to 1, constant beyond.
double smooth_step(const double* a, double (*shape)(double)) {
  if (a[0] <= a[1]) return a[2];
  if (a[0] >= a[3]) return a[4];
  return a[2] + (a[4] - a[2]) * shape((a[0] - a[1]) / (a[3] - a[1]));
}

/// POLY (x, x0, a0, a1, ...): sum of a_j (x - x0)^j.
double polynomial(const double* a, int n) {
  double sum = 0.0;
  for (int j = n - 1; j >= 2; --j) sum = sum * (a[0] - a[1]) + a[j];
  return sum;
}

constexpr auto kOperations = std::to_array<Operation>({
    {"+", 2, [](const double* a, int) { return a[0] + a[1]; }},
    {"-", 2, [](const double* a, int) { return a[0] - a[1]; }},
    {"*", 2, [](const double* a, int) { return a[0] * a[1]; }},
    {"/", 2, [](const double* a, int) { return a[0] / a[1]; }},
    {"**", 2, [](const double* a, int) { return std::pow(a[0], a[1]); }},
    {"neg", 1, [](const double* a, int) { return -a[0]; }},
    {"!", 1, [](const double* a, int) { return a[0] == 0.0 ? 1.0 : 0.0; }},
    {"==", 2, [](const double* a, int) { return a[0] == a[1] ? 1.0 : 0.0; }},
    {"!=", 2, [](const double* a, int) { return a[0] != a[1] ? 1.0 : 0.0; }},
    {"<", 2, [](const double* a, int) { return a[0] < a[1] ? 1.0 : 0.0; }},
    {"<=", 2, [](const double* a, int) { return a[0] <= a[1] ? 1.0 : 0.0; }},
    {">", 2, [](const double* a, int) { return a[0] > a[1] ? 1.0 : 0.0; }},
    {">=", 2, [](const double* a, int) { return a[0] >= a[1] ? 1.0 : 0.0; }},
    {"&&", 2, [](const double* a, int) { return a[0] != 0.0 && a[1] != 0.0 ? 1.0 : 0.0; }},
    {"||", 2, [](const double* a, int) { return a[0] != 0.0 || a[1] != 0.0 ? 1.0 : 0.0; }},
    {"ABS", 1, [](const double* a, int) { return std::abs(a[0]); }},
    {"ACOS", 1, [](const double* a, int) { return std::acos(a[0]); }},
    {"AINT", 1, [](const double* a, int) { return std::trunc(a[0]); }},
    {"ANINT", 1, [](const double* a, int) { return std::round(a[0]); }},
    {"ASIN", 1, [](const double* a, int) { return std::asin(a[0]); }},
    {"ATAN", 1, [](const double* a, int) { return std::atan(a[0]); }},
    {"ATAN2", 2, [](const double* a, int) { return std::atan2(a[0], a[1]); }},
    {"CEIL", 1, [](const double* a, int) { return std::ceil(a[0]); }},
    {"COS", 1, [](const double* a, int) { return std::cos(a[0]); }},
    {"COSH", 1, [](const double* a, int) { return std::cosh(a[0]); }},
    {"EXP", 1, [](const double* a, int) { return std::exp(a[0]); }},
    {"FLOAT", 1, [](const double* a, int) { return a[0]; }},
    {"FLOOR", 1, [](const double* a, int) { return std::floor(a[0]); }},
    {"INT", 1, [](const double* a, int) { return std::trunc(a[0]); }},
    {"LOG", 1, [](const double* a, int) { return std::log(a[0]); }},
    {"LOG10", 1, [](const double* a, int) { return std::log10(a[0]); }},
    {"MAX", -1, [](const double* a, int n) { return extreme(a, n, true); }},
    {"MIN", -1, [](const double* a, int n) { return extreme(a, n, false); }},
    {"MOD", 2, [](const double* a, int) { return std::fmod(a[0], a[1]); }},
    {"NINT", 1, [](const double* a, int) { return std::round(a[0]); }},
    {"SIGN", 2, [](const double* a, int) { return std::copysign(a[0], a[1]); }},
    {"SIN", 1, [](const double* a, int) { return std::sin(a[0]); }},
    {"SINH", 1, [](const double* a, int) { return std::sinh(a[0]); }},
    {"SQRT", 1, [](const double* a, int) { return std::sqrt(a[0]); }},
    {"TAN", 1, [](const double* a, int) { return std::tan(a[0]); }},
    {"TANH", 1, [](const double* a, int) { return std::tanh(a[0]); }},
    // Of functions only.
    {"FABS", 1, [](const double* a, int) { return std::abs(a[0]); }},
    {"FMAX", 2, [](const double* a, int n) { return extreme(a, n, true); }},
    {"FMIN", 2, [](const double* a, int n) { return extreme(a, n, false); }},
    {"FMOD", 2, [](const double* a, int) { return std::fmod(a[0], a[1]); }},
    {"POW", 2, [](const double* a, int) { return std::pow(a[0], a[1]); }},
    // Of curves only, from here on.
    {"STEP", 5,
     [](const double* a, int) { return smooth_step(a, [](double s) { return s * s * (3 - 2 * s); }); }},
    {"HAVSIN", 5,
     [](const double* a,
        int) { return smooth_step(a, [](double s) { return 0.5 - 0.5 * std::cos(std::numbers::pi * s); }); }},
    {"IF", 4, [](const double* a, int) { return a[0] < 0.0    ? a[1]
                                                : a[0] == 0.0 ? a[2]
                                                              : a[3]; }},
    {"POLY", -1, [](const double* a, int n) { return polynomial(a, n); }},
    {"SHF", 6, [](const double* a, int) { return a[2] * std::sin(a[3] * (a[0] - a[1]) - a[4]) + a[5]; }},
});

bool is_of_curves(std::string_view name) {
  return name == "STEP" || name == "HAVSIN" || name == "IF" || name == "POLY" || name == "SHF";
}
bool is_of_functions(std::string_view name) {
  return name == "POW" || name == "FABS" || name == "FMIN" || name == "FMAX" || name == "FMOD";
}
/// Whether expressions of this kind have a function.
bool has(Functions functions, std::string_view name) {
  return (functions == Functions::of_curves || !is_of_curves(name)) &&
         (functions == Functions::of_functions || !is_of_functions(name));
}

int find_operation(std::string_view name) {
  const auto it = std::find_if(kOperations.begin(), kOperations.end(),
                               [&](const Operation& o) { return o.name == name; });
  return it == kOperations.end() ? -1 : static_cast<int>(it - kOperations.begin());
}

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, Functions functions, Expression& out)
      : text_(text), functions_(functions), out_(out) {}

  void parse() {
    binary(0);
    blanks();
    if (at_ != text_.size()) fail("expected an operator");
    std::size_t waiting = 0;
    for (const Expression::Node& node : out_.code_) {
      if (node.kind == Expression::Node::Kind::operation) waiting -= static_cast<std::size_t>(node.arguments);
      if (++waiting > Expression::kMostValues) fail("too many values wait for their operation");
    }
  }

 private:
  static constexpr int kDepth = 64;

  [[noreturn]] void fail(const std::string& what) const {
    throw Error("CR-D013", fmt::format("{} at column {} of expression '{}'", what, at_ + 1, text_));
  }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    blanks();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void emit(std::string_view name, int arguments) {
    out_.code_.push_back({Expression::Node::Kind::operation, static_cast<unsigned char>(find_operation(name)),
                          arguments, 0.0});
  }

  // Levels of precedence, lowest first.
  void binary(int level) {
    static constexpr std::array<std::array<std::string_view, 6>, 5> kLevels{
        {{"||"}, {"&&"}, {"==", "!=", "<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/"}}};
    if (level == static_cast<int>(kLevels.size())) return unary();
    binary(level + 1);
    for (;;) {
      std::string_view found;
      blanks();
      if (text_.substr(at_, 2) == "**") return;
      for (const std::string_view op : kLevels[static_cast<std::size_t>(level)])
        if (!op.empty() && found.empty() && take(op)) found = op;
      if (found.empty()) return;
      binary(level + 1);
      emit(found, 2);
    }
  }
  void unary() {
    if (++depth_ > kDepth) fail("too deeply nested");
    if (take("-")) {
      unary();
      emit("neg", 1);
    } else if (take("+")) {
      unary();
    } else if (text_.substr(at_, 2) != "!=" && take("!")) {
      unary();
      emit("!", 1);
    } else {
      power();
    }
    --depth_;
  }
  void power() {
    primary();
    if (take("**") || take("^")) {
      unary();  // right-associative, and 2**-3 is allowed
      emit("**", 2);
    }
  }
  void primary() {
    if (take("(")) {
      binary(0);
      if (!take(")")) fail("expected ')'");
      return;
    }
    blanks();
    if (at_ >= text_.size()) fail("expected a value");
    const char c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (c == '\'') return quoted();
    if (c == '&') ++at_;
    if (at_ < text_.size() && is_letter(text_[at_])) return name();
    fail("expected a value");
  }
  void number() {
    std::size_t end = at_;
    while (end < text_.size() && (is_digit(text_[end]) || text_[end] == '.')) ++end;
    if (end < text_.size() && std::string_view("eEdD").find(text_[end]) != std::string_view::npos) {
      std::size_t e = end + 1;
      if (e < text_.size() && (text_[e] == '+' || text_[e] == '-')) ++e;
      if (e < text_.size() && is_digit(text_[e])) {
        while (e < text_.size() && is_digit(text_[e])) ++e;
        end = e;
      }
    }
    double value = 0.0;
    if (!parse_real(text_.substr(at_, end - at_), value)) fail("malformed number");
    at_ = end;
    out_.code_.push_back({Expression::Node::Kind::number, 0, 0, value});
  }
  void quoted() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) fail("quote not closed");
    variable(std::string(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }
  std::string identifier() {
    std::string id;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
      id += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_++])));
    return id;
  }
  void name() {
    const std::string id = identifier();
    if (!take("(")) {
      if (id == "PI" && functions_ != Functions::of_functions)
        return out_.code_.push_back({Expression::Node::Kind::number, 0, 0, std::numbers::pi});
      return variable(id);
    }
    if (id == "HAS" || id == "GIVEN") return query(id == "HAS" ? "has:" : "given:");
    const int op = find_operation(id);
    if (op < 0 || !has(functions_, id)) fail(fmt::format("unknown function {}", id));
    int n = 0;
    do {
      binary(0);
      ++n;
    } while (take(","));
    if (!take(")")) fail("expected ')'");
    const int wanted = kOperations[static_cast<std::size_t>(op)].arguments;
    if (wanted >= 0 && wanted != n) fail(fmt::format("{} takes {} arguments, not {}", id, wanted, n));
    emit(id, n);
  }
  void query(const char* prefix) {
    blanks();
    std::string id;
    if (at_ < text_.size() && text_[at_] == '\'') {
      const std::size_t end = text_.find('\'', at_ + 1);
      if (end == std::string_view::npos) fail("quote not closed");
      id = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      id = identifier();
    }
    if (!take(")")) fail("expected ')'");
    variable(prefix + id);
  }
  void variable(const std::string& id) {
    auto& names = out_.names_;
    const auto it = std::find(names.begin(), names.end(), id);
    const auto slot = static_cast<double>(it - names.begin());
    if (it == names.end()) names.push_back(id);
    out_.code_.push_back({Expression::Node::Kind::variable, 0, 0, slot});
  }

  std::string_view text_;
  Functions functions_;
  Expression& out_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

Expression::Expression(std::string_view text, Functions functions) {
  ExpressionParser(text, functions, *this).parse();
}

double Expression::evaluate(const Lookup& lookup) const {
  std::array<double, kMostValues> stack;
  std::size_t top = 0;
  for (const Node& node : code_) {
    if (node.kind == Node::Kind::number) {
      stack[top++] = node.number;
    } else if (node.kind == Node::Kind::variable) {
      stack[top++] = lookup(static_cast<std::size_t>(node.number));
    } else {
      top -= static_cast<std::size_t>(node.arguments);
      stack[top] = kOperations[node.operation].apply(&stack[top], node.arguments);
      ++top;
    }
  }
  return stack[top - 1];
}

}  // namespace crumple::deck
