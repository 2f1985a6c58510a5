// *LOAD_THERMAL_CONSTANT, _CONSTANT_NODE, _VARIABLE, _VARIABLE_NODE and _LOAD_CURVE.
//
// Cards and reference temperatures are those of the LS-DYNA keyword manual, vol. I. The temperature at time 0
// is the reference with a load curve; the other keywords are relative to a null state, so a temperature at
// the start loads the structure at once.
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "loads/load_curve.hpp"
#include "loads/temperature/temperature.hpp"
#include "loads/temperature/temperatures.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// Lowest and highest temperature of a node in the run.
struct Range {
  double low = 0, high = 0;
};

class TemperatureReader {
 public:
  explicit TemperatureReader(Builder& build) : build_(build), model_(build.model) {}

  void read() {
    each("LOAD_THERMAL_CONSTANT", &TemperatureReader::constant);
    each("LOAD_THERMAL_CONSTANT_NODE", &TemperatureReader::constant_node);
    each("LOAD_THERMAL_VARIABLE", &TemperatureReader::variable);
    each("LOAD_THERMAL_VARIABLE_NODE", &TemperatureReader::variable_node);
    each("LOAD_THERMAL_LOAD_CURVE", &TemperatureReader::load_curve);
    for (auto& [value, nodes] : found_) put(value, nodes);
    check_effect();
    check_tables();
  }

 private:
  /// A temperature without its nodes: base, scale, curves, whether it is relative to the start.
  using Value = std::tuple<double, double, LocalId, LocalId, bool>;

  void each(const char* name, void (TemperatureReader::*one)(const Record&)) {
    for (const Keyword& k : build_.deck.all(name))
      for (const Record& r : k.records()) {
        label_ = Builder::star(k);
        place_ = r.place();
        (this->*one)(r);
      }
  }

  std::vector<LocalId> all_nodes() const {
    std::vector<LocalId> nodes(model_.nodes.size());
    std::iota(nodes.begin(), nodes.end(), LocalId(0));
    return nodes;
  }

  /// Nodes of NSID (0: all), in BOXID, and of these the ones in NSIDEX, apart.
  std::pair<std::vector<LocalId>, std::vector<LocalId>> chosen(const Record& r) {
    std::vector<LocalId> nodes, exempt, of_set;
    const auto of = [&](const char* field, std::vector<LocalId>& to) {
      const model::NodeSet* const set = build_.find_node_set(r.integer(field), label_, r.place(field));
      if (set) to = set->nodes;
    };
    if (r.integer("NSID") != 0)
      of("NSID", nodes);
    else
      nodes = all_nodes();
    if (r.integer("NSIDEX") != 0) of("NSIDEX", of_set);
    if (const GlobalId id = r.integer("BOXID"); id != 0) {
      const model::Box* const box = build_.find_box(id, label_, r.place("BOXID"));
      std::erase_if(nodes, [&](LocalId n) { return box && !box->contains(model_.nodes.x[at(n)]); });
    }
    std::ranges::sort(of_set);
    for (const LocalId n : of_set) exempt.push_back(n);
    std::erase_if(nodes, [&](LocalId n) { return std::ranges::binary_search(of_set, n); });
    return {std::move(nodes), std::move(exempt)};
  }

  void constant(const Record& r) {
    const auto [nodes, exempt] = chosen(r);
    add(nodes, {r.real("T"), 0.0, kNone, kNone, false});
    if (const double other = r.real("TE"); other != 0.0) add(exempt, {other, 0.0, kNone, kNone, false});
  }

  void constant_node(const Record& r) {
    const LocalId node = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    if (node != kNone) add({node}, {r.real("T"), 0.0, kNone, kNone, false});
  }

  LocalId curve(const Record& r, const char* field, bool needed) {
    const GlobalId id = r.integer(field);
    return id != 0 || needed ? build_.find_curve(id, label_, r.place(field)) : kNone;
  }

  void variable(const Record& r) {
    const auto [nodes, exempt] = chosen(r);
    const double scale = r.real("TS"), other = r.real("TSE");
    add(nodes, {r.real("TB"), scale, curve(r, "LCID", scale != 0.0), curve(r, "LCIDR", false), false});
    const Value of_exempt{r.real("TBE"), other, curve(r, "LCIDE", other != 0.0), curve(r, "LCIDEDR", false),
                          false};
    if (other != 0.0 || std::get<0>(of_exempt) != 0.0) add(exempt, of_exempt);
  }

  void variable_node(const Record& r) {
    const LocalId node = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    const double scale = r.real("TS");
    const LocalId of = curve(r, "LCID", scale != 0.0);
    if (node != kNone) add({node}, {r.real("TB"), scale, of, kNone, false});
  }

  void load_curve(const Record& r) {
    const LocalId of = curve(r, "LCID", true);
    if (of != kNone) add(all_nodes(), {0.0, 1.0, of, curve(r, "LCIDDR", false), true});
  }

  /// Which temperature holds where two are given is not stated: it is an error, unless they are the same.
  void add(const std::vector<LocalId>& nodes, const Value& value) {
    if (of_node_.empty()) of_node_.assign(model_.nodes.size(), nullptr);
    auto& list = found_[value];
    const Value* const key = &found_.find(value)->first;
    for (const LocalId n : nodes) {
      const Value*& of = of_node_[at(n)];
      if (of == key) continue;
      if (of != nullptr) {
        if (!twice_)
          build_.error(
              "CR-D301",
              fmt::format("{}: node {} has two different temperatures", label_, model_.nodes.id[at(n)]),
              place_);
        twice_ = true;
        continue;
      }
      of = key;
      list.push_back(n);
    }
    warn(value, nodes.empty());
  }

