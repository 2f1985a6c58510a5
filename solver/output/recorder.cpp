// Gathers and writes plot states and histories.
#include "output/recorder.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <tuple>

#include "base/assert.hpp"
#include "output/accelerometer/local_axes.hpp"
#include "output/ascii/d3hsp.hpp"
#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"
#include "output/boundary_forces.hpp"
#include "output/contact_surfaces/surface_files.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/element_histories.hpp"
#include "output/history.hpp"
#include "output/live/live_view.hpp"
#include "output/local_history/local_history.hpp"
#include "output/vtkhdf/vtkhdf.hpp"

namespace crumple::output {

struct Recorder::Files {
  std::unique_ptr<D3plotWriter> d3plot;
  std::unique_ptr<BinoutWriter> binout;
  std::unique_ptr<AsciiHistories> ascii;
  std::unique_ptr<D3hsp> d3hsp;
  std::unique_ptr<VtkhdfWriter> vtkhdf;
  std::unique_ptr<ContactSurfaceFiles> surfaces;
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
  o.drop_rigid_shells = m.output.dcomp == 2 || m.output.dcomp == 4;
  o.node_motion = m.output.dcomp != 3 && m.output.dcomp != 4;
  return o;
}

}  // namespace

Recorder::Recorder(const parallel::Communicator& comm, const decomposition::Subdomain& subdomain,
                   Catalogue catalogue, RecorderOptions options)
    : comm_(&comm),
      subdomain_(&subdomain),
      options_(std::move(options)),
      catalogue_(std::move(catalogue)),
      layout_(make_layout(subdomain.model)),
      gather_(comm, subdomain, subdomain.model.output.ncforc > 0.0 || subdomain.model.output.intfor > 0.0),
      plot_states_(comm, rows_of_rank(subdomain), plot_options(subdomain.model, layout_, options_)) {
  const model::OutputControl& o = subdomain.model.output;
  channels_ = {
      {o.glstat, &Recorder::glstat},   {o.matsum, &Recorder::matsum},    {o.rcforc, &Recorder::rcforc},
      {o.rwforc, &Recorder::rwforc},   {o.nodout, &Recorder::nodout},    {o.swforc, &Recorder::swforc},
      {o.secforc, &Recorder::secforc}, {o.spcforc, &Recorder::spcforc},  {o.bndout, &Recorder::bndout},
      {o.sleout, &Recorder::sleout},   {o.ncforc, &Recorder::ncforc},    {o.elout, &Recorder::elout},
      {o.deforc, &Recorder::deforc},   {o.jntforc, &Recorder::jntforc},  {o.rbdout, &Recorder::rbdout},
      {o.intfor, &Recorder::intfor},   {o.d3plot, &Recorder::plot_state}};
  for (const model::FeatureHistory& history : o.of_features) of_features_.emplace_back(history.interval);
  if (options_.vtkhdf) steps_.emplace(comm, plot_states_.rows(), vtkhdf_options());
  if (comm.root()) {
    files_ = std::make_unique<Files>();
    if (options_.go_on)
      go_on(*options_.go_on);
    else
      create_files();
  }
  if (options_.live) begin_live();
  forget_mesh();  // it has been written
}

/// Collective.
void Recorder::begin_live() {
  live_ = std::make_unique<LiveView>(*comm_, *subdomain_, catalogue_, *options_.live, options_.directory,
                                     options_.prefix, options_.go_on.has_value());
  if (files_) files_->d3hsp->also_tell([this](std::string_view text) { live_->add(kD3hsp, text); });
}

void Recorder::create_files() {
  const std::string &directory = options_.directory, &prefix = options_.prefix;
  catalogue_.run = options_.run;
  std::filesystem::create_directories(directory);
  files_->d3plot = std::make_unique<D3plotWriter>(catalogue_, directory,
                                                  plot_options(subdomain_->model, layout_, options_));
  files_->binout =
      std::make_unique<BinoutWriter>(catalogue_, directory, BinoutOptions{options_.double_precision, prefix});
  files_->ascii = std::make_unique<AsciiHistories>(catalogue_, directory, prefix);
  files_->d3hsp = std::make_unique<D3hsp>(catalogue_, directory, prefix);
  files_->d3hsp->parts(catalogue_);
  files_->surfaces =
      std::make_unique<ContactSurfaceFiles>(catalogue_, directory, prefix, options_.double_precision);
  if (options_.vtkhdf)
    files_->vtkhdf = std::make_unique<VtkhdfWriter>(catalogue_, directory, vtkhdf_options());
}

