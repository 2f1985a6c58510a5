// Forward declarations of the model's structs, so that kernels do not include the model.
#pragma once

namespace crumple::model {

struct Control;
struct Curve;
struct Material;
struct Model;
struct Section;

}  // namespace crumple::model
