// Memory and seconds of the multifrontal solver for six nested cylinders, with limits of memory:
//   linear_memory FACTOR [tied] [THREADS]            what is predicted, for several limits; 1: 3,034,944
//   equations linear_memory FACTOR [tied] [THREADS] run REPEATS  factors and solves, too, in single precision
#include <mpi.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/error.hpp"
#include "implicit/linear/dense.hpp"
#include "implicit/linear/factor_needs.hpp"
#include "implicit/linear/ordering.hpp"
#include "unit/implicit/linear/cylinders.hpp"

namespace crumple::implicit::linear {
namespace {

constexpr double kGB = 1e-9;

struct Asked {
  double factor = 0.3;
  bool tied = false;
  int threads = 1;
  int repeats = 0;
};

Asked asked_by(int argc, char** argv) {
  Asked asked;
  if (argc > 1) asked.factor = std::atof(argv[1]);
  for (int i = 2; i < argc; ++i) {
    if (std::strcmp(argv[i], "tied") == 0)
      asked.tied = true;
    else if (std::strcmp(argv[i], "run") == 0)
      asked.repeats = i + 1 < argc ? std::atoi(argv[++i]) : 1;
    else
      asked.threads = std::atoi(argv[i]);
  }
  return asked;
}

/// Seconds that all threads of the process have used.
double processor_seconds() {
  struct rusage used {};
  getrusage(RUSAGE_SELF, &used);
  return double(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * double(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SolverOptions options_of(const Asked& asked, bool out_of_core, double limit) {
  SolverOptions options;
  options.single_precision = true;
  options.threads = asked.threads;
  options.out_of_core = out_of_core;
  options.memory_limit = limit;
  return options;
}

Symbolic symbolic_of(const Problem& problem) {
  const RowGraph graph = row_graph(problem.pattern);
  std::vector<std::int32_t> sizes;
  for (const std::int32_t row : graph.row) sizes.push_back(problem.pattern.size(row));
  Symbolic symbolic;
  symbolic.fronts = make_fronts(graph, elimination_tree(graph, metis_order(graph), sizes), sizes);
  symbolic.blocks = front_blocks(problem.pattern, symbolic.fronts);
  symbolic.matrix_bytes = problem.pattern.bytes();
  return symbolic;
}

/// Where the memory of a plan is.
void print_parts(const Plan& plan, const Fronts& fronts, std::size_t value_bytes) {
  const auto gb = [&](std::int64_t values) { return kGB * double(values) * double(value_bytes); };
  std::int64_t front = 0, factor = 0;
  for (const FrontShape& shape : fronts.shape) {
    front = std::max(front, shape.factor_values() + shape.update_values());
    factor = std::max(factor, shape.factor_values());
  }
  std::printf(
      "  GB: stacks of a subtree %.2f, of the top %.2f, roots %.2f; largest front %.2f, its pivots %.2f; %zu "
      "subtrees; update matrices on disk %.2f; making %.2f, reading %.2f\n",
      gb(plan.memory.subtree), gb(plan.memory.top), gb(plan.memory.roots), gb(front), gb(factor),
      plan.subtrees.size(), gb(plan.disk.top + plan.disk.roots), gb(plan.values_of_factor(fronts)),
      gb(plan.values_of_solve(fronts)));
}

void predict(const Problem& problem, const Asked& asked) {
  const Symbolic symbolic = symbolic_of(problem);
  const ChosenPlan free = choose_plan(symbolic, options_of(asked, true, 0), sizeof(float));
  std::printf(
      "%.3g operations, %.3g entries, largest front %d; GB: in memory %.2f, out of core %.2f, least %.2f\n",
      free.is.flops, free.is.entries, free.is.largest_front, kGB * free.is.bytes_in_core,
      kGB * free.is.bytes_out_of_core, kGB * free.is.bytes_least);
  print_parts(free.plan, symbolic.fronts, sizeof(float));
  for (const double part : {0.8, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.0}) {
    const double limit = free.is.bytes_least + part * (free.is.bytes_out_of_core - free.is.bytes_least) + 1.0;
    const double begin = wall_seconds();
    const ChosenPlan how = choose_plan(symbolic, options_of(asked, true, limit), sizeof(float));
    std::int64_t written = 0, n = 0;
    for (std::int32_t f = 0; f < symbolic.fronts.size(); ++f)
      if (how.plan.on_disk[f]) written += symbolic.fronts.shape[f].update_values(), ++n;
    std::printf("limit %7.3f GB: memory %7.3f, disk %7.3f; %lld update matrices written, %.2f GB (%.2f s)\n",
                kGB * limit, kGB * how.is.bytes, kGB * how.is.bytes_on_disk, static_cast<long long>(n),
                kGB * double(written) * sizeof(float), wall_seconds() - begin);
    print_parts(how.plan, symbolic.fronts, sizeof(float));
    std::fflush(stdout);
  }
}

/// A factor and a solution, with the seconds of both.
void measure(const Problem& problem, const SolverOptions& options, const char* name) {
  const auto solver = make_solver(options);
  const Analysis is = solver->analyse(problem.pattern, problem.positions);
  const double wall = wall_seconds(), processor = processor_seconds();
  const Factored found = solver->factor(problem.matrix);
  const double factored = wall_seconds() - wall, used = processor_seconds() - processor;
  const auto b = random_numbers(static_cast<std::size_t>(problem.pattern.equations()));
  auto x = b;
  const double begin = wall_seconds(), begun = processor_seconds();
  const Solved solved = solver->solve(b, x);
  std::printf(
      "%-18s threads %d: factor %.2f s (processor %.2f), solve %.2f s (processor %.2f), %d refinements, "
      "residual "
      "%.1e; GB predicted %.3f, fronts %.3f, disk %.3f\n",
      name, options.threads, factored, used, wall_seconds() - begin, processor_seconds() - begun,
      solved.refinements, solved.residual, kGB * is.bytes, kGB * found.bytes, kGB * is.bytes_on_disk);
  std::fflush(stdout);
}

void run_all(const Problem& problem, const Asked& asked) {
  const Analysis free = make_solver(options_of(asked, true, 0))->analyse(problem.pattern, problem.positions);
  for (int k = 0; k < asked.repeats; ++k) {
    measure(problem, options_of(asked, false, 0), "in memory");
    measure(problem, options_of(asked, true, 0), "out of core");
    const double half = 0.5 * (free.bytes_least + free.bytes_out_of_core);
    measure(problem, options_of(asked, true, half), "out of core, half");
    measure(problem, options_of(asked, true, 1.001 * free.bytes_least), "out of core, least");
  }
}

}  // namespace
}  // namespace crumple::implicit::linear

int main(int argc, char** argv) {
  using namespace crumple::implicit::linear;
  MPI_Init(&argc, &argv);
  const Asked asked = asked_by(argc, argv);
  Problem problem;
  make_cylinders(problem, asked.factor, asked.tied, asked.repeats > 0);
  std::printf("%d equations, %s\n", problem.pattern.equations(), asked.tied ? "tied" : "apart");
  try {
    if (asked.repeats > 0)
      run_all(problem, asked);
    else
      predict(problem, asked);
  } catch (const crumple::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  MPI_Finalize();
}
