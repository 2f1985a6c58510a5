// The interface between the time step loop and every element formulation.
//
// Elements of one part and one formulation form a group, cut into blocks of kLanes. A block's data is an
// array of structures of kLanes-wide arrays: variable k of lane l in block b is
// `state[(b * n_vars + k) * kLanes + l]`. A kernel works on blocks [begin, end): it gathers nodal motion,
// runs the element function (element.hpp), adds nodal forces in fixed point and leaves each element's stable
// time step (explicit_driver.hpp). Lanes beyond the group's count are padding: copies of the last element,
// with `alive` 0; they must not add forces. Kernels use only simd/ and materials/, do not allocate and do not
// throw.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "elements/of_deck.hpp"
#include "materials/law.hpp"
#include "materials/row.hpp"
#include "model/element_kind.hpp"
#include "model/forward.hpp"
#include "model/section.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::elements {

inline constexpr int kLanes = 16;
inline constexpr int kMaxThroughThickness = 10;

/// A layer of a shell or thick shell: one integration point through the thickness.
struct Layer {
  materials::Law law;
  double zeta = 0, weight = 0;  ///< position through the thickness, -1 to 1; share of it, times 2
  double angle = 0;             ///< from the axes of the material to those of the layer, about the normal
  double shear = 1;             ///< thick shells: transverse shear strain over its mean
};

/// Data that all elements of a group share; filled by `prepare` of the formulation.
struct GroupParameters {
  materials::Law law;  ///< of all points, unless `laminated`
  int n_points = 1;    ///< integration points with stresses (through thickness x in plane)
  int n_history = 0;   ///< history variables per point, beside stress and plastic strain
  double density = 0, bulk = 0, shear = 0, young = 0, poisson = 0;  ///< elastic constants at start
  double shear_factor = 1;
  double failed_points_to_delete = 0;   ///< fraction of points that must fail; 0 means all
  double eroded_points_to_delete = 0;   ///< the same for the criteria of *MAT_ADD_EROSION, if any
  double damaged_points_to_delete = 0;  ///< the same for an added damage model, if any
  bool damaged_layers = false;          ///< it counts layers, which fail with one of their points, not points
  /// COEF of *DAMPING_PART_STIFFNESS: > 0 fraction of critical damping at the element's highest frequency,
  /// < 0 minus Rayleigh's stiffness factor (a time).
  double stiffness_damping = 0;
  model::Hourglass hourglass;
  /// Of implicit steps, which may turn far. A node's w dt is the Cayley vector of its rotation, of length 2
  /// tan(angle / 2); in explicit steps its length is the angle. Strain increments of solids are turned from
  /// the axes half way through the step to those at its end; explicit steps turn by too little to need it.
  bool turns_far = false;
  // solids
  materials::Cohesive cohesive;   ///< of cohesive elements
  bool nodal_dilatation = false;  ///< the volume's change comes from outside (state/nodal_dilatation.hpp)
  // smooth particles
  double least_length = 0, most_length = 0;  ///< of the smoothing length, over that at the start
  bool solid_viscosity = false;              ///< the bulk viscosity of solids, else Monaghan's
  bool erodes = false;                       ///< particles that fail are deleted
  // shells; of thick shells the layers only
  bool thickness_update = false;  ///< ISTUPD
  int bwc = 2;                    ///< 1: Belytschko-Wong-Chiang warping terms, 2: none
  double drilling = 0;            ///< scale of the drilling stiffness (DRCPRM), 0 without
  double nloc = 0;
  bool own_offsets = false;   ///< elements have offsets of their own, which replace nloc
  std::vector<Layer> layers;  ///< from the lower surface to the upper one; weights sum to 2
  bool laminated = false;     ///< some layer has another law than `law`
  // beams
  const model::Section* section = nullptr;
};

/// Number of failed points at which an element is deleted, for a `fraction` of `all` (0: all); reduced a
/// little because the fraction is rounded.
inline double points_to_delete(int all, double fraction) {
  return (fraction > 0 ? fraction : 1.0) * all - 1e-3;
}

/// Energies of an element kept in double whatever the precision: `energy[(b * 3 + k) * kLanes + l]`,
/// k = 0 internal (with bulk viscosity), k = 1 hourglass, k = 2 dissipated by stiffness damping.
inline constexpr int kEnergies = 3;

