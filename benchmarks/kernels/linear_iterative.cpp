// Times conjugate gradients with smoothed aggregation, and the multifrontal method beside it:
//   linear_iterative brick N [THREADS] [direct]              N x N x N elements
//   linear_iterative beam N [THREADS] [direct]               10 N x N x N elements, held at one end
//   linear_iterative cylinders FACTOR [THREADS] [direct]     six nested cylinders, 1: 3,034,944 equations
//   linear_iterative tied FACTOR [THREADS] [direct]          with springs between them
#include <mpi.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/error.hpp"
#include "unit/implicit/linear/cylinders.hpp"

namespace crumple::implicit::linear {
namespace {

struct Seconds {
  double wall = 0, processor = 0;
};

template <class Act>
Seconds seconds_of(Act act) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t used = std::clock();
  act();
  return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
          double(std::clock() - used) / CLOCKS_PER_SEC};
}

double peak_gigabytes() {
  struct rusage used {};
  getrusage(RUSAGE_SELF, &used);
  return 1e-6 * 1.024 * double(used.ru_maxrss);
}

void make_problem(Problem& problem, const char* kind, double size) {
  const int n = static_cast<int>(size);
  if (std::strcmp(kind, "brick") == 0) return make_brick(problem, n, n, n);
  if (std::strcmp(kind, "beam") == 0) return make_brick(problem, 10 * n, n, n);
  make_cylinders(problem, size, std::strcmp(kind, "tied") == 0);
}

std::vector<double> solved(const Problem& problem, Method method, int threads, std::span<const double> b) {
  SolverOptions options;
  options.method = method;
  options.threads = threads;
  options.isa = elements::best_isa();
  const auto solver = make_solver(options);
  const double before = peak_gigabytes();
  Analysis analysis;
  const Seconds analysed =
      seconds_of([&] { analysis = solver->analyse(problem.pattern, problem.positions); });
  const Seconds first = seconds_of([&] { solver->factor(problem.matrix); });
  const Seconds second = seconds_of([&] { solver->factor(problem.matrix); });
  std::vector<double> x(b.size());
  Solved of;
  const Seconds solving = seconds_of([&] { of = solver->solve(b, x); });
  std::printf(
      "%-12s threads %d: analyse %.2f (%.2f) factor %.2f then %.2f (%.2f) solve %.2f (%.2f) s; %d "
      "iterations, "
      "residual %.1e, %d levels, complexity %.3f, GB predicted %.3f, used %.3f; %s\n",
      method == Method::multifrontal ? "multifrontal" : "iterative", threads, analysed.wall,
      analysed.processor, first.wall, second.wall, second.processor, solving.wall, solving.processor,
      of.iterations, residual(problem.matrix, b, x), analysis.levels, analysis.complexity,
      1e-9 * analysis.bytes, peak_gigabytes() - before, std::string(solver->stands_in()).c_str());
  std::fflush(stdout);
  return x;
}

}  // namespace
}  // namespace crumple::implicit::linear

int main(int argc, char** argv) {
  using namespace crumple::implicit::linear;
  MPI_Init(&argc, &argv);
  const char* const kind = argc > 1 ? argv[1] : "brick";
  Problem problem;
  make_problem(problem, kind, argc > 2 ? std::atof(argv[2]) : 20);
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  std::printf("%s: %d equations\n", kind, problem.pattern.equations());
  // A load across at all nodes: the smoothest one is the hardest for what has no coarse levels.
  std::vector<double> b(static_cast<std::size_t>(problem.pattern.equations()));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = i % 3 == 1 ? 1.0 : 0.0;
  const auto x = solved(problem, Method::conjugate_gradients, threads, b);
  if (argc > 4) {
    const auto y = solved(problem, Method::multifrontal, threads, b);
    double most = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      most = std::max(most, std::abs(x[i] - y[i]));
      size = std::max(size, std::abs(y[i]));
    }
    std::printf("largest difference %.1e of the largest displacement\n", most / size);
  }
  MPI_Finalize();
}
