// Cuts the model for every rank in turn, and plots which rank has which elements.
#include "control/decompose.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "control/displaced_nodes.hpp"
#include "control/earlier_results.hpp"
#include "control/traffic.hpp"
#include "decomposition/distribution.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/file.hpp"
#include "output/gather.hpp"

namespace crumple::control {

namespace {

/// The model's mesh with ranks in place of parts.
output::Catalogue catalogue_of_ranks(const model::Model& m, const decomposition::Partition& partition) {
  output::Catalogue c = output::make_catalogue(m, {});
  const auto by_rank = [](auto& elements, const std::vector<int>& rank) {
    elements.part.assign(rank.begin(), rank.end());
  };
  by_rank(c.solids, partition.of[model::ElementKind::solid]);
  by_rank(c.beams, partition.of[model::ElementKind::beam]);
  by_rank(c.shells, partition.of[model::ElementKind::shell]);
  // A part has elements of one kind only, so a rank has one part for each of its kinds.
  std::vector<output::PartInfo> parts;
  const auto split = [&](auto& elements, model::ElementKind kind) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(partition.ranks), -1);
    for (std::int32_t& part : elements.part) {
      std::int32_t& at = place[static_cast<std::size_t>(part)];
      if (at < 0) {
        at = static_cast<std::int32_t>(parts.size());
        parts.push_back({static_cast<GlobalId>(100000 * static_cast<int>(kind) + part + 1),
                         fmt::format("rank {}", part), 1, false, kind});
      }
      part = at;
    }
  };
  split(c.solids, model::ElementKind::solid);
  split(c.beams, model::ElementKind::beam);
  split(c.shells, model::ElementKind::shell);
  split(c.particles, model::ElementKind::sph);
  c.parts = std::move(parts);
  c.walls.clear();
  c.contacts.clear();
  return c;
}

void draw(const model::Model& m, const decomposition::Partition& partition, const std::string& directory) {
  const output::Catalogue catalogue = catalogue_of_ranks(m, partition);
  output::D3plotOptions options;
  options.layout.shell_layers = 1;
  output::D3plotWriter plot(catalogue, directory, options);
  output::PlotState plot_state;
  plot_state.x = catalogue.node_x;
  plot_state.parts.resize(catalogue.parts.size());
  plot.write(plot_state);
  plot.close();
}

}  // namespace

void decompose(const Input& input, const Options& options, const decomposition::Directions& directions,
               int ranks) {
  const decomposition::Partition partition =
      decomposition::partition(input.model, ranks, options.method, directions);
  const decomposition::Cutter cutter(input.model, partition);
  const std::vector<bool> tied = nodes_of_ties(input.model);
  const output::StepCounts steps =
      output::step_counts(input.model.nodes.size(), input.model.solids.size(), input.model.beams.size(),
                          input.model.shells.size(), input.model.particles.size());
  std::vector<decomposition::Burden> burdens;
  std::vector<RankNodes> of_ranks;
  for (int r = 0; r < ranks; ++r) {
    const decomposition::Subdomain subdomain = cutter.cut(r);
    burdens.push_back(decomposition::burden(subdomain));
    of_ranks.push_back(rank_nodes(subdomain, tied, steps));
  }
  fmt::print("{}", decomposition::balance_table(burdens));
  std::filesystem::create_directories(options.directory);
  if (!options.overwrite && has_run(options.directory, {}))  // whose d3plot would be replaced
    fmt::print(" results of a run were moved to {}\n", keep_earlier_results(options.directory, {}));
  const model::Nodes& nodes = input.model.nodes;
  const auto write = [&](const std::string& name, std::span<const Vec3> x) {
    output::write_whole(options.directory + "/" + name,
                        traffic_json(input.model, partition, cutter, of_ranks, steps, x));
  };
  write("decomposition.json", nodes.x);
  for (std::size_t k = 0; k < options.displacements.size(); ++k)
    write(fmt::format("decomposition.{}.json", k + 1), displaced_nodes(nodes, options.displacements[k]));
  draw(input.model, partition, options.directory);
  fmt::print(" the ranks are the parts of {}/d3plot\n", options.directory);
}

}  // namespace crumple::control
