// Names of kinds, and rows between the memory of a field and packed bytes.
#include "state/archive.hpp"

#include <cstring>
#include <map>
#include <numeric>

namespace crumple::state {

const char* name_of(Of of) {
  switch (of) {
    case Of::global:
      return "global";
    case Of::node:
      return "node";
    case Of::element:
      return "element";
    case Of::entity:
      return "entity";
  }
  return "";
}

const char* name_of(Number number) {
  switch (number) {
    case Number::float64:
      return "float64";
    case Number::float32:
      return "float32";
    case Number::int64:
      return "int64";
    case Number::int32:
      return "int32";
    case Number::int8:
      return "int8";
  }
  return "";
}

std::size_t bytes_of(Number number) {
  if (number == Number::float64 || number == Number::int64) return 8;
  return number == Number::int8 ? 1 : 4;
}

std::vector<GlobalId> numbered(std::size_t n) {
  std::vector<GlobalId> keys(n);
  std::iota(keys.begin(), keys.end(), GlobalId{0});
  return keys;
}

std::vector<GlobalId> numbered_among_equals(std::span<const GlobalId> keys, int key_width) {
  const auto width = static_cast<std::size_t>(key_width);
  std::map<std::vector<GlobalId>, GlobalId> count;
  std::vector<GlobalId> numbered;
  for (std::size_t first = 0; first < keys.size(); first += width) {
    const auto key = keys.subspan(first, width);
    numbered.insert(numbered.end(), key.begin(), key.end());
    numbered.push_back(count[{key.begin(), key.end()}]++);
  }
  return numbered;
}

namespace {

/// With the size known, a copy of a number is one load and one store.
template <std::size_t size>
void read_numbers(const Field& field, std::size_t first, std::size_t count, std::byte* to) {
  for (std::size_t row = first; row < first + count; ++row) {
    const std::byte* from = field.memory.at(row, 0);
    for (int k = 0; k < field.width; ++k, from += field.memory.number, to += size)
      std::memcpy(to, from, size);
  }
}

}  // namespace

void Field::read(std::size_t first, std::size_t count, std::byte* to) const {
  if (is_packed()) {
    if (count > 0) std::memcpy(to, memory.at(first, 0), count * row_bytes());
    return;
  }
  switch (bytes_of(number)) {
    case 8:
      return read_numbers<8>(*this, first, count, to);
    case 4:
      return read_numbers<4>(*this, first, count, to);
    default:
      return read_numbers<1>(*this, first, count, to);
  }
}

void Field::write(std::size_t row, const std::byte* from) const {
  const std::size_t size = bytes_of(number);
  if (memory.number == size) {
    std::memcpy(memory.at(row, 0), from, row_bytes());
    return;
  }
  for (int k = 0; k < width; ++k, from += size)
    std::memcpy(memory.at(row, static_cast<std::size_t>(k)), from, size);
}

}  // namespace crumple::state
