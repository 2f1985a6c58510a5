// Finds rows by their keys and reads them in large pieces.
#include "restart/stream_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "state/saved_rows.hpp"

namespace crumple::restart {

namespace {

constexpr std::size_t kRecent = 8;       ///< lists of keys that are kept
constexpr std::int64_t kGap = 32 << 10;  ///< bytes that are read though not needed, instead of a new read
constexpr std::int64_t kReadAtOnce = 8 << 20;  ///< bytes read at once

bool less(const GlobalId* a, const GlobalId* b, int width) {
  return std::lexicographical_compare(a, a + width, b, b + width);
}

}  // namespace

StreamReader::StreamReader(const std::string& folder, const std::vector<Stream>& streams) {
  for (const Stream& stream : streams) streams_.emplace_back(folder, stream);
  for (std::size_t s = 0; s < streams_.size(); ++s)
    for (const Section& section : streams_[s].contents().sections)
      sources_[section.name].push_back({static_cast<std::int32_t>(s), &section});
}

std::vector<std::string> StreamReader::names() const {
  std::vector<std::string> names;
  for (const auto& [name, sources] : sources_) names.push_back(name);
  return names;
}

const StreamReader::Sources& StreamReader::find(const std::string& name) const {
  const auto at = sources_.find(name);
  if (at == sources_.end()) state::refuse_missing(name);
  return at->second;
}

const StreamReader::Places& StreamReader::places(const Sources& sources, int width) {
  std::vector<std::pair<std::int32_t, std::int32_t>> of;
  for (const Source& source : sources) of.emplace_back(source.stream, source.section->keys);
  for (const Places& known : recent_)
    if (known.of == of && known.width == width) return known;
  if (recent_.size() == kRecent) recent_.pop_front();
  Places& places = recent_.emplace_back();
  places.of = std::move(of);
  places.width = width;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const StreamFile& stream = streams_[static_cast<std::size_t>(sources[s].stream)];
    const std::vector<GlobalId>& keys = places.keys.emplace_back(stream.keys(sources[s].section->keys));
    for (std::int64_t row = 0; row < std::ssize(keys) / width; ++row)
      places.sorted.push_back({keys.data() + row * width, static_cast<std::int32_t>(s), row});
  }
  std::ranges::stable_sort(places.sorted,
                           [&](const Place& a, const Place& b) { return less(a.key, b.key, width); });
  return places;
}

/// Of the rows of a field that this rank has: the first with the key, or all of them if they are parts.
std::vector<StreamReader::Wanted> StreamReader::wanted(const state::Field& field,
                                                       const Places& places) const {
  std::vector<Wanted> all;
  const int width = field.rows.key_width;
  for (std::size_t row = 0; row < field.rows.size(); ++row) {
    if (field.rows.parts && !field.rows.gets_sum(row)) continue;
    const auto key = field.rows.key(row);
    auto at = std::ranges::lower_bound(
        places.sorted, key.data(), [&](const GlobalId* a, const GlobalId* b) { return less(a, b, width); },
        &Place::key);
    const auto same = [&] { return at != places.sorted.end() && !less(key.data(), at->key, width); };
    if (!same()) state::refuse_row(field, key);
    do all.push_back({at->source, at->row, static_cast<std::int64_t>(row)});
    while (++at, field.rows.parts && same());
  }
  std::ranges::sort(all, {}, [](const Wanted& w) { return std::pair(w.source, w.row); });
  return all;
}

void StreamReader::visit(const state::Field& field) {
  asked_.insert(field.name);
  if (field.rows.size() == 0) return;
  const Sources& sources = find(field.name);
  for (const Source& source : sources) {
    const Section& of = *source.section;
    const KeySet& keys =
        streams_[static_cast<std::size_t>(source.stream)].contents().keys[static_cast<std::size_t>(of.keys)];
    if (of.of != field.rows.of || of.number != field.number || of.width != field.width || of.list ||
        of.parts != field.rows.parts || keys.width != field.rows.key_width)
      state::refuse_kind(field.name);
  }
  read(field, sources, wanted(field, places(sources, field.rows.key_width)));
}

/// @param wanted ascending by source and row
void StreamReader::read(const state::Field& field, const Sources& sources, std::span<const Wanted> wanted) {
  const auto size = static_cast<std::int64_t>(field.row_bytes());
  std::vector<std::byte> sums(field.rows.parts ? field.rows.size() * field.row_bytes() : 0), piece;
  for (std::size_t first = 0, last = 0; first < wanted.size(); first = last) {
    const std::int64_t start = wanted[first].row * size;
    const auto near = [&](const Wanted& w, const Wanted& before) {
      return w.source == before.source && (w.row - before.row) * size <= kGap &&
             (w.row + 1) * size - start <= kReadAtOnce;
    };
    last = first + 1;
    while (last < wanted.size() && near(wanted[last], wanted[last - 1])) ++last;
    const Source& source = sources[static_cast<std::size_t>(wanted[first].source)];
    piece.resize(static_cast<std::size_t>((wanted[last - 1].row + 1) * size - start));
    streams_[static_cast<std::size_t>(source.stream)].read(source.section->offset + start, piece);
    for (const Wanted& w : wanted.subspan(first, last - first)) {
      const std::byte* from = piece.data() + w.row * size - start;
      if (field.rows.parts)
        state::add_parts(from, sums.data() + w.to * size, field.width);
      else
        field.write(static_cast<std::size_t>(w.to), from);
    }
  }
  if (!field.rows.parts) return;
  for (std::size_t row = 0; row < field.rows.size(); ++row)  // zero where another rank gets the sum
    field.write(row, sums.data() + row * field.row_bytes());
}

void StreamReader::visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                              const Wants& wants) {
  asked_.insert(name);
  const Sources& sources = find(name);
  for (const Source& source : sources) {
    const KeySet& of = streams_[static_cast<std::size_t>(source.stream)]
                           .contents()
                           .keys[static_cast<std::size_t>(source.section->keys)];
    if (!source.section->list || of.width != key_width) state::refuse_kind(name);
  }
  keys.clear();
  const Places& all = places(sources, key_width);
  const GlobalId* before = nullptr;
  for (const Place& place : all.sorted) {
    if (before != nullptr && !less(before, place.key, key_width)) continue;
    before = place.key;
    if (const std::span key(place.key, static_cast<std::size_t>(key_width)); wants(key))
      keys.insert(keys.end(), key.begin(), key.end());
  }
}

}  // namespace crumple::restart
