// Archives in memory: the state of a run by name. Tests and messages copy it from one solver to another.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "state/archive.hpp"

namespace crumple::state {

/// All rows of one name.
struct StoredField {
  Of of = Of::global;
  Number number = Number::float64;
  int width = 1, key_width = 1;
  bool list = false;              ///< keys only
  bool parts = false;             ///< rows of the same key are added
  std::vector<GlobalId> keys;     ///< `key_width` per row
  std::vector<std::byte> values;  ///< `width` numbers per row
};
CRUMPLE_MEMBERS(StoredField, of, number, width, key_width, list, parts, keys, values)

/// The fields of some ranks, by name.
struct Store {
  std::map<std::string, StoredField> fields;

  /// Add the fields of another rank. Rows that both have must be equal, or parts of a sum. Throws Error
  /// CR-A003 where the same name is another kind of field.
  void merge(const Store& other);
};
CRUMPLE_MEMBERS(Store, fields)

/// Fills a store with what modules offer.
class StoreWriter final : public Archive {
 public:
  explicit StoreWriter(Store& store) : store_(store) {}
  bool reading() const override { return false; }

 protected:
  void visit(const Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  Store& store_;
};

/// Fills modules from a store. Throws Error CR-A001 where the store lacks a name or a row, CR-A003 where a
/// name is another kind of field.
class StoreReader final : public Archive {
 public:
  explicit StoreReader(const Store& store) : store_(store) {}
  bool reading() const override { return true; }
  /// Names that no module of this rank has read. A name is unread only if no rank has read it.
  std::vector<std::string> unread() const;

 protected:
  void visit(const Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  const StoredField& find(const std::string& name) const;
  const Store& store_;
  std::set<std::string> asked_;
  std::map<std::string, std::map<std::vector<GlobalId>, std::size_t>> places_;  ///< rows by key
};

/// Lists what modules offer, and changes nothing.
class FieldList final : public Archive {
 public:
  struct Entry {
    std::string name;
    Of of = Of::global;
    Number number = Number::float64;
    int width = 1;
    std::size_t rows = 0;    ///< of this rank
    std::size_t writes = 0;  ///< rows that it writes or adds to
    bool list = false;
  };
  bool reading() const override { return false; }
  /// By name; pieces with the same name are joined.
  std::vector<Entry> entries() const;
  /// One line per field: name, what a row belongs to, numbers, rows.
  std::string text() const;

 protected:
  void visit(const Field& field) override;
  void visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                  const Wants& wants) override;

 private:
  std::map<std::string, Entry> entries_;
};

}  // namespace crumple::state
