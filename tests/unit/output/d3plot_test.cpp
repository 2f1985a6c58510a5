// The d3plot family: control words, file sizes, a full disk, files of earlier runs.
#include "output/d3plot/d3plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::Folder;
using sample::FullDisk;
using sample::read_at;
using sample::read_text;

namespace {

constexpr float kMark = -999999.0f;

/// Words of one state of the sample with default options, by the database manual: time, 6 + 7 per part
/// + 1 per wall, 9 per node, 7 per solid, 6 per beam, 33 per shell, 1 per element for its deletion.
constexpr std::size_t kStateWords = 1 + 6 + 7 * 5 + 2 + 9 * 36 + 7 * 6 + 6 * 2 + 33 * 6 + (6 + 2 + 6);

std::string error_id(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.status() == Exit::system || error.status() == Exit::input, true);
    return error.id();
  }
  return "";
}

}  // namespace

TEST(D3plot, ControlWords) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3plotWriter(c, folder.path(), {}).close();
  const std::string bytes = read_text(folder.path() + "/d3plot");
  EXPECT_EQ(bytes.size() % 2048, 0u);
  const auto word = [&](std::size_t i) { return read_at<std::int32_t>(bytes, 4 * i); };
  EXPECT_EQ(bytes.substr(0, 31), c.title);
  EXPECT_EQ(word(11), 1);
  EXPECT_EQ(read_at<float>(bytes, 4 * 14), 960.0f);
  EXPECT_EQ(word(15), 4);
  EXPECT_EQ(word(16), 36);                              // NUMNP
  EXPECT_EQ(word(18), 6 + 7 * 5 + 2);                   // NGLBV
  EXPECT_EQ(word(23), 6);                               // NEL8
  EXPECT_EQ(word(27), 7);                               // NV3D
  EXPECT_EQ(word(33), 33);                              // NV2D
  EXPECT_EQ(word(36), -10003);                          // MAXINT with deletion
  EXPECT_EQ(word(24) + word(29) + word(32), word(51));  // parts of all kinds: NMMAT, or vtk fails
}

TEST(D3plot, StatesHaveTheManualsSizeAndEndInAMark) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3plotWriter writer(c, folder.path(), {});
  EXPECT_FALSE(folder.has("d3plot01"));
  for (int step = 0; step < 3; ++step) {
    writer.write(sample::plot_state(c, {}, step));
    const std::string bytes = read_text(folder.path() + "/d3plot01");
    ASSERT_EQ(bytes.size(), 4 * (kStateWords * std::size_t(step + 1) + 1));
    EXPECT_EQ(read_at<float>(bytes, bytes.size() - 4), kMark);
    EXPECT_EQ(read_at<float>(bytes, 4 * kStateWords * std::size_t(step)), float(0.25e-3 * step));
  }
  EXPECT_EQ(writer.states(), 3);
}

TEST(D3plot, FullDiskLeavesTheStatesBefore) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3plotWriter writer(c, folder.path(), {});
  writer.write(sample::plot_state(c, {}, 0));
  writer.write(sample::plot_state(c, {}, 1));
  const std::string before = read_text(folder.path() + "/d3plot01");
  {
    const FullDisk disk(4 * (kStateWords * 5 / 2));
    EXPECT_EQ(error_id([&] { writer.write(sample::plot_state(c, {}, 2)); }), "CR-O102");
  }
  EXPECT_EQ(read_text(folder.path() + "/d3plot01"), before);
  writer.write(sample::plot_state(c, {}, 2));  // room again: goes on where it was
  EXPECT_EQ(read_text(folder.path() + "/d3plot01").size(), 4 * (3 * kStateWords + 1));
}

TEST(D3plot, FullDiskLeavesNoHalfAHeader) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  const FullDisk disk(1000);
  EXPECT_EQ(error_id([&] { D3plotWriter(c, folder.path(), {}); }), "CR-O102");
  EXPECT_FALSE(folder.has("d3plot"));
}

TEST(D3plot, FullDiskWhenANewFileBegins) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3plotOptions options;
  options.one_state_per_file = true;
  D3plotWriter writer(c, folder.path(), options);
  writer.write(sample::plot_state(c, {}, 0));
  {
    const FullDisk disk(2);
    EXPECT_EQ(error_id([&] { writer.write(sample::plot_state(c, {}, 1)); }), "CR-O102");
  }
  EXPECT_FALSE(folder.has("d3plot02"));
  writer.write(sample::plot_state(c, {}, 1));
  EXPECT_TRUE(folder.has("d3plot02"));
}

TEST(D3plot, LargeIdsNeedDoublePrecision) {
  const Folder folder;
  Catalogue c = sample::catalogue();
  c.shells.id[2] = GlobalId(1) << 40;
  EXPECT_EQ(error_id([&] { D3plotWriter(c, folder.path(), {}); }), "CR-O110");
  EXPECT_FALSE(folder.has("d3plot"));
  D3plotOptions wide;
  wide.double_precision = true;
  EXPECT_NO_THROW(D3plotWriter(c, folder.path(), wide));
}

TEST(D3plot, RemovesWhatAnEarlierRunLeft) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  for (const char* name : {"d3plot", "d3plot01", "d3plot17", "d3plot100", "d3plotter", "run.d3plot01"}) {
    std::ofstream(folder.path() + "/" + name) << "old";
  }
  D3plotWriter writer(c, folder.path(), {});
  for (const char* name : {"d3plot01", "d3plot17", "d3plot100"}) EXPECT_FALSE(folder.has(name)) << name;
  for (const char* name : {"d3plot", "d3plotter", "run.d3plot01"}) EXPECT_TRUE(folder.has(name)) << name;
}

TEST(D3plot, MissingFolder) {
  const Catalogue c = sample::catalogue();
  EXPECT_EQ(error_id([&] { D3plotWriter(c, "/nonexistent/folder", {}); }), "CR-O104");
}

}  // namespace crumple::output
