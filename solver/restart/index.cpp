// The index as a file.
#include "restart/index.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "output/file.hpp"
#include "restart/checksum.hpp"

namespace crumple::restart {

namespace {

constexpr std::string_view kMark = "CRUMPLE dump\n";

[[noreturn]] void fail_to_read(const std::string& path, int number) {
  throw Error("CR-T001", fmt::format("cannot read the dump {}: {}", path, std::strerror(number)), {},
              number == EIO ? Exit::system : Exit::input);
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_to_read(path, errno);
  try {
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure& failure) {  // a folder, or an error of the disk
    fail_to_read(path,
                 failure.code().category() == std::iostream_category() ? errno : failure.code().value());
  }
}

}  // namespace

void write_index(const std::string& path, const Index& index) {
  std::vector<std::byte> bytes;
  Packer packer(bytes);
  packer.bytes(kMark.data(), kMark.size());
  packer.put(kFormat);
  packer.put(pack(index));
  packer.put(checksum_of(bytes));
  output::write_whole(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Index read_index(const std::string& path) {
  const std::string text = content_of(path);
  if (!std::string_view(text).starts_with(kMark))
    throw Error("CR-T002", fmt::format("{} is not a dump of this program", path));
  std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  const auto damaged = [&](const char* how) {
    return Error("CR-T004", fmt::format("the dump {} is damaged: {}", path, how));
  };
  Unpacker unpacker(bytes.subspan(kMark.size()));
  try {
    const auto format = unpacker.take<std::uint32_t>();
    if (format != kFormat)
      throw Error("CR-T003", fmt::format("the dump {} has version {} of the format, and this program reads "
                                         "version {}: restart with the program that wrote it",
                                         path, format, kFormat));
    const auto packed = unpacker.take<std::vector<std::byte>>();
    if (unpacker.take<std::uint64_t>() != checksum_of(bytes.first(bytes.size() - sizeof(std::uint64_t))))
      throw damaged("its checksum is another one");
    return Unpacker(packed).take<Index>();
  } catch (const Error& error) {
    if (error.id() == "CR-A004") throw damaged("it ends too early");
    throw;
  }
}

}  // namespace crumple::restart
