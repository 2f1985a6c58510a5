// Gathering and writing of plot states and histories.
#include "output/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <map>
#include <numbers>
#include <tuple>

#include "constraints/joint_stiffness.hpp"
#include "constraints/joints.hpp"
#include "loads/rigid_walls.hpp"
#include "output/ascii/d3hsp.hpp"
#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"
#include "output/boundary_forces.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/element_histories.hpp"
#include "output/history.hpp"
#include "output/vtkhdf/vtkhdf.hpp"

namespace crumple::output {

using explicit_dynamics::Balance;
using explicit_dynamics::Solver;

template <class T>
struct Recorder<T>::Files {
  std::unique_ptr<D3plotWriter> d3plot;
  std::unique_ptr<BinoutWriter> binout;
  std::unique_ptr<AsciiHistories> ascii;
  std::unique_ptr<D3hsp> d3hsp;
  std::unique_ptr<VtkhdfWriter> vtkhdf;

  /// Calls `write` on the writers that BINARY of a *DATABASE card asks for: 1 text, 2 binout, else both.
  template <class Write>
  void histories(int binary, Write&& write) {
    if (binary != 2) write(*ascii);
    if (binary != 1) write(*binout);
  }
};

namespace {

D3plotOptions plot_options(const model::Model& m, const Layout& layout, const RecorderOptions& options) {
  D3plotOptions o;
  o.layout = layout;
  o.prefix = options.prefix;
  o.double_precision = options.double_precision;
  o.sigflg = m.output.sigflg;
  o.epsflg = m.output.epsflg;
  o.shell_resultants = m.output.rltflg == 1;
  o.shell_energies = m.output.engflg == 1;
  o.one_state_per_file = m.output.ieverp == 1;
  o.drop_rigid_shells = m.output.dcomp == 2;
  return o;
}

/// None without walls. Collective.
std::vector<loads::RigidWalls::Row> wall_rows(const modules::Modules& modules) {
  const auto* const walls = modules.find<loads::RigidWalls>();
  return walls ? walls->rows() : std::vector<loads::RigidWalls::Row>{};
}

/// Of joints or joint stiffnesses; none without them.
template <class Module>
std::vector<typename Module::State> states_of(const modules::Modules& modules) {
  const Module* const module = modules.find<Module>();
  return module ? module->states() : std::vector<typename Module::State>{};
}

RunInfo run_info(bool single_elements) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  RunInfo info;
  info.version = single_elements ? "crumple " CRUMPLE_VERSION " s" : "crumple " CRUMPLE_VERSION " d";
  info.date = fmt::format("{:02d}/{:02d}/{}", utc.tm_mon + 1, utc.tm_mday, utc.tm_year + 1900);
  info.seconds = now;
  return info;
}

}  // namespace

template <class T>
Recorder<T>::Recorder(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                      Catalogue catalogue, RecorderOptions options)
    : comm_(&comm),
      subdomain_(&subdomain),
      options_(std::move(options)),
      catalogue_(std::move(catalogue)),
      layout_(make_layout(subdomain.model)),
      gather_(comm, subdomain) {
  const model::OutputControl& o = subdomain.model.output;
  d3plot_ = Series(o.d3plot);
  glstat_ = Series(o.glstat);
  matsum_ = Series(o.matsum);
  rcforc_ = Series(o.rcforc);
  rwforc_ = Series(o.rwforc);
  nodout_ = Series(o.nodout);
  swforc_ = Series(o.swforc);
  secforc_ = Series(o.secforc);
  spcforc_ = Series(o.spcforc);
  bndout_ = Series(o.bndout);
  sleout_ = Series(o.sleout);
  ncforc_ = Series(o.ncforc);
  elout_ = Series(o.elout);
  deforc_ = Series(o.deforc);
  jntforc_ = Series(o.jntforc);
  rbdout_ = Series(o.rbdout);
  for (const model::FeatureHistory& history : o.of_features) of_features_.emplace_back(history.interval);
  if (!comm.root()) return;
  catalogue_.run = run_info(std::is_same_v<T, float>);
  files_ = std::make_unique<Files>();
  std::filesystem::create_directories(options_.directory);
  files_->d3plot = std::make_unique<D3plotWriter>(catalogue_, options_.directory,
                                                  plot_options(subdomain.model, layout_, options_));
  files_->binout = std::make_unique<BinoutWriter>(catalogue_, options_.directory,
                                                  BinoutOptions{options_.double_precision, options_.prefix});
  files_->ascii = std::make_unique<AsciiHistories>(catalogue_, options_.directory, options_.prefix);
  files_->d3hsp = std::make_unique<D3hsp>(catalogue_, options_.directory, options_.prefix);
  files_->d3hsp->parts(catalogue_);
  if (options_.vtkhdf)
    files_->vtkhdf = std::make_unique<VtkhdfWriter>(
        catalogue_, options_.directory, VtkhdfOptions{layout_, options_.double_precision, options_.prefix});
  else
    forget_mesh();  // it is in the files; VTKHDF takes displacements from it
}

