// Histories as directories of an LSDA file: /glstat/metadata, /glstat/d000001, ...
#include "output/binout/binout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.hpp"
#include "output/rows.hpp"

namespace crumple::output {

namespace {

/// The kinds that may control the time step, in the order of the names in glstat's metadata.
constexpr std::string_view kElementTypes = "node,solid,beam,shell,tshell,discrete";

int element_type(ElementKind kind) {
  switch (kind) {
    case ElementKind::solid:
      return 2;
    case ElementKind::beam:
      return 3;
    case ElementKind::shell:
      return 4;
    case ElementKind::discrete:
      return 6;
    case ElementKind::sph:  // a node with a stress
      return 1;
    case ElementKind::none:
      break;
  }
  return 0;
}

std::string padded(std::string_view text, std::size_t size) {
  std::string result(text.substr(0, size));
  result.resize(size, ' ');
  return result;
}

}  // namespace

BinoutWriter::BinoutWriter(const Catalogue& catalogue, const std::string& directory, BinoutOptions options)
    : catalogue_(catalogue), options_(std::move(options)) {
  remove_family(directory, options_.prefix + "binout");
  file_ = LsdaFile(directory + "/" + options_.prefix + kBinout);
}

BinoutWriter::BinoutWriter(const Catalogue& catalogue, const std::string& directory, BinoutOptions options,
                           const BinoutPosition& from)
    : catalogue_(catalogue), options_(std::move(options)), states_(from.states) {
  const std::string name = options_.prefix + kBinout;
  file_ = LsdaFile(directory + "/" + name, from.file);
  remove_family(directory, options_.prefix + "binout", std::span(&name, 1));
}

bool BinoutWriter::begin(const std::string& branch) {
  if (states_[branch]++ > 0) return false;
  metadata(branch);
  return true;
}

void BinoutWriter::begin_state(const std::string& branch) {
  file_.directory(fmt::format("/{}/d{:06d}", branch, states_.at(branch)));
}

void BinoutWriter::metadata(const std::string& branch) {
  const RunInfo& run = catalogue_.run;
  file_.directory("/" + branch + "/metadata");
  file_.write("title", padded(catalogue_.title, 80));
  file_.write("version", padded(run.version, std::max<std::size_t>(12, run.version.size())));
  file_.write("revision", padded(run.revision, std::max<std::size_t>(10, run.revision.size())));
  file_.write("date", padded(run.date, 10));
}

void BinoutWriter::legend(std::span<const GlobalId> ids, std::span<const std::string> titles) {
  std::string text;
  for (const std::string& title : titles) text += padded(title, 80);
  file_.write("legend", text);
  file_.write("legend_ids", ids);
}

/// The legend of named entities; none if there are none.
void BinoutWriter::legend_of(std::span<const Named> named) {
  std::vector<GlobalId> numbers;
  std::vector<std::string> titles;
  for (const Named& entity : named) numbers.push_back(entity.id), titles.push_back(entity.title);
  if (!numbers.empty()) legend(numbers, titles);
}

void BinoutWriter::ids(const char* name, std::span<const GlobalId> values) {
  const auto narrow = [](GlobalId id) { return id <= std::numeric_limits<std::int32_t>::max(); };
  if (std::all_of(values.begin(), values.end(), narrow)) {
    file_.write(name, std::vector<std::int32_t>(values.begin(), values.end()));
  } else {
    file_.write(name, values);
  }
}

void BinoutWriter::integer(const char* name, std::int64_t value) {
  const std::int32_t narrow =
      std::int32_t(std::min<std::int64_t>(value, std::numeric_limits<std::int32_t>::max()));
  file_.write(name, std::span(&narrow, 1));
}

void BinoutWriter::real(const char* name, double value) { reals(name, std::span(&value, 1)); }

void BinoutWriter::reals(const char* name, std::span<const double> values) {
  std::vector<double> written(values.begin(), values.end());
  for (double& value : written) value += 0.0;  // no negative zeros
  if (options_.double_precision) {
    file_.write(name, written);
  } else {
    file_.write(name, std::vector<float>(written.begin(), written.end()));
  }
}

template <class Row, class Get>
void BinoutWriter::columns(const std::string& before, const std::string& after, std::span<const Row> rows,
                           Get get) {
  for (int k = 0; k < 3; ++k) {
    std::string name = before;
    name += "xyz"[k];
    name += after;
    column(name.c_str(), rows, [&](const Row& row) { return get(row)[k]; });
  }
}

void BinoutWriter::glstat(const GlobalRow& row) {
  if (begin("glstat")) file_.write("element_types", kElementTypes);
  begin_state("glstat");
  integer("cycle", row.cycle);
  if (row.controlling != ElementKind::none) {
    integer("ts_eltype", element_type(row.controlling));
    file_.write("ts_part", std::span(&row.controlling_part, 1));
    file_.write("ts_element", std::span(&row.controlling_element, 1));
  }
  real("time", row.time);
  real("time_step", row.dt);
  real("kinetic_energy", row.kinetic);
  real("internal_energy", row.internal);
  // One number for all walls, as readers of LS-DYNA's files expect; the text file has each wall's.
  real("stonewall_energy", std::accumulate(row.stonewall.begin(), row.stonewall.end(), 0.0));
  real("spring_and_damper_energy", row.spring_damper);
  if (catalogue_.has_joints()) real("joint_internal_energy", row.joint);
  real("hourglass_energy", row.hourglass);
  real("system_damping_energy", row.damping);
  real("sliding_interface_energy", row.sliding);
  real("external_work", row.external_work);
  real("eroded_kinetic_energy", row.eroded_kinetic);
  real("eroded_internal_energy", row.eroded_internal);
  real("eroded_hourglass_energy", row.eroded_hourglass);
  real("total_energy", row.total);
  real("energy_ratio", row.ratio);
  real("energy_ratio_wo_eroded", row.ratio_without_eroded);
  real("global_x_velocity", row.velocity.x);
  real("global_y_velocity", row.velocity.y);
  real("global_z_velocity", row.velocity.z);
  integer("nzc", std::llround(row.ns_per_zone_cycle));
  real("added_mass", row.added_mass);
  real("percent_increase", row.added_mass_percent);
  file_.publish();
}

void BinoutWriter::matsum(double time, std::int64_t cycle, std::span<const MatsumRow> rows) {
  require_rows("matsum", rows.size(), catalogue_.parts.size());
  if (begin("matsum")) {
    std::vector<GlobalId> part_ids;
    std::vector<std::string> titles;
    for (const PartInfo& part : catalogue_.parts) part_ids.push_back(part.id), titles.push_back(part.title);
    ids("ids", part_ids);
    legend(part_ids, titles);
  }
  begin_state("matsum");
  real("time", time);
  integer("cycle", cycle);
  column("internal_energy", rows, [](const MatsumRow& r) { return r.internal; });
  column("kinetic_energy", rows, [](const MatsumRow& r) { return r.kinetic; });
  column("hourglass_energy", rows, [](const MatsumRow& r) { return r.hourglass; });
  column("eroded_internal_energy", rows, [](const MatsumRow& r) { return r.eroded_internal; });
  column("eroded_kinetic_energy", rows, [](const MatsumRow& r) { return r.eroded_kinetic; });
  column("eroded_hourglass_energy", rows, [](const MatsumRow& r) { return r.eroded_hourglass; });
  // LS-DYNA's "mass" is the mass added by mass scaling ("+mass" of the ASCII file); the part's own mass is an
  // addition of ours.
  column("mass", rows, [](const MatsumRow& r) { return r.added_mass; });
  column("part_mass", rows, [](const MatsumRow& r) { return r.mass; });
  columns("", "_momentum", rows, [](const MatsumRow& r) { return r.momentum; });
  columns("", "_rbvelocity", rows, [](const MatsumRow& r) { return r.rigid_velocity; });
  file_.publish();
}

void BinoutWriter::rcforc(double time, std::int64_t cycle, std::span<const RcforcRow> rows) {
  const auto& contacts = catalogue_.contacts;
  require_rows("rcforc", rows.size(), contacts.size());
  if (begin("rcforc")) {
    std::vector<GlobalId> sided, contact_ids;
    std::vector<std::int32_t> side;
    std::vector<std::string> titles;
    for (const ContactInfo& contact : contacts) {
      if (contact.side_a) sided.push_back(contact.id), side.push_back(0);
      if (contact.side_b) sided.push_back(contact.id), side.push_back(1);
      contact_ids.push_back(contact.id), titles.push_back(contact.title);
    }
    ids("ids", sided);
    file_.write("side", side);
    legend(contact_ids, titles);
  }
  begin_state("rcforc");
  struct Side {
    Vec3 force;
    double mass;
  };
  std::vector<Side> sides;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (contacts[i].side_a) sides.push_back({rows[i].force_a, rows[i].mass_a});
    if (contacts[i].side_b) sides.push_back({rows[i].force_b, rows[i].mass_b});
  }
  real("time", time);
  integer("cycle", cycle);
  const std::span<const Side> written = sides;
  columns("", "_force", written, [](const Side& s) { return s.force; });
  column("mass", written, [](const Side& s) { return s.mass; });
  file_.publish();
}

