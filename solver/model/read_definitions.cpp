// *DEFINE: curves, tables, frames, vectors, boxes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/builder.hpp"
#include "model/formula_curve.hpp"
#include "model/functions_tables.hpp"

namespace crumple::model {
namespace {

Vec3 vector_of(const Record& r, const char* x, const char* y, const char* z) {
  return {r.real(x), r.real(y), r.real(z)};
}

// Frame with the first axis along `x` and the second in the plane of `x` and `in_plane`. False if they are
// parallel or zero.
bool make_frame(const Vec3& x, const Vec3& in_plane, std::array<Vec3, 3>& axis) {
  const Vec3 z = cross(x, in_plane);
  if (norm(x) == 0.0 || norm(z) <= 1e-12 * norm(x) * norm(in_plane)) return false;
  axis[0] = x * (1.0 / norm(x));
  axis[2] = z * (1.0 / norm(z));
  axis[1] = cross(axis[2], axis[0]);
  return true;
}

class DefinitionReader {
 public:
  explicit DefinitionReader(Builder& build) : build_(build), model_(build.model) {}

  void frames(const Keyword& keyword) {
    for (const Record& r : keyword.records()) {
      CoordinateSystem system;
      system.id = r.integer("CID");
      bool good = false;
      if (keyword.name() == "DEFINE_COORDINATE_SYSTEM") {
        system.origin = vector_of(r, "XO", "YO", "ZO");
        good = make_frame(vector_of(r, "XL", "YL", "ZL") - system.origin,
                          vector_of(r, "XP", "YP", "ZP") - system.origin, system.axis);
      } else if (keyword.name() == "DEFINE_COORDINATE_VECTOR") {
        good = make_frame(vector_of(r, "XX", "YX", "ZX"), vector_of(r, "XV", "YV", "ZV"), system.axis);
      } else if (keyword.name() == "DEFINE_COORDINATE_NODES") {
        if (!by_nodes(keyword, r, system, good)) continue;
        if (r.integer("FLAG") != 0) build_.moving_systems.insert(static_cast<LocalId>(model_.systems.size()));
      } else {
        continue;
      }
      const std::string label = fmt::format("{} {}", Builder::star(keyword), system.id);
      if (!good) build_.error("CR-D310", fmt::format("{}: its points lie on a line", label), r.place());
      add(build_.systems, model_.systems, system, label, r.place());
    }
  }

  void vector(const Keyword& keyword) {
    for (const Record& r : keyword.records()) {
      const GlobalId id = r.integer("VID");
      const std::string label = fmt::format("{} {}", Builder::star(keyword), id);
      Vec3 v;
      if (keyword.name() == "DEFINE_VECTOR") {
        const LocalId system = build_.find_system(r.integer("CID"), label, r.place("CID"));
        v = build_.to_global(system, vector_of(r, "XH", "YH", "ZH") - vector_of(r, "XT", "YT", "ZT"));
      } else {
        const LocalId tail = build_.find_node(r.integer("NODET"), label, r.place("NODET"));
        const LocalId head = build_.find_node(r.integer("NODEH"), label, r.place("NODEH"));
        if (tail == kNone || head == kNone) continue;
        v = model_.nodes.x[static_cast<std::size_t>(head)] - model_.nodes.x[static_cast<std::size_t>(tail)];
      }
      if (norm(v) == 0.0) build_.error("CR-D310", fmt::format("{} has no length", label), r.place());
      if (!build_.vectors.emplace(id, v).second)
        build_.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
    }
  }

  void orientation(const Keyword& keyword) {
    for (const Record& r : keyword.records()) {
      const GlobalId id = r.integer("VID");
      const Vec3 v = vector_of(r, "XT", "YT", "ZT");
      const std::string label = fmt::format("{} {}", Builder::star(keyword), id);
      const bool given = norm(v) > 0.0;
      if (!given && r.integer("IOP") == 0)
        build_.error("CR-D310", fmt::format("{} has no length", label), r.place());
      add(build_.orientations, model_.vectors, given ? v * (1.0 / norm(v)) : Vec3{1, 0, 0}, label, r.place(),
          id);
    }
  }