void Recorder::go_on(const FilePositions& from) {
  const std::string &directory = options_.directory, &prefix = options_.prefix;
  check_options(from.options, writer_options());
  check_files(from, directory, prefix);
  catalogue_.run = options_.run = from.run;
  // First those that may still refuse: VTKHDF changes nothing until it is published, d3plot checks its
  // states.
  if (options_.vtkhdf)
    files_->vtkhdf = std::make_unique<VtkhdfWriter>(catalogue_, directory, vtkhdf_options(), from.vtkhdf);
  files_->d3plot = std::make_unique<D3plotWriter>(
      catalogue_, directory, plot_options(subdomain_->model, layout_, options_), from.d3plot);
  files_->binout = std::make_unique<BinoutWriter>(
      catalogue_, directory, BinoutOptions{options_.double_precision, prefix}, from.binout);
  files_->ascii = std::make_unique<AsciiHistories>(catalogue_, directory, prefix, from.texts);
  files_->d3hsp = std::make_unique<D3hsp>(directory, prefix, from.texts.at(kD3hsp));
  files_->surfaces = std::make_unique<ContactSurfaceFiles>(catalogue_, directory, prefix,
                                                           options_.double_precision, from.surfaces);
  if (files_->vtkhdf) files_->vtkhdf->publish();
}

WriterOptions Recorder::writer_options() const {
  return {options_.double_precision, subdomain_->model.output.ieverp == 1, options_.vtkhdf};
}

VtkhdfOptions Recorder::vtkhdf_options() const {
  return {layout_, options_.double_precision, options_.prefix, options_.vtkhdf_compression};
}

FilePositions Recorder::positions() const {
  FilePositions p;
  if (!files_) return p;
  p.run = catalogue_.run;
  p.options = writer_options();
  p.texts = files_->ascii->sizes();
  p.texts[kD3hsp] = files_->d3hsp->size();
  p.d3plot = files_->d3plot->position();
  p.binout = files_->binout->position();
  if (files_->vtkhdf) p.vtkhdf = files_->vtkhdf->position();
  p.surfaces = files_->surfaces->position();
  return p;
}

void Recorder::forget_mesh() {
  const auto free = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  free(catalogue_.node_x);
  free(catalogue_.solids.nodes);
  free(catalogue_.solid_middle);
  free(catalogue_.beams.nodes);
  free(catalogue_.shells.nodes);
  free(catalogue_.particles.nodes);
}

Recorder::~Recorder() = default;

bool Recorder::due(double time, double step) const {
  const Stretch times{time + step, step, false};
  return std::ranges::any_of(channels_, [&](const Channel& c) { return c.series.due(times); }) ||
         std::ranges::any_of(of_features_, [&](const Series& s) { return s.due(times); });
}

void Recorder::record(const ResultsView& results) {
  const CycleTimes c = results.cycle();
  record(results, {c.next, c.next - c.time, false}, false);
}

void Recorder::record_end(const ResultsView& results, double end_time) {
  const CycleTimes c = results.cycle();
  record(results, {end_time, c.next - c.time, true}, false);
  record_plot(results);
}

void Recorder::record_until(const ResultsView& results, double end_time) {
  const CycleTimes c = results.cycle();
  record(results, {end_time, c.next - c.time, true}, false);
}

void Recorder::record_plot(const ResultsView& results) {
  if (last_plot_cycle_ != results.cycle().cycle) plot_state(results);
}

void Recorder::begin_changed(double time, double step) {
  for (Series* const series : changed_) series->begin_at(time, step);
  changed_.clear();
}

void Recorder::record_all(const ResultsView& results) {
  const CycleTimes c = results.cycle();
  record(results, {c.next, c.next - c.time, false}, true);
  record_plot(results);
}

void Recorder::record(const ResultsView& results, const Stretch& times, bool all) {
  const std::vector<model::FeatureHistory>& asked = subdomain_->model.output.of_features;
  for (std::size_t k = 0; k < of_features_.size(); ++k) {
    if (of_features_[k].due(times) || (all && asked[k].interval > 0.0)) feature_history(results, asked[k]);
    of_features_[k].done(times);
  }
  for (Channel& c : channels_) {
    if (c.series.due(times) || (all && c.interval > 0.0)) (this->*c.write)(results);
    c.series.done(times);
  }
}

/// Calls `write(file, time, cycle)` for each of the files that `binary` asks for. Rank 0.
template <class Write>
void Recorder::write(int binary, const ResultsView& results, Write&& write) {
  const CycleTimes c = results.cycle();
  if (binary != 2) write(*files_->ascii, c.time, c.cycle);
  if (binary != 1) write(*files_->binout, c.time, c.cycle);
}