void BinoutWriter::sleout(double time, std::int64_t cycle, std::span<const SleoutRow> rows) {
  const auto& contacts = catalogue_.contacts;
  require_rows("sleout", rows.size(), contacts.size());
  if (begin("sleout")) {
    std::vector<GlobalId> contact_ids;
    std::vector<std::int32_t> single;
    std::vector<std::string> titles;
    for (const ContactInfo& contact : contacts) {
      contact_ids.push_back(contact.id), titles.push_back(contact.title);
      single.push_back(contact.side_b ? 0 : 1);
    }
    ids("ids", contact_ids);
    file_.write("single_sided", single);
    legend(contact_ids, titles);
  }
  begin_state("sleout");
  real("time", time);
  integer("cycle", cycle);
  column("slave", rows, [](const SleoutRow& r) { return r.energy_a; });
  column("master", rows, [](const SleoutRow& r) { return r.energy_b; });
  column("total_energy", rows, [](const SleoutRow& r) { return r.energy_a + r.energy_b; });
  column("friction_energy", rows, [](const SleoutRow& r) { return r.friction; });
  SleoutRow total;
  for (const SleoutRow& r : rows) {
    total.energy_a += r.energy_a, total.energy_b += r.energy_b;
    total.friction += r.friction;
  }
  real("total_slave", total.energy_a);
  real("total_master", total.energy_b);
  real("total_friction", total.friction);
  file_.publish();
}

