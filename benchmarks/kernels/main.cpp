// Google Benchmark's program of the solver's kernels; run by speed.py. --isa=avx512, avx2 or baseline chooses
// the instruction set.
#include <benchmark/benchmark.h>
#include <mpi.h>
#include <omp.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "instruction_set.hpp"

namespace crumple::bench {

namespace {
std::vector<std::pair<elements::Isa, Register>>& of_instruction_sets() {
  static std::vector<std::pair<elements::Isa, Register>> all;
  return all;
}
}  // namespace

OfInstructionSet::OfInstructionSet(elements::Isa isa, Register all) {
  of_instruction_sets().emplace_back(isa, all);
}

void register_vectors(elements::Isa isa) {
  for (const auto& [of, all] : of_instruction_sets())
    if (of == isa) all();
}

namespace {

/// Takes --isa=NAME from the arguments; without it, the best of this processor and build. Throws for one that
/// they do not have: another is not measured instead.
elements::Isa take_isa(int& argc, char** argv) {
  using elements::Isa;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--isa=")) continue;
    std::memmove(argv + i, argv + i + 1, sizeof(char*) * static_cast<std::size_t>(argc-- - i));
    for (const auto& [name, isa] : {std::pair("avx512", Isa::avx512), std::pair("avx2", Isa::avx2),
                                    std::pair("baseline", Isa::baseline)})
      if (word.substr(6) == name && elements::best_isa(isa) == isa) return isa;
    throw std::runtime_error(word + ": there are no such kernels in this build, or for this processor");
  }
  return elements::best_isa();
}

}  // namespace
}  // namespace crumple::bench

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  omp_set_num_threads(1);  // figures are of one core
  crumple::elements::Isa isa{};
  try {
    isa = crumple::bench::take_isa(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Finalize();
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("isa", crumple::elements::isa_name(isa));
  benchmark::AddCustomContext("compiler", CRUMPLE_COMPILER);
  benchmark::AddCustomContext("flags", CRUMPLE_FLAGS);
  crumple::bench::register_vectors(isa);
  crumple::bench::register_elements(isa);
  crumple::bench::register_contact(isa);
  crumple::bench::register_constraints();
  crumple::bench::register_sums();
  crumple::bench::register_nodes(isa);
  benchmark::RunSpecifiedBenchmarks();
  MPI_Finalize();
  return 0;
}
