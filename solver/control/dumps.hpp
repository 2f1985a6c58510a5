// When a run writes dumps, under which names, and what it says of them.
#pragma once

#include <cstdint>
#include <string>

#include "model/output_control.hpp"
#include "parallel/communicator.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

/// The dumps of one run: d3dump01, d3dump02, ... are kept, runrsf (or runrsf01 to runrsfNR) are replaced in
/// turn. Members must be called on every rank, except those marked "Local".
class Dumps {
 public:
  /// @param stem folder and jobid, to which names are added
  Dumps(const parallel::Communicator& comm, const model::Dumps& asked, std::string stem,
        restart::Layout layout)
      : comm_(&comm), asked_(asked), stem_(std::move(stem)), layout_(layout) {}

  /// Whether the deck asks for a dump before this cycle. Local.
  bool due(std::int64_t cycle) const { return !asked_.suppressed && (kept_due(cycle) || running_due(cycle)); }
  /// Whether a dump is written at the end of the run, too. Local.
  bool at_end() const { return asked_.d3dump > 0; }
  /// The dumps that are due; or one that is kept, if `requested`.
  /// @param index without streams, on rank 0
  /// @returns whether they are whole
  bool write(std::int64_t cycle, bool requested, const restart::Say& say, const restart::Index& index);
  /// The moment of a copy as a dump that is kept, when an error has ended the run.
  /// @param index of that moment, without streams, on rank 0
  void write(const restart::StateCopy& copy, const restart::Index& index);
  /// A restart has read this dump, so it need not be written, and its name is taken. Local.
  void restarted(const std::string& path, const restart::Moment& moment);
  /// Whether the deck has *CONTROL_MPP_IO_NODUMP or _NOD3DUMP. Local.
  bool suppressed() const { return asked_.suppressed; }
  /// Seconds that the last dump took. Local.
  double seconds() const { return seconds_; }
  /// The last whole dump, as words for the end of a run by an error; empty if there is none. Local.
  std::string last() const;

  void archive(state::Archive& archive);

 private:
  bool kept_due(std::int64_t cycle) const { return due(asked_.d3dump, cycle); }
  bool running_due(std::int64_t cycle) const { return due(asked_.runrsf, cycle); }
  bool due(std::int64_t between, std::int64_t cycle) const {
    return between > 0 && cycle > 0 && cycle != last_ && cycle % between == 0;
  }
  std::string running_name() const;
  template <class State>
  bool write_one(const std::string& name, const State& state, const restart::Index& index);

  const parallel::Communicator* comm_;
  model::Dumps asked_;
  std::string stem_;
  restart::Layout layout_;
  std::int32_t kept_ = 0, running_ = 0;  ///< dumps of each sort so far
  std::int64_t last_ = -1;               ///< cycle of the last dump
  double seconds_ = 0;
  bool failed_ = false;  ///< an error has ended the run
  std::string last_whole_;
  restart::Moment of_last_;  ///< the moment of the last whole one
};

}  // namespace crumple::control