void BinoutWriter::ncforc(double time, std::int64_t cycle, std::span<const std::vector<NcforcRow>> blocks) {
  const auto& sides = catalogue_.contact_sides;
  require_rows("ncforc", blocks.size(), sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const ContactSideInfo& side = sides[k];
    // Contacts by their order in the deck, as LS-DYNA numbers them here.
    const std::string branch =
        fmt::format("ncforc/{}_{}", side.b ? "master" : "slave", 100000 + side.contact);
    if (begin(branch)) {
      std::vector<GlobalId> nodes;
      for (const std::int32_t n : side.nodes) nodes.push_back(catalogue_.node_id[n]);
      ids("ids", nodes);
      const ContactInfo& contact = catalogue_.contacts[side.contact];
      legend(std::span(&contact.id, 1), std::span(&contact.title, 1));
    }
    begin_state(branch);
    real("time", time);
    integer("cycle", cycle);
    const std::span<const NcforcRow> rows = blocks[k];
    columns("", "_force", rows, [](const NcforcRow& r) { return r.force; });
    columns("", "_coordinate", rows, [](const NcforcRow& r) { return r.x; });
    file_.publish();
  }
}

void BinoutWriter::rwforc(double time, std::int64_t cycle, std::span<const RwforcRow> rows) {
  require_rows("rwforc", rows.size(), catalogue_.walls.size());
  if (begin("rwforc/forces")) {
    std::vector<GlobalId> number, wall_ids;
    std::vector<std::string> titles;
    for (const WallInfo& wall : catalogue_.walls) {
      number.push_back(GlobalId(number.size() + 1));
      wall_ids.push_back(wall.id), titles.push_back(wall.title);
    }
    ids("ids", number);
    ids("setid", wall_ids);
    legend(wall_ids, titles);
  }
  begin_state("rwforc/forces");
  real("time", time);
  integer("cycle", cycle);
  column("normal_force", rows, [](const RwforcRow& r) { return r.normal; });
  columns("", "_force", rows, [](const RwforcRow& r) { return r.force; });
  file_.publish();
}

