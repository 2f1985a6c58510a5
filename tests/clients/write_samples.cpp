// Writes the sample model in every variant under the folder given, with what went in as expected.json.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.hpp"
#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/vtkhdf/vtkhdf.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple {

void to_json(nlohmann::json& json, const Vec3& v) { json = {v.x, v.y, v.z}; }

namespace output {

using nlohmann::json;

json describe(const Catalogue& c) {
  json parts;
  for (const PartInfo& p : c.parts) {
    parts.push_back(
        {{"id", p.id}, {"title", p.title}, {"law", p.law}, {"rigid", p.rigid}, {"kind", int(p.kind)}});
  }
  const auto elements = [](const auto& e) {
    return json{{"id", e.id}, {"part", e.part}, {"nodes", e.nodes}};
  };
  return {{"title", c.title},
          {"node_id", c.node_id},
          {"node_x", c.node_x},
          {"solids", elements(c.solids)},
          {"beams", elements(c.beams)},
          {"shells", elements(c.shells)},
          {"parts", parts}};
}

json describe(const PlotState& s) {
  json parts;
  for (const PartState& p : s.parts) {
    parts.push_back({{"internal", p.internal},
                     {"kinetic", p.kinetic},
                     {"hourglass", p.hourglass},
                     {"mass", p.mass},
                     {"velocity", p.velocity}});
  }
  return {{"time", s.time},
          {"x", s.x},
          {"v", s.v},
          {"a", s.a},
          {"parts", parts},
          {"wall_force", s.wall_force},
          {"kinetic", s.kinetic},
          {"internal", s.internal},
          {"total", s.total},
          {"velocity", s.velocity},
          {"solids",
           {{"stress", s.solids.stress},
            {"plastic_strain", s.solids.plastic_strain},
            {"history", s.solids.history},
            {"strain", s.solids.strain},
            {"alive", s.solids.alive}}},
          {"beams", {{"resultant", s.beams.resultant}, {"point", s.beams.point}, {"alive", s.beams.alive}}},
          {"shells",
           {{"stress", s.shells.stress},
            {"plastic_strain", s.shells.plastic_strain},
            {"history", s.shells.history},
            {"resultant", s.shells.resultant},
            {"thickness", s.shells.thickness},
            {"energy_density", s.shells.energy_density},
            {"strain", s.shells.strain},
            {"alive", s.shells.alive}}}};
}

constexpr int kStates = 3;

/// The plot files of a part of a run.
struct PlotFiles {
  D3plotWriter d3plot;
  VtkhdfWriter vtkhdf;

