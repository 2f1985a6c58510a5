// The sample model dealt to ranks, and a folder that they share.
#pragma once

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "output/rank_rows.hpp"
#include "parallel/communicator.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output::sample {

/// The first ranks of the job.
class Ranks {
 public:
  explicit Ranks(int n) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &comm_);
  }
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }
  bool here() const { return comm_ != MPI_COMM_NULL; }
  parallel::Communicator communicator() const { return parallel::Communicator(comm_); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// A folder of rank 0 whose path all know; it is removed when all are at the end.
class SharedFolder {
 public:
  explicit SharedFolder(const parallel::Communicator& comm) : comm_(comm) {
    std::vector<std::byte> path;
    if (comm.root()) {
      folder_.emplace();
      const auto bytes = std::as_bytes(std::span(folder_->path()));
      path.assign(bytes.begin(), bytes.end());
    }
    comm.broadcast(path);
    path_.assign(reinterpret_cast<const char*>(path.data()), path.size());
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() { comm_.barrier(); }
  const std::string& path() const { return path_; }

 private:
  parallel::Communicator comm_;
  std::optional<Folder> folder_;
  std::string path_;
};

/// The sample model five times, so that rows fill several pieces.
inline Catalogue large_catalogue() {
  Catalogue c = catalogue();
  const auto repeat = [](auto& array) {
    const auto once = array;
    for (int k = 1; k < 5; ++k) array.insert(array.end(), once.begin(), once.end());
  };
  const auto repeat_all = [&](auto& elements) {
    repeat(elements.id), repeat(elements.part), repeat(elements.nodes);
  };
  repeat(c.node_id), repeat(c.node_x);
  repeat_all(c.solids), repeat_all(c.beams), repeat_all(c.shells);
  return c;
}

/// What one rank has: each item goes to some rank, without order.
class Share {
 public:
  Share(const Catalogue& c, int rank, int size) {
    const auto deal = [&](std::size_t n, std::size_t salt, std::vector<GlobalId>& order) {
      for (std::size_t i = 0; i < n; ++i)
        if (int((i * 7 + i / 5 + salt) % 11) % size == rank) order.push_back(GlobalId(i));
    };
    deal(c.node_id.size(), 0, rows_.node_order);
    rows_.node.resize(rows_.node_order.size());
    std::iota(rows_.node.rbegin(), rows_.node.rend(), 0);  // local numbers are in another order
    const auto elements = [&](const auto& of, std::size_t salt, Kind& kind) {
      deal(of.size(), salt, kind.order);
      for (const GlobalId i : kind.order) kind.part.push_back(of.part[std::size_t(i)]);
      return RankRows::Elements{kind.order, kind.part};
    };
    rows_.solids = elements(c.solids, 1, solids_);
    rows_.beams = elements(c.beams, 2, beams_);
    rows_.shells = elements(c.shells, 3, shells_);
    for (const PartInfo& part : c.parts)
      rows_.parts.push_back({1 + std::int32_t(std::ranges::count_if(
                                     c.parts, [&](const PartInfo& p) { return p.id < part.id; })),
                             part.rigid});
  }
  const RankRows& rows() const { return rows_; }

  std::vector<Vec3> nodes(const std::vector<Vec3>& whole) const {
    std::vector<Vec3> mine(rows_.node.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      mine[std::size_t(rows_.node[i])] = whole[std::size_t(rows_.node_order[i])];
    return mine;
  }
  std::vector<double> nodes(const std::vector<double>& whole) const {
    std::vector<double> mine(whole.empty() ? 0 : rows_.node.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      mine[std::size_t(rows_.node[i])] = whole[std::size_t(rows_.node_order[i])];
    return mine;
  }
  /// Rows of a piece of this rank's elements.
  PlotState elements(ElementKind kind, Range of_rank, const PlotState& whole, const Catalogue& c) const {
    PlotState part;
    const std::span<const GlobalId> order =
        rows_.elements(kind).order.subspan(of_rank.first, of_rank.last - of_rank.first);
    const std::size_t n = kind == ElementKind::solid  ? c.solids.size()
                          : kind == ElementKind::beam ? c.beams.size()
                                                      : c.shells.size();
    const auto pick = [&](const auto& from, auto& to) {
      const std::size_t width = from.size() / n;
      for (const GlobalId i : order)
        to.insert(to.end(), from.begin() + std::ptrdiff_t(std::size_t(i) * width),
                  from.begin() + std::ptrdiff_t(std::size_t(i + 1) * width));
    };
    if (kind == ElementKind::solid) {
      const SolidStates& s = whole.solids;
      pick(s.stress, part.solids.stress), pick(s.plastic_strain, part.solids.plastic_strain);
      pick(s.history, part.solids.history), pick(s.strain, part.solids.strain);
      pick(s.alive, part.solids.alive);
    } else if (kind == ElementKind::beam) {
      pick(whole.beams.resultant, part.beams.resultant), pick(whole.beams.point, part.beams.point);
      pick(whole.beams.alive, part.beams.alive);
    } else {
      const ShellStates& s = whole.shells;
      pick(s.stress, part.shells.stress), pick(s.plastic_strain, part.shells.plastic_strain);
      pick(s.history, part.shells.history), pick(s.resultant, part.shells.resultant);
      pick(s.thickness, part.shells.thickness), pick(s.energy_density, part.shells.energy_density);
      pick(s.strain, part.shells.strain), pick(s.alive, part.shells.alive);
    }
    return part;
  }

 private:
  struct Kind {
    std::vector<GlobalId> order;
    std::vector<LocalId> part;
  };
  Kind solids_, beams_, shells_;
  RankRows rows_;
};

}  // namespace crumple::output::sample