void BinoutWriter::nodout(double time, std::int64_t cycle, std::span<const NodoutRow> rows) {
  require_rows("nodout", rows.size(), catalogue_.history_nodes.size());
  if (begin("nodout")) {
    std::vector<GlobalId> node_ids;
    std::vector<std::string> titles;
    for (const Named& node : catalogue_.history_nodes)
      node_ids.push_back(node.id), titles.push_back(node.title);
    ids("ids", node_ids);
    legend(node_ids, titles);
  }
  begin_state("nodout");
  real("time", time);
  integer("cycle", cycle);
  columns("", "_displacement", rows, [](const NodoutRow& r) { return r.displacement; });
  columns("", "_velocity", rows, [](const NodoutRow& r) { return r.velocity; });
  columns("", "_acceleration", rows, [](const NodoutRow& r) { return r.acceleration; });
  columns("", "_coordinate", rows, [](const NodoutRow& r) { return r.x; });
  columns("r", "_displacement", rows, [](const NodoutRow& r) { return r.rotation; });
  columns("r", "_velocity", rows, [](const NodoutRow& r) { return r.angular_velocity; });
  columns("r", "_acceleration", rows, [](const NodoutRow& r) { return r.angular_acceleration; });
  file_.publish();
}

void BinoutWriter::swforc(double time, std::int64_t cycle, std::span<const SwforcRow> rows) {
  require_rows("swforc", rows.size(), catalogue_.welds.size());
  if (begin("swforc")) {
    constexpr std::int32_t beam = 2;  // its index in the names
    std::vector<GlobalId> weld_ids;
    for (const WeldInfo& weld : catalogue_.welds) weld_ids.push_back(weld.id);
    ids("ids", weld_ids);
    file_.write("types", std::vector<std::int32_t>(weld_ids.size(), beam));
    file_.write("typenames", std::string_view("constraint,weld,beam,solid,non nodal,solid assembly"));
  }
  begin_state("swforc");
  real("time", time);
  integer("cycle", cycle);
  column("axial", rows, [](const SwforcRow& r) { return r.axial; });
  column("shear", rows, [](const SwforcRow& r) { return r.shear; });
  column("resultant_moment", rows, [](const SwforcRow& r) { return r.bending; });
  column("torsion", rows, [](const SwforcRow& r) { return r.torsion; });
  column("length", rows, [](const SwforcRow& r) { return r.length; });
  column("failure_time", rows, [](const SwforcRow& r) { return r.failure_time; });
  // Readers use either name of the flag, from older and newer files.
  std::vector<std::int32_t> failed;
  for (const SwforcRow& row : rows) failed.push_back(row.failed ? 1 : 0);
  file_.write("failure", failed);
  file_.write("failure_flag", failed);
  file_.publish();
}

