// Tags of all messages between ranks: traces know by them what a message is for
// (crumple/lab/traces/pattern.py).
#pragma once

namespace crumple::parallel::tag {

inline constexpr int kSums = 11;         ///< Halo: sums over copies of nodes
inline constexpr int kMaxima = 12;       ///< Halo: maxima
inline constexpr int kMotion = 31;       ///< contact: motion of nodes
inline constexpr int kForces = 32;       ///< contact: forces back to them
inline constexpr int kPieces = 71;       ///< Communicator::all_to_all, unless it is given another one
inline constexpr int kStateCounts = 72;  ///< d3plot: numbers of rows, before the first state of a file
inline constexpr int kStateRows = 73;    ///< d3plot: rows for the ranks that write them
inline constexpr int kDump = 74;         ///< dumps: where the streams of the ranks are
inline constexpr int kStepCounts = 75;   ///< results.vtkhdf: as kStateCounts
inline constexpr int kStepRows = 76;     ///< results.vtkhdf: as kStateRows

inline constexpr int kLinear = 81;   ///< linear equations: matrices and parts of the symbolic factor
inline constexpr int kUpdates = 82;  ///< columns of update matrices of shared fronts for the parent's panels
inline constexpr int kPanelHead = 83;   ///< whether a panel of a factor is good, and its pivots
inline constexpr int kPanel = 84;       ///< its values
inline constexpr int kPassed = 85;      ///< solutions on their way up: what a child passes to its parent,
inline constexpr int kPanelsUp = 86;    ///< and from panel to panel
inline constexpr int kTaken = 87;       ///< on their way down: what a child takes from its parent,
inline constexpr int kPanelsDown = 88;  ///< and from panel to panel
inline constexpr int kSolution = 89;    ///< right hand sides and solutions of ranks
inline constexpr int kOwnUpdates = 90;  ///< as kUpdates, of fronts that a rank makes alone

}  // namespace crumple::parallel::tag
