// A copy of what modules offer to archives, for another object that offers the same on the same rank.
//
// Unlike an ArchiveStore it has no keys: rows are taken in the order in which they were given. So it is as
// fast as a copy of memory, and only for objects of the same model on the same ranks.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "state/archive.hpp"

namespace crumple::state {

class CopiedFields {
 public:
  /// Pieces of a name, in the order in which they were given.
  struct Pieces {
    std::vector<std::vector<std::byte>> bytes;
    std::vector<std::vector<GlobalId>> keys;  ///< of a list
  };
  std::map<std::string, Pieces> of;
};

/// Fills the copy.
class CopyWriter final : public Archive {
 public:
  explicit CopyWriter(CopiedFields& to) : to_(to) {}
  bool reading() const override { return false; }

 protected:
  void visit(const Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  CopiedFields& to_;
};

/// Takes from the copy. Throws Error CR-A001 for a name that is not there, CR-A003 where the same name has
/// another size.
class CopyReader final : public Archive {
 public:
  explicit CopyReader(const CopiedFields& from) : from_(from) {}
  explicit CopyReader(CopiedFields&&) = delete;  // the copy has to outlive its reader
  bool reading() const override { return true; }

 protected:
  void visit(const Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  const CopiedFields& from_;
  std::map<std::string, std::size_t> next_;
};

}  // namespace crumple::state
