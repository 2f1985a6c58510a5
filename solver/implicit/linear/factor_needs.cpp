// Adds up bytes of the matrix, fronts, update matrices, the factor and lists.
#include "implicit/linear/factor_needs.hpp"

#include <algorithm>

namespace crumple::implicit::linear {

namespace {

class Needs {
 public:
  Needs(const Symbolic& symbolic, int threads, std::size_t value_bytes, const TopNeeds& tops)
      : fronts_(symbolic.fronts),
        blocks_(symbolic.blocks),
        matrix_bytes_(symbolic.matrix_bytes),
        moved_bytes_(symbolic.moved_bytes),
        threads_(threads),
        value_bytes_(double(value_bytes)),
        refined_(value_bytes == sizeof(float)),
        tops_(tops) {}

  /// The most bytes at once, of the factor and of a solution of one right hand side.
  double bytes_of(const Plan& plan) const {
    const std::int64_t factor =
        plan.out_of_core ? std::max(plan.values_of_factor(fronts_), plan.memory.kept + tops_.most_out_of_core)
                         : std::max(plan.values_of_factor(fronts_) + tops_.factor,
                                    plan.memory.kept + plan.factor_values() + tops_.most);
    const std::int64_t solution =
        plan.values_of_solve(fronts_) + (plan.out_of_core ? tops_.read : tops_.factor);
    return lists(plan.out_of_core) + std::max(double(factor) * value_bytes_ + lists_of_factor(),
                                              double(solution) * value_bytes_ + lists_of_solve());
  }
  double bytes_on_disk(const Plan& plan) const {
    return plan.out_of_core ? double(plan.values_on_disk() + tops_.factor) * value_bytes_ + moved_bytes_
                            : 0.0;
  }

  /// @param most_bytes out of core; 0: no limit
  Plan plan_for(bool out_of_core, double most_bytes) const {
    PlanOptions options{threads_, out_of_core, 0};
    if (most_bytes > 0)
      options.most_values = static_cast<std::int64_t>(
          std::max(1.0, (most_bytes - lists(out_of_core) - lists_of_factor()) / value_bytes_));
    return make_plan(fronts_, options);
  }

 private:
  double equations() const { return double(fronts_.equation.back()); }
  /// What stays from factor to factor, and what each thread has of it.
  double lists(bool out_of_core) const {
    return matrix_bytes_ - (out_of_core ? moved_bytes_ : 0.0) +
           double(fronts_.updates.size()) * sizeof(std::int32_t) +
           double(blocks_.uses.size()) * sizeof(FrontBlocks::Use) +
           double(fronts_.row.size()) * sizeof(std::int32_t) * (threads_ + 4) +
           equations() * sizeof(std::int32_t);
  }
  /// Largest entries of equations, in both orders.
  double lists_of_factor() const { return 2.0 * equations() * sizeof(double); }
  /// Vectors, more if the solution is refined, and what fronts pass to their parents.
  double lists_of_solve() const {
    double passed = 0;
    for (const FrontShape& shape : fronts_.shape) passed += double(shape.updated());
    return passed * value_bytes_ + equations() * (value_bytes_ + (refined_ ? 7.0 * sizeof(double) : 0.0));
  }

  const Fronts& fronts_;
  const FrontBlocks& blocks_;
  const double matrix_bytes_, moved_bytes_;
  const int threads_;
  const double value_bytes_;
  const bool refined_;
  const TopNeeds& tops_;
};

}  // namespace

ChosenPlan choose_plan(const Symbolic& symbolic, const SolverOptions& options, std::size_t value_bytes,
                       const TopNeeds* tops) {
  const TopNeeds none;
  const Needs needs(symbolic, options.threads, value_bytes, tops != nullptr ? *tops : none);
  ChosenPlan how;
  Analysis& is = how.is;
  for (const FrontShape& shape : symbolic.fronts.shape) {
    is.flops += shape.flops();
    is.entries += shape.entries();
    is.largest_front = std::max(is.largest_front, static_cast<std::int32_t>(shape.order));
  }
  Plan in_core = needs.plan_for(false, 0), out_of_core = needs.plan_for(true, 0);
  is.bytes_in_core = needs.bytes_of(in_core);
  is.bytes_out_of_core = needs.bytes_of(out_of_core);
  is.bytes_least = needs.bytes_of(needs.plan_for(true, 1));
  const double limit = options.memory_limit;
  is.out_of_core =
      options.out_of_core || (options.out_of_core_if_needed && limit > 0 && is.bytes_in_core > limit);
  if (is.out_of_core && limit > 0)
    how.plan = needs.plan_for(true, limit);
  else
    how.plan = std::move(is.out_of_core ? out_of_core : in_core);
  is.bytes = needs.bytes_of(how.plan);
  is.bytes_on_disk = needs.bytes_on_disk(how.plan);
  return how;
}

}  // namespace crumple::implicit::linear
