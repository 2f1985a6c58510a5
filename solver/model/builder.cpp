// Look-ups by number, and reports of missing entities.
#include "model/builder.hpp"

#include <algorithm>

#include "deck/function_text.hpp"
#include "model/functions_tables.hpp"

namespace crumple::model {
namespace {

template <class T>
const std::vector<T>* column(const std::vector<std::string>& names,
                             const std::vector<std::vector<T>>& columns, std::string_view name,
                             std::size_t rows) {
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end()) return nullptr;
  const auto& values = columns[static_cast<std::size_t>(it - names.begin())];
  return values.size() == rows ? &values : nullptr;
}

// Prefixes of the keywords that may define an entity.
std::vector<const char*> families_of(std::string_view what) {
  static const std::map<std::string_view, std::vector<const char*>> families{
      {"node", {"NODE"}},
      {"part", {"PART"}},
      {"section", {"SECTION_"}},
      {"material", {"MAT_"}},
      {"equation of state", {"EOS_"}},
      {"hourglass control", {"HOURGLASS"}},
      {"curve", {"DEFINE_CURVE", "DEFINE_FUNCTION", "DEFINE_TABLE"}},
      {"curve or table", {"DEFINE_CURVE", "DEFINE_FUNCTION", "DEFINE_TABLE"}},
      {"coordinate system", {"DEFINE_COORDINATE"}},
      {"vector", {"DEFINE_VECTOR"}},
      {"orientation vector", {"DEFINE_SD_ORIENTATION"}},
      {"box", {"DEFINE_BOX"}},
      {"node set", {"SET_NODE"}},
      {"part set", {"SET_PART"}},
      {"segment set", {"SET_SEGMENT"}},
      {"shell set", {"SET_SHELL"}},
      {"solid set", {"SET_SOLID"}},
      {"beam set", {"SET_BEAM"}},
      {"spring set", {"SET_DISCRETE"}},
      {"contact", {"CONTACT_"}},
      {"sensor", {"SENSOR_DEFINE"}},
      {"switch", {"SENSOR_SWITCH"}},
      {"end of the run", {"CONTROL_TERMINATION"}}};
  const auto it = families.find(what);
  // The others are elements, which are lost if their nodes or parts are.
  return it == families.end() ? std::vector<const char*>{"ELEMENT", "PART", "NODE"} : it->second;
}

}  // namespace

const std::vector<GlobalId>* BulkRows::integers(std::string_view name) const {
  return column(table.integer_names, table.integers, name, table.size());
}

const std::vector<double>* BulkRows::reals(std::string_view name) const {
  return column(table.real_names, table.reals, name, table.size());
}

void Builder::error(const char* id, std::string text, Place place) const {
  if (options_.quiet) return;
  deck.report(deck::Severity::error, id, std::move(text), std::move(place));
}

void Builder::warn(const char* id, std::string text, Place place) const {
  if (options_.quiet) return;
  deck.report(deck::Severity::warning, id, std::move(text), std::move(place));
}

void Builder::unsupported(std::string text, Place place) const {
  if (options_.quiet) return;
  const auto severity = options_.allow_unsupported ? deck::Severity::warning : deck::Severity::error;
  deck.report(severity, "CR-D320", std::move(text), std::move(place));
}

bool Builder::not_read(std::string_view what) const {
  const auto families = families_of(what);
  if (elements_lost && std::string_view(families.front()) == "ELEMENT") return true;
  return std::any_of(families.begin(), families.end(), [&](const char* f) { return deck.lost(f); });
}

bool Builder::lost(std::string_view what) const { return not_read(what) && deck.has_errors(); }

void Builder::missing(const char* id, std::string_view what, std::string text, Place place) const {
  if (lost(what)) return;
  if (!lost_file()) return error(id, std::move(text), std::move(place));
  Missing& first = missing_[id];
  if (first.count++ == 0) first = {std::move(text), std::move(place), 1};
}

void Builder::report_missing() const {
  for (const auto& [id, first] : missing_) {
    std::string more;
    if (first.count > 1) more = fmt::format("; {} more like it are not shown", first.count - 1);
    error(id.c_str(), fmt::format("{}{}, since an include file is missing", first.text, more), first.place);
  }
  missing_.clear();
}

LocalId Builder::find(const IdTable& table, GlobalId id, const char* error_id, std::string_view what,
                      std::string_view by, const Place& place) const {
  const LocalId index = table.find(id);
  if (index == IdTable::kMissing && !left_out.contains(table, id))
    missing(error_id, what, fmt::format("{}: {} {} does not exist", by, what, id), place);
  return index;
}

LocalId Builder::find_node(GlobalId id, std::string_view by, const Place& place) const {
  return find(nodes, id, "CR-D303", "node", by, place);
}

LocalId Builder::find_part(GlobalId id, std::string_view by, const Place& place) const {
  return find(parts, id, "CR-D302", "part", by, place);
}

