// Sections of fields, with each set of keys once.
#include "restart/stream_writer.hpp"

#include <algorithm>

#include "base/packing.hpp"
#include "restart/checksum.hpp"

namespace crumple::restart {

namespace {
constexpr std::size_t kPiece = std::size_t(1) << 17;  ///< bytes of values that are gathered and passed on
}

void StreamWriter::append(std::span<const std::byte> bytes) {
  size_ += static_cast<std::int64_t>(bytes.size());
  if (sink_ != nullptr) sink_->write(bytes);
}

/// The number of the set of these keys, which is written if it is a new one.
std::int32_t StreamWriter::key_set(std::span<const GlobalId> keys, int width) {
  const std::span<const std::byte> bytes = std::as_bytes(keys);
  const std::uint64_t checksum = checksum_of(bytes);
  const auto number = static_cast<std::int32_t>(contents_.keys.size());
  const auto [at, fresh] = key_sets_.try_emplace({checksum, std::ssize(keys) * 16 + width}, number);
  if (!fresh) return at->second;
  contents_.keys.push_back({width, std::ssize(keys) / width, size_, checksum});
  append(bytes);
  return number;
}

/// Keys of the rows that this rank writes; valid until the next call.
std::span<const GlobalId> StreamWriter::keys_of(const state::Rows& rows) {
  if (rows.writes_all()) return rows.keys;
  keys_.clear();
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows.writes(row)) {
      const auto key = rows.key(row);
      keys_.insert(keys_.end(), key.begin(), key.end());
    }
  return keys_;
}

/// Values go through the cache by pieces. @returns their checksum
std::uint64_t StreamWriter::append_values(const state::Field& field) {
  const state::Rows& rows = field.rows;
  const std::size_t size = field.row_bytes(), in_piece = std::max<std::size_t>(1, kPiece / size);
  if (rows.writes_all() && field.is_packed()) {
    const std::span<const std::byte> bytes(field.memory.first, rows.size() * size);
    append(bytes);
    return checksum_of(bytes);
  }
  values_.resize(in_piece * size);
  Checksum checksum;
  std::size_t held = 0;
  const auto pass_on = [&] {
    const std::span<const std::byte> bytes(values_.data(), held * size);
    checksum.add(bytes);
    append(bytes);
    held = 0;
  };
  for (std::size_t row = 0; row < rows.size();) {
    const std::size_t most = in_piece - held;
    std::size_t end = row + 1;  // of rows that are written together
    if (rows.writes_all())
      end = std::min(rows.size(), row + most);
    else if (!rows.writes(row)) {
      ++row;
      continue;
    }
    field.read(row, end - row, values_.data() + held * size);
    held += end - row;
    row = end;
    if (held == in_piece) pass_on();
  }
  pass_on();
  return checksum.value();
}

void StreamWriter::visit(const state::Field& field) {
  const std::span<const GlobalId> keys = keys_of(field.rows);
  Section section;
  section.name = field.name;
  section.of = field.rows.of;
  section.number = field.number;
  section.width = field.width;
  section.parts = field.rows.parts;
  section.rows = std::ssize(keys) / field.rows.key_width;
  section.keys = key_set(keys, field.rows.key_width);
  section.offset = size_;
  if (sink_ == nullptr)
    size_ += section.bytes();
  else
    section.checksum = append_values(field);
  contents_.sections.push_back(std::move(section));
}

void StreamWriter::visit_list(const std::string& name, std::vector<GlobalId>& keys, int key_width,
                              const Wants&) {
  Section section;
  section.name = name;
  section.of = state::Of::entity;
  section.list = true;
  section.rows = std::ssize(keys) / key_width;
  section.keys = key_set(keys, key_width);
  section.offset = size_;
  contents_.sections.push_back(std::move(section));
}

Stream StreamWriter::finish() {
  Stream stream;
  stream.contents_at = size_;
  const std::vector<std::byte> table = pack(contents_);
  stream.checksum = checksum_of(table);
  append(table);
  stream.bytes = size_;
  return stream;
}

}  // namespace crumple::restart
