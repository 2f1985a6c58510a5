// The search for files of *INCLUDE, and the files that are being read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crumple::deck {

/// The files that are open, from the root to the innermost include, and the search path.
class Includes {
 public:
  /// Add a directory of *INCLUDE_PATH; relative ones are relative to the including file with
  /// `relative` (_RELATIVE), else to the working directory or, if it does not exist, the root's.
  void add_path(const std::string& directory, bool relative);

  /// Path of an include: as given if absolute, else the first existing one in the including file's directory,
  /// the root's, the search path in order, the working directory.
  std::optional<std::string> find(const std::string& name) const;

  /// Open files form a stack. enter() returns false for a file that is already open.
  bool enter(const std::string& path);
  void leave() { open_.pop_back(); }
  std::size_t depth() const { return open_.size(); }
  /// "root.k -> a.k -> b.k", for the message about a cycle.
  std::string chain() const;

 private:
  struct Open {
    std::string path, canonical;
  };
  std::vector<Open> open_;
  std::vector<std::string> paths_;
};

/// File names on the cards of *INCLUDE: one per line, continued if a line ends with ` +`. The number is the
/// index of the line where a name begins.
std::vector<std::pair<std::string, std::size_t>> join_file_names(const std::vector<std::string_view>& lines);

}  // namespace crumple::deck