  void write(const Catalogue& c, const Layout& layout, int first, int last) {
    for (int step = first; step < last; ++step) {
      const PlotState s = sample::plot_state(c, layout, step);
      d3plot.write(s);
      vtkhdf.write(s);
    }
  }
  void close() { d3plot.close(), vtkhdf.close(); }
};

/// With `kept` < kStates the first part of the run writes all states, and the second goes on after `kept`.
/// @param compression of results.vtkhdf, whose chunks are then small
void write_d3plot(const std::string& folder, const D3plotOptions& options, int kept = kStates,
                  int compression = 0) {
  std::filesystem::create_directories(folder);
  const Catalogue c = sample::catalogue();
  const Layout& l = options.layout;
  const std::size_t piece = compression > 0 ? 10 : kPiece;
  const VtkhdfOptions vtkhdf{l, options.double_precision, "", compression, piece};
  PlotFiles first{{c, folder, options}, {c, folder, vtkhdf}};
  first.write(c, l, 0, kept);
  const D3plotPosition d3plot_position = first.d3plot.position();
  const VtkhdfPosition vtkhdf_position = first.vtkhdf.position();
  first.write(c, l, kept, kStates);
  first.close();
  if (kept < kStates) {
    PlotFiles second{{c, folder, options, d3plot_position}, {c, folder, vtkhdf, vtkhdf_position}};
    second.write(c, l, kept, kStates);
    second.close();
  }
  json states;
  for (int step = 0; step < kStates; ++step) states.push_back(describe(sample::plot_state(c, l, step)));
  std::ofstream(folder + "/expected.json") << json{{"catalogue", describe(c)},
                                                   {"states", states},
                                                   {"layout",
                                                    {{"shell_layers", l.shell_layers},
                                                     {"shell_history", l.shell_history},
                                                     {"solid_points", l.solid_points},
                                                     {"solid_history", l.solid_history},
                                                     {"beam_points", l.beam_points},
                                                     {"strains", l.strains}}}};
}

json describe_rows(const Catalogue& c, int step) {
  const GlobalRow g = sample::global_row(c, step);
  json matsum, rcforc, rwforc, nodout;
  for (const MatsumRow& r : sample::matsum_rows(c, step)) {
    matsum.push_back({{"internal", r.internal},
                      {"kinetic", r.kinetic},
                      {"hourglass", r.hourglass},
                      {"eroded_internal", r.eroded_internal},
                      {"eroded_kinetic", r.eroded_kinetic},
                      {"eroded_hourglass", r.eroded_hourglass},
                      {"mass", r.mass},
                      {"added_mass", r.added_mass},
                      {"momentum", r.momentum},
                      {"rigid_velocity", r.rigid_velocity}});
  }
  for (const RcforcRow& r : sample::rcforc_rows(c, step)) {
    rcforc.push_back(
        {{"force_a", r.force_a}, {"force_b", r.force_b}, {"mass_a", r.mass_a}, {"mass_b", r.mass_b}});
  }
  for (const RwforcRow& r : sample::rwforc_rows(c, step)) {
    rwforc.push_back({{"normal", r.normal}, {"force", r.force}});
  }
  for (const NodoutRow& r : sample::nodout_rows(c, step)) {
    nodout.push_back({{"displacement", r.displacement},
                      {"velocity", r.velocity},
                      {"acceleration", r.acceleration},
                      {"x", r.x},
                      {"rotation", r.rotation},
                      {"angular_velocity", r.angular_velocity},
                      {"angular_acceleration", r.angular_acceleration}});
  }
  return {{"time", g.time},
          {"cycle", g.cycle},
          {"dt", g.dt},
          {"kinetic", g.kinetic},
          {"internal", g.internal},
          {"stonewall", g.stonewall},
          {"spring_damper", g.spring_damper},
          {"hourglass", g.hourglass},
          {"damping", g.damping},
          {"sliding", g.sliding},
          {"external_work", g.external_work},
          {"eroded_kinetic", g.eroded_kinetic},
          {"eroded_internal", g.eroded_internal},
          {"eroded_hourglass", g.eroded_hourglass},
          {"total", g.total},
          {"ratio", g.ratio},
          {"ratio_without_eroded", g.ratio_without_eroded},
          {"velocity", g.velocity},
          {"ns_per_zone_cycle", g.ns_per_zone_cycle},
          {"added_mass", g.added_mass},
          {"added_mass_percent", g.added_mass_percent},
          {"matsum", matsum},
          {"rcforc", rcforc},
          {"rwforc", rwforc},
          {"nodout", nodout}};
}

template <class Writer>
void write_rows(Writer& writer, const Catalogue& c) {
  for (int step = 0; step < kStates; ++step) {
    const GlobalRow g = sample::global_row(c, step);
    writer.glstat(g);
    writer.matsum(g.time, g.cycle, sample::matsum_rows(c, step));
    writer.rcforc(g.time, g.cycle, sample::rcforc_rows(c, step));
    writer.rwforc(g.time, g.cycle, sample::rwforc_rows(c, step));
    writer.nodout(g.time, g.cycle, sample::nodout_rows(c, step));
  }
  writer.close();
}

void write_histories(const std::string& folder, bool wide) {
  std::filesystem::create_directories(folder);
  const Catalogue c = sample::catalogue();
  BinoutWriter binout(c, folder, {wide});
  write_rows(binout, c);
  AsciiHistories text(c, folder);
  write_rows(text, c);
  json rows;
  for (int step = 0; step < kStates; ++step) rows.push_back(describe_rows(c, step));
  std::ofstream(folder + "/expected.json") << json{{"catalogue", describe(c)}, {"rows", rows}};
}

void write_all(const std::string& root) {
  D3plotOptions plain;
  write_d3plot(root + "/single", plain);
  D3plotOptions wide = plain;
  wide.double_precision = true;
  write_d3plot(root + "/double", wide);
  D3plotOptions rich = plain;
  rich.layout = {5, 2, 1, 1, 4, true};
  write_d3plot(root + "/rich", rich);
  rich.double_precision = true;
  write_d3plot(root + "/rich_double", rich);
  D3plotOptions lean = plain;
  lean.sigflg = lean.epsflg = 2;
  lean.shell_resultants = lean.shell_energies = false;
  write_d3plot(root + "/lean", lean);
  D3plotOptions eight = plain;
  eight.layout.solid_points = 8;
  write_d3plot(root + "/eight_points", eight);
  D3plotOptions separate = plain;
  separate.one_state_per_file = true;
  write_d3plot(root + "/separate", separate);
  D3plotOptions split = plain;
  split.file_bytes = 6000;
  write_d3plot(root + "/split", split);
  D3plotOptions dropped = plain;
  dropped.drop_rigid_shells = true;
  write_d3plot(root + "/dropped", dropped);
  write_d3plot(root + "/interrupted", plain, 1);
  write_d3plot(root + "/compressed", plain, kStates, 4);
  write_d3plot(root + "/compressed_interrupted_double", wide, 1, 9);
  write_histories(root + "/histories", false);
  write_histories(root + "/histories_double", true);
}

/// Writes states without end: for a test that kills this program.
[[noreturn]] void write_endless(const std::string& folder) {
  const Catalogue c = sample::catalogue();
  D3plotOptions options;
  options.file_bytes = 1 << 20;
  D3plotWriter plot(c, folder, options);
  VtkhdfWriter vtkhdf(c, folder, {});
  BinoutWriter binout(c, folder);
  AsciiHistories text(c, folder);
  for (int step = 0;; ++step) {
    const PlotState s = sample::plot_state(c, {}, step);
    plot.write(s);
    vtkhdf.write(s);
    const GlobalRow row = sample::global_row(c, step);
    binout.glstat(row);
    text.glstat(row);
  }
}

}  // namespace output
}  // namespace crumple

int main(int argc, char** argv) {
  const bool endless = argc == 3 && std::string(argv[2]) == "endless";
  if (argc != 2 && !endless) {
    std::fprintf(stderr, "usage: write_samples FOLDER [endless]\n");
    return 2;
  }
  try {
    if (endless) crumple::output::write_endless(argv[1]);
    crumple::output::write_all(argv[1]);
  } catch (const crumple::Error& error) {
    std::fprintf(stderr, "error %s: %s\n", error.id().c_str(), error.message().c_str());
    return int(error.status());
  }
}
