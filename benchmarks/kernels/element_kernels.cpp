// Each element kernel with each law it takes, in both precisions, on a mesh whose elements all yield.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <tuple>

#include "instruction_set.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;
using model::ElementKind;

constexpr int kInCache = 1600, kBeyond = 50000, kOtherLaws = 10000;

/// Meshes are made when their benchmark is first run, and the last one is kept for its repetitions.
template <class T>
YieldingMesh<T>& mesh_of(const Part& part, int elements, elements::Isa isa) {
  using Key = std::tuple<ElementKind, int, std::string, int, int>;
  static Key last;
  static std::unique_ptr<YieldingMesh<T>> mesh;
  const Key key{part.kind, part.elform, part.material, part.hourglass, elements};
  if (!mesh || key != last) {
    mesh.reset();
    mesh = std::make_unique<YieldingMesh<T>>(part, elements, isa);
    last = key;
  }
  return *mesh;
}

template <class T>
void element(State& state, Part part, int elements, elements::Isa isa) {
  try {
    YieldingMesh<T>& mesh = mesh_of<T>(part, elements, isa);
    if (!mesh.yields()) return state.SkipWithError("not all points yield");
    for (auto _ : state) mesh.call();
    state.SetItemsProcessed(state.iterations() * mesh.group().count);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

struct Form {
  const char* name;
  Part part;
};

void add(const Form& form, const std::string& law, int elements, elements::Isa isa) {
  Part part = form.part;
  part.material = law;
  const std::string name = fmt::format("element/{}/{}/{}", form.name, law, elements);
  benchmark::RegisterBenchmark((name + "/double").c_str(), element<double>, part, elements, isa);
  benchmark::RegisterBenchmark((name + "/single").c_str(), element<float>, part, elements, isa);
}

}  // namespace

void register_elements(elements::Isa isa) {
  const Form forms[] = {{"shell 2", {ElementKind::shell, 2}},
                        {"shell 16", {ElementKind::shell, 16}},
                        {"shell 4", {ElementKind::shell, 4}},
                        {"solid 1", {ElementKind::solid, 1}},
                        {"solid 1 hg6", {ElementKind::solid, 1, "", 6}},
                        {"solid 2", {ElementKind::solid, 2}},
                        {"solid -1", {ElementKind::solid, -1}},
                        {"solid 10", {ElementKind::solid, 10}},
                        {"solid 13", {ElementKind::solid, 13}},
                        {"solid 15", {ElementKind::solid, 15}},
                        {"beam 1", {ElementKind::beam, 1}},
                        {"beam 2", {ElementKind::beam, 2}},
                        {"beam 3", {ElementKind::beam, 3}}};
  for (const Form& form : forms)
    for (const int elements : {kInCache, kBeyond})
      if (form.part.kind != ElementKind::beam || form.part.elform != 2) add(form, "024", elements, isa);
  for (const Form& form : forms)
    for (const MaterialCards& m : materials()) {
      const std::string law = m.name;
      const bool beam = form.part.kind == ElementKind::beam;
      if (law == "024" || law == "009" || (beam && law != "001" && law != "003")) continue;
      if (law == "027" && form.part.kind != ElementKind::solid) continue;
      if (beam && form.part.elform == 2 && law != "001") continue;
      add(form, law, kOtherLaws, isa);
    }
}

}  // namespace crumple::bench
