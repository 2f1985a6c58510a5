// Bytes and operations of contact, sorts, ties and rigid bodies.
#pragma once

#include <string>
#include <vector>

namespace crumple::bench {

/// The least work of a kernel for an item of its benchmark.
struct WorkOfItem {
  std::string name;
  double bytes = 0, sums = 0, products = 0, divisions = 0, roots = 0, choices = 0;
};

/// Of contact.cpp and constraints.cpp, in their order. MPI must run.
std::vector<WorkOfItem> work_beside_elements();

}  // namespace crumple::bench