  void box(const Keyword& keyword) {
    for (const Record& r : keyword.records()) {
      Box box;
      box.id = r.integer("BOXID");
      box.low = vector_of(r, "XMN", "YMN", "ZMN");
      box.high = vector_of(r, "XMX", "YMX", "ZMX");
      const std::string label = fmt::format("{} {}", Builder::star(keyword), box.id);
      if (keyword.suffix("LOCAL")) {
        box.local = true;
        box.system.origin = vector_of(r, "CX", "CY", "CZ");
        if (!make_frame(vector_of(r, "XX", "YX", "ZX"), vector_of(r, "XV", "YV", "ZV"), box.system.axis))
          build_.error("CR-D310", fmt::format("{}: its axes are parallel", label), r.place());
      }
      for (int i = 0; i < 3; ++i)
        if (box.low[i] > box.high[i])
          build_.error(
              "CR-D310",
              fmt::format("{}: the lower limit {} is above the upper {}", label, box.low[i], box.high[i]),
              r.place());
      add(build_.boxes, model_.sets.boxes, box, label, r.place());
    }
  }

 private:
  bool by_nodes(const Keyword& keyword, const Record& r, CoordinateSystem& system, bool& good) {
    std::array<Vec3, 3> x;
    Builder::FrameNodes of;
    bool whole = true;
    const std::string label = fmt::format("{} {}", Builder::star(keyword), system.id);
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string field = fmt::format("N{}", k + 1);
      const LocalId n = build_.find_node(r.integer(field), label, r.place(field));
      whole &= n != kNone;
      if (n != kNone) x[k] = model_.nodes.x[static_cast<std::size_t>(n)];
      of.node[k] = n;
    }
    // DIR is the axis from N1 to N2; N3 is in the plane of that axis and the next.
    std::string dir = r.text("DIR");
    const std::size_t first = dir.empty() || dir[0] == 'X' || dir[0] == 'x' ? 0
                              : dir[0] == 'Y' || dir[0] == 'y'              ? 1
                                                                            : 2;
    std::array<Vec3, 3> axis;
    good = make_frame(x[1] - x[0], x[2] - x[0], axis);
    for (std::size_t k = 0; k < 3; ++k) system.axis[(first + k) % 3] = axis[k];
    system.origin = x[0];
    of.first = static_cast<int>(first);
    if (whole) build_.frame_nodes[static_cast<LocalId>(model_.systems.size())] = of;
    return whole;
  }

  template <class T>
  void add(IdTable& table, std::vector<T>& items, const T& item, const std::string& label,
           const Place& place) {
    add(table, items, item, label, place, item.id);
  }
  template <class T>
  void add(IdTable& table, std::vector<T>& items, const T& item, const std::string& label, const Place& place,
           GlobalId id) {
    if (table.insert(id, static_cast<LocalId>(items.size())))
      items.push_back(item);
    else
      build_.error("CR-D301", fmt::format("{} is defined twice", label), place);
  }

  Builder& build_;
  Model& model_;
};

/// Reads curves in deck order, and tables, whose curves follow them in the deck.
class CurveReader {
 public:
  explicit CurveReader(Builder& build) : build_(build), model_(build.model) {}

  void curve(const Keyword& keyword, const Record& r) {
    Curve curve;
    curve.id = r.integer("LCID");
    const std::string label = fmt::format("*DEFINE_CURVE {}", curve.id);
    const double sfa = or_default(r.real("SFA"), 1.0), sfo = or_default(r.real("SFO"), 1.0);
    const double offa = r.real("OFFA"), offo = r.real("OFFO");
    relax_with(curve, r);
    for (std::size_t i = 0; i < r.rows(); ++i) {
      const double x = (r.real(i, 0) + offa) * sfa;
      if (!curve.x.empty() && x < curve.x.back())
        build_.error("CR-D310", fmt::format("{}: abscissa {} comes after {}", label, x, curve.x.back()),
                     r.row_place(i));
      curve.x.push_back(x);
      curve.y.push_back((r.real(i, 1) + offo) * sfo);
    }
    if (curve.x.empty()) build_.error("CR-D310", fmt::format("{} has no points", label), keyword.place());
    follow(curve.id);
    if (build_.curves.insert(curve.id, static_cast<LocalId>(model_.curves.size())))
      model_.curves.push_back(std::move(curve));
    else
      build_.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
  }