void BinoutWriter::secforc(double time, std::int64_t cycle, std::span<const SecforcRow> rows) {
  const auto& sections = catalogue_.sections;
  require_rows("secforc", rows.size(), sections.size());
  if (begin("secforc")) {
    std::vector<GlobalId> numbers, bodies, systems;
    std::vector<std::string> titles;
    for (const SectionInfo& s : sections) {
      numbers.push_back(s.id), titles.push_back(s.title);
      bodies.push_back(s.rigid_body), systems.push_back(s.system);
    }
    ids("ids", numbers);
    ids("rigidbody", bodies);
    ids("accelerometer", std::vector<GlobalId>(sections.size(), 0));
    ids("coordinate_system", systems);
    legend(numbers, titles);
  }
  begin_state("secforc");
  real("time", time);
  integer("cycle", cycle);
  columns("", "_force", rows, [](const SecforcRow& r) { return r.force; });
  column("total_force", rows, [](const SecforcRow& r) { return norm(r.force); });
  columns("", "_moment", rows, [](const SecforcRow& r) { return r.moment; });
  column("total_moment", rows, [](const SecforcRow& r) { return norm(r.moment); });
  columns("", "_centroid", rows, [](const SecforcRow& r) { return r.centroid; });
  column("area", rows, [](const SecforcRow& r) { return r.area; });
  file_.publish();
}

void BinoutWriter::spcforc(double time, std::int64_t cycle, const SpcforcBlock& block) {
  const auto& nodes = catalogue_.held_nodes;
  require_rows("spcforc", block.rows.size(), nodes.size());
  std::vector<SpcforcBlock::Row> forces, moments;
  std::vector<GlobalId> force_ids, moment_ids, force_sets, moment_sets;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].translations) {
      forces.push_back(block.rows[i]);
      force_ids.push_back(nodes[i].id), force_sets.push_back(nodes[i].constraint);
    }
    if (nodes[i].rotations) {
      moments.push_back(block.rows[i]);
      moment_ids.push_back(nodes[i].id), moment_sets.push_back(nodes[i].constraint);
    }
  }
  const std::span<const SpcforcBlock::Row> f = forces, m = moments;
  if (begin("spcforc")) {
    if (!f.empty()) ids("force_ids", force_ids), ids("force_setids", force_sets);
    if (!m.empty()) ids("moment_ids", moment_ids), ids("moment_setids", moment_sets);
  }
  begin_state("spcforc");
  real("time", time);
  integer("cycle", cycle);
  if (!f.empty()) columns("", "_force", f, [](const auto& r) { return r.force; });
  if (!m.empty()) columns("", "_moment", m, [](const auto& r) { return r.moment; });
  real("x_resultant", block.resultant.x);
  real("y_resultant", block.resultant.y);
  real("z_resultant", block.resultant.z);
  file_.publish();
}

void BinoutWriter::bndout_branch(const std::string& branch, double time, std::int64_t cycle,
                                 std::span<const GlobalId> numbers, std::span<const BndoutBlock::Row> rows,
                                 bool with_moments) {
  require_rows("bndout", rows.size(), numbers.size());
  if (rows.empty()) return;
  if (begin(branch)) ids("ids", numbers);
  begin_state(branch);
  BndoutBlock::Row total;
  for (const BndoutBlock::Row& row : rows) total.force += row.force, total.energy += row.energy;
  real("time", time);
  integer("cycle", cycle);
  columns("", "_force", rows, [](const auto& r) { return r.force; });
  if (with_moments) columns("", "moment", rows, [](const auto& r) { return r.moment; });
  column("energy", rows, [](const auto& r) { return r.energy; });
  real("x_total", total.force.x);
  real("y_total", total.force.y);
  real("z_total", total.force.z);
  real("etotal", total.energy);
  file_.publish();
}

