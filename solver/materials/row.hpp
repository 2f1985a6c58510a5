// The row of a law: its properties that do not depend on parameters. And the registry of rows.
//
// The rest of the program asks a row; only decks and results name a law by its number.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "materials/discrete/law.hpp"

namespace crumple::model {
struct Model;
struct Material;
}  // namespace crumple::model

namespace crumple::materials {

struct Prepared;
struct UpdatesByIsa;

/// Elements that a law has updates for.
struct Supports {
  bool solid = false, shell = false, beam = false, discrete = false, cohesive = false;
};

/// Data that a law needs beside strain increment, step and volume ratio; solids also give the rotation.
struct Needs {
  bool deformation_gradient = false, material_axes = false, energy = false, temperature = false,
       filtered_rate = false, element_size = false, rotation = false;
  bool layer_thickness = false;  ///< the first history variable after the axes, which go through the layer
};

/// One law.
struct Row {
  int number = 0;            ///< LS-DYNA's number; S01 is 1001, S02 is 1002; 077_H is 77, 077_O is 771
  std::string_view keyword;  ///< "MAT_ELASTIC"
  Supports supports;
  Needs needs = {};
  bool elastic_fields = false;         ///< its cards have E and PR, which are checked
  std::string_view young_field = "E";  ///< the field with Young's modulus
  bool linear = false;     ///< stress is linear in strain, and no point fails: resultants may replace points
  bool rigid = false;      ///< its parts are rigid bodies
  bool by_layer = false;   ///< of two materials: field F is that of a shell's layer, from F1, F2 and so on
  bool null = false;       ///< no stress in shells and beams, which serve contact only
  bool spot_weld = false;  ///< for weld beams only: it has limits of the whole beam
  double cost = 1;  ///< of its points, relative to the law with which costs of formulations were measured
  /// The law with its parameters. Throws what materials::prepare throws.
  Prepared (*prepare)(const model::Model&, const model::Material&) = nullptr;

  // From the law's parameters (materials/register.hpp)
  const UpdatesByIsa* updates = nullptr;
  DiscreteTangents tangents = nullptr;  ///< of springs and dampers, for code outside kernels
};

/// Rows by number and by keyword.
class Registry {
 public:
  /// Throws Error CR-K005 for a number or keyword that another row has.
  void add(const Row& row);
  const Row* find(int number) const;
  const Row* find(std::string_view keyword) const;
  std::span<const Row* const> rows() const { return rows_; }

 private:
  std::vector<const Row*> rows_;  ///< by number
};

/// All laws of this program. The first call throws CR-K005 where two of them have one number or keyword.
const Registry& registry();

/// Null if there is no such law.
inline const Row* find_law(int number) { return registry().find(number); }
inline const Row* find_law(std::string_view keyword) { return registry().find(keyword); }

/// Whether a law exists and has updates for such elements: `supports(number, &Supports::beam)`.
inline bool supports(int number, bool Supports::*elements) {
  const Row* row = find_law(number);
  return row && row->supports.*elements;
}
inline bool is_rigid(int number) {
  const Row* row = find_law(number);
  return row && row->rigid;
}
inline bool is_spot_weld(int number) {
  const Row* row = find_law(number);
  return row && row->spot_weld;
}

/// Young's modulus from the deck, 0 if the law has none.
double young(const model::Material& material);

/// Number of the linear law; costs are relative to it.
int linear_law();

/// Names of the data in `needs` that are not in `gives`; empty if there are none.
std::string missing(const Needs& needs, const Needs& gives);

namespace detail {
/// A static object that keeps a row until registry() reads it.
struct RegisterRow {
  explicit RegisterRow(const Row& row);
};
}  // namespace detail

}  // namespace crumple::materials
