// The registry of the boxes of steps, by instruction set.
#include "contact/search/step_boxes.hpp"

#include "elements/by_isa.hpp"

namespace crumple::contact {

namespace {
elements::ByIsa<StepBoxes>& all_step_boxes() {
  static elements::ByIsa<StepBoxes> by_isa;
  return by_isa;
}
}  // namespace

detail::RegisterStepBoxes::RegisterStepBoxes(elements::Isa isa, const StepBoxes& functions) {
  all_step_boxes().add(isa, functions);
}

const StepBoxes& step_boxes(elements::Isa isa) { return all_step_boxes().find(isa); }

}  // namespace crumple::contact
