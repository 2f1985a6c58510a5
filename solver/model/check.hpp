// The report of `crumple check` on a model: counts, masses, unreferenced entities, the smallest time steps.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/geometry.hpp"
#include "model/model.hpp"

namespace crumple::model {

struct PartCheck {
  GlobalId id = 0;
  std::string title;
  ElementKind kind = ElementKind::none;
  std::size_t elements = 0;
  GlobalId section = 0, material = 0;  ///< user numbers, 0 if missing
  int elform = 0;
  bool thick_shell = false;
  int law = 0;  ///< number of the law, 0 if missing
  bool rigid = false;
  double thickness = 0;  ///< shells: mean over elements
  double mass = 0;
};

/// Numbers without references, ascending.
struct Unreferenced {
  std::vector<GlobalId> nodes, parts, sections, materials, curves;
};

struct ModelCheck {
  std::size_t nodes = 0, quadrilaterals = 0, triangles = 0, bricks = 0, other_solids = 0, beams = 0,
              discretes = 0, particles = 0, lumped_masses = 0, rigid_bodies = 0, contacts = 0;
  std::vector<std::pair<std::string, std::size_t>> features;  ///< counts of features, by name
  std::vector<PartCheck> parts;                               ///< in deck order
  double mass = 0;  ///< of elements, lumped masses and given bodies (*PART_INERTIA)
  double lumped_mass = 0;
  Vec3 centre;  ///< of gravity
  Unreferenced unreferenced;
};

ModelCheck check_model(const Model& model);

/// Time step of one element, not scaled by TSSFAC.
struct StepEstimate {
  GlobalId element = 0;
  GlobalId part = 0;
  ElementKind kind = ElementKind::none;
  double dt = 0;
};

/// The `count` smallest steps from length and speed of sound, ascending; equal ones by kind and number. For
/// use without element kernels: without bulk viscosity, springs and rigid parts. Lengths: shells area over
/// longest side (ISDO = 0), solids volume over largest face, beams their length (Hallquist 2006, LS-DYNA
/// Theory Manual, chapter 22).
std::vector<StepEstimate> geometric_steps(const Model& model, std::size_t count = 10);

/// The first step of a run and the elements with the smallest steps.
struct FirstStep {
  double dt = 0;
  std::string what;                 ///< what limits it, in words
  std::vector<StepEstimate> steps;  ///< ascending; empty without deformable elements
};

/// The report, at most 100 columns wide, with names of units if `units` is not empty.
std::string to_text(const ModelCheck& check, const FirstStep& first = {}, const std::string& units = {});

/// Area of the cross section of a beam, 0 if the section does not give it.
double beam_area(const Section& section);

}  // namespace crumple::model
