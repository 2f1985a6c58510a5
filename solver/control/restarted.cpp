// Options of a restart.
#include "control/restarted.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "restart/dump.hpp"

namespace crumple::control {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string from_root(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path : full.string();
}

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
  if (options.directory != "." && from_root(options.directory) != from_root(folder_of(from.path)))
    refuse(fmt::format("a restart goes on with the results in {}, not in {}", folder_of(from.path),
                       options.directory));
  if (options.deck.empty()) options.deck = origin.deck;
  options.job_id = prefix;
  options.directory = folder_of(from.path);
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

/// Collective. @throws the same Error on every rank
Restarted open(const parallel::Communicator& comm, const std::string& path) {
  std::vector<std::byte> bytes;
  Restarted opened{path, {}};
  if (comm.root()) {
    try {
      opened.index = restart::read_index(path);
      bytes = pack(std::pair(opened.path, pack(opened.index)));
    } catch (const Error& error) {
      bytes = pack(std::pair(error.id() + "|" + error.message(), std::vector<std::byte>{}));
    }
  }
  comm.broadcast(bytes);
  auto [text, index] = Unpacker(bytes).take<std::pair<std::string, std::vector<std::byte>>>();
  if (index.empty()) {
    const std::size_t bar = text.find('|');
    throw Error(text.substr(0, bar), text.substr(bar + 1));
  }
  opened = {text, Unpacker(index).take<restart::Index>()};
  restart::verify(comm, opened.path, opened.index);
  return opened;
}

}  // namespace

restart::Origin origin_of(const Options& options, const Version& version, elements::Isa isa, int ranks,
                          std::uint64_t deck_checksum) {
  restart::Origin origin;
  origin.program = version.number;
  origin.revision = version.revision;
  origin.deck = from_root(options.deck);
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
  const auto key = [](const restart::Moment& m) { return std::tuple(!m.relaxing, m.cycle); };
  for (const restart::Found& found : restart::dumps_in(folder_of(restarted.path), prefix))
    if (key(found.index.moment) > key(restarted.index.moment)) restart::remove_dump(found.path);
}

}  // namespace crumple::control