/// The same for histories that are shown over the socket, too.
template <class Write>
void Recorder::write_and_show(int binary, const ResultsView& results, Write&& write_row) {
  write(binary, results, write_row);
  const CycleTimes c = results.cycle();
  if (live_) write_row(live_->rows(), c.time, c.cycle);
}

bool Recorder::live_due() const { return live_ && live_->due(); }

void Recorder::show_state(const ResultsView& results) {
  if (live_) live_->state(results, false);
}

void Recorder::show_added(const std::string& file, std::string_view text) {
  if (live_) live_->add(file, text);
}

void Recorder::show_file(const std::string& file, std::string_view text) {
  if (live_) live_->replace(file, text);
}

/// Complete on rank 0. Collective.
PlotState Recorder::plot_globals(const ResultsView& results) const {
  PlotState s;
  const CycleTimes cycle = results.cycle();
  const GlobalRow energies = results.energies();
  s.time = cycle.time;
  s.cycle = cycle.cycle;
  s.kinetic = energies.kinetic;
  s.internal = energies.internal;
  s.total = energies.total;
  s.velocity = energies.velocity;
  for (const MatsumRow& p : results.parts())
    s.parts.push_back({p.internal, p.kinetic, p.hourglass, p.mass, p.rigid_velocity});
  for (const RwforcRow& wall : results.walls()) s.wall_force.push_back(wall.normal);
  return s;
}

void Recorder::plot_state(const ResultsView& results) {
  const CycleTimes cycle = results.cycle();
  const NodeView nodes = results.nodes();
  last_plot_cycle_ = cycle.cycle;
  const PlotState globals = plot_globals(results);
  std::vector<double> added;
  if (layout_.added_mass) added = results.added_nodal_mass(subdomain_->model.output.msscl == 2);
  const NodeValues values{nodes.x, nodes.v, nodes.a, added, nodes.x0};
  const FillRows fill = [&](ElementKind kind, Range of_rank, PlotState& part) {
    read_elements(layout_, results, kind, of_rank, part);
    if (steps_) steps_->keep(kind, of_rank, part);
  };
  plot_states_.write(files_ ? files_->d3plot.get() : nullptr, globals, values, fill);
  if (steps_) steps_->write(files_ ? files_->vtkhdf.get() : nullptr, cycle.time, values);
  if (files_) files_->d3hsp->cycle(cycle.cycle, cycle.time, cycle.dt, "write d3plot file");
  if (live_) live_->state(results, true);
}

void Recorder::glstat(const ResultsView& results) {
  GlobalRow row = results.energies();
  const ControllingElement held_by = results.controlling();
  row.controlling = held_by.kind;
  row.controlling_element = held_by.id;
  row.controlling_part = held_by.part;
  row.ns_per_zone_cycle = speed_;
  if (!comm_->root()) return;
  write_and_show(subdomain_->model.output.glstat_binary, results,
                 [&](auto& file, double, auto) { file.glstat(row); });
}

void Recorder::matsum(const ResultsView& results) {
  const std::vector<MatsumRow> rows = results.parts();
  if (!comm_->root()) return;
  CRUMPLE_ASSERT(rows.size() == catalogue_.parts.size(), rows.size(), catalogue_.parts.size());
  write(subdomain_->model.output.matsum_binary, results,
        [&](auto& file, double t, auto cycle) { file.matsum(t, cycle, rows); });
}

void Recorder::rcforc(const ResultsView& results) {
  const std::vector<RcforcRow> rows = results.contact_forces();
  if (!comm_->root() || rows.empty()) return;
  CRUMPLE_ASSERT(rows.size() == catalogue_.contacts.size(), rows.size(), catalogue_.contacts.size());
  write_and_show(subdomain_->model.output.rcforc_binary, results,
                 [&](auto& file, double t, auto cycle) { file.rcforc(t, cycle, rows); });
}

void Recorder::sleout(const ResultsView& results) {
  const std::vector<SleoutRow> rows = results.contact_energies();
  if (!comm_->root() || rows.empty()) return;
  write(subdomain_->model.output.sleout_binary, results,
        [&](auto& file, double t, auto cycle) { file.sleout(t, cycle, rows); });
}

