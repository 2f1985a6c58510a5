// Look-ups in the model: curves by value and by id.
#include "model/model.hpp"

#include <algorithm>

#include "model/functions_tables.hpp"

namespace crumple::model {

double Curve::operator()(double t) const {
  if (x.empty()) return 0.0;
  if (t <= x.front()) return y.front();
  if (t >= x.back()) return y.back();
  const auto k = std::upper_bound(x.begin(), x.end(), t) - x.begin();
  const double s = (t - x[k - 1]) / (x[k] - x[k - 1]);
  return y[k - 1] + s * (y[k] - y[k - 1]);
}

namespace {
template <class T>
LocalId index_of(const std::vector<T>& items, GlobalId id) {
  const auto it = std::find_if(items.begin(), items.end(), [id](const T& t) { return t.id == id; });
  return it == items.end() ? kNone : static_cast<LocalId>(it - items.begin());
}
}  // namespace

bool Box::contains(const Vec3& x) const {
  Vec3 p = x;
  if (local) {
    const Vec3 d = x - system.origin;
    p = {dot(d, system.axis[0]), dot(d, system.axis[1]), dot(d, system.axis[2])};
  }
  for (int i = 0; i < 3; ++i)
    if (p[i] < low[i] || p[i] > high[i]) return false;
  return true;
}

namespace {
template <class T>
const T* with_id(const std::vector<T>& items, GlobalId id) {
  const LocalId at = index_of(items, id);
  return at == kNone ? nullptr : &items[static_cast<std::size_t>(at)];
}
}  // namespace

const NodeSet* Sets::node_set(GlobalId id) const { return with_id(nodes, id); }
const PartSet* Sets::part_set(GlobalId id) const { return with_id(parts, id); }
const ShellSet* Sets::shell_set(GlobalId id) const { return with_id(shells, id); }
const SegmentSet* Sets::segment_set(GlobalId id) const { return with_id(segments, id); }

LocalId Model::curve_index(GlobalId id) const {
  const LocalId at = index_of(curves, id);
  const bool formula = at != kNone && curves[static_cast<std::size_t>(at)].formula_until > 0;
  return formula || find_place_function(*this, at) != nullptr ? kNone : at;
}
LocalId Model::table_index(GlobalId id) const { return index_of(tables, id); }

}  // namespace crumple::model
