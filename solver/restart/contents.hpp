// What a rank has written to a dump: its stream of bytes, and the table of contents at its end.
//
// A stream is sections one after the other, each with a checksum. A section is either the keys of some rows
// (8-byte integers) or the values of the rows of one named field (state/archive.hpp) as they are in memory.
// Many fields have the same rows, so their keys are written once. The table of contents ends the stream.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "state/archive.hpp"

namespace crumple::restart {

/// Offers all fields of a run to an archive.
using Say = std::function<void(state::Archive&)>;

/// Keys of rows.
struct KeySet {
  std::int32_t width = 1;  ///< integers in a key
  std::int64_t rows = 0;
  std::int64_t offset = 0;  ///< in the stream
  std::uint64_t checksum = 0;

  std::int64_t bytes() const { return rows * width * 8; }
};
CRUMPLE_MEMBERS(KeySet, width, rows, offset, checksum)

/// Rows of one field, or of a list, which has keys only.
struct Section {
  std::string name;
  state::Of of = state::Of::global;
  state::Number number = state::Number::float64;
  std::int32_t width = 1;  ///< numbers in a row
  bool list = false;
  bool parts = false;     ///< rows with the same key are added
  std::int32_t keys = 0;  ///< index of their key set
  std::int64_t rows = 0;
  std::int64_t offset = 0;  ///< of the values in the stream
  std::uint64_t checksum = 0;

  std::int64_t row_bytes() const { return list ? 0 : width * static_cast<std::int64_t>(bytes_of(number)); }
  std::int64_t bytes() const { return rows * row_bytes(); }
};
CRUMPLE_MEMBERS(Section, name, of, number, width, list, parts, keys, rows, offset, checksum)

struct Contents {
  std::vector<KeySet> keys;
  std::vector<Section> sections;
};
CRUMPLE_MEMBERS(Contents, keys, sections)

/// Where a stream is.
struct Stream {
  std::string file;         ///< in the folder of the dump
  std::int64_t offset = 0;  ///< in the file
  std::int64_t bytes = 0;
  std::int64_t contents_at = 0;  ///< offset of the table of contents in the stream
  std::uint64_t checksum = 0;    ///< of the table of contents
};
CRUMPLE_MEMBERS(Stream, file, offset, bytes, contents_at, checksum)

}  // namespace crumple::restart
