// Where a rank's stream goes: a file of its own, or its part of a file that all ranks share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "parallel/communicator.hpp"

namespace crumple::restart {

enum class Layout : std::int8_t { files, shared };

/// Bytes are collected and written in large pieces.
class Sink {
 public:
  virtual ~Sink() = default;
  /// @throws Error CR-O1xx
  virtual void write(std::span<const std::byte> bytes) = 0;
  /// Passes all bytes to the disk and closes the file. @throws Error CR-O1xx
  virtual void finish() = 0;
};

/// Creates the file. @throws Error CR-O101
std::unique_ptr<Sink> make_file_sink(const std::string& path);

/// MPI-IO; the file is created with its final size. Collective, also where it fails: the error is known after
/// the next reduction.
/// @param offset of this rank's stream
std::unique_ptr<Sink> make_shared_sink(const parallel::Communicator& comm, const std::string& path,
                                       std::int64_t offset);

}  // namespace crumple::restart
