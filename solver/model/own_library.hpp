// Shared libraries with users' own laws (*MODULE_LOAD), as inputs of the model.
#pragma once

#include <string>

#include "model/fields.hpp"

namespace crumple::model {

struct OwnLibrary {
  std::string path;  ///< as the linker takes it: with a folder, if the file was found
};

template <class Visitor>
void fields(Visitor& v, OwnLibrary& s) {
  members(v, s, s.path);
}

class Feature;
const Feature& own_library_feature();

}  // namespace crumple::model
