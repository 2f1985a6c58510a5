// Records of convergence, and the table of parts.
#include "control/implicit_progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/resources_used.hpp"
#include "control/clock_text.hpp"
#include "implicit/linear/product_rate.hpp"

namespace crumple::control {

namespace {

using implicit::kPartNames;
using implicit::kParts;
using implicit::Part;
using implicit::WorkDone;

constexpr double kGiga = 1e9;
constexpr double kWorthMeasuring = 0.5;  ///< seconds of factors, below which their speed says nothing

/// A number of JSON, which has none that is not finite.
std::string json_number(double x) { return std::isfinite(x) ? fmt::format("{:.9g}", x) : "null"; }

std::string json_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + "\"";
}

double seconds_of(const WorkDone& done, Part part) { return done.seconds[static_cast<std::size_t>(part)]; }

}  // namespace

ImplicitProgress::ImplicitProgress(implicit::Solver& solver, const Options& options, bool writes,
                                   bool goes_on, std::function<void(const std::string&)> tell)
    : solver_(solver), options_(options), end_time_(solver.model().control.end_time), tell_(std::move(tell)) {
  if (!writes) return;
  const std::string path = options.directory + "/" + options.prefix() + "convergence.jsonl";
  if (goes_on && std::filesystem::exists(path))
    file_ = output::File::cut_back(path, static_cast<std::int64_t>(std::filesystem::file_size(path)));
  else
    file_ = output::File(path);
  const model::Control& control = solver.model().control;
  const model::Iterations& i = control.implicit.iterations;
  append(fmt::format(
      R"("record": "settings", "end_time": {}, "threads": {}, "precision": "{}", "between_reforms": {}, )"
      R"("most_factors": {}, "displacement": {}, "energy": {}, "residual": {}, "absolute": {})",
      json_number(end_time_), options.threads, options.single_precision ? "single" : "double",
      i.between_reforms, i.most_reforms, json_number(i.displacement), json_number(i.energy),
      json_number(i.residual), json_number(i.absolute)));
}

void ImplicitProgress::append(const std::string& record) {
  if (!file_.is_open()) return;
  const std::string line = "{" + record + "}\n";
  file_.append(line);
  if (tell_) tell_(line);
}

/// Seconds of each part since `before`, but for those of no length; a member of a record.
std::string ImplicitProgress::seconds_since(const WorkDone& before) {
  const WorkDone& now = solver_.clock().up_to_now();
  std::string text;
  for (std::size_t p = 0; p < kParts; ++p)
    if (const double s = now.seconds[p] - before.seconds[p]; s > 0.0)
      text += fmt::format("{}\"{}\": {:.6f}", text.empty() ? "" : ", ", kPartNames[p], s);
  return "\"seconds\": {" + text + "}";
}

void ImplicitProgress::begin(double dt) {
  dt_ = dt;
  ++tries_;
  at_step_ = at_record_;  // with the output between two steps
  disk_at_step_ = solver_.traffic();
}

/// A record of the equations where they are new.
void ImplicitProgress::equations() {
  const implicit::linear::Analysis& is = solver_.analysis();
  if (solver_.equations() == equations_ && is.flops == flops_) return;
  equations_ = solver_.equations();
  flops_ = is.flops;
  append(fmt::format(R"("record": "equations", "step": {}, "equations": {}, "entries": {}, "flops": {}, )"
                     R"("largest_front": {}, "out_of_core": {}, "memory_bytes": {}, )"
                     R"("disk_bytes": {})",
                     solver_.cycle() + 1, equations_, json_number(is.entries), json_number(is.flops),
                     is.largest_front, is.out_of_core, json_number(is.bytes), json_number(is.bytes_on_disk)));
}

void ImplicitProgress::iteration(const implicit::Iteration& i) {
  equations();
  const std::string seconds = seconds_since(at_record_);
  at_record_ = solver_.clock().done;
  append(fmt::format(
      R"("record": "iteration", "step": {}, "try": {}, "time": {}, "dt": {}, "iteration": {}, )"
      R"("new_factor": {}, "displacement": {}, "energy": {}, "residual": {}, "increment": {}, "force": {}, )"
      R"("line_search": {}, "searches": {}, "negative": {}, {})",
      solver_.cycle() + 1, tries_, json_number(solver_.time() + dt_), json_number(dt_), i.number, i.formed,
      json_number(i.displacement), json_number(i.energy), json_number(i.residual),
      json_number(i.increment.first), json_number(i.force.first), json_number(i.step), i.searches, i.negative,
      seconds));
}

