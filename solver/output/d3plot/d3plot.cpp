// The d3plot family: the states and their files.
#include "output/d3plot/d3plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "output/d3plot/words.hpp"

namespace crumple::output {

namespace {

/// Streams [n][width] values, or zeros where the plot_state has none.
void put_values(WordStream& out, const std::vector<double>& values, std::size_t first, int count) {
  if (values.empty()) {
    for (int i = 0; i < count; ++i) out.real(0.0);
  } else {
    out.reals(std::span<const double>(values).subspan(first, std::size_t(count)));
  }
}

void put_vectors(WordStream& out, const std::vector<Vec3>& values, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const Vec3 v = values.empty() ? Vec3{} : values[i];
    out.real(v.x), out.real(v.y), out.real(v.z);
  }
}

}  // namespace

D3plotWriter::D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options)
    : catalogue_(catalogue), directory_(std::move(directory)), options_(std::move(options)) {
  order_parts();
  remove_family(directory_, options_.prefix + "d3plot");
  write_geometry_file();
}

D3plotWriter::D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options,
                           const D3plotPosition& from)
    : catalogue_(catalogue),
      directory_(std::move(directory)),
      options_(std::move(options)),
      sizes_(from.sizes),
      states_(static_cast<int>(from.states)) {
  order_parts();
  if (from.state_words != state_words())
    throw Error("CR-O131",
                fmt::format("the results cannot go on with other options: words of a state in {}: {} before, "
                            "{} now",
                            path(0), from.state_words, state_words()));
  cut_back();
}

void D3plotWriter::order_parts() {
  const Catalogue& catalogue = catalogue_;
  const std::size_t parts = catalogue.parts.size();
  part_order_.resize(parts), part_number_.resize(parts);
  std::iota(part_order_.begin(), part_order_.end(), 0);
  std::sort(part_order_.begin(), part_order_.end(),
            [&](auto a, auto b) { return catalogue.parts[a].id < catalogue.parts[b].id; });
  for (std::size_t k = 0; k < parts; ++k) part_number_[part_order_[k]] = std::int32_t(k + 1);
  for (std::size_t i = 0; i < catalogue.shells.size(); ++i) dropped_shells_ += dropped(i);
}

/// To `sizes_`. The end mark of the last file is where a later state had its time.
void D3plotWriter::cut_back() {
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    kept.push_back(options_.prefix + d3plot_name(k));
    File file = File::cut_back(path(k), sizes_[k]);
    if (k > 0 && k + 1 == sizes_.size()) file_ = std::move(file);
  }
  remove_family(directory_, options_.prefix + "d3plot", kept);
  if (!file_.is_open()) return;
  end_mark_ = sizes_.back() - word();
  WordStream out(file_, end_mark_, options_.double_precision);
  out.real(kEndMark);
  out.finish();
}

std::string D3plotWriter::path(std::size_t member) const {
  return directory_ + "/" + options_.prefix + d3plot_name(member);
}

bool D3plotWriter::dropped(std::size_t shell) const {
  return options_.drop_rigid_shells && catalogue_.parts[catalogue_.shells.part[shell]].rigid;
}

int D3plotWriter::shell_words() const {
  const Layout& l = options_.layout;
  return l.shell_layers * (6 * (options_.sigflg == 1) + (options_.epsflg == 1) + l.shell_history) +
         8 * options_.shell_resultants + 4 * options_.shell_energies + 12 * l.strains;
}

int D3plotWriter::solid_words() const {
  const Layout& l = options_.layout;
  return l.solid_points *
         (6 * (options_.sigflg < 3) + (options_.epsflg < 3) + l.solid_history + 6 * l.strains);
}

std::int64_t D3plotWriter::state_words() const {
  const Catalogue& c = catalogue_;
  const auto n = [](const auto& elements) { return std::int64_t(elements.size()); };
  return 1 + 6 + 7 * n(c.parts) + n(c.walls) + (9 + options_.layout.added_mass) * n(c.node_id) +
         n(c.solids) * (solid_words() + 1) + n(c.beams) * (6 + 5 * options_.layout.beam_points + 1) +
         (n(c.shells) - dropped_shells_) * shell_words() + n(c.shells);
}

void D3plotWriter::begin_file() {
  if (file_.is_open()) file_.close();
  File next(path(sizes_.size()));
  // An end mark first, so that a reader finds no state before the first one is complete.
  WordStream out(next, 0, options_.double_precision);
  out.real(kEndMark);
  out.finish();
  file_ = std::move(next);
  end_mark_ = 0;
  sizes_.push_back(word());
}

/// Deletion flags of elements, at the end of a state; empty: no element is deleted.
struct D3plotWriter::Alive {
  std::vector<std::uint8_t> solids, beams, shells;
};

void D3plotWriter::write(const PlotState& plot_state, const FillPiece& fill) {
  check_sizes(catalogue_, options_.layout, plot_state);
  const bool full = end_mark_ > 0 && end_mark_ + (state_words() + 1) * word() > options_.file_bytes;
  if (!file_.is_open() || full || options_.one_state_per_file) begin_file();
  try {
    WordStream out(file_, end_mark_ + word(), options_.double_precision);
    put_globals(out, plot_state);
    put_nodes(out, plot_state);
    Alive alive;
    for (const ElementKind kind : {ElementKind::solid, ElementKind::beam, ElementKind::shell})
      put_elements(out, kind, plot_state, fill, alive);
    put_alive(out, alive);
    const std::int64_t end = out.position();
    out.real(kEndMark);
    // Some readers count states by the file's size, some by their times: so the last words and the time are
    // written immediately one after the other.
    out.drain(2);
    WordStream time(file_, end_mark_, options_.double_precision);
    time.real(plot_state.time);
    out.finish();
    time.finish();
    end_mark_ = end;
    sizes_.back() = end + word();
    ++states_;
  } catch (const Error&) {
    if (file_.size() > end_mark_ + word()) file_.truncate(end_mark_ + word());
    throw;
  }
}

