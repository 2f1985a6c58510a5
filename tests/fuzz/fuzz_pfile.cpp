// Fuzzes the pfile reader, and the transformations that come of it.
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "decomposition/directions.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto directions =
        crumple::decomposition::parse_pfile(std::string(reinterpret_cast<const char*>(data), size), "pfile");
    crumple::Vec3 x{1.0, 2.0, 3.0};
    for (const auto& t : directions.transformations) x = t(x);
  } catch (const crumple::Error&) {
    // said to the user
  }
  return 0;
}