template <class T>
void Recorder<T>::forget_mesh() {
  const auto free = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  free(catalogue_.node_x);
  free(catalogue_.solids.nodes);
  free(catalogue_.beams.nodes);
  free(catalogue_.shells.nodes);
}

template <class T>
Recorder<T>::~Recorder() = default;

template <class T>
bool Recorder<T>::due(double time, double step) const {
  const Stretch times{time + step, step, false};
  for (const Series* s : {&d3plot_, &glstat_, &matsum_, &rcforc_, &rwforc_, &nodout_, &swforc_, &secforc_,
                          &spcforc_, &bndout_, &sleout_, &ncforc_, &elout_, &deforc_, &jntforc_, &rbdout_})
    if (s->due(times)) return true;
  return std::ranges::any_of(of_features_, [&](const Series& s) { return s.due(times); });
}

template <class T>
void Recorder<T>::record(Solver<T>& solver) {
  record(solver, {solver.time(), solver.time() - solver.snapshot().time, false}, false);
}

template <class T>
void Recorder<T>::record_end(Solver<T>& solver, double end_time) {
  record(solver, {end_time, solver.time() - solver.snapshot().time, true}, false);
  record_plot(solver);
}

template <class T>
void Recorder<T>::record_plot(Solver<T>& solver) {
  const auto timer = solver.timers().time(Phase::output);
  if (last_plot_cycle_ != solver.snapshot().cycle) plot_state(solver);
}

template <class T>
void Recorder<T>::record_all(Solver<T>& solver) {
  record(solver, {solver.time(), solver.time() - solver.snapshot().time, false}, true);
  record_plot(solver);
}

template <class T>
void Recorder<T>::record(Solver<T>& solver, const Stretch& times, bool all) {
  const auto timer = solver.timers().time(Phase::output);
  const model::OutputControl& o = subdomain_->model.output;
  const auto write = [&](Series& series, double interval, void (Recorder::*what)(Solver<T>&)) {
    if (series.due(times) || (all && interval > 0.0)) (this->*what)(solver);
    series.done(times);
  };
  write(glstat_, o.glstat, &Recorder::glstat);
  write(matsum_, o.matsum, &Recorder::matsum);
  write(rcforc_, o.rcforc, &Recorder::rcforc);
  write(rwforc_, o.rwforc, &Recorder::rwforc);
  write(nodout_, o.nodout, &Recorder::nodout);
  write(swforc_, o.swforc, &Recorder::swforc);
  write(secforc_, o.secforc, &Recorder::secforc);
  write(spcforc_, o.spcforc, &Recorder::spcforc);
  write(bndout_, o.bndout, &Recorder::bndout);
  write(sleout_, o.sleout, &Recorder::sleout);
  write(ncforc_, o.ncforc, &Recorder::ncforc);
  write(elout_, o.elout, &Recorder::elout);
  write(deforc_, o.deforc, &Recorder::deforc);
  write(jntforc_, o.jntforc, &Recorder::jntforc);
  write(rbdout_, o.rbdout, &Recorder::rbdout);
  for (std::size_t k = 0; k < of_features_.size(); ++k) {
    if (of_features_[k].due(times) || (all && o.of_features[k].interval > 0.0))
      feature_history(solver, o.of_features[k]);
    of_features_[k].done(times);
  }
  write(d3plot_, o.d3plot, &Recorder::plot_state);
}

