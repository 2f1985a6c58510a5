// Times that a deck has for "never", as the keyword's manual gives them for fields left blank.
#pragma once

namespace crumple::model {

inline constexpr double kNever = 1e20;              ///< deaths and failure times
inline constexpr double kMotionNeverEnds = 1e28;    ///< DEATH of prescribed motions
inline constexpr double kRelaxationNoLimit = 1e30;  ///< DRTERM

}  // namespace crumple::model