  /// From 0 at TSTART to VMAX within TRISE by half a cosine, and as much back to 0 at TEND. The ramps are
  /// symmetrical about their middles, so the area is VMAX (TEND - TSTART - TRISE), of the straight pieces
  /// too.
  void smooth(const Record& r) {
    Curve curve;
    curve.id = r.integer("LCID");
    const std::string label = fmt::format("*DEFINE_CURVE_SMOOTH {}", curve.id);
    relax_with(curve, r);
    const double distance = r.real("DIST"), start = r.real("TSTART"), rise = r.real("TRISE");
    double end = r.real("TEND"), top = r.real("VMAX");
    if ((end != 0.0) == (top != 0.0))
      build_.error("CR-D310", label + ": one of TEND and VMAX must be given", r.place("TEND"));
    else if (end != 0.0)
      top = distance / (end - start - rise);
    else
      end = start + rise + distance / top;
    constexpr double kPart = 1e-9;  // of TRISE that rounding may take from the top
    if (!(rise > 0.0) || !(end - start >= (2.0 - kPart) * rise))
      build_.error(
          "CR-D310",
          fmt::format("{}: TRISE must be positive, and twice of it fit between TSTART and TEND", label),
          r.place("TRISE"));
    else
      add_ramps(curve, start, std::max(end, start + 2.0 * rise), rise, top);
    if (curve.x.empty()) curve.x = {0, 1}, curve.y = {0, 0};
    if (build_.curves.insert(curve.id, static_cast<LocalId>(model_.curves.size())))
      model_.curves.push_back(std::move(curve));
    else
      build_.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
  }

  void formula(const Record& r) {
    Curve curve;
    curve.id = r.integer("LCID");
    std::string text;
    for (std::size_t i = 0; i < r.rows(); ++i) text += r.text(i, 0);
    const FormulaProblem problem = sample_formula(text, model_.control.end_time, curve);
    add(std::move(curve), problem, "*DEFINE_CURVE_FUNCTION", r);
  }

  void function(const Record& r) {
    Curve curve;
    curve.id = r.integer("FID");
    r.text("HEADING");
    std::string text;
    for (std::size_t i = 0; i < r.rows(); ++i) text += r.text(i, 0) + "\n";
    bool over_place = false;
    const FormulaProblem problem = sample_function(text, model_.control.end_time, curve, over_place);
    if (over_place)
      model_.features.of<PlaceFunction>().push_back({static_cast<LocalId>(model_.curves.size()), text});
    add(std::move(curve), problem, "*DEFINE_FUNCTION", r);
  }

  void relax_with(Curve& curve, const Record& r) {
    curve.sidr = static_cast<int>(r.integer("SIDR"));
    Relaxation& relaxation = model_.control.relaxation;
    if (curve.sidr != 0 && !build_.relaxation_switched_off && !relaxation.implicit) relaxation.active = true;
  }

  static void add_ramps(Curve& curve, double start, double end, double rise, double top) {
    constexpr int kPieces = 64;
    const auto add_ramp = [&](double from, double below, double above) {
      for (int k = 0; k <= kPieces; ++k) {
        const double share = static_cast<double>(k) / kPieces;
        const double x = from + share * rise;
        if (!curve.x.empty() && x <= curve.x.back()) continue;  // no plateau
        curve.x.push_back(x);
        curve.y.push_back(below + 0.5 * (above - below) * (1.0 - std::cos(std::numbers::pi * share)));
      }
    };
    add_ramp(start, 0.0, top);
    add_ramp(end - rise, top, 0.0);
  }

  void add(Curve curve, const FormulaProblem& problem, const char* keyword, const Record& r) {
    const std::string label = fmt::format("{} {}", keyword, curve.id);
    if (problem.unsupported)
      build_.unsupported(fmt::format("{}: {}", label, problem.text), r.place());
    else if (!problem.text.empty())
      build_.error("CR-D310", fmt::format("{}: {}", label, problem.text), r.place());
    if (!build_.curves.insert(curve.id, static_cast<LocalId>(model_.curves.size())))
      return build_.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
    if (!problem.text.empty()) curve.x = {0, 1}, curve.y = {0, 0};
    model_.curves.push_back(std::move(curve));
  }

