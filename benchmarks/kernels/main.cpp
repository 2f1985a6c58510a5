// Google Benchmark's program of the solver's kernels; run by speed.py. --isa=NAME chooses the instruction
// set.
#include <benchmark/benchmark.h>
#include <mpi.h>

#include <cstdio>
#include <cstring>
#include <map>
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

}  // namespace crumple::bench

int main(int argc, char** argv) {
  using crumple::elements::Isa;
  MPI_Init(&argc, &argv);
  Isa isa = crumple::elements::best_isa();
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--isa=", 6) != 0) continue;
    const char* name = argv[i] + 6;
    const Isa asked = std::strcmp(name, "baseline") == 0 ? Isa::baseline
                      : std::strcmp(name, "avx2") == 0   ? Isa::avx2
                                                         : Isa::avx512;
    if (asked < isa) isa = asked;
    std::memmove(argv + i, argv + i + 1, sizeof(char*) * static_cast<std::size_t>(argc-- - i));
    break;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("isa", crumple::elements::isa_name(isa));
  benchmark::AddCustomContext("compiler", CRUMPLE_COMPILER);
  benchmark::AddCustomContext("flags", CRUMPLE_FLAGS);
  crumple::bench::register_vectors(isa);
  crumple::bench::register_elements(isa);
  crumple::bench::register_contact();
  crumple::bench::register_sums();
  crumple::bench::register_nodes(isa);
  benchmark::RunSpecifiedBenchmarks();
  MPI_Finalize();
  return 0;
}
