// The blocks of dynain: which rows a rank has, and their cards.
//
// Cards are those of the LS-DYNA keyword manual, stresses in the large format (LARGE = 1). Shells' stresses
// are in global axes, as the keywords want them.
#include "output/dynain/dynain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "elements/beam/layout.hpp"
#include "materials/wrappers/preload.hpp"
#include "model/element_rows.hpp"
#include "model/resultant_beams.hpp"
#include "output/dynain/card_lines.hpp"
#include "output/dynain/ordered_lines.hpp"
#include "output/stress_factor.hpp"
#include "springback/request.hpp"

namespace crumple::output {

using model::ElementKind;
using model::kNone;
using springback::Request;
using state::GroupView;

namespace {

/// An element's place in its group; no group: it is rigid.
struct InGroup {
  const GroupView* group = nullptr;
  std::int32_t e = 0;
};

/// Writes numbers in lines of five.
class FiveInLine {
 public:
  explicit FiveInLine(CardLines& cards) : cards_(cards) {}
  void put(double value) {
    if (count_ == 5) end();
    cards_.real(value);
    ++count_;
  }
  void end() {
    if (count_ > 0) cards_.end();
    count_ = 0;
  }

 private:
  CardLines& cards_;
  int count_ = 0;
};

class Dynain {
 public:
  Dynain(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
         const ResultsView& results, const Request& request, const std::string& path)
      : m_(subdomain.model),
        order_(subdomain.nodes.global()),
        results_(results),
        request_(request),
        wanted_(m_.parts.size(), 0),
        lines_(comm, path) {
    for (const LocalId part : request.parts) wanted_[at(part)] = 1;
    for (const GroupView& g : results.elements()) {
      auto& places = places_[g.kind()];
      for (std::int32_t e = 0; e < g.count; ++e) {
        const auto element = at(g.element[std::size_t(e)]);
        if (places.size() <= element) places.resize(element + 1);
        places[element] = {&g, e};
      }
    }
  }

  void write(const std::string& program) {
    const CycleTimes now = results_.cycle();
    lines_.text(fmt::format("*KEYWORD\n$ final state of a run, by {}\n$ time {}, cycle {}\n", program,
                            real_in_20(now.time), now.cycle));
    nodes();
    shells(false);
    shells(true);
    solids();
    for (const bool thickness : {false, true})
      for (const bool joins : {false, true}) beams(thickness, joins);
    stresses(ElementKind::shell, "*INITIAL_STRESS_SHELL +");
    stresses(ElementKind::solid, "*INITIAL_STRESS_SOLID +");
    stresses(ElementKind::beam, "*INITIAL_STRESS_BEAM +");
    if (results_.strains() != nullptr) strains();
    constraints();
    lines_.text("*END\n");
    lines_.close();
  }

 private:
  InGroup place(ElementKind kind, std::size_t element) const {
    const auto found = places_.find(kind);
    return found == places_.end() || element >= found->second.size() ? InGroup{} : found->second[element];
  }

  /// Whether an element is in the file: of a part that is asked for, and not deleted.
  bool is_in(ElementKind kind, const std::vector<LocalId>& part, std::size_t element) const {
    if (!wanted_[at(part[element])]) return false;
    const InGroup p = place(kind, element);
    return p.group == nullptr || p.group->is_alive(p.e);
  }

  void nodes() {
    std::vector<char> used(m_.nodes.size(), request_.all_nodes ? 1 : 0);
    const auto mark = [&](ElementKind kind, const auto& elements, std::size_t corners) {
      for (std::size_t e = 0; e < elements.size(); ++e)
        if (is_in(kind, elements.part, e))
          model::each_node(elements, e, corners, [&](LocalId n) { used[at(n)] = 1; });
    };
    mark(ElementKind::shell, m_.shells, 4);
    mark(ElementKind::solid, m_.solids, 8);
    mark(ElementKind::beam, m_.beams, 2);
    std::vector<std::size_t> here;
    for (std::size_t n = 0; n < used.size(); ++n)
      if (used[n]) here.push_back(n);
    std::ranges::sort(here, {}, [&](std::size_t n) { return order_[n]; });
    std::vector<GlobalId> positions;
    for (const std::size_t n : here) positions.push_back(order_[n]);
    const NodeView nodes = results_.nodes();
    lines_.block("*NODE +", positions, [&](std::size_t row, std::string& to) {
      CardLines cards(to);
      const Vec3& x = nodes.x[here[row]];
      cards.integer(nodes.id[here[row]]);
      for (int i = 0; i < 3; ++i) cards.real(x[i]);
      cards.end();
    });
  }

