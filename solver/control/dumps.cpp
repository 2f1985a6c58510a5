// Names of dumps, and lines on the screen about them.
#include "control/dumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "state/archive.hpp"

namespace crumple::control {

namespace {

constexpr std::string_view kKept = "d3dump";

std::string kept_name(std::int32_t number) { return fmt::format("{}{:02d}", kKept, number); }

}  // namespace

std::string Dumps::running_name() const {
  if (asked_.runrsf_files <= 1) return "runrsf";
  return fmt::format("runrsf{:02d}", running_ % asked_.runrsf_files + 1);
}

bool Dumps::write(std::int64_t cycle, bool requested, const restart::Say& say, const restart::Index& index) {
  if (asked_.suppressed) {
    if (comm_->root()) fmt::print(" no dump is written: the deck has *CONTROL_MPP_IO_NODUMP or _NOD3DUMP\n");
    return false;
  }
  // The numbers are in the dumps: they count the one that is written now.
  const bool keeps = requested || kept_due(cycle), runs = !requested && running_due(cycle);
  const std::string running = running_name();
  kept_ += keeps ? 1 : 0;
  running_ += runs ? 1 : 0;
  last_ = cycle;
  bool whole = true;
  if (keeps) whole = write_one(kept_name(kept_), say, index);
  if (runs) whole = write_one(running, say, index) && whole;
  return whole;
}

void Dumps::write(const restart::StateCopy& copy, const restart::Index& index) {
  failed_ = true;
  write_one(kept_name(++kept_), copy, index);
}

/// @param state restart::Say of the present state, or a copy of an earlier one
/// @returns whether the dump is whole
template <class State>
bool Dumps::write_one(const std::string& name, const State& state, const restart::Index& index) {
  const std::string path = stem_ + name;
  const restart::Written written = restart::write_dump(*comm_, path, layout_, state, index);
  const bool whole = written.failure.empty();
  if (!comm_->root()) return whole;
  seconds_ = written.seconds;
  if (whole) {
    last_whole_ = path;
    of_last_ = index.moment;
    fmt::print(" {} written, cycle {}: {:.1f} MB in {:.2f} s\n", path, index.moment.cycle,
               1e-6 * static_cast<double>(written.bytes), written.seconds);
  } else {
    fmt::print("warning CR-T012: {} of cycle {} was not written: {}; the run {}{}\n", path,
               index.moment.cycle, written.failure, failed_ ? "ends" : "goes on",
               last_whole_.empty() ? ", without a dump" : "; the last dump is " + last_whole_);
  }
  std::fflush(stdout);
  return whole;
}

void Dumps::restarted(const std::string& path, const restart::Moment& moment) {
  last_ = moment.cycle;
  last_whole_ = path;
  of_last_ = moment;
  const std::size_t name = path.rfind(kKept);
  std::int32_t number = 0;
  if (name != path.npos)
    std::from_chars(path.data() + name + kKept.size(), path.data() + path.size(), number);
  kept_ = std::max(kept_, number);  // a dump of an earlier moment than its number, left by an error
}

std::string Dumps::last() const {
  if (last_whole_.empty()) return {};
  return fmt::format(
      " the last dump before is {}: {}cycle {}, time {:.5e}; a run from it ends in the same error, unless a "
      "restart deck changes it\n",
      last_whole_, of_last_.relaxing ? "dynamic relaxation, " : "", of_last_.cycle, of_last_.time);
}

void Dumps::archive(state::Archive& archive) {
  const auto here = archive.module("dumps");
  archive.global("kept", kept_);
  archive.global("running", running_);
}

}  // namespace crumple::control
