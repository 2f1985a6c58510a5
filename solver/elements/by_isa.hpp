// Tables of functions that are compiled once per instruction set.
#pragma once

#include <array>

#include "base/assert.hpp"
#include "elements/kernel.hpp"

namespace crumple::elements {

/// Tables of functions. Filled before main by registration lines, read-only afterwards.
///
/// A kernel's file registers only the address of its table. Code that it runs before main must run on every
/// processor, also on one without its instructions, and a copy of a table could use them.
template <class Functions>
class ByIsa {
 public:
  void add(Isa isa, const Functions& functions) { of_[static_cast<std::size_t>(isa)] = &functions; }
  /// Functions for an instruction set, or for the best one below it that was compiled.
  const Functions& find(Isa isa) const {
    auto i = static_cast<std::size_t>(isa);
    while (i > 0 && !of_[i]) --i;
    CRUMPLE_ASSERT(of_[i] != nullptr, static_cast<int>(isa));
    return *of_[i];
  }

 private:
  std::array<const Functions*, 3> of_{};
};

}  // namespace crumple::elements
