// LSDA files read back by following their chain of symbol tables; binout on a full disk.
#include "output/binout/binout.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::Folder;
using sample::FullDisk;
using sample::read_at;
using sample::read_text;

namespace {

struct Entry {
  int type;
  std::int64_t offset, length;
};

/// Full path -> entry, from the symbol tables alone.
std::map<std::string, Entry> read_symbols(const std::string& bytes) {
  std::map<std::string, Entry> symbols;
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x08\x08\x08\x01\x01\x01\x00\x00", 8));
  std::int64_t table = read_at<std::int64_t>(bytes, 17);
  while (table != 0) {
    std::size_t at = std::size_t(table) + 9;  // past the command that opens the table
    EXPECT_EQ(bytes[at - 1], 5);
    std::string directory;
    for (bool open = true; open;) {
      const std::size_t length = std::size_t(read_at<std::int64_t>(bytes, at));
      switch (bytes[at + 8]) {
        case 2:
          directory = bytes.substr(at + 9, length - 9);
          break;
        case 4: {
          const std::size_t name = length - 9 - 17;
          symbols[directory + "/" + bytes.substr(at + 9, name)] = {
              bytes[at + 9 + name], read_at<std::int64_t>(bytes, at + 10 + name),
              read_at<std::int64_t>(bytes, at + 18 + name)};
          break;
        }
        default:
          EXPECT_EQ(bytes[at + 8], 6);
          table = read_at<std::int64_t>(bytes, at + 9);
          open = false;
      }
      at += length;
    }
  }
  return symbols;
}

/// Value `i` of a float entry, checking the data record it points to.
float float_at(const std::string& bytes, const std::map<std::string, Entry>& symbols, const std::string& path,
               std::size_t i = 0) {
  const Entry& entry = symbols.at(path);
  EXPECT_EQ(entry.type, 9);
  const std::size_t at = std::size_t(entry.offset), name = path.size() - path.rfind('/') - 1;
  EXPECT_EQ(bytes[at + 8], 3);
  EXPECT_EQ(bytes.substr(at + 11, name), path.substr(path.rfind('/') + 1));
  return read_at<float>(bytes, at + 11 + name + 4 * i);
}

}  // namespace

TEST(Binout, EveryCallPublishes) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  BinoutWriter writer(c, folder.path());
  const std::string path = folder.path() + "/binout0000";
  EXPECT_TRUE(read_symbols(read_text(path)).empty());
  for (int step = 0; step < 3; ++step) {
    const GlobalRow row = sample::global_row(c, step);
    writer.glstat(row);
    const std::string bytes = read_text(path);
    const auto symbols = read_symbols(bytes);
    const std::string state = "/glstat/d00000" + std::to_string(step + 1);
    EXPECT_EQ(float_at(bytes, symbols, state + "/total_energy"), float(row.total));
    EXPECT_EQ(float_at(bytes, symbols, "/glstat/d000001/time"), 0.0f);
    EXPECT_EQ(symbols.at("/glstat/metadata/title").length, 80);
    EXPECT_EQ(symbols.at("/glstat/metadata/title").type, 1);
  }
}

TEST(Binout, IdsBeyond32Bits) {
  const Folder folder;
  Catalogue c = sample::catalogue();
  c.history_nodes[0].id = GlobalId(1) << 40;
  BinoutWriter writer(c, folder.path());
  writer.nodout(0.0, 0, sample::nodout_rows(c, 0));
  writer.matsum(0.0, 0, sample::matsum_rows(c, 0));
  const auto symbols = read_symbols(read_text(folder.path() + "/binout0000"));
  EXPECT_EQ(symbols.at("/nodout/metadata/ids").type, 4);
  EXPECT_EQ(symbols.at("/matsum/metadata/ids").type, 3);
}

TEST(Binout, FullDiskLeavesTheStatesBefore) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  BinoutWriter writer(c, folder.path());
  writer.matsum(0.0, 0, sample::matsum_rows(c, 0));
  const std::string before = read_text(folder.path() + "/binout0000");
  const FullDisk disk(before.size() + 500);
  try {
    writer.matsum(1.0, 1, sample::matsum_rows(c, 1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-O102");
    EXPECT_EQ(error.status(), Exit::system);
    EXPECT_NE(error.message().find(folder.path() + "/binout0000"), std::string::npos);
  }
  EXPECT_EQ(read_text(folder.path() + "/binout0000"), before);
}

TEST(Binout, WrongNumberOfRows) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  BinoutWriter writer(c, folder.path());
  EXPECT_THROW(writer.rwforc(0.0, 0, std::vector<RwforcRow>(3)), Error);
}

}  // namespace crumple::output