/// Forces and places of the nodes of sides; empty without sides, and on other ranks. Collective.
std::vector<std::vector<NcforcRow>> Recorder::contact_blocks(const ResultsView& results) const {
  const std::vector<ContactNode> forces = results.contact_nodes();
  const std::vector<Vec3> x = gather_.nodes(results.nodes().x);
  if (!comm_->root() || catalogue_.contact_sides.empty()) return {};
  std::map<std::tuple<std::int32_t, bool, GlobalId>, Vec3> of_node;
  for (const ContactNode& f : forces) of_node[{f.contact, f.b, f.id}] = f.force;
  std::vector<std::vector<NcforcRow>> blocks;
  for (const ContactSideInfo& side : catalogue_.contact_sides) {
    auto& rows = blocks.emplace_back();
    for (const std::int32_t n : side.nodes) {
      const auto at = of_node.find({side.contact, side.b, catalogue_.node_id[n]});
      rows.push_back({at == of_node.end() ? Vec3{} : at->second, x[n]});
    }
  }
  return blocks;
}

void Recorder::ncforc(const ResultsView& results) {
  const std::vector<std::vector<NcforcRow>> blocks = contact_blocks(results);
  if (blocks.empty()) return;
  write(subdomain_->model.output.ncforc_binary, results,
        [&](auto& file, double t, auto cycle) { file.ncforc(t, cycle, blocks); });
}

void Recorder::intfor(const ResultsView& results) {
  const std::vector<std::vector<NcforcRow>> blocks = contact_blocks(results);
  if (!blocks.empty()) files_->surfaces->write(results.cycle().time, blocks);
}

void Recorder::rwforc(const ResultsView& results) {
  const std::vector<RwforcRow> rows = results.walls();
  if (!comm_->root() || rows.empty()) return;
  CRUMPLE_ASSERT(rows.size() == catalogue_.walls.size(), rows.size(), catalogue_.walls.size());
  write_and_show(subdomain_->model.output.rwforc_binary, results,
                 [&](auto& file, double t, auto cycle) { file.rwforc(t, cycle, rows); });
}

void Recorder::swforc(const ResultsView& results) {
  const std::vector<SwforcRow> rows = gather_welds(gather_, catalogue_, results);
  if (!comm_->root() || rows.empty()) return;
  write(subdomain_->model.output.swforc_binary, results,
        [&](auto& file, double t, auto cycle) { file.swforc(t, cycle, rows); });
}

void Recorder::secforc(const ResultsView& results) {
  const std::vector<SecforcRow> rows = results.sections();
  if (!comm_->root() || rows.empty()) return;
  CRUMPLE_ASSERT(rows.size() == catalogue_.sections.size(), rows.size(), catalogue_.sections.size());
  write_and_show(subdomain_->model.output.secforc_binary, results,
                 [&](auto& file, double t, auto cycle) { file.secforc(t, cycle, rows); });
}

void Recorder::spcforc(const ResultsView& results) {
  const SpcforcBlock block = gather_constraint_forces(*comm_, subdomain_->model, catalogue_, results);
  if (!comm_->root() || block.rows.empty()) return;
  write(subdomain_->model.output.spcforc_binary, results,
        [&](auto& file, double t, auto cycle) { file.spcforc(t, cycle, block); });
}

void Recorder::bndout(const ResultsView& results) {
  BndoutBlock block = gather_boundary_forces(*comm_, subdomain_->model, catalogue_, results);
  if (!comm_->root() ||
      (block.loaded.empty() && block.pressed.empty() && block.moved.empty() && block.bodies.empty()))
    return;
  // As in glstat's external work, the work in dynamic relaxation is subtracted; it is complete in the first
  // cycle.
  if (results.cycle().cycle == 0) bndout_at_start_ = block;
  block.count_from(bndout_at_start_);
  write(subdomain_->model.output.bndout_binary, results,
        [&](auto& file, double t, auto cycle) { file.bndout(t, cycle, block); });
}

void Recorder::elout(const ResultsView& results) {
  const EloutRow row = gather_elout(*comm_, subdomain_->model, results);
  if (!comm_->root()) return;
  write(subdomain_->model.output.elout_binary, results,
        [&](auto& file, double t, auto cycle) { file.elout(t, cycle, row); });
}

void Recorder::deforc(const ResultsView& results) {
  const std::vector<DeforcRow> rows = gather_deforc(*comm_, subdomain_->model, catalogue_, results);
  if (!comm_->root() || rows.empty()) return;
  write(subdomain_->model.output.deforc_binary, results,
        [&](auto& file, double t, auto cycle) { file.deforc(t, cycle, rows); });
}

