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

}  // namespace crumple::parallel::tag
