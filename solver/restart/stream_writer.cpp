// Sections of fields, with each set of keys once.
#include "restart/stream_writer.hpp"

#include "base/packing.hpp"
#include "restart/checksum.hpp"

namespace crumple::restart {

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

void StreamWriter::visit(const state::Field& field) {
  keys_.clear();
  for (std::size_t row = 0; row < field.rows.size(); ++row)
    if (field.rows.writes(row)) {
      const auto key = field.rows.key(row);
      keys_.insert(keys_.end(), key.begin(), key.end());
    }
  Section section;
  section.name = field.name;
  section.of = field.rows.of;
  section.number = field.number;
  section.width = field.width;
  section.parts = field.rows.parts;
  section.rows = std::ssize(keys_) / field.rows.key_width;
  section.keys = key_set(keys_, field.rows.key_width);
  section.offset = size_;
  if (sink_ == nullptr) {
    size_ += section.bytes();
  } else {
    values_.resize(static_cast<std::size_t>(section.bytes()));
    std::byte* to = values_.data();
    for (std::size_t row = 0; row < field.rows.size(); ++row)
      if (field.rows.writes(row)) field.read(row, to), to += field.row_bytes();
    section.checksum = checksum_of(values_);
    append(values_);
  }
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