void Recorder::jntforc(const ResultsView& results) {
  const std::vector<JointRow> joints = results.joints();
  const std::vector<JointStiffnessRow> stiffnesses = results.joint_stiffnesses();
  if (!comm_->root() || !catalogue_.has_joints()) return;
  CRUMPLE_ASSERT(
      joints.size() == catalogue_.joints.size() && stiffnesses.size() == catalogue_.joint_stiffnesses.size(),
      joints.size(), catalogue_.joints.size(), stiffnesses.size());
  write(subdomain_->model.output.jntforc_binary, results,
        [&](auto& file, double t, auto cycle) { file.jntforc(t, cycle, joints, stiffnesses); });
}

void Recorder::rbdout(const ResultsView& results) {
  const std::vector<RigidBodyRow> all = results.rigid_bodies();
  if (!comm_->root() || catalogue_.rigid_bodies.empty()) return;
  std::vector<RigidBodyRow> rows;
  for (const RigidBodyInfo& body : catalogue_.rigid_bodies)
    rows.push_back(all[static_cast<std::size_t>(body.body)]);
  write(subdomain_->model.output.rbdout_binary, results,
        [&](auto& file, double t, auto cycle) { file.rbdout(t, cycle, rows); });
}

/// Histories that modules write.
void Recorder::feature_history(const ResultsView& results, const model::FeatureHistory& asked) {
  for (History* const history : results.histories()) {
    if (history->name() != asked.name) continue;
    history->gather();
    if (comm_->root())
      write(asked.binary, results, [&](auto& file, double t, auto cycle) { history->write(file, t, cycle); });
  }
}

/// The row of a node, in the axes of its accelerometer, or of its frame, if it has one.
NodoutRow Recorder::as_measured(const ResultsView& results, LocalId node, NodoutRow row) const {
  const model::Model& model = subdomain_->model;
  const NodeView nodes = results.nodes();
  for (const Accelerometer& in : model.features.of<Accelerometer>()) {
    if (in.nodes[0] != node) continue;
    row.acceleration -= removed_gravity(model, in, results.cycle().time);
    return in_axes(row, triad(nodes.x[in.nodes[0]], nodes.x[in.nodes[1]], nodes.x[in.nodes[2]]));
  }
  const auto& local = model.features.of<LocalHistory>();
  const auto of = std::ranges::find(local, node, &LocalHistory::node);
  if (of != local.end()) return in_axes(row, axes_at(*of, nodes.x));
  return row;
}

void Recorder::nodout(const ResultsView& results) {
  struct Line {
    GlobalId id;
    NodoutRow row;
  };
  static_assert(std::is_trivially_copyable_v<Line>);
  const NodeView nodes = results.nodes();
  std::vector<Line> mine;
  const std::vector<LocalId>& shown = subdomain_->model.output.history_nodes;
  for (std::size_t k = 0; k < shown.size(); ++k) {
    const LocalId n = shown[k];
    NodoutRow row;
    row.x = nodes.x[n];
    row.displacement = nodes.x[n] - nodes.x0[n];
    row.velocity = nodes.v[n];
    row.acceleration = nodes.a[n];
    row.rotation = nodes.rotation[k];
    row.angular_velocity = nodes.w[n];
    row.angular_acceleration = nodes.alpha[n];
    mine.push_back({nodes.id[n], as_measured(results, n, row)});
  }
  const std::vector<Line> all = comm_->gather<Line>(mine);
  if (!comm_->root() || all.empty()) return;
  std::map<GlobalId, NodoutRow> by_id;
  for (const Line& line : all) by_id[line.id] = line.row;
  std::vector<NodoutRow> rows;
  for (const Named& node : catalogue_.history_nodes) rows.push_back(by_id.at(node.id));
  write(subdomain_->model.output.nodout_binary, results,
        [&](auto& file, double t, auto cycle) { file.nodout(t, cycle, rows); });
  if (live_) live_->nodout(results.cycle().time, results.cycle().cycle, rows);
}

void Recorder::echo(const std::string& title, const std::string& text) {
  if (files_) files_->d3hsp->section(title, text);
}

void Recorder::end(bool normal, const std::string& text) {
  if (!files_) return;
  files_->d3hsp->end(normal, text);
  files_->d3hsp->close();
}

void Recorder::close() {
  plot_states_.close();
  if (steps_) steps_->close();
  if (!files_) return;
  files_->d3plot->close();
  files_->binout->close();
  files_->ascii->close();
  if (files_->vtkhdf) files_->vtkhdf->close();
}

}  // namespace crumple::output