template <class T>
void Recorder<T>::plot_state(Solver<T>& solver) {
  const auto& snapshot = solver.snapshot();
  last_plot_cycle_ = snapshot.cycle;
  PlotState s;
  s.time = snapshot.time;
  s.cycle = snapshot.cycle;
  s.x = gather_.nodes(std::span<const Vec3>(snapshot.x));
  s.v = gather_.nodes(std::span<const Vec3>(snapshot.v));
  s.a = gather_.nodes(std::span<const Vec3>(solver.nodal().a));
  if (layout_.added_mass)
    s.added_mass =
        gather_.nodes(solver.mass_scaling().of_nodes(solver.nodal(), subdomain_->model.output.msscl == 2), 1);
  const FillPiece fill = [&](ElementKind kind, Range piece, PlotState& part) {
    gather_elements<T>(gather_, layout_, snapshot.x, solver.elements().groups(), solver.strains(), kind,
                       piece, part);
  };
  constexpr std::array kinds{ElementKind::solid, ElementKind::beam,
                             ElementKind::shell};  // as d3plot has them
  if (options_.vtkhdf)
    for (const ElementKind kind : kinds) fill(kind, gather_.all(kind), s);
  const Balance balance = solver.balance();
  const auto parts = solver.parts();
  const auto walls = wall_rows(solver.modules());
  if (!comm_->root()) {
    for (const ElementKind kind : kinds)
      if (!options_.vtkhdf)
        for_each_piece(gather_.all(kind).last, [&](Range piece) { fill(kind, piece, s); });
    return;
  }
  s.kinetic = balance.parts.kinetic;
  s.internal = balance.parts.internal;
  s.total = balance.total;
  if (balance.parts.mass > 0) s.velocity = (1.0 / balance.parts.mass) * balance.parts.momentum;
  for (const auto& p : parts)
    s.parts.push_back(
        {p.internal, p.kinetic, p.hourglass, p.mass, p.mass > 0 ? (1.0 / p.mass) * p.momentum : Vec3{}});
  for (const auto& wall : walls) s.wall_force.push_back(wall.normal_force);
  files_->d3plot->write(s, options_.vtkhdf ? FillPiece{} : fill);
  if (files_->vtkhdf) files_->vtkhdf->write(s);
  files_->d3hsp->cycle(s.cycle, s.time, snapshot.dt, "write d3plot file");
}

template <class T>
void Recorder<T>::glstat(Solver<T>& solver) {
  const Balance b = solver.balance();
  const explicit_dynamics::ElementName name = solver.controlling();
  GlobalRow row;
  row.cycle = solver.snapshot().cycle;
  row.time = solver.snapshot().time;
  row.dt = solver.snapshot().dt;
  row.controlling = name.kind;
  row.controlling_element = name.id;
  row.controlling_part = name.part;
  row.kinetic = b.parts.kinetic;
  row.internal = b.parts.internal;
  row.spring_damper = b.parts.spring;
  row.joint = b.joint;
  row.hourglass = b.parts.hourglass;
  row.damping = b.damping;
  row.sliding = b.sliding;
  row.external_work = b.external_work;
  row.eroded_kinetic = b.eroded_kinetic;
  row.eroded_internal = b.parts.eroded_internal;
  row.eroded_hourglass = b.parts.eroded_hourglass;
  row.total = b.total;
  row.ratio = b.ratio();
  row.ratio_without_eroded = b.ratio_without_eroded();
  row.stonewall = b.stonewalls;
  if (b.parts.mass > 0) row.velocity = (1.0 / b.parts.mass) * b.parts.momentum;
  row.ns_per_zone_cycle = speed_;
  row.added_mass = b.added_mass;
  row.added_mass_percent = solver.mass() > 0 ? 100.0 * b.added_mass / solver.mass() : 0.0;
  last_row_ = row;
  if (comm_->root())
    files_->histories(subdomain_->model.output.glstat_binary, [&](auto& file) { file.glstat(row); });
}