void BinoutWriter::bndout(double time, std::int64_t cycle, const BndoutBlock& block) {
  const BoundaryInfo& info = catalogue_.boundary;
  bndout_branch("bndout/discrete/nodes", time, cycle, info.loaded, block.loaded, false);
  bndout_branch("bndout/pressure", time, cycle, info.pressed, block.pressed, false);
  bndout_branch("bndout/velocity/nodes", time, cycle, info.moved, block.moved, false);
  bndout_branch("bndout/velocity/rigidbodies", time, cycle, info.bodies, block.bodies, true);
}

namespace {

constexpr std::array<const char*, 6> kComponents{"xx", "yy", "zz", "xy", "yz", "zx"};

/// The points of all elements in one list.
std::vector<PointState> all_points(std::span<const EloutElement> elements) {
  std::vector<PointState> points;
  for (const EloutElement& e : elements) points.insert(points.end(), e.points.begin(), e.points.end());
  return points;
}

template <class Get>
std::vector<std::int32_t> integers_of(std::span<const EloutElement> elements, Get get) {
  std::vector<std::int32_t> values;
  for (const EloutElement& e : elements) values.push_back(static_cast<std::int32_t>(get(e)));
  return values;
}

}  // namespace

/// Begins a state of one kind of element: time, cycle, ids, and the parts under the name `part`.
void BinoutWriter::elout_state(const std::string& branch, double time, std::int64_t cycle,
                               std::span<const EloutElement> elements, const char* part,
                               std::span<const Named> named) {
  if (begin(branch)) {
    file_.write("states", std::string_view("elastic,plastic"));
    file_.write("system", std::string_view("global"));
    legend_of(named);
  }
  begin_state(branch);
  real("time", time);
  integer("cycle", cycle);
  std::vector<GlobalId> numbers, parts;
  for (const EloutElement& e : elements) numbers.push_back(e.id), parts.push_back(e.part);
  ids("ids", numbers);
  ids(part, parts);
}

void BinoutWriter::strains(const std::string& before, std::span<const EloutElement> elements,
                           std::array<double, 6> EloutElement::*which) {
  for (std::size_t c = 0; c < 6; ++c)
    column((before + kComponents[c]).c_str(), elements, [&](const EloutElement& e) { return (e.*which)[c]; });
}

void BinoutWriter::elout(double time, std::int64_t cycle, const EloutRow& row) {
  const auto stresses = [&](const std::vector<PointState>& points) {
    const std::span<const PointState> all = points;
    std::vector<std::int32_t> states;
    for (const PointState& p : points) states.push_back(p.plastic() ? 2 : 1);
    file_.write("state", states);
    for (std::size_t c = 0; c < 6; ++c)
      column((std::string("sig_") + kComponents[c]).c_str(), all,
             [&](const PointState& p) { return p.stress[c]; });
  };
  const auto points = [](const EloutElement& e) { return e.points.size(); };
  if (!row.solids.empty()) {
    const std::span<const EloutElement> solids = row.solids;
    elout_state("elout/solid", time, cycle, solids, "mtype", catalogue_.named_solids);
    stresses(all_points(solids));
    column("yield", solids, [](const EloutElement& e) { return e.points[0].plastic_strain; });
    column("effsg", solids, [](const EloutElement& e) { return e.points[0].von_mises(); });
    if (row.strains) strains("eps_", solids, &EloutElement::inner);
    file_.publish();
  }
  if (!row.beams.empty()) {
    const std::span<const EloutElement> beams = row.beams;
    elout_state("elout/beam", time, cycle, beams, "mat", catalogue_.named_beams);
    file_.write("nip", integers_of(beams, points));
    constexpr std::array<const char*, 6> names{"axial",    "shear_s",  "shear_t",
                                               "moment_s", "moment_t", "torsion"};
    for (std::size_t c = 0; c < 6; ++c)
      column(names[c], beams, [&](const EloutElement& e) { return e.resultant[c]; });
    const std::vector<PointState> all = all_points(beams);
    const std::span<const PointState> of_beams = all;
    if (!all.empty()) {
      column("sigma_11", of_beams, [](const PointState& p) { return p.stress[0]; });
      column("sigma_12", of_beams, [](const PointState& p) { return p.stress[3]; });
      column("sigma_31", of_beams, [](const PointState& p) { return p.stress[5]; });
      column("plastic_eps", of_beams, [](const PointState& p) { return p.plastic_strain; });
    }
    file_.publish();
  }
  if (!row.shells.empty()) {
    const std::span<const EloutElement> shells = row.shells;
    elout_state("elout/shell", time, cycle, shells, "mat", catalogue_.named_shells);
    file_.write("nip", integers_of(shells, points));
    file_.write("iop", integers_of(shells, [](const EloutElement& e) { return e.form; }));
    file_.write("npl", integers_of(shells, [](const EloutElement&) { return 1; }));
    const std::vector<PointState> all = all_points(shells);
    stresses(all);
    column("plastic_strain", std::span<const PointState>(all),
           [](const PointState& p) { return p.plastic_strain; });
    if (row.strains) {
      strains("lower_eps_", shells, &EloutElement::inner);
      strains("upper_eps_", shells, &EloutElement::outer);
    }
    file_.publish();
  }
}

