// Functions, laws and assembly on vectors, and the rates of the machine; compiled once per instruction set.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "elements/instantiate.hpp"
#include "instruction_set.hpp"
#include "materials/plasticity/flow_curves.hpp"
#include "materials/prepare.hpp"
#include "materials/update.hpp"
#include "simd/math.hpp"
#include "yielding_mesh.hpp"

namespace crumple::bench {
namespace {

using benchmark::State;
using elements::kLanes;

template <class T>
using V = simd::Vec<T, elements::kBytesPerVector / int(sizeof(T))>;
template <class T>
constexpr int kWidth = elements::kBytesPerVector / int(sizeof(T));
template <class T>
constexpr const char* kPrecision = sizeof(T) == 8 ? "double" : "single";

constexpr int kValues = 4096;  ///< in the L1 cache in single, in L2 in double

template <class T>
AlignedVector<T> spread(int n, double first, double last) {
  AlignedVector<T> a(n);
  for (int i = 0; i < n; ++i) a[i] = T(first + (last - first) * (i * 7919 % n) / n);
  return a;
}

void count(State& state, double items) {
  state.SetItemsProcessed(static_cast<std::int64_t>(static_cast<double>(state.iterations()) * items));
}

// ---- functions --------------------------------------------------------------------------------------

/// `f` on vectors of `x`.
template <class T, class F>
void map(State& state, const AlignedVector<T>& x, F f) {
  AlignedVector<T> y(x.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < x.size(); i += kWidth<T>) simd::store(&y[i], f(simd::load<V<T>>(&x[i])));
    benchmark::DoNotOptimize(y.data());
    benchmark::ClobberMemory();
  }
  count(state, double(x.size()));
}

template <class T>
void exponential(State& state) {
  map(state, spread<T>(kValues, -20, 20), [](V<T> x) { return simd::exp(x); });
}
template <class T>
void logarithm(State& state) {
  map(state, spread<T>(kValues, 1e-3, 1e3), [](V<T> x) { return simd::log(x); });
}
template <class T>
void power(State& state) {
  map(state, spread<T>(kValues, 1e-3, 1e3), [](V<T> x) { return simd::pow(x, V<T>(0.2)); });
}

/// One curve of so many points, abscissae 0 to 1.
std::unique_ptr<materials::FlowCurveStorage> curve_of(int points) {
  model::Curve c;
  for (int i = 0; i < points; ++i) {
    c.x.push_back(std::pow(double(i) / (points - 1), 2));
    c.y.push_back(270 + 400 * std::sqrt(c.x.back()));
  }
  const double rate = 0;
  return std::make_unique<materials::FlowCurveStorage>(std::span(&c, 1), std::span(&rate, 1));
}

template <class T, int points>
void curve(State& state) {
  const auto storage = curve_of(points);
  const materials::FlowCurves& c = storage->view();
  map(state, spread<T>(kValues, 0, 1.1), [&](V<T> x) {
    const materials::Stretch<V<T>> s = materials::find_stretch(c, x);
    return s.line.value + s.line.slope * (x - s.segment.begin);
  });
}

// ---- laws -------------------------------------------------------------------------------------------

constexpr int kPoints = 1024;
constexpr double kStrain = 7e-5;  ///< a call, as in the whole runs
constexpr double kStep = 7e-7;    ///< s: a rate of 100 / s

/// Points of a law with their state in blocks of kLanes: 6 stresses, plastic strain, history.
template <class T>
struct Points {
  model::Model model;
  materials::Prepared law;
  int stride = 0;
  AlignedVector<T> state;