void D3plotWriter::put_globals(WordStream& out, const PlotState& s) const {
  out.real(s.kinetic), out.real(s.internal), out.real(s.total);
  out.real(s.velocity.x), out.real(s.velocity.y), out.real(s.velocity.z);
  for (const auto p : part_order_) out.real(s.parts[p].internal);
  for (const auto p : part_order_) out.real(s.parts[p].kinetic);
  for (const auto p : part_order_) {
    const Vec3& v = s.parts[p].velocity;
    out.real(v.x), out.real(v.y), out.real(v.z);
  }
  for (const auto p : part_order_) out.real(s.parts[p].mass);
  for (const auto p : part_order_) out.real(s.parts[p].hourglass);
  for (const double force : s.wall_force) out.real(force);
}

void D3plotWriter::put_nodes(WordStream& out, const PlotState& s) const {
  const std::size_t n = catalogue_.node_id.size();
  put_vectors(out, s.x, n);
  if (options_.layout.added_mass) put_values(out, s.added_mass, 0, static_cast<int>(n));
  put_vectors(out, s.v, n);
  put_vectors(out, s.a, n);
}

/// Writes all elements of a kind, from the plot_state or in pieces.
void D3plotWriter::put_elements(WordStream& out, ElementKind kind, const PlotState& s, const FillPiece& fill,
                                Alive& alive) const {
  const auto put = [&](const PlotState& from, Range piece) {
    const auto keep = [](std::vector<std::uint8_t>& flags, const std::vector<std::uint8_t>& more) {
      flags.insert(flags.end(), more.begin(), more.end());
    };
    if (kind == ElementKind::solid)
      put_solids(out, from.solids, piece), keep(alive.solids, from.solids.alive);
    if (kind == ElementKind::beam) put_beams(out, from.beams, piece), keep(alive.beams, from.beams.alive);
    if (kind == ElementKind::shell)
      put_shells(out, from.shells, piece), keep(alive.shells, from.shells.alive);
  };
  const std::size_t n = kind == ElementKind::solid  ? catalogue_.solids.size()
                        : kind == ElementKind::beam ? catalogue_.beams.size()
                                                    : catalogue_.shells.size();
  if (!fill) return put(s, {0, n});
  for_each_piece(n, [&](Range piece) {
    PlotState part;
    fill(kind, piece, part);
    put(part, piece);
  });
}

void D3plotWriter::put_solids(WordStream& out, const SolidStates& s, Range piece) const {
  const Layout& l = options_.layout;
  const std::size_t history = std::size_t(l.solid_history);
  for (std::size_t p = 0; p < (piece.last - piece.first) * std::size_t(l.solid_points); ++p) {
    if (options_.sigflg < 3) put_values(out, s.stress, 6 * p, 6);
    if (options_.epsflg < 3) put_values(out, s.plastic_strain, p, 1);
    put_values(out, s.history, history * p, l.solid_history);
    if (l.strains) put_values(out, s.strain, 6 * p, 6);
  }
}

void D3plotWriter::put_beams(WordStream& out, const BeamStates& s, Range piece) const {
  const int points = 5 * options_.layout.beam_points;
  for (std::size_t i = 0; i < piece.last - piece.first; ++i) {
    put_values(out, s.resultant, 6 * i, 6);
    put_values(out, s.point, std::size_t(points) * i, points);
  }
}

void D3plotWriter::put_shells(WordStream& out, const ShellStates& s, Range piece) const {
  const Layout& l = options_.layout;
  const std::size_t layers = std::size_t(l.shell_layers), history = std::size_t(l.shell_history);
  for (std::size_t i = 0; i < piece.last - piece.first; ++i) {
    if (dropped(piece.first + i)) continue;
    for (std::size_t p = i * layers; p < (i + 1) * layers; ++p) {
      if (options_.sigflg == 1) put_values(out, s.stress, 6 * p, 6);
      if (options_.epsflg == 1) put_values(out, s.plastic_strain, p, 1);
      put_values(out, s.history, history * p, l.shell_history);
    }
    if (options_.shell_resultants) put_values(out, s.resultant, 8 * i, 8);
    // In this order: thickness, two element-dependent words, [strains], internal energy.
    if (options_.shell_energies) put_values(out, s.thickness, i, 1), out.real(0.0), out.real(0.0);
    if (l.strains) put_values(out, s.strain, 12 * i, 12);
    if (options_.shell_energies) put_values(out, s.energy_density, i, 1);
  }
}

void D3plotWriter::put_alive(WordStream& out, const Alive& flags) const {
  // The element's material number, or 0 when it is deleted.
  const auto put = [&](const auto& elements, const std::vector<std::uint8_t>& alive) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      out.real(alive.empty() || alive[i] ? part_number_[elements.part[i]] : 0.0);
    }
  };
  put(catalogue_.solids, flags.solids);
  put(catalogue_.shells, flags.shells);
  put(catalogue_.beams, flags.beams);
}

void D3plotWriter::flush() {
  if (file_.is_open()) file_.flush();
}

void D3plotWriter::close() { file_.close(); }

}  // namespace crumple::output
