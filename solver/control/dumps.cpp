// Names of dumps, and lines on the screen about them.
#include "control/dumps.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "state/archive.hpp"

namespace crumple::control {

std::string Dumps::running_name() const {
  if (asked_.runrsf_files <= 1) return "runrsf";
  return fmt::format("runrsf{:02d}", running_ % asked_.runrsf_files + 1);
}

void Dumps::write(std::int64_t cycle, bool requested, const restart::Say& say, const restart::Index& index) {
  if (asked_.suppressed) {
    if (comm_->root()) fmt::print(" no dump is written: the deck has *CONTROL_MPP_IO_NODUMP or _NOD3DUMP\n");
    return;
  }
  // The numbers are in the dumps: they count the one that is written now.
  const bool keeps = requested || kept_due(cycle), runs = !requested && running_due(cycle);
  const std::string running = running_name();
  kept_ += keeps ? 1 : 0;
  running_ += runs ? 1 : 0;
  last_ = cycle;
  if (keeps) write_one(fmt::format("d3dump{:02d}", kept_), say, index);
  if (runs) write_one(running, say, index);
}

void Dumps::write_one(const std::string& name, const restart::Say& say, const restart::Index& index) {
  const std::string path = stem_ + name;
  const restart::Written written = restart::write_dump(*comm_, path, layout_, say, index);
  if (!comm_->root()) return;
  seconds_ = written.seconds;
  if (written.failure.empty()) {
    last_whole_ = path;
    fmt::print(" {} written, cycle {}: {:.1f} MB in {:.2f} s\n", path, index.moment.cycle,
               1e-6 * static_cast<double>(written.bytes), written.seconds);
  } else {
    fmt::print("warning CR-T012: {} of cycle {} was not written: {}; the run goes on{}\n", path,
               index.moment.cycle, written.failure,
               last_whole_.empty() ? ", without a dump" : "; the last dump is " + last_whole_);
  }
  std::fflush(stdout);
}

void Dumps::archive(state::Archive& archive) {
  const auto here = archive.module("dumps");
  archive.global("kept", kept_);
  archive.global("running", running_);
}

}  // namespace crumple::control