  explicit Points(const char* name, model::ElementKind kind)
      : model(model_of(mesh_deck({kind, kind == model::ElementKind::shell ? 2 : 1, name}, 1))),
        law(materials::prepare(model, model.materials[0])),
        stride(7 + law.n_history),
        state(std::size_t(kPoints) * stride) {}
  T* at(int i) { return &state[std::size_t(i / kLanes) * stride * kLanes + i % kLanes]; }
};

template <class T, class Point>
void load_point(T* from, Point& p, int components) {
  for (int k = 0; k < components; ++k) p.s[k] = simd::load<V<T>>(from + k * kLanes);
  p.plastic_strain = simd::load<V<T>>(from + 6 * kLanes);
  p.history = {from + 7 * kLanes, kLanes};
  p.dt = V<T>(kStep);
}
template <class T, class Point>
void store_point(T* to, const Point& p, int components) {
  for (int k = 0; k < components; ++k) simd::store(to + k * kLanes, p.s[k]);
  simd::store(to + 6 * kLanes, p.plastic_strain);
}

constexpr double kDirection[6] = {1.0, -0.5, -0.5, 0.2, 0.1, -0.1};  ///< of the strain: no change of volume

template <class T>
void shell_law(State& state, const char* name) {
  Points<T> points(name, model::ElementKind::shell);
  for (auto _ : state) {
    for (int i = 0; i < kPoints; i += kWidth<T>) {
      materials::ShellPoint<V<T>> p;
      load_point(points.at(i), p, 6);
      for (int k = 0; k < 6; ++k) p.d[k] = V<T>(kStrain * kDirection[k]);
      p.failed = V<T>(0) > V<T>(0);
      materials::update_shell(points.law.law, p);
      store_point(points.at(i), p, 6);
    }
    benchmark::ClobberMemory();
  }
  count(state, kPoints);
}

template <class T>
void solid_law(State& state, const char* name) {
  Points<T> points(name, model::ElementKind::solid);
  const V<T> still[3][3] = {
      {V<T>(1), V<T>(0), V<T>(0)}, {V<T>(0), V<T>(1), V<T>(0)}, {V<T>(0), V<T>(0), V<T>(1)}};
  for (auto _ : state) {
    for (int i = 0; i < kPoints; i += kWidth<T>) {
      materials::SolidPoint<V<T>> p;
      load_point(points.at(i), p, 6);
      for (int k = 0; k < 6; ++k) p.d[k] = V<T>(kStrain * kDirection[k]);
      p.failed = V<T>(0) > V<T>(0);
      p.volume_ratio = V<T>(1);
      p.rotation = still;
      materials::update_solid(points.law.law, p);
      store_point(points.at(i), p, 6);
    }
    benchmark::ClobberMemory();
  }
  count(state, kPoints);
}

template <class T>
void beam_law(State& state, const char* name) {
  Points<T> points(name, model::ElementKind::shell);
  for (auto _ : state) {
    for (int i = 0; i < kPoints; i += kWidth<T>) {
      materials::BeamPoint<V<T>> p;
      load_point(points.at(i), p, 3);
      for (int k = 0; k < 3; ++k) p.d[k] = V<T>(kStrain * kDirection[k == 0 ? 0 : k + 2]);
      p.failed = V<T>(0) > V<T>(0);
      materials::update_beam(points.law.law, p);
      store_point(points.at(i), p, 3);
    }
    benchmark::ClobberMemory();
  }
  count(state, kPoints);
}

// ---- forces into nodal sums ---------------------------------------------------------------------------

/// Force and moment of a node in floating point, laid out as the exact sums are.
struct alignas(64) PlainSum {
  double value[8] = {};
};

/// What scatter needs, with forces that are there already.
template <class T>
struct Assembly {
  YieldingMesh<T> mesh;
  state::Nodal nodal;
  AlignedVector<PlainSum> plain;
  elements::KernelArguments<T> arguments;

