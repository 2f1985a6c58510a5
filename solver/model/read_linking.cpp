// *INTERFACE_LINKING_NODE, _DISCRETE_NODE: nodes that follow an interface file
// (output/interface_file/interface_component.hpp).
//
// A node follows the node of the interface that was at its place at the start: its displacements along x, y
// and z are prescribed by curves through those of the file, straight in between.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "model/builder.hpp"
#include "output/interface_file/interface_component.hpp"

namespace crumple::model {

namespace {

struct InterfaceMotion {
  std::vector<double> times;
  std::map<GlobalId, std::vector<Vec3>> places;  ///< by node, at the times
  std::vector<std::array<GlobalId, 4>> segments;
};

/// A point of the interface: nodes with their weights.
struct InterfacePoint {
  double distance = -1.0;  ///< -1: none
  std::array<GlobalId, 3> nodes{};
  std::array<double, 3> weights{};
};

/// Weights of the corners at the point of a triangle that is nearest to x (Ericson 2005, "Real-Time Collision
/// Detection", section 5.1.5).
std::array<double, 3> nearest_weights(const Vec3& x, const std::array<Vec3, 3>& c) {
  const Vec3 ab = c[1] - c[0], ac = c[2] - c[0], a = x - c[0], b = x - c[1], d = x - c[2];
  const double d1 = dot(ab, a), d2 = dot(ac, a), d3 = dot(ab, b), d4 = dot(ac, b), d5 = dot(ab, d),
               d6 = dot(ac, d);
  if (d1 <= 0.0 && d2 <= 0.0) return {1.0, 0.0, 0.0};
  if (d3 >= 0.0 && d4 <= d3) return {0.0, 1.0, 0.0};
  if (d6 >= 0.0 && d5 <= d6) return {0.0, 0.0, 1.0};
  const double wc = d1 * d4 - d3 * d2, wb = d5 * d2 - d1 * d6, wa = d3 * d6 - d5 * d4;
  const auto edge = [](double from, double to) { return from / (from - to); };
  if (wc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {1.0 - edge(d1, d3), edge(d1, d3), 0.0};
  if (wb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {1.0 - edge(d2, d6), 0.0, edge(d2, d6)};
  if (wa <= 0.0 && d4 >= d3 && d5 >= d6) {
    const double s = edge(d4 - d3, d6 - d5);
    return {0.0, 1.0 - s, s};
  }
  const double sum = wa + wb + wc;
  return {wa / sum, wb / sum, wc / sum};
}

bool read_segments(std::istream& file, const std::string& line, std::map<GlobalId, InterfaceMotion>& all) {
  std::istringstream head(line);
  std::string word;
  GlobalId id = 0;
  std::size_t count = 0;
  head >> word >> id >> count;
  const auto motion = all.find(id);
  if (head.fail() || motion == all.end()) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<GlobalId, 4>& s = motion->second.segments.emplace_back();
    for (GlobalId& node : s)
      if (!(file >> node) || !motion->second.places.contains(node)) return false;
  }
  return true;
}

/// All interfaces of a file; empty and a text if it is not one.
std::map<GlobalId, InterfaceMotion> read_interface_file(const std::string& path, std::string& problem) {
  std::ifstream file(path);
  std::map<GlobalId, InterfaceMotion> all;
  std::string line, word;
  while (std::getline(file, line)) {
    if (line.starts_with(output::kSegmentsLine) && !read_segments(file, line, all)) {
      problem = "its list of segments is not complete";
      return {};
    }
    if (!line.starts_with(output::kInterfaceLine)) continue;
    std::istringstream head(line);
    GlobalId id = 0;
    std::size_t count = 0;
    double time = 0.0;
    head >> word >> id >> word >> count >> word >> time;
    InterfaceMotion& motion = all[id];
    bool good = !head.fail() && (motion.times.empty() || time > motion.times.back());
    motion.times.push_back(time);
    for (std::size_t i = 0; good && i < count; ++i) {
      GlobalId node = 0;
      Vec3 x;
      good = static_cast<bool>(file >> node >> x.x >> x.y >> x.z);
      std::vector<Vec3>& places = motion.places[node];
      good = good && places.size() + 1 == motion.times.size();
      places.push_back(x);
    }
    if (!good) {
      problem = fmt::format("the block of interface {} at time {} is not complete", id, time);
      return {};
    }
  }
  if (all.empty()) problem = "it has no interfaces";
  return all;
}

class LinkReader {
 public:
  explicit LinkReader(Builder& build) : build_(build) {}

  void read() {
    for (const char* const name :
         {"INTERFACE_LINKING_NODE_SET", "INTERFACE_LINKING_NODE_NODE", "INTERFACE_LINKING_DISCRETE_NODE_SET",
          "INTERFACE_LINKING_DISCRETE_NODE_NODE", "INTERFACE_LINKING_SEGMENT"})
      for (const Keyword& k : build_.deck.all(name))
        for (const Record& r : k.records()) link(k, r);
  }

 private:
  void link(const Keyword& k, const Record& r) {
    label_ = Builder::star(k);
    const std::vector<LocalId> nodes = linked_nodes(k, r);
    const GlobalId id = r.integer("IFID");
    const InterfaceMotion* const motion = interface_of(r, id);
    if (motion == nullptr) return;
    const bool discrete = k.name().starts_with("INTERFACE_LINKING_DISCRETE_");  // has no further fields
    const double death = discrete ? kMotionNeverEnds : or_default(r.real("DEATH"), kMotionNeverEnds);
    if (k.name().starts_with("INTERFACE_LINKING_NODE_")) r.integer("SPLINE");  // 0 and 1: straight
    const bool by_segments = k.name() == "INTERFACE_LINKING_SEGMENT";
    for (const LocalId n : nodes) {
      const Vec3& x = build_.model.nodes.x[at(n)];
      const InterfacePoint point = by_segments ? nearest_point(x, *motion) : nearest_node(x, *motion);
      if (point.distance < 0.0 || point.distance > kNear * size_of(*motion))
        return build_.error("CR-D310",
                            fmt::format("{}: node {} is not at interface {} at its start", label_,
                                        build_.model.nodes.id[at(n)], id),
                            r.place());
      follow(n, *motion, point, death);
    }
  }

  std::vector<LocalId> linked_nodes(const Keyword& k, const Record& r) {
    if (k.name().ends_with("_NODE_SET")) {
      const NodeSet* const set = build_.find_node_set(r.integer("NSID"), label_, r.place("NSID"));
      return set != nullptr ? set->nodes : std::vector<LocalId>{};
    }
    if (k.name() == "INTERFACE_LINKING_SEGMENT") return nodes_of_segments(r);
    const LocalId n = build_.find_node(r.integer("NID"), label_, r.place("NID"));
    return n == kNone ? std::vector<LocalId>{} : std::vector{n};
  }

  const InterfaceMotion* interface_of(const Record& r, GlobalId id) {
    if (!read_) {
      read_ = true;
      read_file(r);
    }
    if (failed_) return nullptr;
    const auto found = all_.find(id);
    if (found != all_.end()) return &found->second;
    build_.error("CR-D310", fmt::format("{}: the interface file has no interface {}", label_, id),
                 r.place("IFID"));
    return nullptr;
  }

  /// The last *INTERFACE_LINKING_FILE: beside the deck, or in the working directory; without one infmak.
  void read_file(const Record& by) {
    std::string name(output::kInterfaceFile);
    for (const Keyword& k : build_.deck.all("INTERFACE_LINKING_FILE"))
      for (const Record& r : k.records()) name = r.text("FILENAME");
    namespace fs = std::filesystem;
    fs::path path = fs::path(build_.deck.files().front()).parent_path() / name;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) path = name;
    std::string problem = fmt::format("there is no file {} beside the deck", name);
    if (fs::is_regular_file(path, ignored)) {
      problem.clear();
      all_ = read_interface_file(path.string(), problem);
    }
    failed_ = !problem.empty();
    if (failed_) build_.error("CR-D310", fmt::format("{}: {}", label_, problem), by.place());
  }

  std::vector<LocalId> nodes_of_segments(const Record& r) {
    std::vector<LocalId> nodes;
    const LocalId set = build_.find(build_.segment_sets, r.integer("SSID"), "CR-D305", "segment set", label_,
                                    r.place("SSID"));
    if (set == kNone) return nodes;
    for (const auto& segment : build_.model.sets.segments[at(set)].segments)
      nodes.insert(nodes.end(), segment.begin(), segment.end());
    build_.sort_nodes(nodes);
    return nodes;
  }

  static constexpr double kNear = 1e-3;  ///< of the size of an interface

  static double size_of(const InterfaceMotion& motion) {
    double size = 0.0;
    for (const auto& [node, places] : motion.places)
      size = std::max(size, norm(places.front() - motion.places.begin()->second.front()));
    return size;
  }

  static InterfacePoint nearest_node(const Vec3& x, const InterfaceMotion& motion) {
    InterfacePoint best;
    for (const auto& [node, places] : motion.places) {
      const double d = norm(places.front() - x);
      if (best.distance < 0.0 || d < best.distance) best = {d, {node, node, node}, {1.0, 0.0, 0.0}};
    }
    return best;
  }

  static InterfacePoint nearest_point(const Vec3& x, const InterfaceMotion& motion) {
    InterfacePoint best;
    for (const auto& s : motion.segments)
      for (const auto& nodes : {std::array{s[0], s[1], s[2]}, std::array{s[0], s[2], s[3]}}) {
        if (nodes[1] == nodes[2]) continue;  // of a triangle
        std::array<Vec3, 3> corners;
        for (std::size_t a = 0; a < 3; ++a) corners[a] = motion.places.at(nodes[a]).front();
        const std::array<double, 3> w = nearest_weights(x, corners);
        const double d = norm(x - w[0] * corners[0] - w[1] * corners[1] - w[2] * corners[2]);
        if (best.distance < 0.0 || d < best.distance) best = {d, nodes, w};
      }
    return best;
  }

  void follow(LocalId n, const InterfaceMotion& motion, const InterfacePoint& point, double death) {
    std::array<const std::vector<Vec3>*, 3> places;
    for (std::size_t a = 0; a < 3; ++a) places[a] = &motion.places.at(point.nodes[a]);
    for (int i = 0; i < 3; ++i) {
      Curve curve;
      curve.x = motion.times;
      for (std::size_t t = 0; t < motion.times.size(); ++t) {
        double way = 0.0;
        for (std::size_t a = 0; a < 3; ++a)
          way += point.weights[a] * ((*places[a])[t][i] - places[a]->front()[i]);
        curve.y.push_back(way);
      }
      PrescribedMotion of;
      of.node = n;
      of.dof = i + 1;
      of.kind = 2;
      of.curve = static_cast<LocalId>(build_.model.curves.size());
      of.death = death;
      build_.model.curves.push_back(std::move(curve));
      build_.model.motions.push_back(of);
    }
  }

  Builder& build_;
  std::string label_;
  bool read_ = false, failed_ = false;
  std::map<GlobalId, InterfaceMotion> all_;
};

}  // namespace

void Builder::read_linking() { LinkReader(*this).read(); }

}  // namespace crumple::model
