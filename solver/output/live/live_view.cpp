// Gathers the surface, and passes rows on.
#include "output/live/live_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <utility>

#include "base/packing.hpp"
#include "output/file.hpp"
#include "output/file_positions.hpp"
#include "output/live/watch_file.hpp"

namespace crumple::output {

namespace {

constexpr std::size_t kNodesShown = 8;                                ///< of nodout, as the page shows
constexpr double kShareOfTime = 0.005;                                ///< that states by the clock may take
constexpr std::uintmax_t kLongestEarlier = std::uintmax_t{16} << 20;  ///< bytes of an earlier part's file
constexpr float kAllDeleted = std::numeric_limits<float>::quiet_NaN();
constexpr const char* kWatchFile = "watch.json";

/// What rows need of the catalogue.
Catalogue catalogue_of_rows(const Catalogue& whole) {
  Catalogue c;
  c.run = whole.run, c.title = whole.title;
  c.walls = whole.walls, c.contacts = whole.contacts, c.sections = whole.sections;
  c.joints = whole.joints, c.joint_stiffnesses = whole.joint_stiffnesses;
  const std::size_t n = std::min(kNodesShown, whole.history_nodes.size());
  c.history_nodes.assign(whole.history_nodes.begin(), whole.history_nodes.begin() + std::ptrdiff_t(n));
  return c;
}

/// The largest plastic strain of an element's points; none if it has been deleted.
float plastic_strain_of(const state::GroupView& g, std::int32_t e) {
  if (!g.is_alive(e)) return kAllDeleted;
  double most = 0.0;
  for (int p = 0; p < g.layout.n_points; ++p)
    most = std::max(most, g.variable(e, g.layout.plastic_strain + p * g.layout.point_stride));
  return static_cast<float>(most);
}

/// The larger one; one that is there.
float larger_strain(float a, float b) { return a != a || b > a ? b : a; }

}  // namespace

LiveView::LiveView(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                   const Catalogue& catalogue, const LiveOptions& options, const std::string& directory,
                   const std::string& prefix, bool goes_on)
    : comm_(comm), own_(rows_of_rank(subdomain)), directory_(directory), prefix_(prefix) {
  if (comm.root()) open(catalogue, options);
  if (comm.root()) show_earlier(goes_on);
  std::vector<std::byte> bytes;
  if (comm.root()) bytes = crumple::pack(make_surface(catalogue, options.triangles));
  comm.broadcast(bytes);
  take_surface(Unpacker(bytes).take<std::vector<std::int32_t>>());
  between_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.between));
}

LiveView::~LiveView() { end(); }

/// Begins to listen, and says where.
void LiveView::open(const Catalogue& catalogue, const LiveOptions& options) {
  LiveServerOptions how;
  how.address = options.address, how.port = options.port, how.folder = directory_;
  server_ = std::make_unique<LiveServer>(how);
  const std::string host = host_name();
  write_watch_file(path(kWatchFile), {host, options.address, server_->port(), server_->token()});
  std::error_code ignored;
  server_->hello(
      hello_message({catalogue.run.program(), host,
                     std::filesystem::absolute(directory_, ignored).lexically_normal().string(), prefix_}));
  of_rows_ = catalogue_of_rows(catalogue);
  rows_ = std::make_unique<AsciiHistories>(
      of_rows_, [this](const std::string& name, const std::string& head, const std::string& block) {
        add(name, server_->has_text(name) ? block : head + block);
      });
  if (options.port != 0 && options.port != server_->port())
    fmt::print(" port {} is in use: another one is taken for crumple watch\n", options.port);
  fmt::print(" crumple watch {} --socket shows the run from {}, {}:{}\n", directory_, host, options.address,
             server_->port());
  std::fflush(stdout);
}

void LiveView::show_earlier(bool goes_on) {
  for (const char* const name :
       {kD3hsp, "glstat", "rcforc", "rwforc", "secforc", "nodout", "convergence.jsonl"}) {
    if (!goes_on && std::string_view(name) != kD3hsp) continue;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path(name), error);
    if (error || size == 0 || size > kLongestEarlier) continue;
    std::ifstream file(path(name), std::ios::binary);
    add(name, std::string{std::istreambuf_iterator<char>(file), {}});
  }
}

/// @returns the number of solids and of points, the nodes of the points, then pairs of an element and a
/// triangle
std::vector<std::int32_t> LiveView::make_surface(const Catalogue& catalogue, std::size_t triangles) {
  const CoarseSurface surface = coarse_surface(catalogue, triangles);
  server_->surface(surface_message(surface, catalogue));
  positions_.resize(3 * surface.nodes.size());
  strains_.resize(surface.triangles.size());
  std::vector<std::int32_t> plan{static_cast<std::int32_t>(catalogue.solids.size()),
                                 static_cast<std::int32_t>(surface.nodes.size())};
  plan.insert(plan.end(), surface.nodes.begin(), surface.nodes.end());
  for (const CoarseSurface::Use& use : surface.uses) plan.insert(plan.end(), {use.element, use.triangle});
  return plan;
}