  Assembly(model::ElementKind kind, int elform)
      : mesh({kind, elform, "024", 0}, 50000, elements::Isa(CRUMPLE_ISA_NUMBER)),
        nodal(mesh.nodal()),
        plain(nodal.size()) {
    arguments.loads = nodal.loads.data();
    arguments.nodes = mesh.group().nodes.data();
  }
};

/// Eight lanes from `first`, as lines or, without moments, halves of them.
template <bool moments, class T>
void subtract_plain(PlainSum* sums, const std::int32_t* nodes, bool all, V<T> alive, const V<T> (&f)[3],
                    const V<T> (&m)[3], int first) {
  using Line = elements::lanes::Line;
  using Row = std::conditional_t<moments, Line, elements::lanes::Half>;
  Line force[3], moment[3];
  for (int k = 0; k < 3; ++k) force[k] = simd::widen(f[k], first), moment[k] = simd::widen(m[k], first);
  typename Row::N row[8];
  if constexpr (moments)
    elements::lanes::transpose_to_lines(force, moment, row);
  else
    elements::lanes::transpose_to_halves(force, row);
#pragma GCC unroll 8
  for (int l = 0; l < 8; ++l) {
    if (!all && simd::lane(alive, first + l) == T(0)) continue;
    double* target = sums[nodes[first + l]].value;
    simd::store(target, simd::load<Row>(target) - Row(row[l]));
  }
}

/// The same as the elements' scatter, in floating point: what a sum that depends on its order would cost.
template <class T, int N, bool moments>
void scatter_plain(PlainSum* sums, const std::int32_t* nodes, V<T> alive, const V<T> (&f)[N][3]) {
  const bool all = simd::all(alive > V<T>(0));
  for (int n = 0; n < N; ++n) {
    if constexpr (elements::lanes::has_lines_v<V<T>>) {
      for (int first = 0; first < kWidth<T>; first += 8)
        subtract_plain<moments, T>(sums, nodes + n * kLanes, all, alive, f[n], f[n], first);
    } else {
      for (int l = 0; l < kWidth<T>; ++l) {
        if (simd::lane(alive, l) == T(0)) continue;
        double* target = sums[nodes[n * kLanes + l]].value;
        for (int k = 0; k < 3; ++k) {
          target[k] -= double(simd::lane(f[n][k], l));
          if (moments) target[k + 4] -= double(simd::lane(f[n][k], l));
        }
      }
    }
  }
}

template <class T, int N, class Scatter>
void assemble(State& state, const Assembly<T>& a, Scatter scatter) {
  V<T> f[N][3];
  for (int n = 0; n < N; ++n)
    for (int k = 0; k < 3; ++k) f[n][k] = V<T>(1.7 * n + k - 3.1);
  const V<T> alive(1);
  const int count_of = a.mesh.group().count / kLanes * kLanes;
  for (auto _ : state) {
    for (int i = 0; i < count_of; i += kWidth<T>) {
      for (int n = 0; n < N; ++n)
        for (int k = 0; k < 3; ++k) benchmark::DoNotOptimize(f[n][k].n);
      scatter(a.arguments.nodes + std::size_t(i / kLanes) * kLanes * N + i % kLanes, alive, f);
    }
    benchmark::ClobberMemory();
  }
  count(state, count_of);
}

template <class T>
void shells_exact(State& state) {
  Assembly<T> a(model::ElementKind::shell, 2);
  assemble<T, 4>(state, a, [&](const std::int32_t* nodes, V<T> alive, const V<T>(&f)[4][3]) {
    elements::scatter_subtract(a.arguments.loads, nodes, f, f, alive != V<T>(0));
  });
}
template <class T>
void shells_plain(State& state) {
  Assembly<T> a(model::ElementKind::shell, 2);
  assemble<T, 4>(state, a, [&](const std::int32_t* nodes, V<T> alive, const V<T>(&f)[4][3]) {
    scatter_plain<T, 4, true>(a.plain.data(), nodes, alive, f);
  });
}
template <class T>
void solids_exact(State& state) {
  Assembly<T> a(model::ElementKind::solid, 1);
  assemble<T, 8>(state, a, [&](const std::int32_t* nodes, V<T> alive, const V<T>(&f)[8][3]) {
    elements::scatter_subtract(a.arguments.loads, nodes, f, alive > V<T>(0));
  });
}
template <class T>
void solids_plain(State& state) {
  Assembly<T> a(model::ElementKind::solid, 1);
  assemble<T, 8>(state, a, [&](const std::int32_t* nodes, V<T> alive, const V<T>(&f)[8][3]) {
    scatter_plain<T, 8, false>(a.plain.data(), nodes, alive, f);
  });
}

// ---- the machine ------------------------------------------------------------------------------------

/// STREAM's triad (McCalpin 1995) on three arrays of `state.range(0)` MiB together; items are bytes, those
/// that writing reads first too.
void triad(State& state) {
  const std::size_t n = std::size_t(state.range(0)) * (1 << 20) / (3 * sizeof(double)) / 64 * 64;
  AlignedVector<double> a(n, 0.0), b(n, 1.0), c(n, 2.0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; i += kWidth<double>)
      simd::store(&a[i], simd::load<V<double>>(&b[i]) + V<double>(3) * simd::load<V<double>>(&c[i]));
    benchmark::ClobberMemory();
  }
  count(state, 4.0 * sizeof(double) * double(n));
}

