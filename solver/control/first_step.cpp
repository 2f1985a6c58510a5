// Takes one step of the solver on one rank.
#include "control/first_step.hpp"

#include <fmt/format.h>
#include <omp.h>

#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"

namespace crumple::control {

namespace {

/// What limits a step, given the smallest step of the elements.
std::string what_gives(const model::Control& control, double dt, double scaled, bool any) {
  if (!any) return "no element deforms: of rigid bodies and contact";
  if (dt < scaled * (1.0 - 1e-9))
    return control.dt_init > 0.0 && dt >= control.dt_init * (1.0 - 1e-9)
               ? fmt::format("DTINIT; {:g} of the smallest element's would be {:.5g}", control.step_scale,
                             scaled)
               : fmt::format("curve LCTM; {:g} of the smallest element's would be {:.5g}", control.step_scale,
                             scaled);
  return fmt::format("{:g} of the smallest element's{}", control.step_scale,
                     control.dt2ms != 0.0 ? ", with scaled masses" : "");
}

}  // namespace

model::FirstStep first_step(const Options& options, const Input& input, std::size_t listed) {
  omp_set_num_threads(options.threads);
  const parallel::Communicator self(MPI_COMM_SELF);
  const decomposition::Subdomain subdomain = decomposition::distribute(self, &input.model, options.method);
  explicit_dynamics::Solver solver(self, subdomain,
                                   {elements::best_isa(), options.threads, options.single_precision});
  solver.step(false);
  model::FirstStep first;
  first.dt = solver.dt();
  for (const auto& [step, name] : solver.smallest_steps(listed))
    if (limits(step)) first.steps.push_back({name.id, name.part, name.kind, step});
  const model::Control& control = subdomain.model.control;
  const bool any = !first.steps.empty();
  first.what = what_gives(control, first.dt, any ? control.step_scale * first.steps[0].dt : 0.0, any);
  return first;
}

}  // namespace crumple::control
