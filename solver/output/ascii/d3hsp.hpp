// Writes d3hsp, the printed record of a run: what was read, what happened, how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "output/file.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// The echo of one run. The caller gives titled sections of text; lines are written at once, so that a killed
/// run leaves them in the file. Not collective. All raise CR-O1xx on file errors.
class D3hsp {
 public:
  /// Creates `directory`/d3hsp (with `prefix` before the name) and prints the heading from title and run of
  /// `catalogue`.
  D3hsp(const Catalogue& catalogue, const std::string& directory, const std::string& prefix = "");
  /// Cuts that of an earlier part of the run back to `size` bytes and goes on there.
  D3hsp(const std::string& directory, const std::string& prefix, std::int64_t size);

  /// A heading as LS-DYNA spaces it ("c o n t r o l"), then the text.
  void section(std::string_view title, std::string_view text);
  /// A line by itself; the newline is added.
  void line(std::string_view text);
  /// The parts as a table: id, kind, material law, elements, title.
  void parts(const Catalogue& catalogue);
  /// One line of the list of cycles, as scripts look for it: "cycle t time dt step what".
  void cycle(std::int64_t number, double time, double dt, std::string_view what);
  /// The last lines: " N o r m a l t e r m i n a t i o n" or the text of the error.
  void end(bool normal, std::string_view text);
  /// From now on `tell` is given all text, too.
  void also_tell(std::function<void(std::string_view)> tell) { tell_ = std::move(tell); }
  std::int64_t size() const { return file_.size(); }
  void close() { file_.close(); }

 private:
  void append(const std::string& text);

  File file_;
  std::function<void(std::string_view)> tell_;
};

}  // namespace crumple::output
