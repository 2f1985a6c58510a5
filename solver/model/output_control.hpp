// The requested results: intervals, histories, cross sections.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

/// *DATABASE_CROSS_SECTION_SET, _PLANE: nodes on a cut, and the elements whose forces on them are summed.
struct CrossSection {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  std::vector<LocalId> nodes;  ///< ascending user id
  std::vector<LocalId> shells, solids, beams, discretes;
  LocalId rigid_body = kNone;  ///< results are in its axes; kNone: `system` or global axes
  LocalId system = kNone;
  GlobalId frame_id = 0;  ///< user number of the body or the system
};

/// A history that a feature writes: "abstat" for *DATABASE_ABSTAT.
struct FeatureHistory {
  std::string name;
  double interval = 0;
  int binary = 0;  ///< as in OutputControl
};

/// Dumps of the deck, for a restart. 0 cycles: none.
struct Dumps {
  std::int64_t d3dump = 0;  ///< *DATABASE_BINARY_D3DUMP: cycles between d3dump01, d3dump02, ...
  std::int64_t runrsf = 0;  ///< *DATABASE_BINARY_RUNRSF: cycles between running dumps
  int runrsf_files = 1;     ///< NR: running dumps that are kept; the next one replaces the oldest
  bool suppressed = false;  ///< *CONTROL_MPP_IO_NODUMP, _NOD3DUMP: no dump is written, on request neither
};

/// Intervals and switches of output, 0: not requested.
struct OutputControl {
  double d3plot = 0, glstat = 0, matsum = 0, rcforc = 0, rwforc = 0, nodout = 0, rbdout = 0, jntforc = 0,
         elout = 0, spcforc = 0, swforc = 0, secforc = 0, bndout = 0, sleout = 0, ncforc = 0, deforc = 0,
         intfor = 0;
  int glstat_binary = 0, matsum_binary = 0, rcforc_binary = 0, rwforc_binary = 0, nodout_binary = 0,
      rbdout_binary = 0, jntforc_binary = 0, swforc_binary = 0, spcforc_binary = 0, secforc_binary = 0,
      bndout_binary = 0, sleout_binary = 0, ncforc_binary = 0, elout_binary = 0,
      deforc_binary = 0;  ///< BINARY: 1 ASCII, 2 binout, 3 both; 0 is our choice: both
  std::vector<FeatureHistory> of_features;
  int neiph = 0, neips = 0, maxint = 3, strflg = 0, sigflg = 1, epsflg = 1, rltflg = 1, engflg = 1;
  int ieverp = 0, dcomp = 1, msscl = 0;
  Dumps dumps;
  std::vector<LocalId> history_nodes;
  // Elements of elout; springs of deforc, where an empty list means all. On rank 0 only, in the order of user
  // ids.
  std::vector<LocalId> history_shells, history_solids, history_beams, history_discretes;
};

}  // namespace crumple::model