template <class T>
void Recorder<T>::matsum(Solver<T>& solver) {
  const auto parts = solver.parts();
  std::vector<double> added(parts.size(), 0.0);
  if (solver.mass_scaling().active()) added = solver.added_masses();
  if (!comm_->root()) return;
  std::vector<MatsumRow> rows;
  for (const auto& p : parts) {
    MatsumRow row;
    row.added_mass = added[rows.size()];
    row.internal = p.internal;
    row.kinetic = p.kinetic;
    row.hourglass = p.hourglass;
    row.eroded_internal = p.eroded_internal;
    row.eroded_hourglass = p.eroded_hourglass;
    row.mass = p.mass;
    row.momentum = p.momentum;
    if (p.mass > 0) row.rigid_velocity = (1.0 / p.mass) * p.momentum;
    rows.push_back(row);
  }
  files_->histories(subdomain_->model.output.matsum_binary,
                    [&](auto& file) { file.matsum(solver.snapshot().time, solver.snapshot().cycle, rows); });
}

template <class T>
void Recorder<T>::rcforc(Solver<T>& solver) {
  const auto contacts = solver.contact_results();
  if (!comm_->root() || contacts.empty()) return;
  std::vector<RcforcRow> rows;
  for (const auto& c : contacts) rows.push_back({c.force_a, c.force_b, 0.0, 0.0});
  files_->histories(subdomain_->model.output.rcforc_binary,
                    [&](auto& file) { file.rcforc(solver.snapshot().time, solver.snapshot().cycle, rows); });
}

template <class T>
void Recorder<T>::sleout(Solver<T>& solver) {
  const auto contacts = solver.contact_results();
  if (!comm_->root() || contacts.empty()) return;
  std::vector<SleoutRow> rows;
  for (const auto& c : contacts) rows.push_back({c.energy_a, c.energy_b, c.friction_energy});
  files_->histories(subdomain_->model.output.sleout_binary,
                    [&](auto& file) { file.sleout(solver.snapshot().time, solver.snapshot().cycle, rows); });
}

template <class T>
void Recorder<T>::ncforc(Solver<T>& solver) {
  const auto& snapshot = solver.snapshot();
  const auto forces = solver.contact().nodal_forces();
  const std::vector<Vec3> x = gather_.nodes(std::span<const Vec3>(snapshot.x));
  if (!comm_->root() || catalogue_.contact_sides.empty()) return;
  std::map<std::tuple<std::int32_t, std::int32_t, GlobalId>, Vec3> of_node;
  for (const auto& f : forces) of_node[{f.contact, f.b, f.node}] = f.force;
  std::vector<std::vector<NcforcRow>> blocks;
  for (const ContactSideInfo& side : catalogue_.contact_sides) {
    auto& rows = blocks.emplace_back();
    for (const std::int32_t n : side.nodes) {
      const auto at = of_node.find({side.contact, side.b ? 1 : 0, catalogue_.node_id[n]});
      rows.push_back({at == of_node.end() ? Vec3{} : at->second, x[n]});
    }
  }
  files_->histories(subdomain_->model.output.ncforc_binary,
                    [&](auto& file) { file.ncforc(snapshot.time, snapshot.cycle, blocks); });
}

template <class T>
void Recorder<T>::rwforc(Solver<T>& solver) {
  const auto walls = wall_rows(solver.modules());
  if (!comm_->root() || walls.empty()) return;
  std::vector<RwforcRow> rows;
  for (const auto& wall : walls) rows.push_back({wall.normal_force, wall.force});
  files_->histories(subdomain_->model.output.rwforc_binary,
                    [&](auto& file) { file.rwforc(solver.snapshot().time, solver.snapshot().cycle, rows); });
}

