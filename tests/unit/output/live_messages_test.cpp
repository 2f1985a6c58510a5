// What a run sends to `crumple watch`: surfaces, messages, what is kept of them, and addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "output/live/coarse_surface.hpp"
#include "output/live/kept_messages.hpp"
#include "output/live/live_options.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {
namespace {

/// A flat sheet of n x n quadrilaterals of two parts, side by side.
Catalogue sheet(int n) {
  Catalogue c;
  c.parts = {{7, "left", 24, false, ElementKind::shell}, {9, "right", 24, false, ElementKind::shell}};
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      c.node_id.push_back(1 + GlobalId(c.node_id.size()));
      c.node_x.push_back({double(i), double(j), 0.0});
    }
  const auto at = [&](int i, int j) { return std::int32_t(i + (n + 1) * j); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      c.shells.id.push_back(1 + GlobalId(c.shells.id.size()));
      c.shells.part.push_back(2 * i < n ? 0 : 1);
      c.shells.nodes.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return c;
}

double area(const CoarseSurface& s, const Catalogue& c) {
  double sum = 0.0;
  for (const auto& t : s.triangles) {
    const auto x = [&](int k) { return c.node_x[std::size_t(s.nodes[std::size_t(t[std::size_t(k)])])]; };
    sum += 0.5 * norm(cross(x(1) - x(0), x(2) - x(0)));
  }
  return sum;
}

TEST(CoarseSurface, HasEveryFaceOfASmallModel) {
  const Catalogue c = sheet(4);
  const CoarseSurface s = coarse_surface(c, 1000);
  EXPECT_EQ(s.whole, 32U);
  EXPECT_EQ(s.triangles.size(), 32U);
  EXPECT_EQ(s.nodes.size(), 25U);
  EXPECT_EQ(s.uses.size(), 32U);
  EXPECT_DOUBLE_EQ(area(s, c), 16.0);
  EXPECT_EQ(s.edges[0], 3);  // the diagonal of a quadrilateral is no edge
  EXPECT_EQ(s.edges[1], 6);
}

TEST(CoarseSurface, HasOuterSidesOfSolidsOnly) {
  Catalogue c = sample::catalogue();
  c.shells = {};
  c.solids = {{1, 2}, {1, 1}, {c.solids.nodes[0], c.solids.nodes[1]}};  // one on top of the other
  const CoarseSurface s = coarse_surface(c, 1000);
  EXPECT_EQ(s.whole, 2U * (12 - 2));
  EXPECT_EQ(s.nodes.size(), 12U);
}

TEST(CoarseSurface, SimplifiesALargeModel) {
  const Catalogue c = sheet(40);
  const CoarseSurface s = coarse_surface(c, 500);
  EXPECT_EQ(s.whole, 3200U);
  EXPECT_LE(s.triangles.size(), 500U);
  EXPECT_GT(s.triangles.size(), 100U);
  EXPECT_NEAR(area(s, c), 1600.0, 400.0);
  std::set<std::int32_t> elements, triangles;
  for (const CoarseSurface::Use& use : s.uses) elements.insert(use.element), triangles.insert(use.triangle);
  EXPECT_EQ(triangles.size(), s.triangles.size()) << "a triangle stands for no element";
  EXPECT_GE(s.uses.size(), s.triangles.size());
  EXPECT_TRUE(std::ranges::is_sorted(s.uses, {}, &CoarseSurface::Use::element));
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    for (const std::int32_t point : s.triangles[t]) ASSERT_LT(std::size_t(point), s.nodes.size());
}

TEST(CoarseSurface, OfAModelWithoutFaces) {
  Catalogue c = sample::catalogue();
  c.shells = {}, c.solids = {};
  const CoarseSurface s = coarse_surface(c, 1000);
  EXPECT_TRUE(s.triangles.empty() && s.nodes.empty() && s.uses.empty());
}

std::uint64_t number(const std::string& bytes, std::size_t at, int n) {
  std::uint64_t value = 0;
  for (int k = 0; k < n; ++k)
    value |= std::uint64_t(static_cast<unsigned char>(bytes[at + std::size_t(k)])) << (8 * k);
  return value;
}

TEST(LiveMessage, SaysItsLengths) {
  const LiveMessage m = text_message("glstat", "a row\n");
  const std::size_t json = number(*m, 0, 4);
  EXPECT_EQ(number(*m, 4, 8), 6U);
  EXPECT_EQ(m->size(), 12 + json + 6);
  EXPECT_EQ(m->substr(12, json), R"({"file":"glstat","kind":"text"})");
  EXPECT_EQ(m->substr(12 + json), "a row\n");
}

TEST(LiveMessage, NamesOfAnyBytesAreSent) {
  const LiveMessage m = hello_message({"crumple 1 d", "node\xff", "/a \"b\"", ""});
  EXPECT_NE(m->find(R"(/a \"b\")"), std::string::npos);
}

TEST(LiveMessage, StatesHavePositionsAndStrains) {
  const std::vector<float> x{1, 2, 3, 4, 5, 6}, strain{0.5F};
  const LiveMessage m = state_message(0.25, 17, true, x, strain);
  const std::size_t from = 12 + number(*m, 0, 4);
  ASSERT_EQ(number(*m, 4, 8), 28U);
  std::array<float, 7> sent{};
  std::memcpy(sent.data(), m->data() + from, sizeof sent);
  EXPECT_EQ(sent[0], 1.0F);
  EXPECT_EQ(sent[6], 0.5F);
  EXPECT_NE(m->find(R"("cycle":17)"), std::string::npos);
}

TEST(KeptMessages, ForgetsEveryOtherOldRow) {
  KeptMessages kept(10'000);
  const auto row = [](int k) { return text_message("glstat", "row " + std::to_string(k) + "\n"); };
  for (int k = 0; k < 2000; ++k) kept.text("glstat", row(k));
  EXPECT_LT(kept.bytes(), 10'000U + row(2000)->size());
  const auto all = kept.all();
  EXPECT_EQ(*all.front(), *row(0)) << "the top of the file is kept";
  EXPECT_EQ(*all.back(), *row(1999));
  EXPECT_GT(all.size(), 60U);
}

TEST(KeptMessages, SendsWhatStatesNeedBeforeThem) {
  KeptMessages kept;
  kept.state(state_message(0, 0, true, {}, {}));
  kept.file("load_profile", file_message("load_profile", "old"));
  kept.file("load_profile", file_message("load_profile", "new"));
  kept.text("d3hsp", text_message("d3hsp", "top"));
  kept.surface(surface_message({}, sample::catalogue()));
  kept.hello(hello_message({}));
  std::string order;
  for (const LiveMessage& m : kept.all()) {
    const std::size_t at = m->find(R"("kind":")") + 8;
    order += m->substr(at, m->find('"', at) - at) + " ";
  }
  EXPECT_EQ(order, "hello text file surface state ");
}

TEST(LiveOptions, AddressAndPort) {
  EXPECT_EQ(live_options_of("8267")->address, "127.0.0.1");
  EXPECT_EQ(live_options_of("8267")->port, 8267);
  EXPECT_EQ(live_options_of("0.0.0.0:0")->address, "0.0.0.0");
  EXPECT_EQ(live_options_of("[::1]:99")->address, "::1");
  EXPECT_EQ(live_options_of("node17:99")->address, "node17");
  for (const char* wrong : {"", ":", "a", "a:", ":1", "1:-1", "70000", "1 ", "8267x"})
    EXPECT_FALSE(live_options_of(wrong)) << wrong;
}

}  // namespace
}  // namespace crumple::output
