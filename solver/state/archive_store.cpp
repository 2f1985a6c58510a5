// Rows by key: merged from several ranks, and looked up.
#include "state/archive_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "state/saved_rows.hpp"

namespace crumple::state {

namespace {

void check_kind(const std::string& name, const StoredField& stored, const StoredField& other) {
  if (stored.of != other.of || stored.number != other.number || stored.width != other.width ||
      stored.key_width != other.key_width || stored.list != other.list || stored.parts != other.parts)
    refuse_kind(name);
}

StoredField kind_of(const Field& field) {
  return {field.rows.of, field.number, field.width, field.rows.key_width, false, field.rows.parts, {}, {}};
}

/// Rows of a field by their keys; if a key occurs several times, the first.
std::map<std::vector<GlobalId>, std::size_t> places_of(const StoredField& field) {
  std::map<std::vector<GlobalId>, std::size_t> places;
  const auto width = static_cast<std::ptrdiff_t>(field.key_width);
  std::size_t row = 0;
  for (auto key = field.keys.begin(); key != field.keys.end(); key += width)
    places.emplace(std::vector<GlobalId>(key, key + width), row++);
  return places;
}

}  // namespace

void Store::merge(const Store& other) {
  for (const auto& [name, more] : other.fields) {
    const auto [at, fresh] = fields.try_emplace(name, more);
    if (fresh) continue;
    StoredField& field = at->second;
    check_kind(name, field, more);
    auto places = places_of(field);
    const std::size_t row_bytes = static_cast<std::size_t>(field.width) * bytes_of(field.number);
    const auto width = static_cast<std::ptrdiff_t>(field.key_width);
    std::size_t row = 0;
    for (auto key = more.keys.begin(); key != more.keys.end(); key += width, ++row) {
      const auto [place, is_new] =
          places.emplace(std::vector<GlobalId>(key, key + width), field.keys.size() / field.key_width);
      if (is_new) field.keys.insert(field.keys.end(), key, key + width);
      if (field.list) continue;
      const std::byte* from = more.values.data() + row * row_bytes;
      if (is_new)
        field.values.insert(field.values.end(), from, from + row_bytes);
      else if (field.parts)
        add_parts(from, field.values.data() + place->second * row_bytes,
                  static_cast<std::size_t>(field.width));
    }
  }
}

void StoreWriter::visit(const Field& field) {
  StoredField& stored = store_.fields.try_emplace(field.name, kind_of(field)).first->second;
  check_kind(field.name, stored, kind_of(field));
  const std::size_t size = field.row_bytes();
  for (std::size_t row = 0; row < field.rows.size(); ++row) {
    if (!field.rows.writes(row)) continue;
    const auto key = field.rows.key(row);
    stored.keys.insert(stored.keys.end(), key.begin(), key.end());
    stored.values.resize(stored.values.size() + size);
    field.read(row, stored.values.data() + stored.values.size() - size);
  }
}

void StoreWriter::visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                             const Wants&) {
  StoredField kind;
  kind.of = Of::entity;
  kind.key_width = key_width;
  kind.list = true;
  StoredField& stored = store_.fields.try_emplace(name, kind).first->second;
  check_kind(name, stored, kind);
  stored.keys.insert(stored.keys.end(), keys.begin(), keys.end());
}

const StoredField& StoreReader::find(const std::string& name) const {
  const auto at = store_.fields.find(name);
  if (at == store_.fields.end()) refuse_missing(name);
  return at->second;
}

void StoreReader::visit(const Field& field) {
  asked_.insert(field.name);
  if (field.rows.size() == 0) return;
  const StoredField& stored = find(field.name);
  check_kind(field.name, stored, kind_of(field));
  const auto [at, fresh] = places_.try_emplace(field.name);
  if (fresh) at->second = places_of(stored);
  const std::vector<std::byte> zero(field.row_bytes());
  for (std::size_t row = 0; row < field.rows.size(); ++row) {
    const auto key = field.rows.key(row);
    if (field.rows.parts && !field.rows.gets_sum(row)) {
      field.write(row, zero.data());
      continue;
    }
    const auto place = at->second.find(std::vector<GlobalId>(key.begin(), key.end()));
    if (place == at->second.end()) refuse_row(field, key);
    field.write(row, stored.values.data() + place->second * field.row_bytes());
  }
}

void StoreReader::visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                             const Wants& wants) {
  asked_.insert(name);
  const StoredField& stored = find(name);
  if (!stored.list || stored.key_width != key_width) refuse_kind(name);
  keys.clear();
  for (const auto& [key, place] : places_of(stored))
    if (wants(key)) keys.insert(keys.end(), key.begin(), key.end());
}

std::vector<std::string> StoreReader::unread() const {
  std::vector<std::string> names;
  for (const auto& [name, field] : store_.fields)
    if (!asked_.contains(name)) names.push_back(name);
  return names;
}

void FieldList::visit(const Field& field) {
  const auto [at, fresh] =
      entries_.try_emplace(field.name, Entry{field.name, field.rows.of, field.number, field.width});
  Entry& entry = at->second;
  if (entry.of != field.rows.of || entry.number != field.number || entry.width != field.width)
    refuse_kind(field.name);
  entry.rows += field.rows.size();
  for (std::size_t row = 0; row < field.rows.size(); ++row) entry.writes += field.rows.writes(row) ? 1 : 0;
}

void FieldList::visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                           const Wants&) {
  const std::size_t rows = keys.size() / static_cast<std::size_t>(key_width);
  Entry& entry = entries_.try_emplace(name, Entry{name, Of::entity, Number::int64, key_width}).first->second;
  entry.rows += rows, entry.writes += rows;
  entry.list = true;
}

std::vector<FieldList::Entry> FieldList::entries() const {
  std::vector<Entry> all;
  for (const auto& [name, entry] : entries_) all.push_back(entry);
  return all;
}

std::string FieldList::text() const {
  std::string text;
  for (const auto& [name, e] : entries_)
    text += fmt::format("{:<48} {:<8} {:>9} {} x {}{}\n", name, name_of(e.of), e.rows, name_of(e.number),
                        e.width, e.list ? " (list)" : "");
  return text;
}

}  // namespace crumple::state