/// Finds what this rank has of the surface, and tells rank 0. Collective.
void LiveView::take_surface(std::span<const std::int32_t> plan) {
  const std::int32_t n_solids = plan[0];
  const auto nodes = plan.subspan(2, static_cast<std::size_t>(plan[1]));
  const auto uses = plan.subspan(2 + nodes.size());
  std::vector<std::int32_t> points, triangles;
  std::size_t own = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    while (own < own_.node_order.size() && own_.node_order[own] < nodes[k]) ++own;
    if (own == own_.node_order.size() || own_.node_order[own] != nodes[k]) continue;
    nodes_.push_back(own_.node[own]);
    points.push_back(static_cast<std::int32_t>(k));
  }
  const auto take_kind = [&](Kind& kind, std::span<const GlobalId> order, std::int32_t first,
                             std::int32_t last) {
    kind.used.assign(order.size(), 0);
    kind.strain.assign(order.size(), 0.0F);
    std::size_t at = 0;
    for (std::size_t u = 0; u < uses.size(); u += 2) {
      if (uses[u] < first || uses[u] >= last) continue;
      while (at < order.size() && order[at] < uses[u] - first) ++at;
      if (at == order.size() || order[at] != uses[u] - first) continue;
      kind.uses.push_back({static_cast<LocalId>(at), uses[u + 1]});
      kind.used[at] = 1;
      triangles.push_back(uses[u + 1]);
    }
  };
  take_kind(solids_, own_.solids.order, 0, n_solids);
  take_kind(shells_, own_.shells.order, n_solids, std::numeric_limits<std::int32_t>::max());
  std::ranges::sort(triangles);
  triangles.erase(std::ranges::unique(triangles).begin(), triangles.end());
  for (Kind* const kind : {&solids_, &shells_})
    for (Use& use : kind->uses)
      use.slot = static_cast<std::int32_t>(std::ranges::lower_bound(triangles, use.slot) - triangles.begin());
  of_rank_.resize(3 * nodes_.size() + triangles.size());
  std::vector<std::int32_t> mine{static_cast<std::int32_t>(points.size()),
                                 static_cast<std::int32_t>(triangles.size())};
  mine.insert(mine.end(), points.begin(), points.end());
  mine.insert(mine.end(), triangles.begin(), triangles.end());
  places_ = comm_.gather<std::int32_t>(mine);
}

void LiveView::nodout(double time, std::int64_t cycle, std::span<const NodoutRow> rows) {
  rows_->nodout(time, cycle, rows.first(of_rows_.history_nodes.size()));
}

void LiveView::add(const std::string& file, std::string_view text) {
  server_->text(file, text_message(file, text));
}

void LiveView::replace(const std::string& file, std::string_view text) {
  server_->file(file, file_message(file, text));
}

bool LiveView::due() const {
  return server_ && server_->has_readers() && between_ > Clock::duration::zero() && Clock::now() >= next_;
}

/// The strains of the triangles that this rank knows of: of each the largest of its elements that are left.
void LiveView::read_elements(const ResultsView& results) {
  for (const state::GroupView& g : results.elements()) {
    Kind* const kind = g.kind() == ElementKind::solid   ? &solids_
                       : g.kind() == ElementKind::shell ? &shells_
                                                        : nullptr;
    for (std::int32_t e = 0; kind != nullptr && e < g.count; ++e)
      if (const auto at = static_cast<std::size_t>(g.element[std::size_t(e)]); kind->used[at])
        kind->strain[at] = plastic_strain_of(g, e);
  }
  const std::span<float> strains = std::span(of_rank_).subspan(3 * nodes_.size());
  std::ranges::fill(strains, kAllDeleted);
  for (const Kind* const kind : {&solids_, &shells_})
    for (const Use& use : kind->uses) {
      float& strain = strains[std::size_t(use.slot)];
      strain = larger_strain(strain, kind->strain[std::size_t(use.element)]);
    }
}

/// What all ranks have sent goes to its place. Rank 0.
void LiveView::place(std::span<const float> gathered) {
  std::ranges::fill(strains_, kAllDeleted);
  std::size_t from = 0;
  for (std::size_t at = 0; at < places_.size();) {
    const auto points = static_cast<std::size_t>(places_[at]),
               triangles = static_cast<std::size_t>(places_[at + 1]);
    at += 2;
    for (std::size_t k = 0; k < points; ++k)
      for (std::size_t c = 0; c < 3; ++c) positions_[3 * std::size_t(places_[at + k]) + c] = gathered[from++];
    at += points;
    for (std::size_t k = 0; k < triangles; ++k) {
      float& strain = strains_[std::size_t(places_[at + k])];
      strain = larger_strain(strain, gathered[from++]);
    }
    at += triangles;
  }
}

void LiveView::state(const ResultsView& results, bool plot) {
  const Clock::time_point begin = Clock::now();
  const std::span<const Vec3> x = results.nodes().x;
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (int c = 0; c < 3; ++c)
      of_rank_[3 * k + std::size_t(c)] = static_cast<float>(x[std::size_t(nodes_[k])][c]);
  read_elements(results);
  const std::vector<float> gathered = comm_.gather<float>(of_rank_);
  if (!comm_.root()) return;
  place(gathered);
  const CycleTimes cycle = results.cycle();
  server_->state(state_message(cycle.time, cycle.cycle, plot, positions_, strains_));
  const Clock::time_point now = Clock::now();
  const auto rest = std::chrono::duration_cast<Clock::duration>((now - begin) / kShareOfTime);
  next_ = now + std::max(between_, rest);
}

void LiveView::end() {
  if (!server_) return;
  server_->end();
  std::error_code ignored;
  std::filesystem::remove(path(kWatchFile), ignored);
  server_.reset();
}

}  // namespace crumple::output
