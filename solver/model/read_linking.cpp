// *INTERFACE_LINKING_NODE: nodes that follow an interface file
// (output/interface_file/interface_component.hpp).
//
// A node follows the node of the interface that was at its place at the start: its displacements along x, y
// and z are prescribed by curves through those of the file, straight in between.
#include <algorithm>
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
};

/// All interfaces of a file; empty and a text if it is not one.
std::map<GlobalId, InterfaceMotion> read_interface_file(const std::string& path, std::string& problem) {
  std::ifstream file(path);
  std::map<GlobalId, InterfaceMotion> all;
  std::string line, word;
  while (std::getline(file, line)) {
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
    for (const char* const name : {"INTERFACE_LINKING_NODE_SET", "INTERFACE_LINKING_NODE_NODE"})
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
    const double death = or_default(r.real("DEATH"), kMotionNeverEnds);
    for (const LocalId n : nodes) follow(n, *motion, id, death, r.place());
  }

  std::vector<LocalId> linked_nodes(const Keyword& k, const Record& r) {
    if (k.name() == "INTERFACE_LINKING_NODE_SET") {
      const NodeSet* const set = build_.find_node_set(r.integer("NSID"), label_, r.place("NSID"));
      return set != nullptr ? set->nodes : std::vector<LocalId>{};
    }
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

  void follow(LocalId n, const InterfaceMotion& motion, GlobalId id, double death, const Place& place) {
    const Vec3& x = build_.model.nodes.x[at(n)];
    const std::vector<Vec3>* nearest = nullptr;
    double size = 0.0, least = 0.0;
    for (const auto& [node, places] : motion.places) {
      const double d = norm(places.front() - x);
      size = std::max(size, norm(places.front() - motion.places.begin()->second.front()));
      if (nearest == nullptr || d < least) nearest = &places, least = d;
    }
    constexpr double kNear = 1e-3;  // of the interface
    if (nearest == nullptr || least > kNear * size)
      return build_.error("CR-D310",
                          fmt::format("{}: node {} is at none of the places of interface {} at its start",
                                      label_, build_.model.nodes.id[at(n)], id),
                          place);
    for (int i = 0; i < 3; ++i) {
      Curve curve;
      curve.x = motion.times;
      for (const Vec3& p : *nearest) curve.y.push_back(p[i] - nearest->front()[i]);
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
