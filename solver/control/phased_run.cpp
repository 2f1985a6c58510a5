// Which phase comes next, and what it begins with.
#include "control/phased_run.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "control/implicit_run.hpp"
#include "explicit/solver.hpp"
#include "implicit/solver.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

namespace {

class PhasedRun {
 public:
  PhasedRun(RunInput& input, Services& services, const RestartDecks& restart_decks)
      : input_(input),
        services_(services),
        restart_decks_(restart_decks),
        planned_(phases::schedule(input.subdomain.model)) {
    now_.alone = false;
    now_.phase = planned_.front();
    if (input.restarted == nullptr) {
      find_errors();
      return;
    }
    restart::peek(input.comm, input.restarted->path, input.restarted->index,
                  [&](state::Archive& archive) { now_.archive(archive); });
    now_.restarted = input.restarted;
    now_.phase = as_planned(now_.phase, now_.number);
  }

  int operator()() {
    for (;;) {
      PhaseEnd end = now_.phase.implicit ? run_implicit(input_, services_, now_)
                                         : run_explicit(input_, services_, now_, restart_decks_);
      if (end.ended) return end.status;
      follow(std::move(end));
    }
  }

 private:
  /// Errors of the model that the second scheme would only find at the change.
  void find_errors() const {
    if (now_.phase.implicit && switching().where_it_fails) return;  // it may never be needed
    if (now_.phase.implicit)
      explicit_dynamics::Solver(input_.comm, input_.subdomain, {.threads = input_.options.threads});
    else
      implicit::Solver(input_.comm, input_.subdomain,
                       {.threads = input_.options.threads,
                        .springback = input_.subdomain.model.control.implicit.springback.active});
  }

  const model::Switching& switching() const { return input_.subdomain.model.control.implicit.switching; }

  /// The end of the run may be another one than that of the part before a restart.
  phases::Phase as_planned(phases::Phase phase, int number) const {
    if (!switching().where_it_fails) return planned_[at(number)];
    if (phase.implicit && !phase.before_run) phase.end = planned_.back().end;
    return phase;
  }

  void follow(PhaseEnd end) {
    state_ = std::move(end.state);
    const bool relaxed = now_.phase.before_run;
    if (relaxed) begin_run();
    now_.from = &*state_;
    now_.restarted = nullptr;
    ++now_.number;
    if (!switching().where_it_fails || relaxed)
      now_.phase = planned_[at(now_.number)];
    else
      now_.phase = end.failed ? explicit_for_a_while(end.step) : implicit_again();
  }

  /// Time, cycles and sums start from zero.
  void begin_run() {
    state_->time = 0.0;
    state_->cycle = 0;
    state_->totals = {};
    state_->links.forget_energies();
    state_->begins_run = true;
    std::ranges::fill(state_->rotation, Vec3{});
  }

  /// @param step the length of the one that has failed
  phases::Phase explicit_for_a_while(double step) const {
    const model::Switching& how = switching();
    const double begin = state_->time, run = planned_.back().end;
    double length = how.explicit_time > 0.0 ? how.explicit_time : step;
    if (how.cycles > 0) length = std::max(length, how.cycles * explicit_step());
    phases::Phase phase{.begin = begin, .end = begin + length};
    constexpr double rounding = 1e-9;
    const bool beyond = phase.end >= run * (1.0 - rounding);
    phase.last = beyond && !how.implicit_end;
    if (phase.last) phase.end = run;
    return phase;
  }

  /// With IMFLAG = 5 the run ends after an implicit step, if need be beyond its end time.
  phases::Phase implicit_again() const {
    phases::Phase phase = planned_.back();
    phase.begin = state_->time;
    constexpr double rounding = 1e-9;
    if (phase.begin >= phase.end * (1.0 - rounding))
      phase.end = phase.begin + input_.subdomain.model.control.implicit.steps.first;
    return phase;
  }

  /// The present stable step of the elements.
  double explicit_step() const {
    explicit_dynamics::Solver solver(input_.comm, input_.subdomain, {.threads = input_.options.threads});
    solver.take(*state_);
    solver.step(false);
    return solver.dt();
  }

  RunInput& input_;
  Services& services_;
  const RestartDecks& restart_decks_;
  std::vector<phases::Phase> planned_;
  PhaseOfRun now_;
  std::optional<phases::CarriedState> state_;
};

}  // namespace

int run_phases(RunInput& input, Services& services, const RestartDecks& restart_decks) {
  return PhasedRun(input, services, restart_decks)();
}

}  // namespace crumple::control