  void table(const Record& r) {
    finish_followers();
    Table table;
    table.id = r.integer("TBID");
    const std::string label = fmt::format("*DEFINE_TABLE {}", table.id);
    const double sfa = or_default(r.real("SFA"), 1.0), offa = r.real("OFFA");
    Pending pending{model_.tables.size(), {}, label, r.place()};
    bool by_number = false;
    for (std::size_t i = 0; i < r.rows(); ++i) {
      const double value = (r.real(i, 0) + offa) * sfa;
      if (!table.value.empty() && value <= table.value.back())
        build_.error("CR-D310", fmt::format("{}: value {} comes after {}", label, value, table.value.back()),
                     r.row_place(i));
      table.value.push_back(value);
      pending.curves.push_back(r.integer(i, 1));
      by_number |= r.integer(i, 1) != 0;
    }
    if (table.value.empty()) build_.error("CR-D310", fmt::format("{} has no values", label), r.place());
    if (!by_number) wanted_ = table.value.size(), pending.curves.clear();
    pending_.push_back(std::move(pending));
    if (!build_.tables.insert(table.id, static_cast<LocalId>(model_.tables.size())))
      build_.error("CR-D301", fmt::format("{} is defined twice", label), r.place());
    model_.tables.push_back(std::move(table));
  }

  void table_of_tables(const Record& r) {
    TableOfTables table;
    table.id = r.integer("TBID");
    const std::string label = fmt::format("*DEFINE_TABLE_3D {}", table.id);
    const double sfa = or_default(r.real("SFA"), 1.0), offa = r.real("OFFA");
    for (std::size_t i = 0; i < r.rows(); ++i) {
      const double value = (r.real(i, 0) + offa) * sfa;
      if (!table.value.empty() && value <= table.value.back())
        build_.error("CR-D310", fmt::format("{}: value {} comes after {}", label, value, table.value.back()),
                     r.row_place(i));
      table.value.push_back(value);
      table.table.push_back(
          build_.find(build_.tables, r.integer(i, 1), "CR-D304", "table", label, r.row_place(i)));
    }
    if (table.value.empty()) build_.error("CR-D310", fmt::format("{} has no values", label), r.place());
    const bool taken = build_.tables.contains(table.id) || build_.curves.contains(table.id);
    if (taken || find_table_of_tables(model_, table.id) != nullptr)
      return build_.error("CR-D301",
                          fmt::format("{} is defined twice, or is the number of a curve or table", label),
                          r.place());
    model_.features.of<TableOfTables>().push_back(std::move(table));
  }

  /// To be called when all curves are known.
  void resolve() {
    finish_followers();
    for (const Pending& p : pending_)
      for (const GlobalId id : p.curves)
        model_.tables[p.table].curve.push_back(build_.find_curve(id, p.label, p.place));
    for (const Curve& c : model_.curves)
      if (build_.tables.contains(c.id))
        build_.error("CR-D301", fmt::format("{} is the number of a curve and of a table", c.id), {});
  }

 private:
  struct Pending {
    std::size_t table;
    std::vector<GlobalId> curves;
    std::string label;
    Place place;
  };

  void follow(GlobalId curve) {
    if (wanted_ == 0) return;
    pending_.back().curves.push_back(curve);
    --wanted_;
  }

  void finish_followers() {
    if (wanted_ > 0)
      build_.error("CR-D310",
                   fmt::format("{}: {} more curves must follow it, one for each value", pending_.back().label,
                               wanted_),
                   pending_.back().place);
    wanted_ = 0;
  }

  Builder& build_;
  Model& model_;
  std::vector<Pending> pending_;
  std::size_t wanted_ = 0;
};

}  // namespace

void Builder::read_frames_and_boxes() {
  DefinitionReader reader(*this);
  for (const Keyword& k : deck.family("DEFINE_COORDINATE_")) reader.frames(k);
  for (const Keyword& k : deck.family("DEFINE_VECTOR")) reader.vector(k);
  for (const Keyword& k : deck.all("DEFINE_SD_ORIENTATION")) reader.orientation(k);
  for (const Keyword& k : deck.all("DEFINE_BOX")) reader.box(k);
}

void Builder::read_curves() {
  CurveReader reader(*this);
  for (const Keyword& k : deck.family("DEFINE_"))
    for (const Record& r : k.records()) {
      if (k.name() == "DEFINE_CURVE") reader.curve(k, r);
      if (k.name() == "DEFINE_CURVE_FUNCTION") reader.formula(r);
      if (k.name() == "DEFINE_CURVE_SMOOTH") reader.smooth(r);
      if (k.name() == "DEFINE_FUNCTION") reader.function(r);
      if (k.name() == "DEFINE_TABLE") reader.table(r);
    }
  reader.resolve();
  for (const Keyword& k : deck.all("DEFINE_TABLE_3D"))
    for (const Record& r : k.records()) reader.table_of_tables(r);
}

}  // namespace crumple::model