void BinoutWriter::deforc(double time, std::int64_t cycle, std::span<const DeforcRow> rows) {
  require_rows("deforc", rows.size(), catalogue_.springs.size());
  if (begin("deforc")) {
    std::vector<GlobalId> numbers;
    std::vector<std::int32_t> rotational;
    for (const SpringInfo& spring : catalogue_.springs)
      numbers.push_back(spring.id), rotational.push_back(spring.rotational ? 1 : 0);
    ids("ids", numbers);
    file_.write("irot", rotational);
    std::vector<Named> named;
    for (const SpringInfo& spring : catalogue_.springs)
      if (!spring.title.empty()) named.push_back({spring.id, spring.title});
    legend_of(named);
  }
  begin_state("deforc");
  real("time", time);
  integer("cycle", cycle);
  columns("", "_force", rows, [](const DeforcRow& r) { return r.force; });
  column("resultant_force", rows, [](const DeforcRow& r) { return r.resultant; });
  column("displacement", rows, [](const DeforcRow& r) { return r.change; });
  file_.publish();
}

/// Directories of joints and of joint stiffnesses: type 0 is generalized, 1 flexion and torsion, 2
/// translational.
void BinoutWriter::jntforc(double time, std::int64_t cycle, std::span<const JointRow> rows,
                           std::span<const JointStiffnessRow> stiffnesses) {
  require_rows("jntforc", rows.size(), catalogue_.joints.size());
  require_rows("jntforc", stiffnesses.size(), catalogue_.joint_stiffnesses.size());
  if (!rows.empty()) joints(time, cycle, rows);
  for (int kind = 0; kind < 3; ++kind) joint_stiffnesses(kind, time, cycle, stiffnesses);
  file_.publish();
}

void BinoutWriter::joints(double time, std::int64_t cycle, std::span<const JointRow> rows) {
  if (begin("jntforc/joints")) {
    std::vector<GlobalId> joint_ids;
    std::vector<std::string> titles;
    std::vector<std::int32_t> local;
    for (const JointInfo& joint : catalogue_.joints) {
      joint_ids.push_back(joint.id), titles.push_back(joint.title);
      local.push_back(joint.local ? 1 : 0);
    }
    ids("ids", joint_ids);
    file_.write("local", local);
    legend(joint_ids, titles);
  }
  begin_state("jntforc/joints");
  real("time", time);
  integer("cycle", cycle);
  columns("", "_force", rows, [](const JointRow& r) { return r.force; });
  columns("", "_moment", rows, [](const JointRow& r) { return r.moment; });
  column("resultant_force", rows, [](const JointRow& r) { return norm(r.force); });
  column("resultant_moment", rows, [](const JointRow& r) { return norm(r.moment); });
  column("energy", rows, [](const JointRow& r) { return r.energy; });
}

