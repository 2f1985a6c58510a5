// Calls kernels under valgrind --tool=callgrind, which counts the instructions of one call each.
//
// Prints one line of JSON: how it was built, and the elements of each kernel's call. Exit 3: there is no AVX2
// kernel to count (valgrind knows no AVX-512).
#include <fmt/format.h>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <exception>
#include <string>

#include "kernels/yielding_mesh.hpp"

namespace {

using crumple::bench::Part;
using crumple::model::ElementKind;

constexpr int kElements = 64;

/// A call of the kernel, counted under `name`; returns its elements.
int count(const char* name, const Part& part) {
  crumple::bench::YieldingMesh<double> mesh(part, kElements, crumple::elements::Isa::avx2);
  if (!mesh.yields()) throw std::runtime_error(fmt::format("{}: not all points yield", name));
  CALLGRIND_START_INSTRUMENTATION;
  mesh.call();
  CALLGRIND_STOP_INSTRUMENTATION;
  CALLGRIND_DUMP_STATS_AT(name);
  return mesh.group().count;
}

}  // namespace

int main() {
  using namespace crumple::elements;
  if (!find_kernel<double>(Isa::avx2, ElementKind::shell, 2) || best_isa() < Isa::avx2) return 3;
  const struct {
    const char* name;
    Part part;
  } kernels[] = {{"shell 2", {ElementKind::shell, 2, "024"}},
                 {"shell 16", {ElementKind::shell, 16, "024"}},
                 {"solid 1 hg6", {ElementKind::solid, 1, "024", 6}},
                 {"solid 2", {ElementKind::solid, 2, "024"}}};
  try {
    std::string elements;
    for (const auto& [name, part] : kernels)
      elements += fmt::format("{}\"{}\": {}", elements.empty() ? "" : ", ", name, count(name, part));
    fmt::print("{{\"compiler\": \"{}\", \"flags\": \"{}\", \"elements\": {{{}}}}}\n", CRUMPLE_COMPILER,
               CRUMPLE_FLAGS, elements);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
