// A file that is written without a buffer, so that its contents survive a killed run.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace crumple::output {

/// An output file open for writing. Every failure raises CR-O1xx with Exit::system.
///
/// Bytes are passed to the operating system at once, so a killed run leaves everything it has written. A file
/// whose first write fails (a full disk) is removed, so that no partial header is left.
class File {
 public:
  File() = default;
  /// Creates `path`, or empties it. @throws Error CR-O101
  explicit File(std::string path);
  /// Opens the existing `path` and cuts it back to `size` bytes. @throws Error CR-O101, CR-O102
  static File cut_back(std::string path, std::int64_t size);
  /// Opens the existing `path`, which others write at the same time: what a failed write has written is left
  /// to them. @throws Error CR-O101
  static File share(std::string path);
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  /// @throws Error CR-O102 when not all bytes could be written
  void append(std::span<const std::byte> bytes);
  void append(std::string_view text) { append(std::as_bytes(std::span(text))); }
  /// Overwrites at `offset`; the file grows if this is beyond its end. @throws Error CR-O102
  void write_at(std::int64_t offset, std::span<const std::byte> bytes);
  /// Truncates the file. @throws Error CR-O102
  void truncate(std::int64_t size);
  /// Writes the file to the disk (fsync). @throws Error CR-O103
  void flush();
  /// @throws Error CR-O103 when the system reports a late write error
  void close();

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  std::int64_t size() const { return size_; }
  const std::string& path() const { return path_; }

 private:
  void fail(const char* id, const char* what, int error);
  void undo(int error);

  std::string path_;
  int descriptor_ = -1;
  bool shared_ = false;
  std::int64_t size_ = 0;
};

/// Writes a file under a temporary name in the same folder, and renames it when it is complete: a reader
/// finds the old one or the new one, never a part. @throws Error CR-O101, CR-O102, CR-O103
void write_whole(const std::string& path, std::string_view text);

/// Removes a file if there is one. @throws Error CR-O104 when it cannot be removed
void remove_file(const std::string& path);

/// Removes `directory`/`stem`, and those followed by digits only or by '%' and digits: results of an earlier
/// run, which readers would take for parts of this one. Except those with a name in `keep`.
void remove_family(const std::string& directory, const std::string& stem,
                   std::span<const std::string> keep = {});

/// Checks that a run may go on at `size` of a file: that it is there, as long, and can be written. Changes
/// nothing. @throws Error CR-O130
void check_can_be_cut(const std::string& path, std::int64_t size);

}  // namespace crumple::output
