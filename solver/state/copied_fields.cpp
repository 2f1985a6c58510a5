// Packed rows to a copy and back.
#include "state/copied_fields.hpp"

#include "state/saved_rows.hpp"

namespace crumple::state {

void CopyWriter::visit(const Field& field) {
  const std::size_t rows = field.rows.size();
  std::vector<std::byte> bytes(rows * field.row_bytes());
  if (rows > 0) field.read(0, rows, bytes.data());
  to_.of[field.name].bytes.push_back(std::move(bytes));
}

void CopyWriter::visit_list(const std::string& name, std::vector<GlobalId>& keys, int, const Wants&) {
  to_.of[name].keys.push_back(keys);
}

void CopyReader::visit(const Field& field) {
  const auto found = from_.of.find(field.name);
  const std::size_t piece = next_[field.name]++;
  if (found == from_.of.end() || piece >= found->second.bytes.size()) refuse_missing(field.name);
  const std::vector<std::byte>& bytes = found->second.bytes[piece];
  if (bytes.size() != field.rows.size() * field.row_bytes()) refuse_kind(field.name);
  for (std::size_t row = 0; row < field.rows.size(); ++row)
    field.write(row, bytes.data() + row * field.row_bytes());
}

void CopyReader::visit_list(const std::string& name, std::vector<GlobalId>& keys, int, const Wants&) {
  const auto found = from_.of.find(name);
  const std::size_t piece = next_[name]++;
  if (found == from_.of.end() || piece >= found->second.keys.size()) refuse_missing(name);
  keys = found->second.keys[piece];
}

}  // namespace crumple::state
