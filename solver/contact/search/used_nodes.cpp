// Which of the used nodes are the same node.
#include <numeric>
#include <unordered_map>

#include "contact/search/segments.hpp"

namespace crumple::contact {

std::vector<std::int32_t> UsedNodes::first_numbers() const {
  std::vector<std::int32_t> first(size());
  std::iota(first.begin(), first.end(), 0);
  if (n_copies() == 0) return first;
  std::unordered_map<GlobalId, std::int32_t> of_copy;
  for (std::size_t k = n_local(); k < size(); ++k) of_copy.emplace(id[k], first[k]);
  for (std::size_t k = 0; k < n_local(); ++k)
    if (const auto found = of_copy.find(id[k]); found != of_copy.end()) found->second = first[k];
  for (std::size_t k = n_local(); k < size(); ++k) first[k] = of_copy.at(id[k]);
  return first;
}

}  // namespace crumple::contact
