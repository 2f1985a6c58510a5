// Texts of errors and places.
#include "base/error.hpp"

#include <fmt/format.h>

namespace crumple {

std::string Place::text() const {
  std::string s = file;
  if (line >= 0) s += fmt::format(":{}", line);
  if (!card.empty()) s += fmt::format(" card {}", card);
  if (!field.empty()) s += fmt::format(" field {}", field);
  return s;
}

namespace {
std::string compose(const std::string& id, const std::string& message, const Place& place) {
  const std::string where = place.text();
  return where.empty() ? fmt::format("error {}: {}", id, message)
                       : fmt::format("error {}: {} ({})", id, message, where);
}
}  // namespace

Error::Error(std::string id, std::string message, Place place, Exit status)
    : std::runtime_error(compose(id, message, place)),
      id_(std::move(id)),
      message_(std::move(message)),
      place_(std::move(place)),
      status_(status) {}

}  // namespace crumple