  /// @param offset those of parts in which some shells have an offset of their own
  void shells(bool offset) {
    const model::Shells& s = m_.shells;
    lines_.block(offset ? "*ELEMENT_SHELL_THICKNESS_OFFSET +" : "*ELEMENT_SHELL_THICKNESS +", s.order,
                 [&](std::size_t e, std::string& to) {
                   const model::Part& part = m_.parts[at(s.part[e])];
                   if (part.own_offsets != offset || !is_in(ElementKind::shell, s.part, e)) return;
                   CardLines cards(to);
                   begin_element(cards, s.id[e], part, s.nodes[e], 4);
                   for (const double t : thickness(e)) cards.real(t);
                   cards.end();
                   if (!offset) return;
                   cards.real(s.offset[e]);
                   cards.end();
                 });
  }

  std::array<double, 4> thickness(std::size_t e) const {
    const InGroup p = place(ElementKind::shell, e);
    std::array<double, 4> t{};
    if (p.group != nullptr) {
      t.fill(p.group->variable(p.e, p.group->layout.thickness));
      return t;
    }
    const model::Section& section = m_.sections[at(m_.parts[at(m_.shells.part[e])].section)];
    for (std::size_t a = 0; a < 4; ++a) {
      const double own = m_.shells.thickness.empty() ? 0.0 : m_.shells.thickness[e][a];
      t[a] = own > 0 ? own : section.thickness[a];
    }
    return t;
  }

  template <std::size_t N>
  void begin_element(CardLines& cards, GlobalId id, const model::Part& part,
                     const std::array<LocalId, N>& nodes, std::size_t corners) const {
    cards.integer(id);
    cards.integer(part.id);
    for (std::size_t a = 0; a < corners; ++a) cards.integer(m_.nodes.id[at(nodes[a])]);
    cards.end();
  }

  /// Solids have a line for the numbers and one for the nodes, eight or ten.
  void solids() {
    const model::Solids& s = m_.solids;
    lines_.block("*ELEMENT_SOLID +", s.order, [&](std::size_t e, std::string& to) {
      if (!is_in(ElementKind::solid, s.part, e)) return;
      CardLines cards(to);
      begin_element(cards, s.id[e], m_.parts[at(s.part[e])], s.nodes[e], 0);
      const std::size_t corners = s.has_middle(e) ? 4 : 8;
      model::each_node(s, e, corners, [&](LocalId n) { cards.integer(m_.nodes.id[at(n)]); });
      cards.end();
    });
  }

  /// The axes of beams have moved with them, so they are written in place of the third node.
  void beams(bool thickness, bool joins) {
    const model::Beams& b = m_.beams;
    const auto keyword =
        fmt::format("*ELEMENT_BEAM{}{}_ORIENTATION +", thickness ? "_THICKNESS" : "", joins ? "_PID" : "");
    lines_.block(keyword, b.order, [&](std::size_t e, std::string& to) {
      const LocalId section = b.section.empty() ? kNone : b.section[e];
      const bool joined = !b.joins.empty() && (b.joins[e][0] != kNone || b.joins[e][1] != kNone);
      if ((section != kNone) != thickness || joined != joins || !is_in(ElementKind::beam, b.part, e)) return;
      CardLines cards(to);
      begin_element(cards, b.id[e], m_.parts[at(b.part[e])], b.nodes[e], 2);
      if (thickness) own_section(cards, m_.sections[at(section)]);
      if (joins) {
        for (const LocalId part : b.joins[e]) cards.integer(part == kNone ? 0 : m_.parts[at(part)].id);
        cards.end();
      }
      const Vec3 axis = section_axis(e);
      for (int i = 0; i < 3; ++i) cards.real(axis[i]);
      cards.end();
    });
  }

