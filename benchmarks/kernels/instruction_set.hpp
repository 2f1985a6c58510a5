// Benchmarks that are compiled once per instruction set, and registered for the one that is measured.
#pragma once

#include <functional>

#include "elements/kernel.hpp"

namespace crumple::bench {

using Register = void (*)();

/// Makes `all` known for an instruction set; one static object in each file.
struct OfInstructionSet {
  OfInstructionSet(elements::Isa isa, Register all);
};

/// Register the benchmarks of an instruction set.
void register_vectors(elements::Isa isa);
/// The same of what is compiled once.
void register_elements(elements::Isa isa);
void register_contact(elements::Isa isa);
void register_constraints();
void register_sums();
void register_nodes(elements::Isa isa);

}  // namespace crumple::bench
