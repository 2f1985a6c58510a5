// Writes glstat, matsum, rcforc, rwforc, nodout, swforc, secforc, spcforc, bndout, elout, deforc, jntforc,
// rbdout, sleout and ncforc as text in LS-DYNA's layout, which scripts parse; sleout and ncforc in a similar
// layout.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "output/file.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// Text files of these names in one directory; the first block creates each file. The functions are those of
/// BinoutWriter. A block is written with one call. Not collective. All raise CR-O001 on a wrong number of
/// rows, CR-O1xx on file errors.
///
/// Numbers have LS-DYNA's widths; magnitudes under 1e-99, which would not fit them, are printed as zero.
class AsciiHistories {
 public:
  /// `catalogue` must outlive this. Removes the files of an earlier run. `prefix` is put before the files'
  /// names, e.g. "crash.".
  AsciiHistories(const Catalogue& catalogue, const std::string& directory, const std::string& prefix = "");
  /// Cuts the files of an earlier part of the run back to their `sizes`, by name, and goes on there; removes
  /// those without a size, which began later. Other names than those of histories are left alone.
  AsciiHistories(const Catalogue& catalogue, const std::string& directory, const std::string& prefix,
                 const std::map<std::string, std::int64_t>& sizes);

  /// Writes no files: each block, with what is at the top of its file, is given to `take`.
  using Take = std::function<void(const std::string& name, const std::string& top, const std::string& block)>;
  AsciiHistories(const Catalogue& catalogue, Take take) : catalogue_(catalogue), take_(std::move(take)) {}

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
  /// Titles of entities by id, shown at the top of a file.
  using Legend = std::vector<std::pair<GlobalId, std::string>>;
  /// Appends a block to a file; the first block creates it. For features, which make their own text.
  void append(const std::string& name, const Legend& legend, const std::string& after_legend,
              const std::string& block);
  /// Bytes of the files that have begun, by name.
  std::map<std::string, std::int64_t> sizes() const;
  void flush();
  void close();

 private:
  std::string top(const Legend& legend, const std::string& after_legend) const;
  void remove_others(const std::map<std::string, std::int64_t>& kept) const;

  const Catalogue& catalogue_;
  std::string stem_;  ///< beginning of the files' paths
  Take take_;
  std::map<std::string, File> files_;
};

}  // namespace crumple::output