  static void own_section(CardLines& cards, const model::Section& s) {
    const bool sizes = s.elform == 1 || s.elform == 4 || s.elform == 5 || s.elform == 9;
    const std::array<double, 5> values = sizes ? std::array{s.ts[0], s.ts[1], s.tt[0], s.tt[1], 0.0}
                                               : std::array{s.area, s.iss, s.itt, s.j, s.shear_area};
    for (const double value : values) cards.real(value);
    cards.end();
  }

  Vec3 section_axis(std::size_t e) const {
    const InGroup p = place(ElementKind::beam, e);
    Vec3 axis;
    if (p.group != nullptr) {
      for (int i = 0; i < 3; ++i) axis[i] = p.group->variable(p.e, elements::beam::kAxis + i);
      return axis;
    }
    if (!m_.beams.direction.empty() && norm(m_.beams.direction[e]) > 0) return m_.beams.direction[e];
    const auto& n = m_.beams.nodes[e];
    const NodeView nodes = results_.nodes();
    return n[2] == kNone ? axis : nodes.x[at(n[2])] - nodes.x[at(n[0])];
  }

  void stresses(ElementKind kind, const char* keyword) {
    const model::ElementRows rows = model::rows_of(m_, kind);
    lines_.block(keyword, rows.order, [&](std::size_t e, std::string& to) {
      const InGroup p = place(kind, e);
      if (p.group == nullptr || !wanted_[at(rows.part[e])] || !p.group->is_alive(p.e)) return;
      if (p.group->ready.parameters.law.row->null || p.group->layout.n_points == 0) return;
      CardLines cards(to);
      if (kind == ElementKind::shell) return shell_stress(cards, rows.id[e], p);
      if (kind == ElementKind::beam && model::is_resultant_beam(p.group->ready.formulation->elform)) return;
      stress_without_height(cards, rows.id[e], p);
    });
  }

  int history_of(const GroupView& g) const {
    const elements::GroupParameters& group = g.ready.parameters;
    const materials::PreloadLaw* const preload = materials::preload_of(group.law);
    return std::clamp(request_.history, 0, preload ? preload->law_history : group.n_history);
  }

  /// For each layer the points in the plane.
  void shell_stress(CardLines& cards, GlobalId id, const InGroup& p) const {
    const GroupView& g = *p.group;
    const int layers = static_cast<int>(g.ready.parameters.layers.size());
    const int planes = g.layout.n_points / layers, history = history_of(g);
    for (const GlobalId field :
         {id, GlobalId(planes), GlobalId(layers), GlobalId(history), GlobalId(0), GlobalId(1)})
      cards.integer(field);
    cards.end();
    const std::array<Vec3, 4> x = corners(p);
    for (int layer = 0; layer < layers; ++layer)
      for (int plane = 0; plane < planes; ++plane) {
        const int point = (plane * layers + layer) * g.layout.point_stride;
        FiveInLine line(cards);
        line.put(g.ready.parameters.layers[std::size_t(layer)].zeta);
        for (const double s : global_stress(p, point, x.data())) line.put(s);
        line.put(g.variable(p.e, g.layout.plastic_strain + point));
        line.end();
        for (int h = 0; h < history; ++h) line.put(g.variable(p.e, g.layout.history + point + h));
        line.end();
      }
  }

  void stress_without_height(CardLines& cards, GlobalId id, const InGroup& p) const {
    const GroupView& g = *p.group;
    const int history = history_of(g), points = g.layout.n_points;
    cards.integer(id);
    if (g.kind() == ElementKind::solid) {
      for (const int field : {points, history, 1}) cards.integer(field);
    } else {
      constexpr int rule = 2;  // the points are those of the section
      for (const int field : {rule, points, 1, 1, history}) cards.integer(field);
    }
    cards.end();
    for (int k = 0; k < points; ++k) {
      const int point = k * g.layout.point_stride;
      FiveInLine line(cards);
      for (const double s : global_stress(p, point, nullptr)) line.put(s);
      line.put(g.variable(p.e, g.layout.plastic_strain + point));
      for (int h = 0; h < history; ++h) line.put(g.variable(p.e, g.layout.history + point + h));
      line.end();
    }
  }