#if defined(__aarch64__)
#define CRUMPLE_VECTOR_REGISTER "w"
#else
#define CRUMPLE_VECTOR_REGISTER "v"
#endif

/// The result of a step, of which the compiler knows nothing but its register: neither can it leave out
/// steps.
template <class T, class Step>
[[gnu::always_inline]] inline V<T> taken(Step step, V<T> x) {
  typename V<T>::N n = step(x).n;
  asm volatile("" : "+" CRUMPLE_VECTOR_REGISTER(n));
  return n;
}

/// `step` on ten independent vectors in registers; items are operations on numbers.
template <class T, class Step>
void in_registers(State& state, int operations, Step step) {
  V<T> a(1.0), b(1.1), c(1.2), d(1.3), e(1.4), f(1.5), g(1.6), h(1.7), i(1.8),
      j(1.9);  // an array goes to memory
  for (auto _ : state) {
    for (int round = 0; round < 1000; ++round) {
      a = taken<T>(step, a), b = taken<T>(step, b), c = taken<T>(step, c), d = taken<T>(step, d);
      e = taken<T>(step, e), f = taken<T>(step, f), g = taken<T>(step, g), h = taken<T>(step, h);
      i = taken<T>(step, i), j = taken<T>(step, j);
    }
  }
  V<T> sum = a + b + c + d + e + f + g + h + i + j;
  benchmark::DoNotOptimize(sum.n);
  count(state, 1000.0 * 10 * operations * kWidth<T>);
}

template <class T>
void multiply_add(State& state) {
  const V<T> a(0.999), b(0.001);
  in_registers<T>(state, 2, [=](V<T> x) { return x * a + b; });
}
template <class T>
void divide(State& state) {
  const V<T> a(1.7);
  in_registers<T>(state, 1, [=](V<T> x) { return a / x; });
}
template <class T>
void root(State& state) {
  in_registers<T>(state, 1, [](V<T> x) { return simd::sqrt(x); });
}

// ---- names ------------------------------------------------------------------------------------------

void add(const std::string& name, void (*f)(State&)) { benchmark::RegisterBenchmark(name.c_str(), f); }

template <class T>
void register_precision() {
  const std::string p = std::string("/") + kPrecision<T>;
  add("machine/multiply-add" + p, multiply_add<T>);
  add("machine/divide" + p, divide<T>);
  add("machine/root" + p, root<T>);
  add("function/exp" + p, exponential<T>);
  add("function/log" + p, logarithm<T>);
  add("function/pow" + p, power<T>);
  add("curve/10 points" + p, curve<T, 10>);
  add("curve/100 points" + p, curve<T, 100>);
  for (const MaterialCards& m : materials()) {
    const std::string name = m.name;
    if (name == "009") continue;
    const auto law = [&](const char* kind, void (*f)(State&, const char*)) {
      benchmark::RegisterBenchmark(("law/" + std::string(kind) + "/" + name + p).c_str(), f, m.name);
    };
    law("shell", shell_law<T>);
    law("solid", solid_law<T>);
    if (name != "027" && name != "081" && name != "123" && name != "012") law("beam", beam_law<T>);
  }
  add("assembly/shell/exact" + p, shells_exact<T>);
  add("assembly/shell/plain" + p, shells_plain<T>);
  add("assembly/solid/exact" + p, solids_exact<T>);
  add("assembly/solid/plain" + p, solids_plain<T>);
}

void register_all() {
  for (const int mib : {1, 32, 768}) {
    const std::string name = "machine/triad/" + std::to_string(mib) + " MiB";
    benchmark::RegisterBenchmark(name.c_str(), triad)->Arg(mib);
  }
  register_precision<double>();
  register_precision<float>();
}

const OfInstructionSet registered(elements::Isa(CRUMPLE_ISA_NUMBER), register_all);

}  // namespace
}  // namespace crumple::bench
