// The hash table from user numbers to indices.
#include "model/id_table.hpp"

#include <gtest/gtest.h>

namespace crumple::model {
namespace {

TEST(IdTable, FindsWhatWasInsertedAfterGrowing) {
  IdTable table;
  EXPECT_EQ(table.find(1), IdTable::kMissing);
  for (LocalId i = 0; i < 10000; ++i) EXPECT_TRUE(table.insert(GlobalId{7} * i * 1048576 + 3, i));
  for (LocalId i = 0; i < 10000; ++i) EXPECT_EQ(table.find(GlobalId{7} * i * 1048576 + 3), i);
  EXPECT_EQ(table.find(4), IdTable::kMissing);
  EXPECT_EQ(table.size(), 10000u);
}

TEST(IdTable, KeepsTheFirstOfTwo) {
  IdTable table;
  table.reserve(4);
  EXPECT_TRUE(table.insert(-5, 1));
  EXPECT_FALSE(table.insert(-5, 2));
  EXPECT_EQ(table.find(-5), 1);
  EXPECT_TRUE(table.insert(0, 3));
  EXPECT_EQ(table.find(0), 3);
}

}  // namespace
}  // namespace crumple::model