void BinoutWriter::joint_stiffnesses(int kind, double time, std::int64_t cycle,
                                     std::span<const JointStiffnessRow> all) {
  std::vector<GlobalId> stiffness_ids;
  std::vector<JointStiffnessRow> rows;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (catalogue_.joint_stiffnesses[k].kind == kind)
      stiffness_ids.push_back(catalogue_.joint_stiffnesses[k].id), rows.push_back(all[k]);
  if (rows.empty()) return;
  const std::string directory = "jntforc/type" + std::to_string(kind);
  if (begin(directory.c_str())) ids("ids", stiffness_ids);
  begin_state(directory.c_str());
  real("time", time);
  integer("cycle", cycle);
  constexpr std::array<std::array<const char*, 3>, 3> names{
      {{"phi", "theta", "psi"}, {"alpha", "gamma", "beta"}, {"x", "y", "z"}}};
  const std::span<const JointStiffnessRow> written = rows;
  using Row = JointStiffnessRow;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string name = names[static_cast<std::size_t>(kind)][k];
    column((name + (kind == 2 ? "_displacement" : "_degrees")).c_str(), written,
           [&](const Row& r) { return r.angle[k]; });
    column(("d(" + name + ")_dt").c_str(), written, [&](const Row& r) { return r.rate[k]; });
    if (kind == 1 && k == 1) {
      column("gamma_scale_factor", written, [](const Row& r) { return r.scale; });
      continue;
    }
    const std::string load = name + (kind == 2 ? "_force" : "_moment");
    column((load + "_stiffness").c_str(), written, [&](const Row& r) { return r.stiffness[k]; });
    column((load + "_damping").c_str(), written, [&](const Row& r) { return r.damping[k]; });
    column((load + "_total").c_str(), written, [&](const Row& r) { return r.stiffness[k] + r.damping[k]; });
  }
  column("joint_energy", written, [](const JointStiffnessRow& r) { return r.energy; });
}

void BinoutWriter::rbdout(double time, std::int64_t cycle, std::span<const RigidBodyRow> rows) {
  const auto& bodies = catalogue_.rigid_bodies;
  require_rows("rbdout", rows.size(), bodies.size());
  const auto nodal = std::count_if(bodies.begin(), bodies.end(), [](const auto& b) { return b.nodal; });
  if (begin("rbdout")) {
    std::vector<GlobalId> body_ids;
    std::vector<std::string> titles;
    for (const RigidBodyInfo& body : bodies) body_ids.push_back(body.id), titles.push_back(body.title);
    ids("ids", body_ids);
    integer("num_nodal", nodal);
    legend(body_ids, titles);
  }
  begin_state("rbdout");
  real("time", time);
  integer("cycle", cycle);
  integer("num_nodal", nodal);
  using Row = RigidBodyRow;
  const auto both = [&](const std::string& of, Vec3 Row::*linear, Vec3 Row::*angular) {
    const auto local = [](const Row& r, const Vec3& v) {
      return v.x * r.direction[0] + v.y * r.direction[1] + v.z * r.direction[2];
    };
    columns("global_" + of, "", rows, [&](const Row& r) { return r.*linear; });
    columns("global_r" + of, "", rows, [&](const Row& r) { return r.*angular; });
    columns("local_" + of, "", rows, [&](const Row& r) { return local(r, r.*linear); });
    columns("local_r" + of, "", rows, [&](const Row& r) { return local(r, r.*angular); });
  };
  columns("global_", "", rows, [](const Row& r) { return r.x; });
  both("d", &Row::displacement, &Row::rotation);
  both("v", &Row::velocity, &Row::angular_velocity);
  both("a", &Row::acceleration, &Row::angular_acceleration);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      column(fmt::format("dircos_{}{}", i + 1, k + 1).c_str(), rows,
             [&](const Row& r) { return r.direction[static_cast<std::size_t>(i)][k]; });
  file_.publish();
}

}  // namespace crumple::output
