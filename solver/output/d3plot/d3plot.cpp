// The d3plot family: the states and their files.
#include "output/d3plot/d3plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace crumple::output {

namespace {

void put_vectors(WordStream& out, const std::vector<Vec3>& values, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    const Vec3 v = values.empty() ? Vec3{} : values[i];
    out.real(v.x), out.real(v.y), out.real(v.z);
  }
}

const std::vector<std::int32_t>& parts_of(const Catalogue& c, ElementKind kind) {
  return kind == ElementKind::solid  ? c.solids.part
         : kind == ElementKind::beam ? c.beams.part
         : kind == ElementKind::sph  ? c.particles.part
                                     : c.shells.part;
}

}  // namespace

D3plotWriter::D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options)
    : catalogue_(catalogue), directory_(std::move(directory)), options_(std::move(options)), rows_(options_) {
  order_parts();
  remove_family(directory_, options_.prefix + options_.family);
  write_geometry_file();
}

D3plotWriter::D3plotWriter(const Catalogue& catalogue, std::string directory, D3plotOptions options,
                           const D3plotPosition& from)
    : catalogue_(catalogue),
      directory_(std::move(directory)),
      options_(std::move(options)),
      rows_(options_),
      sizes_(from.sizes),
      states_(static_cast<int>(from.states)) {
  order_parts();
  if (from.state_words != places_.end)
    throw Error("CR-O131",
                fmt::format("the results cannot go on with other options: words of a state in {}: {} before, "
                            "{} now",
                            path(0), from.state_words, places_.end));
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
  const auto n = [](const auto& elements) { return std::int64_t(elements.size()); };
  counts_ = {n(catalogue.parts), n(catalogue.walls),  n(catalogue.node_id),  n(catalogue.solids),
             n(catalogue.beams), n(catalogue.shells), n(catalogue.particles)};
  for (std::size_t i = 0; i < catalogue.shells.size(); ++i) counts_.dropped += dropped(i);
  places_ = StatePlaces(options_, counts_);
}

/// To `sizes_`. The end mark of the last file is where a later state had its time.
void D3plotWriter::cut_back() {
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < sizes_.size(); ++k) {
    kept.push_back(options_.prefix + d3plot_name(k, options_.family));
    File file = File::cut_back(path(k), sizes_[k]);
    if (k > 0 && k + 1 == sizes_.size()) file_ = std::move(file);
  }
  remove_family(directory_, options_.prefix + options_.family, kept);
  if (!file_.is_open()) return;
  end_mark_ = sizes_.back() - word();
  WordStream out(file_, end_mark_, options_.double_precision);
  out.real(kEndMark);
  out.finish();
}

std::string D3plotWriter::path(std::size_t member) const {
  return directory_ + "/" + options_.prefix + d3plot_name(member, options_.family);
}

bool D3plotWriter::dropped(std::size_t shell) const {
  return options_.drop_rigid_shells && catalogue_.parts[catalogue_.shells.part[shell]].rigid;
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

void D3plotWriter::begin_due_file() {
  const bool full = end_mark_ > 0 && end_mark_ + (places_.end + 1) * word() > options_.file_bytes;
  if (!file_.is_open() || full || options_.one_state_per_file) begin_file();
}

void D3plotWriter::write(const PlotState& plot_state) {
  check_sizes(catalogue_, options_.layout, plot_state);
  begin_due_file();
  try {
    WordStream out(file_, end_mark_ + word(), options_.double_precision);
    out.row([&](Words& words) { StateRows::put_globals(words, plot_state, part_order_); });
    put_nodes(out, plot_state);
    put_elements(out, plot_state);
    put_flags(out, plot_state);
    put_kind(out, plot_state, ElementKind::sph);
    out.drain(1);
    end_state(plot_state.time, out.held());
  } catch (const Error&) {
    undo_state();
    throw;
  }
}

D3plotWriter::Begun D3plotWriter::begin_state(const PlotState& globals) {
  check_globals(catalogue_, globals);
  begin_due_file();
  try {
    WordStream out(file_, end_mark_ + word(), options_.double_precision);
    out.row([&](Words& words) { StateRows::put_globals(words, globals, part_order_); });
    out.finish();
  } catch (const Error&) {
    undo_state();
    throw;
  }
  return {file_.path(), end_mark_};
}

void D3plotWriter::end_state(double time, std::span<const std::byte> last) {
  const std::int64_t end = end_mark_ + places_.end * word();
  WordStream out(file_, end - std::int64_t(last.size()), options_.double_precision);
  out.row([&](Words& words) { words.raw(last.data(), last.size()); });
  out.real(kEndMark);
  WordStream first(file_, end_mark_, options_.double_precision);
  first.real(time);
  // Some readers count states by the file's size, some by their times: so the last words and the time are
  // written immediately one after the other.
  out.finish();
  first.finish();
  end_mark_ = end;
  sizes_.back() = end + word();
  ++states_;
}

void D3plotWriter::undo_state() { file_.truncate(end_mark_ + word()); }

void D3plotWriter::put_nodes(WordStream& out, const PlotState& s) const {
  const std::size_t n = catalogue_.node_id.size();
  put_vectors(out, s.x, n);
  if (options_.layout.added_mass)
    for (std::size_t i = 0; i < n; ++i) out.real(s.added_mass.empty() ? 0.0 : s.added_mass[i]);
  if (!options_.node_motion) return;
  put_vectors(out, s.v, n);
  put_vectors(out, s.a, n);
}

void D3plotWriter::put_elements(WordStream& out, const PlotState& s) const {
  for (const ElementKind kind : kPlotKinds)
    if (kind != ElementKind::sph) put_kind(out, s, kind);
}

void D3plotWriter::put_kind(WordStream& out, const PlotState& s, ElementKind kind) const {
  const std::vector<std::int32_t>& part = parts_of(catalogue_, kind);
  for (std::size_t i = 0; i < part.size(); ++i)
    if (kind != ElementKind::shell || !dropped(i))
      out.row([&](Words& words) { rows_.put(words, kind, s, i, part_number_[part[i]]); });
}

void D3plotWriter::put_flags(WordStream& out, const PlotState& s) const {
  for (const ElementKind kind : kFlagKinds) {
    const std::vector<std::int32_t>& part = parts_of(catalogue_, kind);
    for (std::size_t i = 0; i < part.size(); ++i)
      out.row([&](Words& words) { StateRows::put_flag(words, kind, s, i, part_number_[part[i]]); });
  }
}

void D3plotWriter::flush() {
  if (file_.is_open()) file_.flush();
}

void D3plotWriter::close() { file_.close(); }

}  // namespace crumple::output
