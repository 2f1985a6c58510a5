// Results and dumps at the start of a run.
#include "control/run_services.hpp"

#include <array>

#include "control/run_setup.hpp"
#include "state/archive.hpp"

namespace crumple::control {

RunServices::RunServices(RunInput& input)
    : kept(make_room(input.options, input.comm, input.restarted)),
      recorder(input.comm, input.subdomain, std::move(input.catalogue),
               recorder_options(input.options, input.version, input.restarted)),
      dumps(input.comm, input.subdomain.model.output.dumps,
            input.options.directory + "/" + input.options.prefix(), input.options.dump_layout),
      switches(input.options.directory) {
  if (!input.comm.root()) return;
  in_use.emplace(input.options.directory, input.options.prefix());
  limit = limits_of_run(input.options, input.subdomain.model.control, input.began);
}

RunServices& begin_services(Services& services, RunInput& input) {
  if (!services) services = std::make_unique<RunServices>(input);
  return *services;
}

void PhaseOfRun::archive(state::Archive& archive) {
  if (alone) return;
  static constexpr std::array<GlobalId, 1> only{0};
  const auto here = archive.module("phase");
  archive.global("number", number);
  archive.structs("phase", state::Rows::equal(state::Of::global, only), std::span(&phase, 1));
}

}  // namespace crumple::control