/// All data that a kernel reads and writes. T is the precision of element work.
template <class T>
struct KernelArguments {
  // nodal motion of this rank
  const Vec3* x = nullptr;  ///< positions at t_n
  const Vec3* v = nullptr;  ///< velocities at t_{n-1/2}
  const Vec3* w = nullptr;  ///< angular velocities at t_{n-1/2}
  // sums: internal forces are SUBTRACTED here, so that a sum is f_ext - f_int
  parallel::LoadSum* loads = nullptr;
  // the group
  const std::int32_t* nodes = nullptr;  ///< [(b * n_nodes + a) * kLanes + l]
  /// Nodes to prefetch for block b: rows [first_prefetch[b]] to [first_prefetch[b + 1]] of kLanes; null:
  /// none.
  const std::int32_t *prefetch = nullptr, *first_prefetch = nullptr;
  T* state = nullptr;  ///< [(b * n_vars + k) * kLanes + l]
  T* alive = nullptr;  ///< [b * kLanes + l]: 1, or 0 when deleted or padding
  double* energy = nullptr;
  T* stable_step = nullptr;  ///< out, [b * kLanes + l]; untouched where not alive
  const GroupParameters* group = nullptr;
  double time = 0;                  ///< t_n
  double dt = 0;                    ///< t_n - t_{n-1}; 0 in the very first call, which only finds steps
  std::int32_t begin = 0, end = 0;  ///< blocks
};

template <class T>
using Kernel = void (*)(const KernelArguments<T>&);

/// Initial geometry and input of one element, for `initialise` and mass.
struct ElementInput {
  Vec3 x[10];                ///< initial nodal positions
  double thickness[4] = {};  ///< shells
  Vec3 orientation;          ///< beams: position of the third node
  bool has_orientation = false;
  double scale = 1;   ///< discrete
  double offset = 0;  ///< discrete; shells: of the reference surface along the normal
  Vec3 direction;     ///< discrete: unit vector when `has_orientation`
  bool to_ground = false;
};

/// Lumped share of one element at each of its nodes.
struct NodalShare {
  double mass[10] = {};
  double inertia[10] = {};
};

/// Positions of the state variables that output and hashing read.
struct StateLayout {
  int n_vars = 0;  ///< per element, all variables
  int stress = 0;  ///< first of n_points x 6 (xx yy zz xy yz zx): point p at stress + p * point_stride
  int plastic_strain = 0;  ///< of point 0, point p at + p * point_stride
  int history = 0;         ///< of point 0
  int point_stride = 0;
  int n_points = 0;
  bool stress_is_local = false;  ///< in the element's corotational frame (then `frame` gives it)
  int thickness = -1;            ///< shells: current thickness, -1 without
  int resultants = -1;           ///< beams: axial, shear s, shear t, moment s, moment t, torsion
};

/// A formulation as the rest of the program sees it; each is registered by one line.
struct Formulation {
  std::string name;  ///< "Belytschko-Tsay"
  model::ElementKind kind;
  int elform;                   ///< LS-DYNA's number
  int n_nodes;                  ///< nodes a kernel gathers
  bool rotations;               ///< has rotational freedoms
  double cost;                  ///< relative cost with an elastoplastic law, for decomposition
  materials::Needs gives = {};  ///< its points' data for laws beside strain increment, step, rotation

  /// Fill the parameters that depend on the formulation (points, hourglass defaults). Throws Error for a
  /// section or law that it does not support.
  void (*prepare)(const model::Section&, const model::Control&, GroupParameters&);
  StateLayout (*layout)(const GroupParameters&);
  NodalShare (*mass)(const ElementInput&, const GroupParameters&);
  /// Initial values of all n_vars variables of one element (stress 0, thickness, reference geometry).
  /// Throws Error CR-E... for a negative volume or zero area; the caller adds element and part.
  void (*initialise)(const ElementInput&, const GroupParameters&, std::span<double> variables);
  /// Rotate a local stress (6, layout's order) of one element to global axes, given current positions.
  /// Null when stresses are global already.
  void (*to_global)(const Vec3* x, const double* local6, double* global6) = nullptr;
  /// Layers whatever NIP says; 0: as many as NIP says.
  int layers = 0;
  /// The form of an element for which this formulation is asked (of_deck.hpp). Null: this one, with the
  /// corners as they are.
  Form (*form)(std::span<const LocalId> corners, int elform) = nullptr;
};

/// Instruction sets that kernels are compiled for.
enum class Isa : int { baseline = 0, avx2 = 1, avx512 = 2 };
/// The best instruction set that this processor has and kernels were compiled for, at most `limit`. Throws
/// CR-K004 if there is none.
Isa best_isa(Isa limit = Isa::avx512);
const char* isa_name(Isa isa);

/// All formulations, and their kernels: `kernel<double>(Isa::avx2, shell, 2)`; null if there is none.
std::span<const Formulation> formulations();
const Formulation* find_formulation(model::ElementKind kind, int elform);
template <class T>
Kernel<T> find_kernel(Isa isa, model::ElementKind kind, int elform);

namespace detail {
struct RegisterFormulation {
  explicit RegisterFormulation(Formulation f);
};
struct RegisterKernel {
  RegisterKernel(Isa isa, model::ElementKind kind, int elform, Kernel<float> single, Kernel<double> twice);
};
}  // namespace detail

}  // namespace crumple::elements
