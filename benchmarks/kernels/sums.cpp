// Exact sums of scalars (energies, masses) against plain ones.
#include <benchmark/benchmark.h>

#include <vector>

#include "instruction_set.hpp"
#include "parallel/exact_sum.hpp"

namespace crumple::bench {
namespace {

constexpr int kTerms = 50000;

std::vector<double> terms() {
  std::vector<double> x(kTerms);
  for (int i = 0; i < kTerms; ++i) x[i] = 1e-3 * (i * 7919 % 1013) - 0.4;
  return x;
}

void exact(benchmark::State& state) {
  const std::vector<double> x = terms();
  for (auto _ : state) {
    parallel::ExactSum sum;
    for (const double term : x) sum += term;
    benchmark::DoNotOptimize(sum.value());
  }
  state.SetItemsProcessed(state.iterations() * kTerms);
}

void plain(benchmark::State& state) {
  const std::vector<double> x = terms();
  for (auto _ : state) {
    double sum = 0;
    for (const double term : x) sum += term;
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() * kTerms);
}

}  // namespace

void register_sums() {
  benchmark::RegisterBenchmark("sum/exact", exact);
  benchmark::RegisterBenchmark("sum/plain", plain);
}

}  // namespace crumple::bench
