// The contacts of an implicit run: pairs of segments by mortar, their forces and stiffness.
//
// The pairs of a step are found at its start, with a margin; whether they touch is a matter of each trial. A
// step in which other pairs would touch is to be made again with a larger margin (`missed`). Histories and
// results change only when a step is accepted. All sums are in the order of the pairs, which depends on
// neither threads nor the search. For one rank.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "constraints/rotation.hpp"
#include "contact/contact_system.hpp"
#include "contact/mortar/faces.hpp"
#include "contact/mortar/pair.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::contact::mortar {

/// Receives - d force(a) / d x(b).
using AddBlock = std::function<void(LocalId a, LocalId b, const constraints::Matrix3& block)>;

/// Whether contacts of this kind are computed by mortar.
bool has_mortar(const model::Contact& contact);

class MortarContacts {
 public:
  /// Keeps a reference to `model`. Uses nodes at t = 0.
  /// @param none there are no contacts, whatever the model has
  MortarContacts(const model::Model& model, const state::Nodal& nodal, elements::Isa isa, bool none = false);

  bool any() const { return !contacts_.empty(); }

  /// The pairs that may touch in a step, from positions at its start. Throws Error CR-I106 for segments that
  /// have no stiffness.
  void start_step(std::span<const Vec3> x, double start, double end);
  /// Whether all pairs joined the last pattern.
  bool in_pattern() const;
  /// Nodes of the pairs, one pair after the other, for the pattern of the stiffness.
  void append_nodes(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows);
  /// The same of the pairs of the last pattern, after a restart.
  void append_nodes_again(std::vector<std::int64_t>& begin, std::vector<std::int32_t>& rows) const;

  /// Add forces at trial positions.
  void add(std::span<const Vec3> x, std::span<Vec3> forces);
  void add_stiffness(std::span<const Vec3> x, const AddBlock& add);

  /// Whether segments that are no pair of this step touch at x; then the next start_step takes a larger
  /// margin.
  bool missed(std::span<const Vec3> x);
  /// The step ends at x.
  void accept(std::span<const Vec3> x);
  /// Segments of a deleted element are gone. Local.
  void delete_element(model::ElementKind kind, LocalId element);

  /// What steps leave, and the pairs of the last pattern. Faces of deleted elements are not said.
  void archive(state::Archive& archive);

  /// One for each of Model::contacts.
  std::vector<ContactResult> results() const;
  /// Nodes with a force at the end of the last step, on sides that ncforc lists.
  std::vector<NodalContactForce> nodal_forces() const;
  /// The first contact with a pair at a node, by its number; for messages.
  std::optional<GlobalId> contact_at(LocalId node) const;
  std::size_t pairs() const { return pairs_.size(); }

 private:
  /// Shear springs' stretch at the corners of a face, along its axes.
  struct Stretch {
    double of[2][kCorners] = {};
  };
  struct OneContact {
    std::int32_t number = 0;  ///< into Model::contacts
    bool single = false;
    bool began = false;
    Side a, b;                           ///< b is empty for a single surface
    std::vector<Vec3> force_a, force_b;  ///< by node, at the end of the last step
    std::vector<double> taken_out;       ///< by node of a (IGNORE)
    std::vector<Stretch> stretched;      ///< by face of a
    double margin = 0;
    ContactResult result;
    const Side& other() const { return single ? a : b; }
  };
  struct Pair {
    std::int32_t contact = 0, first = 0, second = 0;
    double side[2] = {1, 1};
    PressureLaw law;
    auto key() const { return std::tuple(contact, first, second); }
  };
  struct Evaluated {
    PairForces forces;
    std::vector<double> stiffness;
  };

  const model::Contact& deck(const OneContact& contact) const { return model_->contacts[at(contact.number)]; }
  bool acts(const OneContact& contact, double time) const;
  std::vector<Pair> find_pairs(std::int32_t contact, std::span<const Vec3> x, double margin) const;
  bool make_pair(std::span<const Vec3> x, Pair& pair) const;
  PairInput input_of(const Pair& pair, std::span<const Vec3> x) const;
  void take_out(OneContact& contact, std::int32_t number, std::span<const Vec3> x);
  template <class Visit>
  void evaluate(std::span<const Vec3> x, bool stiffness, Visit visit);
  void archive_one(state::Archive& archive, OneContact& contact);
  void archive_pairs(state::Archive& archive);
  void track(OneContact& contact, std::int32_t number, std::span<const Vec3> x) const;
  void take_work(OneContact& contact, std::vector<Vec3> force_a, std::vector<Vec3> force_b,
                 std::span<const Vec3> x) const;

  const model::Model* model_;
  const PairFunctions* functions_;
  std::span<const GlobalId> node_id_;
  std::vector<OneContact> contacts_;
  std::vector<Pair> pairs_;                                                       ///< ascending
  std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>> in_pattern_;  ///< ascending
  std::vector<Vec3> x_start_;
  double start_ = 0, end_ = 0;
  std::vector<Evaluated> together_;  ///< pairs that threads compute before they are visited
};

}  // namespace crumple::contact::mortar
