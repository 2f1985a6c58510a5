// Lines of keyword cards in long format: 20 columns a field.
#pragma once

#include <string>

#include "base/types.hpp"

namespace crumple::output {

/// A number in at most 20 columns, with as many digits as fit: all 17 between 0.1 and 1e16, 15 between 1e-9
/// and 1e9, 13 at least.
std::string real_in_20(double value);

/// Appends cards to a text.
class CardLines {
 public:
  explicit CardLines(std::string& to) : to_(to) {}
  void integer(GlobalId value);
  void real(double value);
  void end();

 private:
  void field(const std::string& text);
  std::string& to_;
};

}  // namespace crumple::output
