// The kinds of elements and what messages and tables call them.
#pragma once

#include <cstdint>

namespace crumple::model {

enum class ElementKind : std::int8_t { none, shell, solid, beam, discrete };

constexpr const char* kind_name(ElementKind kind) {
  switch (kind) {
    case ElementKind::shell:
      return "shell";
    case ElementKind::solid:
      return "solid";
    case ElementKind::beam:
      return "beam";
    case ElementKind::discrete:
      return "discrete";
    case ElementKind::none:
      break;
  }
  return "none";
}

}  // namespace crumple::model
