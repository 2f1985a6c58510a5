// Times that mean "never": the manual's defaults for blank fields.
#pragma once

namespace crumple::model {

inline constexpr double kNever = 1e20;              ///< deaths and failure times
inline constexpr double kMotionNeverEnds = 1e28;    ///< DEATH of prescribed motions
inline constexpr double kRelaxationNoLimit = 1e30;  ///< DRTERM

}  // namespace crumple::model
