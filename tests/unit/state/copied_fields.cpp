// Copies of fields, lists and pieces of the same name; what does not fit. 1 rank.
#include "state/copied_fields.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/error.hpp"

namespace crumple::state {
namespace {

struct Thing {
  std::vector<Vec3> x;
  std::vector<GlobalId> list;
  double one = 0;
  std::array<std::vector<double>, 2> pieces;

  void archive(Archive& archive) {
    const auto here = archive.module("thing");
    const std::vector<GlobalId> keys = numbered(x.size());
    archive.field("x", Rows::own(Of::entity, keys), std::span(x));
    archive.list("list", list, 1, [](auto) { return true; });
    archive.global("one", one);
    for (std::vector<double>& piece : pieces) {
      const std::vector<GlobalId> of_piece = numbered(piece.size());
      archive.field("piece", Rows::own(Of::entity, of_piece), std::span(piece));
    }
  }
};

TEST(CopiedFields, GoFromOneObjectToAnother) {
  Thing from{{{1, 2, 3}, {4, 5, 6}}, {7, 9}, 0.5, {{{1.0, 2.0}, {3.0}}}};
  CopiedFields copy;
  CopyWriter writer(copy);
  from.archive(writer);
  Thing to{std::vector<Vec3>(2), {}, 0.0, {{{0.0, 0.0}, {0.0}}}};
  CopyReader reader(copy);
  to.archive(reader);
  EXPECT_EQ(to.x, from.x);
  EXPECT_EQ(to.list, from.list);
  EXPECT_EQ(to.one, 0.5);
  EXPECT_EQ(to.pieces, from.pieces);
}

TEST(CopiedFields, RefuseWhatIsOfAnotherSizeOrMissing) {
  Thing from{{{1, 2, 3}}, {}, 0.0, {}};
  CopiedFields copy;
  CopyWriter writer(copy);
  from.archive(writer);
  Thing larger{std::vector<Vec3>(2), {}, 0.0, {}};
  CopyReader reader(copy);
  EXPECT_THROW(larger.archive(reader), Error);
  const CopiedFields nothing;
  CopyReader none(nothing);
  EXPECT_THROW(from.archive(none), Error);
}

}  // namespace
}  // namespace crumple::state
