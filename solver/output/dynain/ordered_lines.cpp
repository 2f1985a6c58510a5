// Gathers lines with their positions, sorts and writes them.
#include "output/dynain/ordered_lines.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "parallel/agreed_error.hpp"

namespace crumple::output {

namespace {

/// One row's lines in a message: its position, its number of bytes, its bytes.
struct Head {
  GlobalId order = 0;
  std::int64_t size = 0;
};
static_assert(sizeof(Head) == 16);

struct Lines {
  GlobalId order = 0;
  std::string_view text;
};

std::vector<Lines> sorted(std::span<const std::byte> messages) {
  std::vector<Lines> rows;
  for (std::size_t at = 0; at < messages.size();) {
    Head head;
    std::memcpy(&head, &messages[at], sizeof head);
    at += sizeof head;
    rows.push_back(
        {head.order, {reinterpret_cast<const char*>(messages.data()) + at, std::size_t(head.size)}});
    at += std::size_t(head.size);
  }
  std::ranges::stable_sort(rows, {}, &Lines::order);
  const auto copies = std::ranges::unique(rows, {}, &Lines::order);
  rows.erase(copies.begin(), copies.end());
  return rows;
}

}  // namespace

OrderedLines::OrderedLines(const parallel::Communicator& comm, const std::string& path)
    : comm_(&comm), path_(path) {
  parallel::do_together(comm, [&] {
    if (comm.root()) file_.emplace(path + ".part");
  });
}

void OrderedLines::text(std::string_view text) {
  parallel::do_together(*comm_, [&] {
    if (file_) file_->append(text);
  });
}

void OrderedLines::block(std::string_view keyword, std::span<const GlobalId> order, const Format& format) {
  const auto rows = static_cast<std::size_t>(comm_->max(order.empty() ? std::int64_t(0) : order.back() + 1));
  bool begun = false;
  std::string lines;
  for (const Range piece : pieces_of(rows, kPiece)) {
    std::vector<std::byte> mine;
    const Range here = rows_in(order, piece);
    for (std::size_t row = here.first; row < here.last; ++row) {
      lines.clear();
      format(row, lines);
      if (lines.empty()) continue;
      const Head head{order[row], std::ssize(lines)};
      const auto head_bytes = std::as_bytes(std::span(&head, 1));
      mine.insert(mine.end(), head_bytes.begin(), head_bytes.end());
      const auto bytes = std::as_bytes(std::span(lines));
      mine.insert(mine.end(), bytes.begin(), bytes.end());
    }
    const std::vector<std::byte> all = comm_->gather<std::byte>(mine);
    parallel::do_together(*comm_, [&] {
      if (!file_ || all.empty()) return;
      std::string out;
      if (!std::exchange(begun, true)) out = std::string(keyword) + "\n";
      for (const Lines& row : sorted(all)) out += row.text;
      file_->append(out);
    });
  }
}

void OrderedLines::close() {
  parallel::do_together(*comm_, [&] {
    if (!file_) return;
    file_->close();
    std::error_code error;
    std::filesystem::rename(file_->path(), path_, error);
    if (error) throw Error("CR-O103", path_ + ": " + error.message(), {}, Exit::system);
  });
}

}  // namespace crumple::output
