// Fills modules from the streams of a dump, which any number of ranks have written.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "restart/index.hpp"
#include "restart/stream_file.hpp"
#include "state/archive.hpp"

namespace crumple::restart {

/// Of one rank, which reads the rows that it needs, from whichever streams have them.
class StreamReader final : public state::Archive {
 public:
  /// Opens the streams and reads their tables of contents. @throws Error CR-T005 where a file is missing or
  /// too short, CR-T006 where a checksum differs
  StreamReader(const std::string& folder, const std::vector<Stream>& streams);

  bool reading() const override { return true; }
  /// Names in the order of the alphabet, the same on every rank.
  std::vector<std::string> names() const;
  /// Whether a module of this rank has asked for the name.
  bool asked(const std::string& name) const { return asked_.contains(name); }

 protected:
  void visit(const state::Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  /// A section of a stream.
  struct Source {
    std::int32_t stream = 0;
    const Section* section = nullptr;
  };
  using Sources = std::vector<Source>;
  /// Where the rows of some sections with keys are.
  struct Place {
    const GlobalId* key = nullptr;
    std::int32_t source = 0;
    std::int64_t row = 0;
  };
  /// The keys of a list of sources and their places, ascending.
  struct Places {
    std::vector<std::pair<std::int32_t, std::int32_t>> of;  ///< streams and key sets
    int width = 1;
    std::vector<std::vector<GlobalId>> keys;  ///< by source
    std::vector<Place> sorted;
  };
  /// A row to be read, and where it goes.
  struct Wanted {
    std::int32_t source = 0;
    std::int64_t row = 0;
    std::int64_t to = 0;
  };

  const Sources& find(const std::string& name) const;
  const Places& places(const Sources& sources, int width);
  std::vector<Wanted> wanted(const state::Field& field, const Places& places) const;
  void read(const state::Field& field, const Sources& sources, std::span<const Wanted> wanted);

  std::deque<StreamFile> streams_;
  std::map<std::string, Sources> sources_;
  std::set<std::string> asked_;
  std::deque<Places> recent_;  ///< of the last fields: many fields have the same rows
};

}  // namespace crumple::restart
