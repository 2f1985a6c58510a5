// Names of the model's structs, for headers that need no more: kernels see no model.
#pragma once

namespace crumple::model {

struct Control;
struct Curve;
struct Material;
struct Model;
struct Section;

}  // namespace crumple::model
