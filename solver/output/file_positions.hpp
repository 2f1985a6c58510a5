#pragma once
#include "base/members.hpp"
#include <cstdint>
namespace crumple::output { struct FilePositions { std::int32_t none = 0; }; CRUMPLE_MEMBERS(FilePositions, none) }
