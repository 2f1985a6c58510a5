// Patterns of blocks, and products with vectors, against dense matrices.
#include "implicit/linear/block_matrix.hpp"

#include <gtest/gtest.h>

#include "brick.hpp"

namespace crumple::implicit::linear {

TEST(BlockMatrix, PatternHasTheBlocksOfElementsOnceAndTheDiagonal) {
  const std::vector<std::uint8_t> sizes{3, 0, 6, 1, 2};
  const std::vector<std::int64_t> begin{0, 3, 6};
  const std::vector<std::int32_t> rows{2, 0, 1, 3, 2, 2};
  const BlockPattern pattern = pattern_of(sizes, begin, rows);
  EXPECT_EQ(pattern.rows(), 5);
  EXPECT_EQ(pattern.equations(), 12);
  EXPECT_EQ(pattern.start, (std::vector<std::int64_t>{0, 2, 3, 5, 6, 7}));
  EXPECT_EQ(pattern.column, (std::vector<std::int32_t>{0, 2, 1, 2, 3, 3, 4}));
  EXPECT_EQ(pattern.value, (std::vector<std::int64_t>{0, 9, 27, 27, 63, 69, 70, 74}));
}

TEST(BlockMatrix, ProductIsThatOfTheDenseMatrix) {
  const std::vector<std::uint8_t> sizes{3, 0, 6, 1, 2};
  const BlockPattern pattern =
      pattern_of(sizes, std::vector<std::int64_t>{0, 3, 5}, std::vector<std::int32_t>{2, 0, 1, 3, 2});
  BlockMatrix matrix{&pattern, random_numbers(static_cast<std::size_t>(pattern.value.back()))};
  std::vector<double> dense(12 * 12, 0.0);
  for (std::int32_t row = 0; row < 5; ++row)
    for (std::int32_t column = row; column < 5; ++column) {
      const auto block = matrix.block(row, column);
      for (std::size_t k = 0; k < block.size(); ++k) {
        const std::size_t i = k / sizes[column], j = k % sizes[column];
        if (row == column) block[k] = block[std::max(i, j) * sizes[column] + std::min(i, j)];
        dense[(pattern.first[row] + i) * 12 + pattern.first[column] + j] = block[k];
        dense[(pattern.first[column] + j) * 12 + pattern.first[row] + i] = block[k];
      }
    }
  EXPECT_TRUE(matrix.block(0, 3).empty());
  const auto x = random_numbers(12, 2);
  std::vector<double> y(12, 7.0);
  matrix.multiply(x, y);
  for (int i = 0; i < 12; ++i) {
    double sum = 0;
    for (int j = 0; j < 12; ++j) sum += dense[i * 12 + j] * x[j];
    EXPECT_NEAR(y[i], sum, 1e-14);
  }
}

}  // namespace crumple::implicit::linear