  /// What a user may not expect of this temperature.
  void warn(const Value& value, bool empty) {
    const Temperature of = made(value);
    if (empty) build_.warn("CR-D330", fmt::format("{}: no nodes are chosen", label_), place_);
    if (of.curve == kNone || empty || !warned_.insert({of.curve, of.relative_to_start}).second) return;
    const model::Curve& curve = model_.curves[at(of.curve)];
    const double end = model_.control.end_time;
    if (!curve.x.empty() && curve.x.back() < end && curve.y.back() != 0.0)
      build_.warn("CR-D330",
                  fmt::format("{}: curve {} ends at {}, before the run: its value is 0 from there", label_,
                              curve.id, curve.x.back()),
                  place_);
    if (const double start = temperature_at(model_, of, 0.0, model::Stage::transient);
        !of.relative_to_start && start != 0.0)
      build_.warn("CR-D330",
                  fmt::format("{}: the temperature at the start is {}, and the reference is 0: it loads the "
                              "structure at once",
                              label_, start),
                  place_);
  }

  static Temperature made(const Value& value) {
    Temperature of;
    std::tie(of.base, of.scale, of.curve, of.relaxation_curve, of.relative_to_start) = value;
    return of;
  }

  void put(const Value& value, std::vector<LocalId>& nodes) {
    if (nodes.empty()) return;
    Temperature of = made(value);
    of.nodes = std::move(nodes);
    std::ranges::sort(of.nodes);
    model_.features.of<Temperature>().push_back(std::move(of));
  }

  const materials::Row* law_of(const model::Part& part) const {
    return part.material == kNone ? nullptr : materials::find_law(model_.materials[at(part.material)].law);
  }

  void check_effect() {
    const bool any = !model_.features.of<Temperature>().empty();
    const bool expands = !model_.features.of<ThermalExpansion>().empty();
    const bool depends = std::ranges::any_of(model_.parts, [&](const model::Part& p) {
      const materials::Row* const law = law_of(p);
      return law && law->needs.temperature;
    });
    if (any && !expands && !depends)
      build_.warn(
          "CR-D330",
          fmt::format("{}: no part expands (*MAT_ADD_THERMAL_EXPANSION), so it has no effect", label_),
          place_);
    if (!any && expands)
      build_.warn(
          "CR-D330",
          "*MAT_ADD_THERMAL_EXPANSION: there are no temperatures (*LOAD_THERMAL_...), so it has no effect",
          build_.deck.all("MAT_ADD_THERMAL_EXPANSION").front().place());
  }

  /// Temperatures of an input from the start to the end of the run: its curve is straight between points.
  Range range_of(const Temperature& of) const {
    std::vector<double> times{0.0, model_.control.end_time};
    if (of.curve != kNone)
      for (const double t : model_.curves[at(of.curve)].x)
        if (t > 0.0 && t < times[1]) times.push_back(t);
    std::vector<double> values{reference_of(model_, of)};
    for (const double t : times) values.push_back(temperature_at(model_, of, t, model::Stage::transient));
    const auto [low, high] = std::ranges::minmax(values);
    return {low, high};
  }

  /// Laws with tables of temperatures end a run in LS-DYNA where one is outside.
  void check_tables() {
    std::vector<Range> of_node(model_.nodes.size());
    for (const Temperature& of : model_.features.of<Temperature>()) {
      const Range range = range_of(of);
      for (const LocalId n : of.nodes) of_node[at(n)] = range;
    }
    for (std::size_t p = 0; p < model_.parts.size(); ++p) {
      const materials::Row* const law = law_of(model_.parts[p]);
      if (!law || !law->needs.temperature) continue;
      const model::Material& material = model_.materials[at(model_.parts[p].material)];
      const Range table = table_of(material);
      const auto& nodes = build_.nodes_of_part(static_cast<LocalId>(p));
      const auto outside = std::ranges::find_if(nodes, [&](LocalId n) {
        return of_node[at(n)].low < table.low || of_node[at(n)].high > table.high;
      });
      if (outside == nodes.end()) continue;
      const Range range = of_node[at(*outside)];
      build_.error(
          "CR-D310",
          fmt::format("*{} {}: node {} of part {} has temperatures from {} to {}, with its reference, "
                      "outside of the table from {} to {}",
                      material.name, material.id, model_.nodes.id[at(*outside)], model_.parts[p].id,
                      range.low, range.high, table.low, table.high),
          material.place);
    }
  }

  static Range table_of(const model::Material& material) {
    Range table{material.field("T1"), material.field("T1")};
    for (int k = 2; k <= 8; ++k)
      if (const double t = material.field(fmt::format("T{}", k)); t > table.high) table.high = t;
    return table;
  }

  Builder& build_;
  model::Model& model_;
  std::string label_;
  Place place_;
  std::map<Value, std::vector<LocalId>> found_;
  std::vector<const Value*> of_node_;  ///< what each node has; null: nothing
  std::set<std::pair<LocalId, bool>> warned_;
  bool twice_ = false;
};

}  // namespace

void read_temperatures(Builder& build) { TemperatureReader(build).read(); }

}  // namespace crumple::loads
