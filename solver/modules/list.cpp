// All features, and why they are in this order.
//
// Each phase of a cycle goes through this list. Most forces may be added in any order, as sums of nodes'
// forces are fixed point. What needs another module comes after it.
#include <array>

#include "loads/airbag/airbag.hpp"
#include "model/feature.hpp"

namespace crumple::model {

std::span<const Feature* const> features() {
  static const std::array<const Feature*, 1> list{
      &loads::airbag_feature(),  // forces on nodes
  };
  return list;
}

}  // namespace crumple::model