template <class T>
void Recorder<T>::swforc(Solver<T>& solver) {
  const auto& snapshot = solver.snapshot();
  const std::vector<SwforcRow> rows =
      gather_welds<T>(gather_, catalogue_, snapshot.x, solver.elements().groups());
  if (!comm_->root() || rows.empty()) return;
  files_->histories(subdomain_->model.output.swforc_binary,
                    [&](auto& file) { file.swforc(snapshot.time, snapshot.cycle, rows); });
}

template <class T>
void Recorder<T>::secforc(Solver<T>& solver) {
  const std::vector<SecforcRow> rows = gather_sections(solver);
  if (!comm_->root() || rows.empty()) return;
  const auto& snapshot = solver.snapshot();
  files_->histories(subdomain_->model.output.secforc_binary,
                    [&](auto& file) { file.secforc(snapshot.time, snapshot.cycle, rows); });
}

template <class T>
void Recorder<T>::spcforc(Solver<T>& solver) {
  const SpcforcBlock block = gather_constraint_forces(*comm_, catalogue_, solver);
  if (!comm_->root() || block.rows.empty()) return;
  const auto& snapshot = solver.snapshot();
  files_->histories(subdomain_->model.output.spcforc_binary,
                    [&](auto& file) { file.spcforc(snapshot.time, snapshot.cycle, block); });
}

template <class T>
void Recorder<T>::bndout(Solver<T>& solver) {
  BndoutBlock block = gather_boundary_forces(*comm_, catalogue_, solver);
  if (!comm_->root() ||
      (block.loaded.empty() && block.pressed.empty() && block.moved.empty() && block.bodies.empty()))
    return;
  const auto& snapshot = solver.snapshot();
  // As the external work of glstat: without what dynamic relaxation did, which is done by the first cycle.
  if (snapshot.cycle == 0) bndout_at_start_ = block;
  block.count_from(bndout_at_start_);
  files_->histories(subdomain_->model.output.bndout_binary,
                    [&](auto& file) { file.bndout(snapshot.time, snapshot.cycle, block); });
}

template <class T>
void Recorder<T>::elout(Solver<T>& solver) {
  const auto& snapshot = solver.snapshot();
  const EloutRow row =
      gather_elout<T>(*comm_, subdomain_->model, snapshot.x, solver.elements().groups(), solver.strains());
  if (!comm_->root()) return;
  files_->histories(subdomain_->model.output.elout_binary,
                    [&](auto& file) { file.elout(snapshot.time, snapshot.cycle, row); });
}

template <class T>
void Recorder<T>::deforc(Solver<T>& solver) {
  const auto& snapshot = solver.snapshot();
  const std::vector<DeforcRow> rows =
      gather_deforc<T>(*comm_, subdomain_->model, catalogue_, snapshot.x, solver.elements().groups());
  if (!comm_->root() || rows.empty()) return;
  files_->histories(subdomain_->model.output.deforc_binary,
                    [&](auto& file) { file.deforc(snapshot.time, snapshot.cycle, rows); });
}

template <class T>
void Recorder<T>::jntforc(Solver<T>& solver) {
  if (!comm_->root() || !catalogue_.has_joints()) return;
  constexpr double degrees = 180.0 / std::numbers::pi;
  std::vector<JointRow> joints;
  for (const auto& s : states_of<constraints::Joints>(solver.modules()))
    joints.push_back({s.force, s.moment, s.energy});
  for (std::size_t k = 0; k < joints.size(); ++k)
    if (const LocalId body = subdomain_->model.joints[k].results_body; body != model::kNone) {
      const auto turn = solver.rigid_bodies().kept_state(body).direction;
      joints[k].force = constraints::transpose_times(turn, joints[k].force);
      joints[k].moment = constraints::transpose_times(turn, joints[k].moment);
    }
  std::vector<JointStiffnessRow> stiffnesses;
  for (const auto& s : states_of<constraints::JointStiffnesses>(solver.modules())) {
    JointStiffnessRow& row = stiffnesses.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {
      row.angle[i] = degrees * s.angle[i];
      row.rate[i] = degrees * s.rate[i];
      row.stiffness[i] = s.elastic[i];
      row.damping[i] = s.damping[i];
    }
    row.energy = s.energy;
  }
  files_->histories(subdomain_->model.output.jntforc_binary, [&](auto& file) {
    file.jntforc(solver.snapshot().time, solver.snapshot().cycle, joints, stiffnesses);
  });
}

