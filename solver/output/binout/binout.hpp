// Writes binout: the time histories glstat, matsum, rcforc, rwforc, nodout, swforc, secforc, spcforc, bndout,
// elout, deforc, sleout, ncforc, jntforc, rbdout and those of features with LS-DYNA's names and types.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "output/binout/lsda.hpp"
#include "output/results.hpp"

namespace crumple::output {

struct BinoutOptions {
  bool double_precision = false;  ///< values as 8-byte floats
  std::string prefix;             ///< put before the file's name, e.g. "crash."
};

/// `directory`/binout0000. Every call appends one state of one history and publishes it, so that the file
/// is readable at any moment. Not collective. All raise CR-O001 on wrong sizes, CR-O1xx on file errors.
class BinoutWriter {
 public:
  /// `catalogue` must outlive this. Removes the binout of an earlier run.
  BinoutWriter(const Catalogue& catalogue, const std::string& directory, BinoutOptions options = {});
  /// Cuts the binout of an earlier part of the run back to a position and goes on there.
  BinoutWriter(const Catalogue& catalogue, const std::string& directory, BinoutOptions options,
               const BinoutPosition& from);

  void glstat(const GlobalRow& row);
  void matsum(double time, std::int64_t cycle, std::span<const MatsumRow> rows);
  void rcforc(double time, std::int64_t cycle, std::span<const RcforcRow> rows);
  void sleout(double time, std::int64_t cycle, std::span<const SleoutRow> rows);
  /// A block for each of Catalogue::contact_sides.
  void ncforc(double time, std::int64_t cycle, std::span<const std::vector<NcforcRow>> blocks);
  void rwforc(double time, std::int64_t cycle, std::span<const RwforcRow> rows);
  void swforc(double time, std::int64_t cycle, std::span<const SwforcRow> rows);
  void secforc(double time, std::int64_t cycle, std::span<const SecforcRow> rows);
  void spcforc(double time, std::int64_t cycle, const SpcforcBlock& block);
  void bndout(double time, std::int64_t cycle, const BndoutBlock& block);
  void elout(double time, std::int64_t cycle, const EloutRow& row);
  void deforc(double time, std::int64_t cycle, std::span<const DeforcRow> rows);
  void jntforc(double time, std::int64_t cycle, std::span<const JointRow> joints,
               std::span<const JointStiffnessRow> stiffnesses);
  void rbdout(double time, std::int64_t cycle, std::span<const RigidBodyRow> rows);
  void nodout(double time, std::int64_t cycle, std::span<const NodoutRow> rows);
  // The operations to write states; for features, which have their own branches.
  /// Opens the next state of `branch`; the first time writes its metadata. @returns whether it was the first
  bool begin(const std::string& branch);
  /// Everything written next is in the state that `begin` has opened.
  void begin_state(const std::string& branch);
  void legend(std::span<const GlobalId> ids, std::span<const std::string> titles);
  void ids(const char* name, std::span<const GlobalId> values);
  void integer(const char* name, std::int64_t value);
  void real(const char* name, double value);
  void reals(const char* name, std::span<const double> values);
  /// Writes member `get(row)` of all rows.
  template <class Row, class Get>
  void column(const char* name, std::span<const Row> rows, Get get) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const Row& row : rows) values.push_back(get(row));
    reals(name, values);
  }
  /// The state is complete.
  void publish() { file_.publish(); }

  /// After the last complete state.
  BinoutPosition position() const { return {file_.position(), states_}; }
  void flush() { file_.flush(); }
  void close() { file_.close(); }

 private:
  void elout_state(const std::string& branch, double time, std::int64_t cycle,
                   std::span<const EloutElement> elements, const char* part, std::span<const Named> named);
  void strains(const std::string& before, std::span<const EloutElement> elements,
               std::array<double, 6> EloutElement::*which);
  void joints(double time, std::int64_t cycle, std::span<const JointRow> rows);
  void joint_stiffnesses(int kind, double time, std::int64_t cycle, std::span<const JointStiffnessRow> all);
  void metadata(const std::string& branch);
  /// One branch of bndout: ids, forces, energies, and their sums.
  void bndout_branch(const std::string& branch, double time, std::int64_t cycle,
                     std::span<const GlobalId> numbers, std::span<const BndoutBlock::Row> rows,
                     bool with_moments);
  void legend_of(std::span<const Named> named);
  /// Writes x, y, z of a vector member under three names.
  template <class Row, class Get>
  void columns(const std::string& before, const std::string& after, std::span<const Row> rows, Get get);

  const Catalogue& catalogue_;
  BinoutOptions options_;
  LsdaFile file_;
  std::map<std::string, int> states_;
};

}  // namespace crumple::output
