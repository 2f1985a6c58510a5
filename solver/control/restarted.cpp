// Options of a restart.
#include "control/restarted.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "parallel/agreed_error.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error("CR-T008", what); }

/// Options that shape results must be those of the first part of the run.
void take_options(Options& options, const Restarted& from) {
  const restart::Origin& origin = from.index.origin;
  if (options.single_precision && !origin.single_precision)
    refuse(fmt::format("--precision single: the dump {} is of a run in double precision", from.path));
  if (options.vtkhdf && !origin.vtkhdf)
    refuse(fmt::format("--vtkhdf: the run of the dump {} has not written results.vtkhdf", from.path));
  if (options.double_files && !origin.double_files)
    refuse(fmt::format("--double-files: the run of the dump {} has written 4-byte words", from.path));
  const std::string prefix = origin.prefix.empty() ? "" : origin.prefix.substr(0, origin.prefix.size() - 1);
  if (!options.job_id.empty() && options.job_id != prefix)
    refuse(fmt::format("jobid={}: the run of the dump {} has the jobid '{}'", options.job_id, from.path,
                       prefix));
  if (options.directory != "." &&
      path_from_root(options.directory) != path_from_root(restart::folder_of(from.path)))
    refuse(fmt::format("a restart goes on with the results in {}, not in {}", restart::folder_of(from.path),
                       options.directory));
  if (options.deck.empty()) options.deck = origin.deck;
  options.job_id = prefix;
  options.directory = restart::folder_of(from.path);
  options.single_precision = origin.single_precision;
  options.double_files = origin.double_files;
  options.vtkhdf = origin.vtkhdf;
  options.allow_unsupported = origin.allow_unsupported;
  if (options.units.empty()) options.units = origin.units;
  if (options.isa.empty()) options.isa = origin.isa;
}

/// The dumps to try, the best first. On rank 0.
std::vector<std::string> candidates(const Options& options) {
  if (options.restart != "auto") return {options.restart};
  std::vector<std::string> paths;
  for (const restart::Found& found : restart::dumps_in(options.directory, options.prefix()))
    paths.push_back(found.path);
  return paths;
}

/// Collective. @throws AgreedError
Restarted open(const parallel::Communicator& comm, const std::string& path) {
  Restarted opened{path, {}};
  parallel::do_together(comm, [&] {
    if (comm.root()) opened.index = restart::read_index(path);
  });
  std::vector<std::byte> bytes = pack(opened.index);
  comm.broadcast(bytes);
  opened.index = Unpacker(bytes).take<restart::Index>();
  restart::verify(comm, opened.path, opened.index);
  return opened;
}

}  // namespace

std::string path_from_root(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path : full.string();
}

restart::Origin origin_of(const Options& options, const Version& version, elements::Isa isa, int ranks,
                          std::uint64_t deck_checksum) {
  restart::Origin origin;
  origin.program = version.number;
  origin.revision = version.revision;
  origin.deck = path_from_root(options.deck);
  origin.deck_checksum = deck_checksum;
  origin.prefix = options.prefix();
  origin.single_precision = options.single_precision;
  origin.double_files = options.double_files;
  origin.vtkhdf = options.vtkhdf;
  origin.allow_unsupported = options.allow_unsupported;
  origin.isa = elements::isa_name(isa);
  origin.units = options.units;
  origin.ranks = ranks;
  return origin;
}

Exit open_dump(Options& options, const parallel::Communicator& comm, std::optional<Restarted>& restarted) {
  const bool automatic = options.restart == "auto";
  std::vector<std::byte> bytes = pack(comm.root() ? candidates(options) : std::vector<std::string>{});
  comm.broadcast(bytes);
  for (const std::string& path : Unpacker(bytes).take<std::vector<std::string>>()) {
    try {
      restarted = open(comm, path);
      take_options(options, *restarted);
      return Exit::clean;
    } catch (const Error& error) {
      restarted.reset();
      if (comm.root()) {
        fmt::print(stderr, "{}\n", error.what());
        if (!automatic && error.id() != "CR-T008")
          if (const auto before = restart::dump_before(path, options.prefix()))
            fmt::print(stderr, "another dump is {}, to be tried with --restart {}\n", *before, *before);
      }
      if (!automatic || error.id() == "CR-T008") return error.status();
    }
  }
  if (comm.root()) fmt::print(" no whole dump in {}: the run starts at its beginning\n", options.directory);
  return Exit::clean;
}

void refuse_other_deck(const Restarted& restarted, const Options& options, std::uint64_t checksum) {
  if (checksum == restarted.index.origin.deck_checksum) return;
  throw Error("CR-T007",
              fmt::format("the deck {} is not that of the dump {} (it, or a file that it includes, has "
                          "changed)",
                          options.deck, restarted.path));
}

void remove_later_dumps(const Restarted& restarted, const std::string& prefix) {
  for (const restart::Found& found : restart::dumps_in(restart::folder_of(restarted.path), prefix))
    if (found.index.moment.order() > restarted.index.moment.order()) restart::remove_dump(found.path);
}

}  // namespace crumple::control
