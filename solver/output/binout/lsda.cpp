// LSDA commands: data records and chained symbol tables.
#include "output/binout/lsda.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace crumple::output {

namespace {

enum Command : std::uint8_t {
  kChangeDirectory = 2,
  kData = 3,
  kVariable = 4,
  kBeginTable = 5,
  kEndTable = 6,
  kTableOffset = 7
};

enum Type : std::uint8_t { kInt8 = 1, kInt32 = 3, kInt64 = 4, kFloat32 = 9, kFloat64 = 10 };

constexpr std::int64_t kHead = 9;  ///< length and code of a command
constexpr std::int64_t kOffsetCommand = kHead + 8;

}  // namespace

template <class T>
void LsdaFile::put(T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

LsdaFile::LsdaFile(std::string path) : file_(std::move(path)) {
  // Sizes of header, lengths, offsets, command codes, type codes; then 1 for little-endian.
  for (const std::uint8_t byte : {8, 8, 8, 1, 1, 1, 0, 0}) put(byte);
  command(kOffsetCommand, kTableOffset);
  link_ = end();
  put(std::int64_t(0));
  file_.append(std::exchange(buffer_, {}));
}

LsdaFile::LsdaFile(std::string path, const LsdaPosition& from)
    : file_(File::cut_back(std::move(path), from.size)),
      written_directory_(from.written_directory),
      link_(from.link) {
  const std::int64_t no_table_yet = 0;
  file_.write_at(link_, std::as_bytes(std::span(&no_table_yet, 1)));
}

void LsdaFile::command(std::int64_t length, std::uint8_t code) {
  put(length);
  put(code);
}

void LsdaFile::change_directory(std::string_view path) {
  command(kHead + std::int64_t(path.size()), kChangeDirectory);
  const auto bytes = std::as_bytes(std::span(path));
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void LsdaFile::data(std::string_view name, std::uint8_t type, std::size_t item,
                    std::span<const std::byte> bytes) {
  if (directory_ != written_directory_) {
    change_directory(directory_);
    written_directory_ = directory_;
  }
  symbols_.push_back({directory_, std::string(name), type, end(), std::int64_t(bytes.size() / item)});
  command(kHead + 2 + std::int64_t(name.size() + bytes.size()), kData);
  put(type);
  put(std::uint8_t(name.size()));
  const auto characters = std::as_bytes(std::span(name));
  buffer_.insert(buffer_.end(), characters.begin(), characters.end());
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void LsdaFile::write(std::string_view name, std::string_view text) {
  data(name, kInt8, 1, std::as_bytes(std::span(text)));
}
void LsdaFile::write(std::string_view name, std::span<const std::int32_t> values) {
  data(name, kInt32, 4, std::as_bytes(values));
}
void LsdaFile::write(std::string_view name, std::span<const std::int64_t> values) {
  data(name, kInt64, 8, std::as_bytes(values));
}
void LsdaFile::write(std::string_view name, std::span<const float> values) {
  data(name, kFloat32, 4, std::as_bytes(values));
}
void LsdaFile::write(std::string_view name, std::span<const double> values) {
  data(name, kFloat64, 8, std::as_bytes(values));
}

void LsdaFile::publish() {
  if (symbols_.empty()) return;
  const std::int64_t table = end();
  const std::size_t table_in_buffer = buffer_.size();
  command(0, kBeginTable);
  std::string_view directory;
  for (const Symbol& symbol : symbols_) {
    if (symbol.directory != directory) change_directory(symbol.directory);
    directory = symbol.directory;
    command(kHead + std::int64_t(symbol.name.size()) + 1 + 8 + 8, kVariable);
    const auto name = std::as_bytes(std::span(symbol.name));
    buffer_.insert(buffer_.end(), name.begin(), name.end());
    put(symbol.type), put(symbol.offset), put(symbol.length);
  }
  command(kOffsetCommand, kEndTable);
  const std::int64_t next_link = end();
  put(std::int64_t(0));
  const std::int64_t length = end() - table;
  std::memcpy(buffer_.data() + table_in_buffer, &length, sizeof length);
  file_.append(std::exchange(buffer_, {}));
  file_.write_at(link_, std::as_bytes(std::span(&table, 1)));
  link_ = next_link;
  symbols_.clear();
}

}  // namespace crumple::output
