// Reads and writes displacements of nodes.
#include "control/displaced_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <numeric>

#include "base/error.hpp"
#include "output/file.hpp"

namespace crumple::control {

namespace {

struct Record {
  std::int64_t id;
  double moved[3];
};
static_assert(sizeof(Record) == 32);

}  // namespace

void write_displacements(const std::string& path, const state::Nodal& nodal,
                         const parallel::Communicator& comm) {
  std::vector<Record> mine;
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    if (nodal.owner[k] != comm.rank()) continue;
    const Vec3 u = nodal.x[k] - nodal.x0[k];
    mine.push_back({nodal.id[k], {u.x, u.y, u.z}});
  }
  std::vector<Record> all = comm.gather(std::span<const Record>(mine));
  if (!comm.root()) return;
  std::sort(all.begin(), all.end(), [](const Record& a, const Record& b) { return a.id < b.id; });
  output::write_whole(path, {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Record)});
}

std::vector<Vec3> displaced_nodes(const model::Nodes& nodes, const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("CR-P023", "cannot read the displacements of nodes, " + path);
  std::vector<std::size_t> order(nodes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return nodes.id[a] < nodes.id[b]; });
  std::vector<Vec3> x(nodes.x.begin(), nodes.x.end());
  Record record{};
  for (std::size_t n = 1; in.read(reinterpret_cast<char*>(&record), sizeof record); ++n) {
    const auto at = std::lower_bound(order.begin(), order.end(), record.id,
                                     [&](std::size_t node, std::int64_t id) { return nodes.id[node] < id; });
    if (at == order.end() || nodes.id[*at] != record.id)
      throw Error("CR-P023", fmt::format("{}: record {}: there is no node {}", path, n, record.id));
    const Vec3 moved{record.moved[0], record.moved[1], record.moved[2]};
    if (!std::isfinite(moved.x + moved.y + moved.z))
      throw Error("CR-P023",
                  fmt::format("{}: record {}: how far node {} has moved is no number", path, n, record.id));
    x[*at] += moved;
  }
  if (in.gcount() != 0) throw Error("CR-P023", path + " is cut off within a record of 32 bytes");
  return x;
}

}  // namespace crumple::control