  std::array<Vec3, 4> corners(const InGroup& p) const {
    const NodeView nodes = results_.nodes();
    std::array<Vec3, 4> x{};
    for (int a = 0; a < p.group->ready.formulation->n_nodes; ++a)
      x[std::size_t(a)] = nodes.x[at(p.group->node(p.e, a))];
    return x;
  }

  static std::array<double, 6> global_stress(const InGroup& p, int point, const Vec3* x) {
    const GroupView& g = *p.group;
    std::array<double, 6> local{}, global{};
    for (int c = 0; c < 6; ++c)
      local[std::size_t(c)] = stress_factor(g, c) * g.variable(p.e, g.layout.stress + point + c);
    if (x == nullptr || g.ready.formulation->to_global == nullptr) return local;
    g.ready.formulation->to_global(x, local.data(), global.data());
    return global;
  }

  /// At both surfaces of shells, which have one strain in the plane; at the centre of solids.
  void strains() {
    const state::Strains& all = *results_.strains();
    lines_.block("*INITIAL_STRAIN_SHELL +", m_.shells.order, [&](std::size_t e, std::string& to) {
      const InGroup p = place(ElementKind::shell, e);
      if (p.group == nullptr || !wanted_[at(m_.shells.part[e])] || !p.group->is_alive(p.e)) return;
      CardLines cards(to);
      for (const GlobalId field : {m_.shells.id[e], GlobalId(1), GlobalId(2), GlobalId(1)})
        cards.integer(field);
      cards.end();
      const std::array<Vec3, 4> x = corners(p);
      for (const state::Surface surface : {state::Surface::inner, state::Surface::outer}) {
        const std::array<double, 6> local = all.shell(*p.group, p.e, surface);
        std::array<double, 6> global{};
        p.group->ready.formulation->to_global(x.data(), local.data(), global.data());
        FiveInLine line(cards);
        for (const double component : global) line.put(component);
        line.put(surface == state::Surface::inner ? -1.0 : 1.0);
        line.end();
      }
    });
    lines_.block("*INITIAL_STRAIN_SOLID +", m_.solids.order, [&](std::size_t e, std::string& to) {
      const InGroup p = place(ElementKind::solid, e);
      if (p.group == nullptr || !wanted_[at(m_.solids.part[e])] || !p.group->is_alive(p.e)) return;
      CardLines cards(to);
      cards.integer(m_.solids.id[e]);
      cards.end();
      for (const double component : all.solid(LocalId(e))) cards.real(component);
      cards.end();
    });
  }

  void constraints() {
    if (request_.held.empty()) return;
    std::string text = "*BOUNDARY_SPC_NODE +\n";
    CardLines cards(text);
    for (const springback::HeldNode& held : request_.held) {
      cards.integer(held.node);
      cards.integer(0);
      for (const int mask : {held.translations, held.rotations})
        for (const int bit : {1, 2, 4}) cards.integer((mask & bit) != 0 ? 1 : 0);
      cards.end();
    }
    lines_.text(text);
  }

  const model::Model& m_;
  std::span<const GlobalId> order_;  ///< of the rank's nodes
  const ResultsView& results_;
  const Request& request_;
  std::vector<char> wanted_;                            ///< by part
  std::map<ElementKind, std::vector<InGroup>> places_;  ///< by element of the rank's model
  OrderedLines lines_;
};

}  // namespace

bool write_dynain(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                  const ResultsView& results, const std::string& path, const std::string& program) {
  const auto& requests = subdomain.model.features.of<Request>();
  if (requests.empty()) return false;
  Dynain(comm, subdomain, results, requests.front(), path).write(program);
  return true;
}

}  // namespace crumple::output
