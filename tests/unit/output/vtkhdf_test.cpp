// VTKHDF files: what is left when the disk is full, messages.
#include "output/vtkhdf/vtkhdf.hpp"

#include <gtest/gtest.h>

#include <climits>

#include "base/error.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/killed.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::Folder;
using sample::FullDisk;
using sample::kill_at_write;

namespace {

/// Number of states, with as many times and sets of points that can be read; -1 when the file is spoilt.
std::int64_t steps_in(const std::string& path) {
  const hdf5::FileHandle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), "open");
  const hdf5::Attribute attribute(
      H5Aopen_by_name(file.get(), "VTKHDF/Steps", "NSteps", H5P_DEFAULT, H5P_DEFAULT), "NSteps");
  std::int64_t steps = -1;
  H5Aread(attribute.get(), H5T_NATIVE_INT64, &steps);
  const hdf5::Dataset times(H5Dopen2(file.get(), "VTKHDF/Steps/Values", H5P_DEFAULT), "Values");
  // VTK (9.7) reads all times into an array of `steps` places.
  if (H5Sget_simple_extent_npoints(hdf5::Space(H5Dget_space(times.get()), "Values").get()) != steps)
    return -1;
  for (const char* name : {"VTKHDF/Points", "VTKHDF/PointData/Velocity"}) {
    const hdf5::Dataset points(H5Dopen2(file.get(), name, H5P_DEFAULT), name);
    const hdf5::Space space(H5Dget_space(points.get()), name);
    std::vector<double> values(std::size_t(H5Sget_simple_extent_npoints(space.get())));
    const std::size_t nodes = sample::catalogue().node_id.size();
    if (values.size() < 3 * nodes * std::size_t(steps)) return -1;
    if (H5Dread(points.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) return -1;
  }
  return steps;
}

}  // namespace

TEST(Vtkhdf, KilledAnywhereLeavesTheStatesBefore) {
  const Catalogue c = sample::catalogue();
  // All writes of 3 states; of 66, a third of the last ones, past the first chunk of the times, of 64.
  struct Killed {
    int states, writes, stride;
  };
  for (const Killed& run : {Killed{3, INT_MAX, 1}, Killed{66, 100, 3}}) {
    std::optional<std::int64_t> before;
    const auto killed_at = [&](int nth) {
      const Folder folder;
      const int begun = kill_at_write(nth, [&] {
        VtkhdfWriter writer(c, folder.path(), {});
        for (int step = 0; step < run.states; ++step) writer.write(sample::plot_state(c, {}, step));
        writer.close();
      });
      const std::int64_t steps =
          folder.has("results.vtkhdf") ? steps_in(folder.path() + "/results.vtkhdf") : -1;
      const std::int64_t last = before.value_or(steps);
      EXPECT_TRUE(steps == last || steps == last + 1) << nth << ": " << steps << " after " << last;
      before = steps;
      return begun;
    };
    const int all = killed_at(INT_MAX);
    if (all < 0) GTEST_SKIP() << "no leave to trace a process here";
    EXPECT_EQ(before, run.states);
    before.reset();
    for (int nth = std::max(1, all - run.writes); nth <= all + run.stride; nth += run.stride) killed_at(nth);
    EXPECT_EQ(before, run.states);
  }
}

TEST(Vtkhdf, ReadableBetweenStates) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  VtkhdfWriter writer(c, folder.path(), {});
  const std::string path = folder.path() + "/results.vtkhdf", copy = folder.path() + "/copy.vtkhdf";
  for (int step = 0; step < 3; ++step) {
    writer.write(sample::plot_state(c, {}, step));
    // A copy is what a killed run leaves.
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    EXPECT_EQ(steps_in(copy), step + 1);
  }
  writer.close();
  EXPECT_EQ(steps_in(path), 3);
}

TEST(Vtkhdf, FullDiskLeavesTheStatesBefore) {
  const Catalogue c = sample::catalogue();
  // Limits around every place where the file can be short of space.
  for (rlim_t limit = 100; limit < 40000; limit += 211) {
    const Folder folder;
    const std::string path = folder.path() + "/results.vtkhdf";
    int written = 0;
    try {
      const FullDisk disk(limit);
      VtkhdfWriter writer(c, folder.path(), {});
      for (; written < 4; ++written) writer.write(sample::plot_state(c, {}, written));
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-O120");
      EXPECT_EQ(error.status(), Exit::system);
      EXPECT_EQ(error.message(), "cannot write " + path + ": File too large");
    }
    if (written > 0) {
      EXPECT_EQ(steps_in(path), written) << limit;
    } else if (folder.has("results.vtkhdf")) {
      EXPECT_EQ(steps_in(path), 0) << limit;
    }
  }
}

TEST(Storage, DeferredBytesWaitForCommit) {
  const Folder folder;
  const std::string path = folder.path() + "/file";
  hdf5::Storage storage(path);
  const auto bytes = [](const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
  };
  const auto read = [&](std::int64_t offset, std::size_t size) {
    std::string text(size, '?');
    storage.read(offset, std::as_writable_bytes(std::span(text.data(), size)));
    return text;
  };
  storage.defer(0, bytes("head"));
  storage.write(4, bytes("data"));
  EXPECT_EQ(read(0, 9), std::string("headdata\0", 9));
  EXPECT_FALSE(folder.has("file"));  // not before it holds something
  storage.commit();
  EXPECT_EQ(sample::read_text(path), "headdata");
  {
    const FullDisk disk(10);
    storage.defer(0, bytes("HEAD"));
    storage.write(8, bytes("more"));
    EXPECT_EQ(read(0, 4), "HEAD");
    EXPECT_THROW(storage.commit(), Error);
  }
  EXPECT_EQ(sample::read_text(path).substr(0, 8), "headdata");
}

TEST(Vtkhdf, MissingFolder) {
  const Catalogue c = sample::catalogue();
  try {
    VtkhdfWriter(c, "/nonexistent/folder", {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-O120");
    EXPECT_NE(error.message().find("/nonexistent/folder/results.vtkhdf"), std::string::npos);
    EXPECT_NE(error.message().find("No such file"), std::string::npos) << error.message();
  }
}

}  // namespace crumple::output
