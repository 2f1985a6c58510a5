// Factors of our multifrontal solver on one core, beside the rate of dense products: a cube and six tied
// cylinders of elastic solids. An operation is an item.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "implicit/linear/dense.hpp"
#include "implicit/linear/product_rate.hpp"
#include "unit/implicit/linear/cylinders.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;
using namespace crumple::implicit::linear;  // NOLINT(google-build-using-namespace): all of the linear solver

constexpr int kCube = 24;            ///< cells of an edge: 45,000 equations
constexpr double kCylinders = 0.22;  ///< of the published mesh: 37,000 equations

void make(const std::string& name, Problem& problem) {
  if (name == "cube")
    make_brick(problem, kCube, kCube, kCube);
  else
    make_cylinders(problem, kCylinders, true);
}

/// The first factor touches its memory for the first time, and does not count.
void factor(State& state, const std::string& name, bool single_precision) {
  Problem problem;
  make(name, problem);
  SolverOptions options;
  options.single_precision = single_precision;
  const std::unique_ptr<Solver> solver = make_solver(options);
  const Analysis analysis = solver->analyse(problem.pattern, problem.positions);
  solver->factor(problem.matrix);
  for (auto _ : state) benchmark::DoNotOptimize(solver->factor(problem.matrix));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(analysis.flops));
}

void product(State& state, bool single_precision) {
  prepare_dense(1);
  double rate = 0;
  for (auto _ : state) rate = product_rate(single_precision, 1);
  state.counters["items_per_second"] = rate;
}

const bool registered = [] {
  for (const bool single : {false, true}) {
    const char* const precision = single ? "single" : "double";
    benchmark::RegisterBenchmark(fmt::format("machine/product/{}", precision).c_str(), product, single);
    for (const char* const name : {"cube", "cylinders"})
      benchmark::RegisterBenchmark(fmt::format("factor/{}/{}", name, precision).c_str(), factor, name, single)
          ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace crumple::bench
