// Loads and calls the routine of a user's own law.
#include "materials/own/user_routine.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace crumple::materials {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNameLength = 5;  // character*5 etype

/// What routines get for data that laws here do not have: a routine that uses it gives NaN, not a wrong
/// result.
struct NotGiven {
  double temperature = kUnknown, size = kUnknown;
  std::int64_t element = -1;
};

using Scalar = void (*)(double* cm, double* eps, double* sig, double* epsp, double* hsv, double* dt1,
                        double* capa, const char* etype, double* tt, double* temper, std::int32_t* failel,
                        const void* crv, const std::int32_t* nnpcrv, double* cma, double* qmat, double* elsiz,
                        std::int64_t* idele, std::int32_t* reject, std::size_t length);

using Vectorised = void (*)(double* cm, double* d1, double* d2, double* d3, double* d4, double* d5,
                            double* d6, double* sig1, double* sig2, double* sig3, double* sig4, double* sig5,
                            double* sig6, double* epsps, double* hsvs, std::int32_t* lft, std::int32_t* llt,
                            double* dt1siz, double* capa, const char* etype, double* tt, double* temps,
                            std::int32_t* failels, std::int32_t* nlqa, const void* crv,
                            const std::int32_t* nnpcrv, double* cma, double* qmat, double* elsizv,
                            std::int64_t* idelev, std::int32_t* reject, std::size_t length);

const char* name_of(const UserPoints& points) {
  constexpr std::array<const char*, 4> names{"solid", "shell", "hbeam", "tbeam"};
  return names[static_cast<std::size_t>(points.element)];
}

void call_scalar(const UserRoutine& routine, double* cm, double* cma, UserPoints& p) {
  const auto function = reinterpret_cast<Scalar>(routine.function);
  double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, shear_factor = 1;
  std::array<double, kUserHistory + kGradient> history{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(p.n); ++i) {
    double eps[6], sig[6];
    for (std::size_t k = 0; k < 6; ++k) eps[k] = p.strain[k][i], sig[k] = p.stress[k][i];
    for (std::size_t k = 0; k < static_cast<std::size_t>(routine.n_history); ++k)
      history[k] = p.history[k][i];
    NotGiven none;
    std::int32_t reject = 0;
    function(cm, eps, sig, &p.plastic_strain[i], history.data(), &p.dt[i], &shear_factor, name_of(p), &p.time,
             &none.temperature, &p.failed[i], &routine.curves, nullptr, cma, axes, &none.size, &none.element,
             &reject, kNameLength);
    for (std::size_t k = 0; k < 6; ++k) p.strain[k][i] = eps[k], p.stress[k][i] = sig[k];
    for (std::size_t k = 0; k < static_cast<std::size_t>(routine.n_history); ++k)
      p.history[k][i] = history[k];
  }
}

void call_vectorised(const UserRoutine& routine, double* cm, double* cma, UserPoints& p) {
  const auto function = reinterpret_cast<Vectorised>(routine.function);
  std::int32_t first = 1, last = p.n, width = kUserPoints, reject = 0;
  double shear_factor = 1;
  std::array<double, kUserPoints * 9> axes{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < kUserPoints; ++i) axes[kUserPoints * 4 * k + i] = 1;
  std::array<double, kUserPoints> none;
  std::array<std::int64_t, kUserPoints> elements;
  none.fill(kUnknown);
  elements.fill(-1);
  auto& d = p.strain;
  auto& s = p.stress;
  function(cm, d[0].data(), d[1].data(), d[2].data(), d[3].data(), d[4].data(), d[5].data(), s[0].data(),
           s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data(), p.plastic_strain.data(),
           p.history[0].data(), &first, &last, p.dt.data(), &shear_factor, name_of(p), &p.time, none.data(),
           p.failed.data(), &width, &routine.curves, nullptr, cma, axes.data(), none.data(), elements.data(),
           &reject, kNameLength);
}

}  // namespace

void UserRoutine::call(UserPoints& points) const {
  // Copies: routines may write to what they get.
  std::array<double, 48> cm{};
  std::ranges::copy(constants, cm.begin());
  std::vector<double> cma = more_constants;
  if (vectorised)
    call_vectorised(*this, cm.data(), cma.data(), points);
  else
    call_scalar(*this, cm.data(), cma.data(), points);
}

UserRoutine find_user_routine(const std::vector<std::string>& libraries, int number, bool vectorised,
                              std::string& why) {
  const std::string name = fmt::format("umat{}{}", number, vectorised ? "v" : "");
  UserRoutine routine;
  routine.vectorised = vectorised;
  for (const std::string& path : libraries) {
    // Calls of crval are bound when they are made: a library without them needs nothing from here.
    const std::shared_ptr<void> library(dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL), [](void* handle) {
      if (handle) dlclose(handle);
    });
    if (!library) {
      why += fmt::format("; {}", dlerror());
      continue;
    }
    for (const std::string& spelling : {name + "_", name})
      if (void* const function = dlsym(library.get(), spelling.c_str())) {
        routine.library = library;
        routine.function = function;
        return routine;
      }
    why += fmt::format("; {} has no {}", path, name);
  }
  return routine;
}

}  // namespace crumple::materials

extern "C" void crval_(const double* curves, const std::int32_t*, const double* id, const double* x,
                       double* value, double* slope) {
  using crumple::model::Curve;
  *value = *slope = crumple::materials::kUnknown;
  const auto& all = *reinterpret_cast<const std::vector<Curve>*>(curves);
  const auto found = std::ranges::find(all, static_cast<crumple::GlobalId>(*id), &Curve::id);
  if (found == all.end()) return;
  *value = (*found)(*x);
  const auto next = std::ranges::upper_bound(found->x, *x) - found->x.begin();
  const auto n = static_cast<std::ptrdiff_t>(found->x.size());
  const auto at = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 1, n - 1));
  *slope =
      next == 0 || next == n ? 0.0 : (found->y[at] - found->y[at - 1]) / (found->x[at] - found->x[at - 1]);
}
