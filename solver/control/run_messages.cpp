// The texts of messages, and when they are due.
#include "control/run_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <optional>
#include <set>

#include "control/broken_welds.hpp"
#include "control/load_profile.hpp"
#include "control/why_deleted.hpp"
#include "model/element_kind.hpp"
#include "output/file.hpp"
#include "state/archive.hpp"

namespace crumple::control {

using explicit_dynamics::ElementName;

namespace {

/// The shortest distance between two nodes of an element, now and at the start.
struct Shortest {
  double now = HUGE_VAL, at_start = HUGE_VAL;
};

}  // namespace

void RunMessages::start_up(StartUp start_up) {
  if (!comm_.root()) return;
  start_up.add("first sort of contacts", solver_.contact().timing().sort);
  std::string line, table = fmt::format("{:>35}{:>14}{:>16}\n", "elapsed s", "processor s", "memory MB");
  for (const auto& [phase, seconds, processor, memory] : start_up.phases()) {
    line += fmt::format("{}{} {:.1f}", line.empty() ? "" : ", ", phase, seconds);
    table += fmt::format(" {:<24}{:10.2f}{:14.2f}{:16.1f}\n", phase, seconds, processor, 1e-6 * memory);
  }
  fmt::print(" start-up {:.1f} s: {}\n", start_up.total(), line);
  recorder_.echo("start-up", table + fmt::format(" {:<24}{:10.2f}\n", "together", start_up.total()));
}

void RunMessages::contact_limit() const {
  if (!comm_.root() || solver_.contact_step() >= solver_.dt()) return;
  fmt::print(
      " contact: the stiffest springs the deck asks for are stable up to a step of {:.3e}; those beyond "
      "the\n"
      " run's step are softened to stay stable\n",
      solver_.contact_step());
}

void RunMessages::free_step() const {
  if (!comm_.root() || !solver_.step_is_free()) return;
  fmt::print(" nothing in the model limits the time step: {:.3e} is a thousandth of the end time\n",
             solver_.dt());
}

void RunMessages::added_mass(const std::string& title) {
  if (!solver_.mass_scaling().active()) return;
  const std::vector<double> added = solver_.added_masses();
  if (!comm_.root()) return;
  const double total = std::accumulate(added.begin(), added.end(), 0.0);
  const std::string asked = solver_.model().control.dt2ms != 0.0
                                ? fmt::format(" (DT2MS {:.3e})", solver_.model().control.dt2ms)
                                : "";
  const std::string sum =
      fmt::format(" mass scaling{}: {:.5g} added to {:.5g}, {:.3f} %\n", asked, total, solver_.mass(),
                  solver_.mass() > 0 ? 100.0 * total / solver_.mass() : 0.0);
  fmt::print("{}", sum);
  std::string table = sum + fmt::format("{:>10}{:>15}\n", "part", "added mass");
  for (std::size_t p = 0; p < added.size(); ++p)
    if (added[p] != 0.0) table += fmt::format("{:10d}{:15.5e}\n", solver_.model().parts[p].id, added[p]);
  recorder_.echo(title, table);
}

void RunMessages::broken_welds() {
  const auto broken = solver_.broken_welds();
  if (!comm_.root() || broken.empty()) return;
  fmt::print("{}", count_of_breaks(broken.size()));
  recorder_.echo("broken welds", table_of_breaks(broken));
}

void RunMessages::late_sorts() {
  const std::int64_t late = solver_.contact().timing().late;
  if (!comm_.root() || late == 0) return;
  const std::string text = fmt::format(
      " before {} cycle{} nodes went farther than their speed had let expect: what they met there may have "
      "been found one cycle late\n",
      late, late == 1 ? "" : "s");
  fmt::print("{}", text);
  recorder_.echo("contact", text);
}

void RunMessages::smallest_steps(bool if_others) {
  if (solver_.model().control.end_time > 0.0)
    next_listing_ = solver_.time() + kTimeBetweenListings * solver_.model().control.end_time;
  const auto rows = solver_.smallest_steps(kStepsListed);
  if (!comm_.root()) return;
  std::set<std::array<GlobalId, 2>> elements;
  for (const auto& [step, name] : rows) elements.insert({static_cast<GlobalId>(name.kind), name.id});
  std::vector<GlobalId> listed;
  for (const auto& element : elements) listed.insert(listed.end(), element.begin(), element.end());
  if (if_others && listed == listed_) return;
  listed_ = std::move(listed);
  std::string table = fmt::format("{:>15}{:>20}{:>12}{:>12}\n", "step", "kind", "element", "part");
  for (const auto& [step, name] : rows)
    table +=
        fmt::format("{:15.5e}{:>20}{:12d}{:12d}\n", step, model::kind_name(name.kind), name.id, name.part);
  recorder_.echo(fmt::format("smallest steps at time {:.6e}, cycle {}", solver_.time(), solver_.cycle()),
                 table);
}

void RunMessages::deleted_elements() {
  const auto deleted = solver_.deleted_elements(reported_);
  reported_ = solver_.deleted_here();
  if (!comm_.root() || deleted.empty()) return;
  deleted_ += static_cast<std::int64_t>(deleted.size());
  std::string text;
  for (const auto& [time, name, cause] : deleted)
    text += fmt::format(" {} element {} of part {} was deleted at time {:.5e}: {}\n", kind_name(name.kind),
                        name.id, name.part, time, why_deleted(solver_.model(), name, cause));
  recorder_.echo("deleted elements", text);
}

void RunMessages::number_of_deleted() const {
  if (deleted_ > 0)
    fmt::print(" {} element{} deleted, listed in d3hsp\n", deleted_, deleted_ == 1 ? " was" : "s were");
}

void RunMessages::check_step() {
  const double dt = solver_.dt();
  if (dt < kFall * reported_step_ && falls_ < kFallsReported) step_has_fallen();
  reported_step_ = std::max(reported_step_, dt);
}

/// The step is the same on every rank, so all ranks call this.
void RunMessages::step_has_fallen() {
  ++falls_;
  const double before = std::exchange(reported_step_, solver_.dt());
  const auto rows = solver_.smallest_steps(1);
  std::vector<std::int64_t> of_root(2, 0);  // the element, to be sent to the rank that has it
  if (!rows.empty()) of_root = {static_cast<std::int64_t>(rows[0].second.kind), rows[0].second.id};
  comm_.max(std::span(of_root));
  const ElementName element{static_cast<model::ElementKind>(of_root[0]), of_root[1],
                            rows.empty() ? 0 : rows[0].second.part};
  const std::string mine = why_small(element);
  const std::vector<char> why = comm_.gather<char>(std::span(mine.data(), mine.size()));
  if (!comm_.root()) return;
  std::string holds = "no deformable element holds it";
  const model::Control& control = solver_.model().control;
  if (control.dt_curve != model::kNone &&
      (rows.empty() || control.step_scale * rows[0].first > 1.01 * solver_.dt()))
    holds = "the curve LCTM of *CONTROL_TIMESTEP holds it";
  else if (!rows.empty())
    holds = fmt::format("{} element {} of part {} holds it{}", kind_name(element.kind), element.id,
                        element.part, std::string(why.begin(), why.end()));
  const std::string said = fmt::format(
      " the time step fell from {:.3e} to {:.3e} by time {:.5e}, cycle {}: {}{}\n", before, solver_.dt(),
      solver_.time(), solver_.cycle(), holds, falls_ == kFallsReported ? "; further falls are not said" : "");
  fmt::print("{}", said);
  std::fflush(stdout);
  recorder_.echo("fall of the time step", said);
}

/// Why the step of an element of this rank is small: it has become small, or stiff for its mass.
std::string RunMessages::why_small(const ElementName& element) const {
  const state::Nodal& nodal = solver_.nodal();
  for (const auto& g : solver_.elements().groups()) {
    if (g.kind() != element.kind) continue;
    const auto at = std::find(g.id.begin(), g.id.begin() + g.count, element.id);
    if (at == g.id.begin() + g.count) continue;
    if (element.kind == model::ElementKind::discrete) return ", by its stiffness over the mass of its nodes";
    const auto e = static_cast<std::int32_t>(at - g.id.begin());
    Shortest shortest;
    for (int a = 0; a < g.ready.formulation->n_nodes; ++a)
      for (int b = 0; b < a; ++b) {
        const LocalId i = g.node(e, a), k = g.node(e, b);
        if (i < 0 || k < 0 || i == k) continue;
        shortest.now = std::min(shortest.now, norm(nodal.x[i] - nodal.x[k]));
        shortest.at_start = std::min(shortest.at_start, norm(nodal.x0[i] - nodal.x0[k]));
      }
    if (!std::isfinite(shortest.at_start) || !(shortest.at_start > 0)) return {};
    const double percent = 100 * shortest.now / shortest.at_start;
    return fmt::format(", whose closest nodes are at {:.3g} % of their first distance: it has been {}",
                       percent, percent < 80 ? "crushed" : "distorted, or its material has become stiffer");
  }
  return {};
}

void RunMessages::check_exchange() {
  if (exchange_reported_) return;
  const std::string why = cores_.why_waiting(solver_.timers());
  if (why.empty()) return;
  exchange_reported_ = true;
  fmt::print(" {}\n", why);
  std::fflush(stdout);
  recorder_.echo("exchange", fmt::format(" {}\n", why));
}

void RunMessages::load(const std::string& path) {
  const std::string table = load_profile(comm_, solver_.timers());
  if (!comm_.root()) return;
  output::write_whole(path, table);
  recorder_.show_file("load_profile", table);
  fmt::print("\n{}", table);
  if (const std::string why = cores_.why_waiting(solver_.timers()); !why.empty()) fmt::print(" {}\n", why);
}

void RunMessages::load_so_far(const std::string& path) {
  const std::string table = load_profile(comm_, solver_.timers());
  if (!comm_.root() || Clock::now() - last_load_ < kBetweenLoads) return;
  last_load_ = Clock::now();
  replace_load_profile(path, table);
  recorder_.show_file("load_profile", table);
}

void RunMessages::archive(state::Archive& archive) {
  const auto here = archive.module("messages");
  archive.global("deleted", deleted_);
  archive.global("largest step", reported_step_);
  archive.global("falls", falls_);
  archive.global("next listing", next_listing_);
  archive.list("listed elements", listed_, 2, [&](auto) { return comm_.root(); });
  std::vector<GlobalId> late = solver_.names_of_deleted(reported_);
  archive.list("unreported deletions", late, 2, [&](auto) { return comm_.root(); });
  if (!archive.reading()) return;
  solver_.put_last(late);
  reported_ = solver_.deleted_here() - late.size() / 2;
}

}  // namespace crumple::control