template <class T>
void Recorder<T>::rbdout(Solver<T>& solver) {
  const std::vector<constraints::RigidBodyState> states = solver.rigid_bodies().kept_states();
  if (!comm_->root() || catalogue_.rigid_bodies.empty()) return;
  std::vector<RigidBodyRow> rows;
  for (const RigidBodyInfo& body : catalogue_.rigid_bodies) {
    const constraints::RigidBodyState& s = states[static_cast<std::size_t>(body.body)];
    rows.push_back({s.position, s.displacement, s.velocity, s.acceleration, s.rotation, s.angular_velocity,
                    s.angular_acceleration, s.direction});
  }
  files_->histories(subdomain_->model.output.rbdout_binary,
                    [&](auto& file) { file.rbdout(solver.snapshot().time, solver.snapshot().cycle, rows); });
}

/// What modules write of themselves.
template <class T>
void Recorder<T>::feature_history(Solver<T>& solver, const model::FeatureHistory& asked) {
  for (History* const history : solver.modules().histories()) {
    if (history->name() != asked.name) continue;
    history->gather();
    if (comm_->root())
      files_->histories(asked.binary, [&](auto& file) {
        history->write(file, solver.snapshot().time, solver.snapshot().cycle);
      });
  }
}

template <class T>
void Recorder<T>::nodout(Solver<T>& solver) {
  struct Line {
    GlobalId id;
    NodoutRow row;
  };
  static_assert(std::is_trivially_copyable_v<Line>);
  const state::Nodal& nodal = solver.nodal();
  const auto& snapshot = solver.snapshot();
  std::vector<Line> mine;
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const LocalId n = shown[k];
    NodoutRow row;
    row.x = snapshot.x[n];
    row.displacement = snapshot.x[n] - nodal.x0[n];
    row.velocity = snapshot.v[n];
    row.acceleration = nodal.a[n];
    row.rotation = snapshot.rotation[k];
    row.angular_velocity = snapshot.w[n];
    row.angular_acceleration = nodal.alpha[n];
    mine.push_back({nodal.id[n], row});
  }
  const std::vector<Line> all = comm_->gather<Line>(mine);
  if (!comm_->root() || all.empty()) return;
  std::map<GlobalId, NodoutRow> by_id;
  for (const Line& line : all) by_id[line.id] = line.row;
  std::vector<NodoutRow> rows;
  for (const Named& node : catalogue_.history_nodes) rows.push_back(by_id.at(node.id));
  files_->histories(subdomain_->model.output.nodout_binary,
                    [&](auto& file) { file.nodout(snapshot.time, snapshot.cycle, rows); });
}

template <class T>
void Recorder<T>::echo(const std::string& title, const std::string& text) {
  if (files_) files_->d3hsp->section(title, text);
}

template <class T>
void Recorder<T>::end(bool normal, const std::string& text) {
  if (!files_) return;
  files_->d3hsp->end(normal, text);
  files_->d3hsp->close();
}

template <class T>
void Recorder<T>::close() {
  if (!files_) return;
  files_->d3plot->close();
  files_->binout->close();
  files_->ascii->close();
  if (files_->vtkhdf) files_->vtkhdf->close();
}

template class Recorder<float>;
template class Recorder<double>;

}  // namespace crumple::output