/// Functions of the place are for loads that have one, with no more arguments than these give.
void Builder::refuse_function(LocalId curve, std::string_view by, const Place& place) const {
  const PlaceFunction* const function = find_place_function(model, curve);
  if (!function) return;
  const GlobalId id = model.curves[static_cast<std::size_t>(curve)].id;
  const std::size_t given = by.starts_with("*LOAD_NODE") ? 7 : by.starts_with("*LOAD_SEGMENT") ? 10 : 0;
  if (given == 0)
    unsupported(fmt::format("{}: *DEFINE_FUNCTION {} uses more than the time, and only *LOAD_NODE and "
                            "*LOAD_SEGMENT take these",
                            by, id),
                place);
  else if (deck::FunctionText(function->text).arguments() > given)
    error("CR-D310",
          fmt::format("{}: *DEFINE_FUNCTION {} has more than the {} arguments that are given to it", by, id,
                      given),
          place);
}

LocalId Builder::find_curve(GlobalId id, std::string_view by, const Place& place) const {
  const LocalId at = find(curves, id, "CR-D304", "curve", by, place);
  if (at == kNone) return kNone;
  const bool over_time = by.starts_with("*LOAD_") || by.starts_with("*BOUNDARY_PRESCRIBED_MOTION_") ||
                         by.starts_with("*TERMINATION_CURVE");
  if (model.curves[static_cast<std::size_t>(at)].formula_until > 0 && !over_time)
    unsupported(
        fmt::format("{}: curve {} is a formula (*DEFINE_CURVE_FUNCTION), and only loads and prescribed "
                    "motions over time take these",
                    by, id),
        place);
  refuse_function(at, by, place);
  // A load is zero beyond the points of its curve. With a single point it would never act, without any
  // report.
  const std::vector<double>& x = model.curves[static_cast<std::size_t>(at)].x;
  if (!x.empty() && !(x.back() > x.front()))
    error("CR-D310",
          fmt::format("{}: all of curve {} is at {}; it needs two points or more, not at the same abscissa",
                      by, id, x.front()),
          place);
  return at;
}

LocalId Builder::find_system(GlobalId id, std::string_view by, const Place& place, Use use) const {
  if (id == 0) return kNone;
  const LocalId system = find(systems, id, "CR-D304", "coordinate system", by, place);
  if (use == Use::throughout && moving_systems.contains(system))
    unsupported(
        fmt::format("{}: coordinate system {} moves with its nodes (FLAG = 1), which is not supported", by,
                    id),
        place);
  return system;
}

const Box* Builder::find_box(GlobalId id, std::string_view by, const Place& place) const {
  const LocalId at = find(boxes, id, "CR-D305", "box", by, place);
  return at == kNone ? nullptr : &model.sets.boxes[static_cast<std::size_t>(at)];
}

const NodeSet* Builder::find_node_set(GlobalId id, std::string_view by, const Place& place) const {
  const LocalId at = find(node_sets, id, "CR-D305", "node set", by, place);
  return at == kNone ? nullptr : &model.sets.nodes[static_cast<std::size_t>(at)];
}

const PartSet* Builder::find_part_set(GlobalId id, std::string_view by, const Place& place) const {
  const LocalId at = find(part_sets, id, "CR-D305", "part set", by, place);
  return at == kNone ? nullptr : &model.sets.parts[static_cast<std::size_t>(at)];
}

void Builder::sort_nodes(std::vector<LocalId>& list) const {
  const auto& id = model.nodes.id;
  std::sort(list.begin(), list.end(), [&](LocalId a, LocalId b) {
    return id[static_cast<std::size_t>(a)] < id[static_cast<std::size_t>(b)];
  });
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

const std::vector<LocalId>& Builder::nodes_of_part(LocalId part) {
  if (part_nodes_.empty()) collect_part_nodes();
  PartNodes& entry = part_nodes_[static_cast<std::size_t>(part)];
  if (!entry.known) sort_nodes(entry.nodes);
  entry.known = true;
  return entry.nodes;
}

bool Builder::has_mass(LocalId node) {
  if (has_mass_.empty()) {
    has_mass_.assign(model.nodes.size(), false);
    for (LocalId p = 0; p < static_cast<LocalId>(model.parts.size()); ++p)
      if (model.parts[static_cast<std::size_t>(p)].kind != ElementKind::discrete)
        for (const LocalId i : nodes_of_part(p)) has_mass_[static_cast<std::size_t>(i)] = true;
    for (const LocalId i : model.masses.node)
      if (i != kNone) has_mass_[static_cast<std::size_t>(i)] = true;
  }
  return has_mass_[static_cast<std::size_t>(node)];
}

void Builder::collect_part_nodes() {
  part_nodes_.resize(model.parts.size());
  // In most meshes consecutive elements share nodes: skipping the last few repeats keeps the lists short.
  const auto add = [&](const auto& elements) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      auto& list = part_nodes_[static_cast<std::size_t>(elements.part[e])].nodes;
      each_node(elements, e, [&](LocalId n) {
        if (list.empty() || list.back() != n) list.push_back(n);
      });
    }
  };
  add(model.shells);
  add(model.solids);
  add(model.discretes);
  add(model.particles);
  // The third node of a beam is for orientation only.
  for (std::size_t e = 0; e < model.beams.size(); ++e)
    for (const int a : {0, 1})
      part_nodes_[static_cast<std::size_t>(model.beams.part[e])].nodes.push_back(
          model.beams.nodes[e][static_cast<std::size_t>(a)]);
}

Vec3 Builder::to_global(LocalId system, const Vec3& v) const {
  if (system == kNone) return v;
  const auto& axis = model.systems[static_cast<std::size_t>(system)].axis;
  return v.x * axis[0] + v.y * axis[1] + v.z * axis[2];
}

}  // namespace crumple::model
