// Times the solvers of linear equations for a brick of elastic solids, beside the rate of the dense product
// of tiles:
//   linear_solvers [N] [THREADS]     N x N x N elements, 36 if not given
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "base/error.hpp"
#include "implicit/linear/dense.hpp"
#include "implicit/linear/elimination_tree.hpp"
#include "implicit/linear/front_shape.hpp"
#include "implicit/linear/ordering.hpp"
#include "unit/implicit/linear/brick.hpp"

namespace crumple::implicit::linear {
namespace {

struct Times {
  double wall = 0, processor = 0;
};

/// Seconds of an act, and of the processor on all threads.
template <class Act>
Times times_of(Act act) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  act();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          double(std::clock() - used) / CLOCKS_PER_SEC};
}

/// GFLOP/s of C -= A B' with tiles, counted as one multiplication and one addition each.
template <class T>
double rate_of_tiles() {
  std::vector<T> a(kTile * kTile, T(0.5)), b(a), c(a);
  const int n = 200;
  const auto run = [&] {
    for (int i = 0; i < n; ++i)
      subtract_product(false, kTile, kTile, kTile, a.data(), kTile, b.data(), kTile, c.data(), kTile);
  };
  run();
  return 2e-9 * n * double(kTile * kTile * kTile) / times_of(run).processor;
}

void time_solver(const Problem& problem, const SolverOptions& options, double rate) {
  std::unique_ptr<Solver> solver;
  try {
    solver = make_solver(options);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return;
  }
  Analysis analysis;
  const Times analysed = times_of([&] { analysis = solver->analyse(problem.pattern, problem.positions); });
  Factored found;
  const Times first = times_of([&] { found = solver->factor(problem.matrix); });
  const Times second = times_of([&] { found = solver->factor(problem.matrix); });
  const auto b = random_numbers(static_cast<std::size_t>(problem.pattern.equations()));
  auto x = b;
  Solved solved;
  const Times solving = times_of([&] { solved = solver->solve(b, x); });
  const double gflops = 1e-9 * analysis.flops / second.wall;
  std::printf(
      "%-12s %-9s %-6s %-4s threads %d: analyse %.2f s; factor %.2f then %.2f s (processor %.2f, %.2f), "
      "%.1f GFLOP/s, %.0f %% of tiles' rate; solve %.3f s, %d refinements, residual %.1e; flops %.3g, "
      "entries %.3g, front %d, GB %.2f, out of core %.2f\n",
      options.method == Method::mumps ? "mumps" : "multifrontal",
      options.ordering == Ordering::metis ? "metis" : "geometric",
      options.single_precision ? "single" : "double", options.out_of_core ? "disk" : "core", options.threads,
      analysed.wall, first.wall, second.wall, first.processor, second.processor, gflops,
      100 * gflops / rate / options.threads, solving.wall, solved.refinements, residual(problem.matrix, b, x),
      analysis.flops, analysis.entries, analysis.largest_front, 1e-9 * analysis.bytes_in_core,
      1e-9 * analysis.bytes_out_of_core);
  std::fflush(stdout);
}

}  // namespace
}  // namespace crumple::implicit::linear

int main(int argc, char** argv) {
  using namespace crumple::implicit::linear;
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? std::atoi(argv[1]) : 36, most_threads = argc > 2 ? std::atoi(argv[2]) : 2;
  prepare_dense(most_threads);
  Problem problem;
  make_brick(problem, n, n, n);
  const double rates[] = {rate_of_tiles<double>(), rate_of_tiles<float>()};
  std::printf("%d equations; tiles: %.1f GFLOP/s double, %.1f single\n", problem.pattern.equations(),
              rates[0], rates[1]);
  const Times graph_time = times_of([&] { row_graph(problem.pattern); });
  const RowGraph graph = row_graph(problem.pattern);
  const Times metis_time = times_of([&] { metis_order(graph); });
  const Times geometric_time = times_of([&] { geometric_order(graph, problem.positions); });
  std::printf("graph %.2f s, METIS %.2f s, geometric %.2f s\n", graph_time.wall, metis_time.wall,
              geometric_time.wall);
  for (const Ordering ordering : {Ordering::metis, Ordering::geometric})
    for (const bool single : {false, true}) {
      SolverOptions options;
      options.ordering = ordering;
      options.single_precision = single;
      for (const bool out_of_core : {false, true})
        for (options.threads = 1; options.threads <= most_threads; options.threads *= 2) {
          options.out_of_core = out_of_core;
          time_solver(problem, options, rates[single]);
        }
      options.out_of_core = false;
      options.threads = 1;
      options.method = Method::mumps;
      time_solver(problem, options, rates[single]);
    }
  MPI_Finalize();
}
