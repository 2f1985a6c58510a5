// Reads *INCLUDE_STAMPED_PART and the dynain files that it names.
#include <algorithm>
#include <filesystem>
#include <map>

#include "deck/diagnostics.hpp"
#include "springback/stamped_part.hpp"

namespace crumple::springback {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

namespace {

/// A motion of the sheet as a rigid body: x' = to + Q (x - from).
struct Laying {
  Vec3 from, to;
  std::array<Vec3, 3> rows{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};  ///< of Q

  Vec3 turned(const Vec3& v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
  Vec3 placed(const Vec3& x) const { return to + turned(x - from); }
  /// Q s Q' of xx yy zz xy yz zx.
  void turn(double* s) const {
    const Vec3 columns[3]{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
    const auto product = [&](int i, int j) {
      const Vec3& a = rows[at(i)];
      const Vec3& b = rows[at(j)];
      return dot(a, b.x * columns[0] + b.y * columns[1] + b.z * columns[2]);
    };
    const double out[6]{product(0, 0), product(1, 1), product(2, 2),
                        product(0, 1), product(1, 2), product(2, 0)};
    std::copy_n(out, 6, s);
  }
};

/// Unit vectors: along the first two points, and normal to the plane of all; false if they are on a line.
bool frame_of(const std::array<Vec3, 3>& x, std::array<Vec3, 3>& axis) {
  const Vec3 along = x[1] - x[0], normal = cross(along, x[2] - x[0]);
  if (!(norm(normal) > 1e-12 * norm(along) * norm(x[2] - x[0]))) return false;
  axis[0] = (1.0 / norm(along)) * along;
  axis[2] = (1.0 / norm(normal)) * normal;
  axis[1] = cross(axis[2], axis[0]);
  return true;
}

class StampedReader {
 public:
  explicit StampedReader(Builder& build) : build_(build) {}

  std::vector<StampedPart> read() {
    std::vector<StampedPart> all;
    for (const Keyword& k : build_.deck.all("INCLUDE_STAMPED_PART"))
      for (const Record& r : k.records()) one(r, all);
    return all;
  }

 private:
  void one(const Record& r, std::vector<StampedPart>& all) {
    const std::string name = r.text("FILENAME");
    label_ = fmt::format("*INCLUDE_STAMPED_PART {}", name);
    const LocalId part = build_.find_part(r.integer("PID"), label_, r.place("PID"));
    const std::string path = found(name, r.place().file);
    if (path.empty())
      return build_.error("CR-D002", fmt::format("{}: there is no such file beside the deck", label_),
                          r.place());
    const deck::Deck sheet = deck::read_deck(path);
    for (const deck::Problem& problem : sheet.problems())
      if (problem.severity == deck::Severity::error)
        return build_.error("CR-D310", fmt::format("{}: {}", label_, deck::to_text(problem)), r.place());
    read_nodes(sheet);
    Laying laying;
    if (!find_laying(r, laying) || part == kNone) return;
    std::vector<StampedShell> shells = read_shells(sheet, laying);
    if (shells.empty())
      return build_.error("CR-D310", fmt::format("{}: it has no shells", label_), r.place());
    read_states(sheet, laying, shells);
    const auto stress = r.integer("STRESS");
    StampedPart of{.part = part,
                   .thickness = r.integer("THICK") == 0,
                   .plastic_strain = r.integer("PSTRN") == 0,
                   .strain = r.integer("STRAIN") == 0,
                   .stress = stress == 0,
                   .history = stress != 2,
                   .within = model::or_default(r.real("RMAX"), 20.0),
                   .thickness_scale = model::or_default(r.real("THKSCL"), 1.0),
                   .percent = r.real("PERCELE"),
                   .law = static_cast<int>(r.integer("MTYPE")),
                   .sheet = StampedSheet(std::move(shells)),
                   .label = label_,
                   .place = r.place()};
    check_law(of);
    all.push_back(std::move(of));
  }

  /// Beside the file that names it, beside the deck, or in the working directory.
  std::string found(const std::string& name, const std::string& by) const {
    namespace fs = std::filesystem;
    const fs::path given = name;
    for (const fs::path& folder :
         {fs::path(by).parent_path(), fs::path(build_.deck.files().front()).parent_path(), fs::path()}) {
      const fs::path path = given.is_absolute() ? given : folder / given;
      std::error_code ignored;
      if (fs::is_regular_file(path, ignored)) return path.string();
    }
    return {};
  }

  void read_nodes(const deck::Deck& sheet) {
    nodes_.clear();
    const model::BulkRows rows(sheet.bulk("NODE"));
    const auto* const id = rows.integers("NID");
    const auto *const x = rows.reals("X"), *const y = rows.reals("Y"), *const z = rows.reals("Z");
    for (std::size_t i = 0; id != nullptr && i < rows.size(); ++i)
      nodes_[(*id)[i]] = {(*x)[i], (*y)[i], (*z)[i]};
  }

  /// @returns whether it is known; errors are reported
  bool find_laying(const Record& r, Laying& laying) {
    constexpr std::array<const char*, 3> sheet{"N1S", "N2S", "N3S"}, crash{"N1C", "N2C", "N3C"};
    std::array<Vec3, 3> from, to, axis_from, axis_to;
    int given = 0;
    for (std::size_t k = 0; k < 3; ++k) given += (r.integer(sheet[k]) != 0) + (r.integer(crash[k]) != 0);
    if (given == 0) return true;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto of_sheet = nodes_.find(r.integer(sheet[k]));
      const LocalId n = build_.find_node(r.integer(crash[k]), label_, r.place(crash[k]));
      if (of_sheet == nodes_.end())
        build_.error("CR-D303", fmt::format("{}: the file has no node {}", label_, r.integer(sheet[k])),
                     r.place(sheet[k]));
      if (of_sheet == nodes_.end() || n == kNone) return false;
      from[k] = of_sheet->second;
      to[k] = build_.model.nodes.x[at(n)];
    }
    if (!frame_of(from, axis_from) || !frame_of(to, axis_to)) {
      build_.error("CR-D310", fmt::format("{}: three nodes that lay it on the part are on a line", label_),
                   r.place("N1S"));
      return false;
    }
    laying.from = from[0], laying.to = to[0];
    for (int i = 0; i < 3; ++i) {
      laying.rows[at(i)] = {};
      for (std::size_t k = 0; k < 3; ++k) laying.rows[at(i)] += axis_to[k][i] * axis_from[k];
    }
    return true;
  }

  std::vector<StampedShell> read_shells(const deck::Deck& sheet, const Laying& laying) {
    std::vector<StampedShell> shells;
    index_.clear();
    for (const std::string& table : sheet.bulk_names("ELEMENT_SHELL")) {
      const model::BulkRows rows(sheet.bulk(table));
      const auto* const id = rows.integers("EID");
      std::array<const std::vector<GlobalId>*, 4> corner{};
      std::array<const std::vector<double>*, 4> thick{};
      for (std::size_t a = 0; a < 4; ++a) {
        corner[a] = rows.integers(fmt::format("N{}", a + 1));
        thick[a] = rows.reals(fmt::format("THIC{}", a + 1));
      }
      for (std::size_t i = 0; id != nullptr && i < rows.size(); ++i) {
        StampedShell shell;
        shell.id = (*id)[i];
        bool whole = true;
        for (std::size_t a = 0; a < 4; ++a) {
          const GlobalId number = corner[a] != nullptr ? (*corner[a])[i] : 0;
          const auto node = nodes_.find(a == 3 && number == 0 ? (*corner[2])[i] : number);
          whole = whole && node != nodes_.end();
          if (whole) shell.x[a] = laying.placed(node->second);
          if (thick[a] != nullptr) shell.thickness += 0.25 * (*thick[a])[i];
        }
        const Vec3 normal =
            cross(shell.x[2] - shell.x[0],
                  shell.x[3] == shell.x[2] ? shell.x[2] - shell.x[1] : shell.x[3] - shell.x[1]);
        if (!whole || !(norm(normal) > 0.0)) continue;
        shell.normal = (1.0 / norm(normal)) * normal;
        index_[shell.id] = shells.size();
        shells.push_back(std::move(shell));
      }
    }
    return shells;
  }

  void read_states(const deck::Deck& sheet, const Laying& laying, std::vector<StampedShell>& shells) {
    const auto each = [&](const char* name, auto&& take) {
      for (const Keyword& k : sheet.all(name))
        for (const Record& r : k.records())
          if (const auto at = index_.find(r.integer("EID/SID")); at != index_.end())
            take(r, shells[at->second]);
    };
    each("INITIAL_STRESS_SHELL", [&](const Record& r, StampedShell& shell) {
      shell.stress = shell_stress(r);
      for (GivenStress::Point& point : shell.stress->points) laying.turn(point.values.data());
      if (shell.stress->points.empty()) shell.stress.reset();
    });
    each("INITIAL_STRAIN_SHELL", [&](const Record& r, StampedShell& shell) {
      shell.strains = surface_strains(r);
      for (std::size_t side = 0; side < 2; ++side) laying.turn(&shell.strains[6 * side]);
    });
  }

  void check_law(const StampedPart& of) const {
    const LocalId material = build_.model.parts[at(of.part)].material;
    if (of.law == 0 || material == kNone || build_.model.materials[at(material)].law == of.law) return;
    build_.error("CR-D310",
                 fmt::format("{}: MTYPE = {}, but part {} has *{}", of.label, of.law,
                             build_.model.parts[at(of.part)].id, build_.model.materials[at(material)].name),
                 of.place);
  }

  Builder& build_;
  std::string label_;
  std::map<GlobalId, Vec3> nodes_;
  std::map<GlobalId, std::size_t> index_;  ///< of shells
};

}  // namespace

std::vector<StampedPart> read_stamped_parts(Builder& build) { return StampedReader(build).read(); }

}  // namespace crumple::springback
