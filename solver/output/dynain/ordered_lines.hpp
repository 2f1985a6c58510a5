// Lines of all ranks in the order of the whole model, piece by piece, into a file of rank 0.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "output/file.hpp"
#include "output/pieces.hpp"
#include "parallel/communicator.hpp"

namespace crumple::output {

class OrderedLines {
 public:
  /// Begins a file beside `path`, which it becomes when it is complete. Collective. @throws AgreedError
  /// CR-O101
  OrderedLines(const parallel::Communicator& comm, const std::string& path);

  /// The same text on all ranks, written once. Collective. @throws AgreedError CR-O102
  void text(std::string_view text);

  /// Appends the lines of one of this rank's rows, given by its index among them; none: nothing of it is
  /// written.
  using Format = std::function<void(std::size_t row, std::string& to)>;
  /// A keyword with rows; left out where no rank has lines. Rows that several ranks have are written once:
  /// they are equal. Collective.
  /// @param order positions in the whole model of this rank's rows, ascending
  /// @throws AgreedError CR-O102
  void block(std::string_view keyword, std::span<const GlobalId> order, const Format& format);

  /// Collective. @throws AgreedError CR-O103
  void close();

 private:
  const parallel::Communicator* comm_;
  std::string path_;
  std::optional<File> file_;  ///< on rank 0
};

}  // namespace crumple::output
