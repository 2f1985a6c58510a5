// Forces between points that are not those of elements: joints, ties by springs, rigid walls.
//
// A link is an element without a law: forces and moments on its points in a trial, and their derivatives by
// displacements and rotations of the step (Elements::evaluate has the same). All are penalties. Their
// stiffness is not that of explicit runs, which comes from masses and the step, but far above that of the
// elements around them: what they hold moves by a small part of what elements strain.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "implicit/dependent_nodes.hpp"
#include "implicit/elements.hpp"
#include "implicit/links/number.hpp"
#include "implicit/rigid_points.hpp"
#include "model/model.hpp"
#include "phases/carried_links.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::implicit {

/// Where links begin after another scheme.
struct LinkBegin {
  std::span<const Vec3> points;                          ///< present positions, bodies' points included
  std::span<const constraints::Quaternion> orientation;  ///< of bodies
  double time = 0;
  const phases::CarriedLinks& loads;
};

/// Links of one kind.
class Links {
 public:
  virtual ~Links() = default;

  /// The points of each link, for the pattern of the stiffness.
  virtual void append_points(std::vector<std::vector<LocalId>>& all) const = 0;
  /// Raises the unknowns of points (0, 3 or 6) to what the links need.
  virtual void raise_unknowns(std::span<std::uint8_t>) const {}
  /// Visits links in a fixed order. Trials change nothing.
  virtual void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const = 0;
  /// The step ends as in `trial`.
  virtual void accept(const Trial& trial) = 0;
  /// The run goes on from here, after another scheme.
  virtual void begin_at(const LinkBegin&) {}
  /// What another scheme goes on from. @param at_rest the end of the last step, without an increment
  virtual void leave(const Trial& /*at_rest*/, phases::CarriedLinks&) const {}
  /// What is kept from step to step.
  virtual void archive(state::Archive& archive) = 0;
  /// An element was deleted. @returns whether links have ended
  virtual bool delete_element(model::ElementKind, LocalId) { return false; }
};

/// What all links are made from.
struct LinkInput {
  const model::Model& model;
  const state::Nodal& nodal;  ///< at t = 0
  std::span<const RigidPoint> bodies;
  const DependentNodes& dependents;
  double size = 0;  ///< of the model
};

/// All links of a run.
class AllLinks {
 public:
  AllLinks() = default;
  explicit AllLinks(const LinkInput& input);

  bool any() const { return !kinds_.empty(); }
  void append_points(std::vector<std::vector<LocalId>>& all) const;
  void raise_unknowns(std::span<std::uint8_t> of_point) const;
  void evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const;
  void accept(const Trial& trial);
  void begin_at(const LinkBegin& begin);
  void leave(const Trial& at_rest, phases::CarriedLinks& to) const;
  void archive(state::Archive& archive);
  bool delete_element(model::ElementKind kind, LocalId element);

  /// The links of a type, null if there are none.
  template <class T>
  const T* find() const {
    for (const auto& links : kinds_)
      if (const auto* const found = dynamic_cast<const T*>(links.get())) return found;
    return nullptr;
  }

 private:
  std::vector<std::unique_ptr<Links>> kinds_;
};

/// The force along a length of the stiffest material of a model, as large as the model: its Young's modulus
/// times `size`. Of rigid parts only where nothing is deformable.
double stiffest(const model::Model& model, double size);

/// Forces of one link with derivatives: n_dof = dofs * points. For `visit`.
template <int kDofs, int kPoints>
struct LinkTangent {
  static constexpr int kSize = kDofs * kPoints;
  std::array<LocalId, kPoints> points{};
  std::array<double, kSize> force{};
  std::array<double, kSize * kSize> stiffness{};

  void put(int dof, double f) { force[static_cast<std::size_t>(dof)] = f; }
  template <class T>
  void put(int dof, const T& f) {
    put(dof, f.value);
    for (int k = 0; k < kSize; ++k) stiffness[at(dof * kSize + k)] = f.d[k];
  }
  ElementTangent view(bool with_stiffness) const {
    return {points, kDofs, force,
            with_stiffness ? std::span<const double>(stiffness) : std::span<const double>{}};
  }
};

/// The `dof`-th variable of a link: a double, or a number with a derivative by it.
template <class T>
T variable(double value, int dof) {
  if constexpr (std::is_same_v<T, double>)
    return value;
  else
    return T(value, dof);
}
template <class T>
Vector<T> variables(const Vec3& value, int first) {
  return {variable<T>(value.x, first), variable<T>(value.y, first + 1), variable<T>(value.z, first + 2)};
}

}  // namespace crumple::implicit
