// What control groups leave of memory.
#include "base/free_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace crumple {
namespace {

namespace fs = std::filesystem;

class Groups : public ::testing::Test {
 protected:
  void SetUp() override {
    root = (fs::temp_directory_path() / ("crumple-groups-" + std::to_string(::getpid()))).string();
    fs::create_directories(root + "/job/step");
  }
  void TearDown() override { fs::remove_all(root); }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(root + "/" + file) << text;
  }
  std::string root;
};

TEST_F(Groups, FilesInMemoryCountAsLeft) {
  write("job/step/memory.max", "1000\n");
  write("job/step/memory.current", "700\n");
  write("job/step/memory.stat", "anon 500\ninactive_file 150\nactive_file 50\n");
  EXPECT_EQ(left_in_group(root, "/job/step", false), 450.0);
}

TEST_F(Groups, TheTightestGroupCounts) {
  write("job/step/memory.max", "max\n");
  write("job/step/memory.current", "700\n");
  write("job/memory.max", "1000\n");
  write("job/memory.current", "900\n");
  write("memory.max", "5000\n");
  write("memory.current", "2000\n");
  EXPECT_EQ(left_in_group(root, "/job/step", false), 100.0);
  EXPECT_EQ(left_in_group(root, "/", false), 3000.0);
}

TEST_F(Groups, Version1HasOtherNames) {
  write("job/memory.limit_in_bytes", "1000\n");
  write("job/memory.usage_in_bytes", "1200\n");
  EXPECT_EQ(left_in_group(root, "/job", true), 0.0);
  EXPECT_EQ(left_in_group(root, "/job", false), std::nullopt);
}

TEST(AvailableMemory, IsThere) { EXPECT_GT(available_memory(), 0.0); }

}  // namespace
}  // namespace crumple
