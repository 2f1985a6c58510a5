// LSDA, the container of binout: data records in directories, with tables of contents between them.
//
// A file is a byte of sizes and byte order, then commands, each with its length: CD (change directory),
// DATA (type, name, values) and symbol tables, which are chained by file offsets so that a reader finds
// everything without scanning. (LSTC's format; its reader is part of lasso-python.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/file.hpp"
#include "output/file_positions.hpp"

namespace crumple::output {

/// An LSDA file that grows. Data become visible to readers, all at once, at publish().
class LsdaFile {
 public:
  LsdaFile() = default;
  /// @throws Error CR-O1xx
  explicit LsdaFile(std::string path);
  /// Cuts an existing file back to a position and goes on there. @throws Error CR-O1xx
  LsdaFile(std::string path, const LsdaPosition& from);

  /// Sets the directory ("/glstat/d000001") of the data written next.
  void directory(std::string path) { directory_ = std::move(path); }
  void write(std::string_view name, std::string_view text);
  void write(std::string_view name, std::span<const std::int32_t> values);
  void write(std::string_view name, std::span<const std::int64_t> values);
  void write(std::string_view name, std::span<const float> values);
  void write(std::string_view name, std::span<const double> values);

  /// Appends the data written since the last call, and their symbol table. A run killed before the last step,
  /// which links the table, leaves a file with the contents before this call. @throws Error CR-O1xx
  void publish();
  /// After the last publish().
  LsdaPosition position() const { return {file_.size(), link_, written_directory_}; }
  void flush() { file_.flush(); }
  void close() { file_.close(); }
  bool is_open() const { return file_.is_open(); }

 private:
  struct Symbol {
    std::string directory, name;
    std::uint8_t type;
    std::int64_t offset, length;
  };

  void data(std::string_view name, std::uint8_t type, std::size_t item, std::span<const std::byte> bytes);
  void command(std::int64_t length, std::uint8_t code);
  void change_directory(std::string_view path);
  template <class T>
  void put(T value);
  std::int64_t end() const { return file_.size() + std::int64_t(buffer_.size()); }

  File file_;
  std::string directory_, written_directory_;
  std::vector<std::byte> buffer_;  ///< data to be appended to the file at publish()
  std::vector<Symbol> symbols_;
  std::int64_t link_ = 0;  ///< file offset of the word that will point to the next symbol table
};

}  // namespace crumple::output
