// The segments of one side of a mortar contact, and the search for those near each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "contact/mortar/pair.hpp"
#include "contact/segment_builder.hpp"
#include "model/contact.hpp"

namespace crumple::contact::mortar {

struct Face {
  GlobalId order = 0;  ///< in its surface
  std::array<LocalId, kCorners> node{};
  std::array<std::int32_t, kCorners> at{};  ///< its nodes in Side::nodes
  int corners = kCorners;
  std::array<GlobalId, 8> excluded{};  ///< user ids of the nodes of its element
  double half_thickness = 0;
  double area = 0;
  double depth = 0;  ///< of solids: what is deeper behind the face at the start of a step touches another one
  double modulus = 0;  ///< 100 SLSFAC SFS K; 0: no element
  double length = 0;   ///< L
  bool solid = false;
  model::ElementKind kind = model::ElementKind::none;
  LocalId element = model::kNone;
  bool alive = true;
};

/// The stiffness between two faces is k = 100 SLSFAC SFS K / L, by default ten times that of a layer of the
/// softer material with the shorter length L. That of a face is the thickness of a shell, or the depth V / A
/// of a solid behind its face. The parabola ends at a penetration of 0.02 L, where p = 0.1 K by default.
/// With a stiffer or shorter parabola iterations overshoot more.
PressureLaw law_between(const Face& one, const Face& other);

struct Side {
  std::vector<Face> faces;
  std::vector<LocalId> nodes;  ///< each once, ascending
  std::vector<model::Neighbours> neighbours;
  double mean_size = 0;  ///< of faces
};

Side make_side(const model::Surface& surface, const SegmentBuilder& build,
               std::span<const PartConstants> constants, const model::Model& model, double scale);

/// Pairs of faces (of the first side, of the second) whose boxes are nearer than `margin` beside their
/// thickness, ascending. Not those with common elements or nodes, nor neighbours in the mesh. On one surface
/// (`single`) each pair once, the face with the lower number first.
std::vector<std::pair<std::int32_t, std::int32_t>> near_faces(const Side& first, const Side& second,
                                                              bool single, std::span<const Vec3> x,
                                                              std::span<const GlobalId> node_id,
                                                              double margin);

}  // namespace crumple::contact::mortar
