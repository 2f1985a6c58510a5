// The dump from which a run goes on: found, checked, and compared with what is asked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "control/options.hpp"
#include "control/version.hpp"
#include "elements/kernel.hpp"
#include "parallel/communicator.hpp"
#include "restart/index.hpp"

namespace crumple::control {

struct Restarted {
  std::string path;
  restart::Index index;
};

/// The whole path, without links; the path itself if it cannot be found out.
std::string path_from_root(const std::string& path);

/// What a dump says of this run.
restart::Origin origin_of(const Options& options, const Version& version, elements::Isa isa, int ranks,
                          std::uint64_t deck_checksum);

/// Opens and verifies the dump of `options.restart`, and takes from it what the command line leaves open.
/// With "auto" and no whole dump, `restarted` stays empty. Errors are printed. Collective.
/// @returns the exit status
Exit open_dump(Options& options, const parallel::Communicator& comm, std::optional<Restarted>& restarted);

/// @throws Error CR-T007 if the deck is another one than that of the dump
void refuse_other_deck(const Restarted& restarted, const Options& options, std::uint64_t checksum);

/// Removes dumps of later moments than the one from which the run goes on: it will write them again. Local.
void remove_later_dumps(const Restarted& restarted, const std::string& prefix);

}  // namespace crumple::control
