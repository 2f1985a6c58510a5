// Lines of keyword cards in long format: 20 columns a field.
#pragma once

#include <string>

#include "base/types.hpp"

namespace crumple::output {

/// A number in at most 20 columns, with as many digits as fit: 15 at least, and all 17 for most magnitudes.
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
