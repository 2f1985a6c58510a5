// Arithmetic expressions, for the schema's conditions and *PARAMETER_EXPRESSION.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace crumple::deck {

/// Functions that an expression may have: those of *PARAMETER_EXPRESSION, or also STEP, HAVSIN, IF, POLY and
/// SHF of *DEFINE_CURVE_FUNCTION, or POW, FABS, FMIN, FMAX and FMOD of *DEFINE_FUNCTION, in which PI is a
/// variable like others.
enum class Functions : unsigned char { plain, of_curves, of_functions };

/// A parsed expression; `evaluate` asks for its variables by their index in `names()`.
///
/// `+ - * / ** ^ == != < <= > >= && || !`, parentheses, numbers (`1.5`, `2e3`), functions of reals
/// (abs, sqrt, sin, min, mod, ...) and variables; names are upper-cased. `has(X)` and `given(X)` are
/// variables named "has:X" and "given:X". `'A/B'` quotes a name that is not an identifier; `&A` is `A`.
class Expression {
 public:
  /// Throws Error CR-D013 with the invalid part and its place in the text.
  explicit Expression(std::string_view text, Functions functions = Functions::plain);

  const std::vector<std::string>& names() const { return names_; }
  /// Value of variable `slot`, an index into names().
  using Lookup = std::function<double(std::size_t slot)>;
  double evaluate(const Lookup& lookup) const;

  struct Node {
    enum class Kind : unsigned char { number, variable, operation } kind;
    unsigned char operation;  ///< index into the table of operations
    int arguments;
    double number;  ///< or index of the variable
  };

 private:
  friend class ExpressionParser;
  static constexpr std::size_t kMostValues = 128;  ///< that wait for their operation
  std::vector<Node> code_;                         ///< reverse Polish
  std::vector<std::string> names_;
};

}  // namespace crumple::deck
