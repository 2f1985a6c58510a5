// The registry of formulations and kernels, by kind and number.
#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "elements/kernel.hpp"

namespace crumple::elements {

namespace {

using Key = std::tuple<Isa, model::ElementKind, int>;

// Filled before main by the registration lines, read-only afterwards.
std::vector<Formulation>& formulation_list() {
  static std::vector<Formulation> list;
  return list;
}
std::map<Key, std::pair<Kernel<float>, Kernel<double>>>& kernel_map() {
  static std::map<Key, std::pair<Kernel<float>, Kernel<double>>> map;
  return map;
}

}  // namespace

namespace detail {
RegisterFormulation::RegisterFormulation(Formulation f) { formulation_list().push_back(std::move(f)); }
RegisterKernel::RegisterKernel(Isa isa, model::ElementKind kind, int elform, Kernel<float> single,
                               Kernel<double> twice) {
  kernel_map()[{isa, kind, elform}] = {single, twice};
}
}  // namespace detail

std::span<const Formulation> formulations() { return formulation_list(); }

const Formulation* find_formulation(model::ElementKind kind, int elform) {
  for (const Formulation& f : formulation_list())
    if (f.kind == kind && f.elform == elform) return &f;
  return nullptr;
}

bool has_formulation(model::ElementKind kind, int elform) {
  return find_formulation(kind, elform) != nullptr;
}

int fixed_layers(model::ElementKind kind, int elform) {
  const Formulation* const f = find_formulation(kind, elform);
  return f ? f->layers : 0;
}

Form form_of(model::ElementKind kind, int elform, std::span<const LocalId> corners) {
  const Formulation* const f = find_formulation(kind, elform);
  return f && f->form ? f->form(corners, elform) : Form{elform, {corners.begin(), corners.end()}};
}

template <>
Kernel<float> find_kernel<float>(Isa isa, model::ElementKind kind, int elform) {
  const auto it = kernel_map().find({isa, kind, elform});
  return it == kernel_map().end() ? nullptr : it->second.first;
}
template <>
Kernel<double> find_kernel<double>(Isa isa, model::ElementKind kind, int elform) {
  const auto it = kernel_map().find({isa, kind, elform});
  return it == kernel_map().end() ? nullptr : it->second.second;
}

namespace {

Isa best_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return Isa::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return Isa::avx2;
#endif
  return Isa::baseline;
}

}  // namespace

Isa best_isa(Isa limit) {
  const Isa most = std::min(limit, best_of_processor());
  Isa best = Isa::avx512;
  bool found = false;
  for (const auto& [key, kernels] : kernel_map()) {
    const Isa isa = std::get<Isa>(key);
    if (isa <= most && (!found || isa > best)) best = isa, found = true;
  }
  if (!found)
    throw Error("CR-K004",
                "this solver has no kernels for this processor, or for the value of --isa: `make build` or "
                "`make install` compiles them for all",
                {});
  return best;
}

const char* isa_name(Isa isa) {
  return isa == Isa::avx512 ? "AVX-512" : isa == Isa::avx2 ? "AVX2" : "baseline";
}

}  // namespace crumple::elements
