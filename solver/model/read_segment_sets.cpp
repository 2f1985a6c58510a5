// *SET_SEGMENT: segments by their nodes, or as the outer faces of parts, element sets and boxes.
#include <algorithm>

#include "model/set_members.hpp"
#include "model/solid_faces.hpp"

namespace crumple::model {
namespace {

using Segments = std::vector<std::array<LocalId, 4>>;

class SegmentSetReader {
 public:
  explicit SegmentSetReader(Builder& build) : build_(build) {}

  void read() {
    for (const char* name : {"SET_SEGMENT", "SET_SEGMENT_GENERAL"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) {
          label_ = fmt::format("{} {}", Builder::star(k), r.integer("SID"));
          Segments segments;
          for (std::size_t row = 0; row < r.rows(); ++row)
            k.name() == "SET_SEGMENT" ? listed(r, row, 0, segments) : general(r, row, segments);
          store(r.integer("SID"), std::move(segments), k.suffix("COLLECT"), r.place());
        }
    for (const Keyword& k : build_.deck.all("SET_SEGMENT_ADD"))
      for (const Record& r : k.records()) add(k, r);
  }

 private:
  /// Nodes from column `first` on; a triangle has no fourth.
  void listed(const Record& r, std::size_t row, std::size_t first, Segments& segments) {
    std::array<LocalId, 4> segment{};
    bool whole = true;
    for (std::size_t a = 0; a < 4; ++a) {
      const GlobalId given = r.integer(row, first + a);
      const GlobalId id = given == 0 && a == 3 ? r.integer(row, first + 2) : given;
      whole &= (segment[a] = build_.find_node(id, label_, r.row_place(row))) != kNone;
    }
    if (whole) segments.push_back(segment);
  }

  void add(const Keyword& k, const Record& r) {
    label_ = fmt::format("{} {}", Builder::star(k), r.integer("SID"));
    Segments segments;
    for (std::size_t row = 0; row < r.rows(); ++row)
      for (std::size_t c = 0; c < 8; ++c)
        if (const GlobalId id = r.integer(row, c); id != 0) append(id, r.row_place(row), segments);
    store(r.integer("SID"), std::move(segments), k.suffix("COLLECT"), r.place());
  }

  void append(GlobalId set, const Place& place, Segments& segments) {
    const LocalId at = build_.find(build_.segment_sets, set, "CR-D305", "segment set", label_, place);
    if (at == kNone) return;
    const Segments other = build_.model.sets.segments[static_cast<std::size_t>(at)].segments;
    segments.insert(segments.end(), other.begin(), other.end());
  }

  void store(GlobalId id, Segments segments, bool collect, const Place& place) {
    auto& sets = build_.model.sets.segments;
    if (build_.segment_sets.insert(id, static_cast<LocalId>(sets.size()))) {
      sets.push_back({id, std::move(segments)});
    } else if (collect) {
      Segments& there = sets[static_cast<std::size_t>(build_.segment_sets.find(id))].segments;
      there.insert(there.end(), segments.begin(), segments.end());
    } else {
      build_.error("CR-D301", fmt::format("{} is defined twice", label_), place);
    }
  }

  void general(const Record& r, std::size_t row, Segments& segments) {
    std::string option = r.text(row, 0);
    std::transform(option.begin(), option.end(), option.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    const bool remove = option.size() > 1 && option[0] == 'D';
    const std::string what = remove ? option.substr(1) : option;
    Segments chosen;
    if (what == "ALL") {
      outside([](ElementKind, LocalId) { return true; }, chosen);
    } else if (!row_names_any(r, row)) {
      return build_.warn("CR-D330", fmt::format("{}: option {} has no entities", label_, option),
                         r.row_place(row));
    } else if (what == "SEG") {
      listed(r, row, 1, chosen);
    } else {
      // The columns from the fourth on are attributes of the segments, which are not used.
      for (std::size_t c = 1; c < 4; ++c)
        if (const GlobalId e = r.integer(row, c); e != 0 && !choose(what, e, r.row_place(row), chosen))
          return build_.unsupported(fmt::format("{}: option {} is not supported", label_, option),
                                    r.row_place(row));
    }
    remove ? take_away(segments, chosen)
           : void(segments.insert(segments.end(), chosen.begin(), chosen.end()));
  }

  bool choose(const std::string& what, GlobalId e, const Place& place, Segments& chosen) {
    if (what == "PART")
      of_parts({build_.find_part(e, label_, place)}, chosen);
    else if (what == "SET_PART") {
      if (const PartSet* const set = build_.find_part_set(e, label_, place)) of_parts(set->parts, chosen);
    } else if (what == "SHELL")
      of_elements(ElementKind::shell, {build_.find(build_.shells, e, "CR-D302", "shell", label_, place)},
                  chosen);
    else if (what == "SOLID")
      of_elements(ElementKind::solid, {build_.find(build_.solids, e, "CR-D302", "solid", label_, place)},
                  chosen);
    else if (what == "SET_SHELL") {
      const LocalId at = build_.find(build_.shell_sets, e, "CR-D305", "shell set", label_, place);
      if (at != kNone)
        of_elements(ElementKind::shell, build_.model.sets.shells[static_cast<std::size_t>(at)].shells,
                    chosen);
    } else if (what == "SET_SOLID") {
      const LocalId at = build_.find(build_.solid_sets, e, "CR-D305", "solid set", label_, place);
      if (at != kNone)
        of_elements(ElementKind::solid, build_.model.sets.solids[static_cast<std::size_t>(at)].elements,
                    chosen);
    } else if (what == "SET_SEGMENT")
      append(e, place, chosen);
    else if (what == "BOX" || what == "BOX_SHELL" || what == "BOX_SOLID")
      in_box(what, e, place, chosen);
    else
      return false;
    return true;
  }

  void of_parts(const std::vector<LocalId>& parts, Segments& chosen) {
    outside(
        [&](ElementKind kind, LocalId e) {
          const auto i = static_cast<std::size_t>(e);
          const LocalId part =
              kind == ElementKind::shell ? build_.model.shells.part[i] : build_.model.solids.part[i];
          return std::find(parts.begin(), parts.end(), part) != parts.end();
        },
        chosen);
  }

  void of_elements(ElementKind kind, std::vector<LocalId> elements, Segments& chosen) {
    std::sort(elements.begin(), elements.end());
    outside([&](ElementKind k,
                LocalId e) { return k == kind && std::binary_search(elements.begin(), elements.end(), e); },
            chosen);
  }

  void in_box(const std::string& what, GlobalId id, const Place& place, Segments& chosen) {
    const Box* const box = build_.find_box(id, label_, place);
    if (!box) return;
    Segments all;
    outside([&](ElementKind kind,
                LocalId) { return what == "BOX" || (what == "BOX_SHELL") == (kind == ElementKind::shell); },
            all);
    for (const auto& segment : all)
      if (std::all_of(segment.begin(), segment.end(), [&](LocalId n) {
            return box->contains(build_.model.nodes.x[static_cast<std::size_t>(n)]);
          }))
        chosen.push_back(segment);
  }

  /// Shells, and outer faces of the model's solids, of the selected elements.
  template <class Wanted>
  void outside(Wanted&& wanted, Segments& segments) {
    const Model& m = build_.model;
    for (std::size_t e = 0; e < m.shells.size(); ++e)
      if (wanted(ElementKind::shell, static_cast<LocalId>(e))) segments.push_back(m.shells.nodes[e]);
    if (!faces_) faces_ = exterior_faces(m);
    for (const SolidFace& face : *faces_)
      if (wanted(ElementKind::solid, face.solid)) segments.push_back(face.nodes);
  }

  static void take_away(Segments& from, const Segments& away) {
    std::set<std::array<LocalId, 4>> keys;
    for (const auto& segment : away) keys.insert(face_key(segment));
    std::erase_if(from, [&](const auto& segment) { return keys.contains(face_key(segment)); });
  }

  Builder& build_;
  std::string label_;
  std::optional<std::vector<SolidFace>> faces_;
};

}  // namespace

void Builder::read_segment_sets() { SegmentSetReader(*this).read(); }

}  // namespace crumple::model
