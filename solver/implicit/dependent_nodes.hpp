// Nodes whose motion is that of others: of rigid bodies, node sets with a common motion, interpolations,
// ties.
//
// Points are the nodes of the rank, then one of each rigid body (rigid_points.hpp), then its centre of mass.
// A dependent node has the arm r from a point c of its masters, which turns with their spin:
//     u = sum w_a u_a + R(theta) r - r,   theta = sum S_a (u_a, theta_a),
// R exact for finite turns. By virtual power in the trial position, with M = m + r x f, a force f and a
// moment m on it give its masters the loads C_a' (f, m), which are w_a f and S_a' M; C_a are the rows of T
// for the node. They are in balance with f and m for any turn. T' K T alone would not be the derivative of T'
// f, since r and S_a turn with the step: `add_stiffness` has what this adds, of the forces that are on the
// nodes. Of a rigid arm
//     -d(r x f) = [(r . f) I - r f'] dtheta   with dr = dtheta x r
// (master and slave in large rotations: Jelenic and Crisfield 1996, "Non-linear 'master-slave' relationships
// for joints in 3-D beams with large rotations", Comput. Methods Appl. Mech. Eng. 135, 211-228), and of a
// mean rotation what its own arms and K add. Antisymmetric parts are left out: those of a rigid body vanish
// with the moment on it.
//
//     rigid bodies         one master, the point, w = 1, theta that of the point
//     node sets            one master, the first node of the set: common directions only
//     interpolations       theta the mean rotation of the masters (mean_spin.hpp)
//     ties to shells       theta = sum w_a theta_a; with torsion, the mean rotation about the normal
//     linear constraints   n . u = - sum a_k . u_k / |a|, n = a / |a| of the first node of the constraint;
//     common
//                          directions only
//     ties to solids       theta the mean rotation of the segment's nodes, by equal weights
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "constraints/rotation.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/increment.hpp"
#include "implicit/rigid_points.hpp"
#include "model/model.hpp"

namespace crumple::implicit {

class DependentNodes {
 public:
  using Matrix3 = constraints::Matrix3;

  /// None.
  explicit DependentNodes(std::size_t nodes = 0) : nodes_(nodes), of_node_(nodes, model::kNone) {}
  /// @param x (n_nodes) at the start
  /// Throws Error CR-I101 for a node that depends on others in two ways, or on itself by way of others.
  DependentNodes(const model::Model& model, std::span<const RigidPoint> bodies, std::span<const Vec3> x);

  bool any() const { return !all_.empty(); }
  std::size_t nodes() const { return nodes_; }
  std::size_t points() const { return nodes_ + 2 * bodies_; }
  std::size_t bodies() const { return bodies_; }
  LocalId body_point(std::size_t b) const { return static_cast<LocalId>(nodes_ + b); }
  /// The centre of mass, which depends on the body's point and receives the loads on the body.
  LocalId centre(std::size_t b) const { return static_cast<LocalId>(nodes_ + bodies_ + b); }
  bool depends(LocalId point) const {
    return at(point) < of_node_.size() && of_node_[at(point)] != model::kNone;
  }
  /// Whether its rotation is that of others.
  bool turns_with_others(LocalId point) const { return depends(point) && of(point).turns; }
  /// Whether all of these are nodes of one rigid body.
  bool in_one_body(std::span<const LocalId> nodes) const;
  /// Whose body a node is; kNone for others.
  LocalId body_of(LocalId node) const {
    const bool in_body = depends(node) && of(node).kind == Kind::body;
    return in_body ? masters(of(node))[0].point - static_cast<LocalId>(nodes_) : model::kNone;
  }
  /// Nodes of a body, and their arms from its point at the last `move`.
  struct Members {
    LocalId point = model::kNone;
    std::vector<LocalId> nodes;
    std::vector<Vec3> arms;
  };
  std::vector<Members> bodies_from(std::size_t first) const;
  /// Of a node of a body, from its point at the last `move`.
  const Vec3& arm(LocalId node) const { return of(node).arm; }
  /// The directions of a node that are those of others.
  NodeFreedoms tied(LocalId node) const;
  /// Raises the unknowns of masters (0, 3 or 6 of each point) to what their dependent nodes need.
  void raise_unknowns(std::span<std::uint8_t> of_point) const;
  /// Points of other nodes' motion, for the pattern of the stiffness: `points` gets those of one node.
  void append_points(LocalId node, std::vector<LocalId>& points) const;
  /// Points that dependent nodes couple: masters of one node, and what the node has of its own with them.
  std::vector<std::vector<LocalId>> couplings() const;

