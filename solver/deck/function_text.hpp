// Functions in C: the text of *DEFINE_FUNCTION.
//
//   f(t, x) = 2.0 * t * sin(x)
//   float f(float t, float x) { float a; a = 2.0 * t; if (x > 0.0) return a; return -a; }
//
// A body has declarations, assignments (=, +=, -=, *=, /=), if, else, blocks and return. There are no loops,
// so that every function ends. It is compiled once, to expressions and jumps; evaluation uses no heap.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deck/expression.hpp"

namespace crumple::deck {

class FunctionText {
 public:
  static constexpr std::size_t kMostVariables = 64;

  /// Throws Error CR-D013 for text that is no function, CR-D320 for what C has and this does not.
  explicit FunctionText(std::string_view text);

  const std::string& name() const { return name_; }
  std::size_t arguments() const { return arguments_; }
  /// Whether its value depends on an argument, directly or by a condition.
  bool uses(std::size_t argument) const;
  /// Value for the first arguments() of `given`: NaN where the function returns nothing, or uses a variable
  /// that has no value yet. Pure.
  double operator()(std::span<const double> given) const;

 private:
  friend class FunctionParser;
  struct Step {
    enum class Kind : std::uint8_t { assign, jump_if_zero, jump, give_back } kind;
    std::size_t expression = 0;  ///< of all but `jump`
    std::size_t to = 0;          ///< a variable, or the step to go on with
  };
  struct Compiled {
    Expression expression;
    std::vector<std::size_t> variable;  ///< of each of its names
  };
  double value(const Compiled& of, const double* variables) const;

  std::string name_;
  std::size_t arguments_ = 0;
  std::vector<std::string> variables_;  ///< arguments first; upper case
  std::vector<Compiled> expressions_;
  std::vector<Step> steps_;
};

}  // namespace crumple::deck