void ImplicitProgress::end(const implicit::StepResult& result) {
  const bool good = result.converged();
  const implicit::Balance balance = solver_.balance();
  const implicit::linear::DiskTraffic disk = solver_.traffic();
  const std::string seconds = seconds_since(at_step_);
  at_record_ = solver_.clock().done;
  append(fmt::format(
      R"("record": "step", "step": {}, "try": {}, "time": {}, "dt": {}, "converged": {}, "trouble": {}, )"
      R"("iterations": {}, "factors": {}, "load": {}, "internal": {}, "kinetic": {}, "work": {}, )"
      R"("elapsed": {:.3f}, "memory_bytes": {}, "written_bytes": {}, "read_bytes": {}, {})",
      solver_.cycle() + !good, tries_, json_number(good ? solver_.time() : solver_.time() + dt_),
      json_number(dt_), good, json_text(result.trouble), result.outcome.iterations, result.outcome.factors,
      result.load ? json_number(*result.load) : "null", json_number(balance.parts.internal),
      json_number(balance.parts.kinetic), json_number(balance.external_work),
      std::chrono::duration<double>(Clock::now() - start_).count(), json_number(peak_memory()),
      json_number(disk.written - disk_at_step_.written), json_number(disk.read - disk_at_step_.read),
      seconds));
  if (good) tries_ = 0;
}

std::string ImplicitProgress::left() const {
  const double done = solver_.time() / end_time_;
  if (!(done > 0.0 && done < 1.0)) return {};
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  return clock_text(elapsed * (1.0 / done - 1.0));
}

/// 0 where factors were too short to compare with.
double ImplicitProgress::rate_of_products() const {
  const WorkDone& done = solver_.clock().done;
  if (done.flops <= 0.0 || seconds_of(done, Part::factor) < kWorthMeasuring) return 0.0;
  return implicit::linear::product_rate(options_.single_precision, options_.threads);
}

std::string ImplicitProgress::table() {
  const WorkDone done = solver_.clock().up_to_now();
  const implicit::linear::DiskTraffic disk = solver_.traffic();
  const double products = rate_of_products(), factor = seconds_of(done, Part::factor);
  const auto times = [](std::int64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  std::array<std::string, kParts> notes;
  notes[std::size_t(Part::factor)] = times(done.factors, "factor");
  if (done.factors > 0 && done.flops > 0.0) {
    std::string& note = notes[std::size_t(Part::factor)];
    note += fmt::format(", {:.3g} operations each", done.flops / double(done.factors));
    if (factor > 0.0) note += fmt::format(", {:.3g} GFLOP/s", done.flops / factor / kGiga);
    if (products > 0.0)
      note += fmt::format(", {:.0f} % of GEMM's {:.3g}", 100.0 * done.flops / factor / products,
                          products / kGiga);
  }
  notes[std::size_t(Part::solve)] = times(done.solves, "solution");
  if (done.refinements > 0)
    notes[std::size_t(Part::solve)] +=
        fmt::format(", {}, residual {:.1e}", times(done.refinements, "refinement"), done.residual);
  notes[std::size_t(Part::forces)] = times(done.forces, "evaluation") + ", those with a stiffness included";
  double all = 0.0;
  for (const double s : done.seconds) all += s;
  std::string text = fmt::format(" {:<12}{:>11}{:>8}\n", "part", "seconds", "share");
  for (std::size_t p = 0; p < kParts; ++p)
    if (done.seconds[p] > 0.0)
      text += fmt::format(" {:<12}{:11.2f}{:6.1f} %{}{}\n", kPartNames[p], done.seconds[p],
                          100.0 * done.seconds[p] / all, notes[p].empty() ? "" : "  ", notes[p]);
  text += fmt::format(" {:<12}{:11.2f}\n", "together", all);
  if (disk.written > 0.0)
    text += fmt::format(" the factor's file: {:.3g} GB written, {:.3g} GB read, {:.1f} s beside the rest\n",
                        disk.written / kGiga, disk.read / kGiga, disk.seconds);
  append(fmt::format(
      R"("record": "end", "time": {}, "steps": {}, "factors": {}, "solves": {}, "forces": {}, )"
      R"("refinements": {}, "linear_residual": {}, "flops": {}, "factor_bytes": {}, "written_bytes": {}, )"
      R"("read_bytes": {}, "disk_seconds": {:.3f}, "product_rate": {}, "threads": {}, )"
      R"("memory_bytes": {}, {})",
      json_number(solver_.time()), solver_.cycle(), done.factors, done.solves, done.forces, done.refinements,
      json_number(done.residual), json_number(done.flops), json_number(done.factor_bytes),
      json_number(disk.written), json_number(disk.read), disk.seconds,
      products > 0.0 ? json_number(products) : "null", options_.threads, json_number(peak_memory()),
      seconds_since({})));
  return text;
}

}  // namespace crumple::control