  /// Sets the increments of dependent nodes from those of their masters, which are final.
  /// @param x (n_points) at the start of the step
  void move(std::span<const Vec3> x, Increment& trial);
  /// Rows of T of a node at the last `move`, ascending point.
  void rows(LocalId node, std::vector<PointRow>& to) const;
  /// Sets velocities of dependent nodes from those of their masters, at the last `move`.
  void follow(std::span<Vec3> v, std::span<Vec3> w) const;
  /// The same of accelerations, with what turning arms add: exact where masters move as a rigid body.
  /// @param v, w of all points
  void follow(std::span<const Vec3> v, std::span<const Vec3> w, std::span<Vec3> a,
              std::span<Vec3> alpha) const;
  /// Masters have inertia where their dependent nodes have: about what it is, to tell what has none.
  /// @param mass, tensor of points, at the last `move`; masters get those of their dependent nodes
  void give_inertia(std::span<double> mass, std::span<Matrix3> tensor) const;
  /// Gives the loads on dependent nodes to their masters, at the last `move`.
  void gather(NodalForces& f) const;
  /// Stiffness blocks of points under loads f (not gathered): - d(T' f) at constant f. Each pair once.
  void add_stiffness(NodalForces f, const AddBlock& add) const;

  /// Ties to a deleted element end. True if there were any.
  bool delete_element(model::ElementKind kind, LocalId element);
  /// The same of ties and sets whose time has come: in steps that begin at `time`, but for rounding of `dt`.
  bool end_at(double time, double dt);
  /// By contact: sum of the loads f on its tied nodes, with those of nodes that depend on them.
  void tie_forces(NodalForces f, std::span<Vec3> of_contact) const;
  /// By node of a body: the load f on it, with those of nodes that depend on it.
  void forces_on_members(NodalForces f, std::span<Vec3> of_node) const;

 private:
  enum class Kind : std::uint8_t { body, set, mean, shell, shell_torsion, linear };
  struct Master {
    LocalId point = model::kNone;
    double weight = 0;       ///< of its translation
    double spin_weight = 0;  ///< in the mean rotation
    Matrix3 linear{};        ///< of linear constraints: the tied part of the displacement by its own
  };
  struct Dependent {
    LocalId node = model::kNone;
    Kind kind = Kind::body;
    bool turns = true;                  ///< its rotation is that of the masters
    bool has_arm = true;                ///< else it is the point
    std::uint8_t mask = 7;              ///< of a set: tied directions
    constraints::Directions along;      ///< of linear constraints: tied directions
    std::int32_t first = 0, count = 0;  ///< its masters
    std::int32_t contact = model::kNone;
    model::ElementKind segment = model::ElementKind::none;
    LocalId element = model::kNone;  ///< of a tie's segment
    double death = model::kNever;    ///< of ties and sets
    Vec3 arm;                        ///< of the last `move`
    Vec3 normal;                     ///< of a tie with torsion
    constraints::Matrix3 inverse{};  ///< K^-1 of a mean rotation
    /// Only some of its directions are those of masters, and it is no point of theirs.
    bool is_partial() const { return kind == Kind::set || kind == Kind::linear; }
    bool needs_mean() const {
      return kind == Kind::shell_torsion || (kind == Kind::mean && (has_arm || turns));
    }
  };
  const Dependent& of(LocalId node) const { return all_[at(of_node_[at(node)])]; }
  std::span<const Master> masters(const Dependent& d) const {
    return std::span(masters_).subspan(at(d.first), at(d.count));
  }
  void add(Dependent d, std::span<const Master> masters, const model::Model& model);
  template <class Ends>
  bool erase(Ends ends);
  void add_bodies(const model::Model& model, std::span<const RigidPoint> bodies);
  void add_sets(const model::Model& model);
  void add_interpolations(const model::Model& model);
  void add_linear(const model::Model& model);
  Vec3 partly(const Dependent& d, const Vec3& own, std::span<const Vec3> of_points) const;
  void add_ties(const model::Model& model);
  void sort(const model::Model& model);
  void find_mean(Dependent& d, std::span<const Vec3> x, const Increment& trial, double part);
  Vec3 turn_of(Dependent& d, std::span<const Vec3> x, const Increment& trial);
  Vec3 spin_of(const Dependent& d, std::span<const Vec3> v, std::span<const Vec3> w) const;
  Matrix3 spin_by_displacement(const Dependent& d, std::size_t master) const;
  Matrix3 spin_by_turn(const Dependent& d, std::size_t master) const;
  void block_of(const Dependent& d, std::size_t master, double (&c)[36]) const;
  void add_rows(LocalId node, const double* c, std::vector<PointRow>& to) const;
  void gather_one(const Dependent& d, NodalForces& f) const;
  void add_stiffness_of(const Dependent& d, const Vec3& force, const Vec3& moment, const AddBlock& add) const;

  std::size_t nodes_ = 0, bodies_ = 0;
  std::vector<std::int32_t> of_node_;  ///< into all_
  std::vector<Dependent> all_;         ///< masters before those that depend on them
  std::vector<Master> masters_;
  std::vector<Vec3> mean_arms_;  ///< by master: from the centre, of a mean rotation
};

}  // namespace crumple::implicit
