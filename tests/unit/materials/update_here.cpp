// Every law's updates on points of doubles, for all tests of this folder.
#include "unit/every_law.hpp"
//
#include "one_point.hpp"

namespace crumple::materials {

void update_here(const Law& law, SolidPoint<double>& point) { update_here<kFirstListed>(law, point); }
void update_here(const Law& law, ShellPoint<double>& point) { update_here<kFirstListed>(law, point); }
void update_here(const Law& law, BeamPoint<double>& point) { update_here<kFirstListed>(law, point); }

}  // namespace crumple::materials
