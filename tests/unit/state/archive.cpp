// Fields by name: written by some ranks, read by others, sums kept, what is missing or unknown named.
#include "state/archive.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "state/archive_store.hpp"
#include "state/saved_rows.hpp"

namespace crumple::state {

namespace {

/// Has padding behind `flag` and inside.
struct Entry {
  std::int8_t flag = 0;
  double work = 0.0;
  Vec3 way;
  std::array<GlobalId, 2> nodes{};
};
CRUMPLE_MEMBERS(Entry, flag, work, way, nodes)
struct Record {
  Entry entry;
  bool alive = true;
  bool operator==(const Record& o) const {
    return entry.flag == o.entry.flag && entry.work == o.entry.work && entry.way == o.entry.way &&
           entry.nodes == o.entry.nodes && alive == o.alive;
  }
};
CRUMPLE_MEMBERS(Record, entry, alive)

static_assert(packed_size<Entry>() == 1 + 8 + 24 + 16);
static_assert(packed_size<Record>() == packed_size<Entry>() + 1);
static_assert(!is_without_padding<Entry> && is_without_padding<Vec3>);

Record record(int i) {
  return {{static_cast<std::int8_t>(i), 0.5 * i, {1.0 * i, 2.0, 3.0}, {i, -i}}, i % 2 == 0};
}

/// A rank with nodes, elements in lanes, a sum, a list of what it owns and one value for all.
struct Rank {
  int rank = 0;
  std::vector<GlobalId> node;
  std::vector<int> owner;
  std::vector<Vec3> x;
  std::vector<GlobalId> element;
  std::vector<float> state;  ///< of 3 numbers in blocks of 4 lanes
  parallel::ExactSum work;
  std::vector<GlobalId> pairs;  ///< node, segment
  std::vector<Record> records;
  double time = 0.0;

  void archive(Archive& archive) {
    const auto here = archive.module("toy");
    archive.field("x", Rows::nodes(node, owner, rank), std::span(x));
    {
      const auto elements = archive.module("shells");
      archive.lanes("state", Rows::own(Of::element, element), std::span(state), 3, 4);
    }
    archive.global_sum("work", work, rank);
    archive.list("pairs", pairs, 2, [&](std::span<const GlobalId> key) { return owns(key[0]); });
    records.resize(pairs.size() / 2);
    archive.structs("pair", Rows::own(Of::entity, pairs, 2), std::span(records));
    archive.global("time", time);
  }
  bool owns(GlobalId id) const {
    for (std::size_t i = 0; i < node.size(); ++i)
      if (node[i] == id) return owner[i] == rank;
    return false;
  }
};

/// Elements of which lanes beyond the last one are padding.
void set_elements(Rank& r, std::vector<GlobalId> element, bool filled) {
  r.element = std::move(element);
  const std::size_t blocks = (r.element.size() + 3) / 4;
  r.state.assign(blocks * 12, -1.0F);
  for (std::size_t e = 0; filled && e < r.element.size(); ++e)
    for (std::size_t k = 0; k < 3; ++k)
      r.state[(e / 4 * 3 + k) * 4 + e % 4] = static_cast<float>(10 * r.element[e]) + static_cast<float>(k);
}

/// Nodes 0 to 4 and elements 0 to 6 on two ranks that share node 2.
std::vector<Rank> two_ranks() {
  std::vector<Rank> ranks(2);
  ranks[0] = {0, {2, 0, 1}, {0, 0, 0}, {{2, 2, 2}, {0, 0, 0}, {1, 1, 1}}};
  ranks[1] = {1, {2, 4, 3}, {0, 1, 1}, {{2, 2, 2}, {4, 4, 4}, {3, 3, 3}}};
  set_elements(ranks[0], {0, 2, 3, 4, 6}, true);
  set_elements(ranks[1], {1, 5}, true);
  for (Rank& r : ranks) r.time = 0.25;
  ranks[0].work += 1.0, ranks[0].work += 1e-30;
  ranks[1].work += 1e30, ranks[1].work += -1.0;
  ranks[0].pairs = {2, 7, 1, 9}, ranks[0].records = {record(1), record(2)};
  ranks[1].pairs = {4, 7}, ranks[1].records = {record(3)};
  return ranks;
}

Store store_of(std::vector<Rank> ranks) {
  Store all;
  for (Rank& r : ranks) {
    Store mine;
    StoreWriter writer(mine);
    r.archive(writer);
    all.merge(Unpacker(pack(mine)).take<Store>());  // as it travels between ranks
  }
  return all;
}

}  // namespace

TEST(Packing, NoPaddingTravels) {
  std::vector<Record> items{record(1), record(2), record(3)};
  const auto message = pack_items<Record>(items);
  EXPECT_EQ(message.size(), 3 * packed_size<Record>());
  EXPECT_EQ(unpack_items<Record>(message), items);
  std::vector<std::byte> grown;
  for (const Record& r : items) append(grown, r);
  EXPECT_EQ(grown, message);
  EXPECT_THROW(unpack_items<Record>(std::span(message).first(20)), Error);
}

TEST(Packing, ShortMessageIsAnError) {
  const auto message = pack(std::pair<std::string, std::vector<double>>("abc", {1, 2, 3}));
  using Item = std::pair<std::string, std::vector<double>>;
  EXPECT_EQ(Unpacker(message).take<Item>().second, (std::vector<double>{1, 2, 3}));
  EXPECT_THROW(Unpacker(std::span(message).first(message.size() - 1)).take<Item>(), Error);
}

TEST(Archive, TwoRanksToOne) {
  const Store all = store_of(two_ranks());
  Rank one{0, {4, 3, 2, 1, 0}, std::vector<int>(5, 0), std::vector<Vec3>(5)};
  set_elements(one, {0, 1, 2, 3, 4, 5, 6}, false);
  StoreReader reader(all);
  one.archive(reader);
  EXPECT_TRUE(reader.unread().empty());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(one.x[i].x, static_cast<double>(one.node[i]));
  Rank expected;
  set_elements(expected, one.element, true);
  EXPECT_EQ(one.state, expected.state);
  EXPECT_EQ(one.time, 0.25);
  EXPECT_EQ(one.pairs, (std::vector<GlobalId>{1, 9, 2, 7, 4, 7}));
  EXPECT_EQ(one.records, (std::vector<Record>{record(2), record(1), record(3)}));
  one.work += -1e30;
  EXPECT_EQ(one.work.value(), 1e-30);  // nothing was lost in the sum of the ranks' parts
}

TEST(Archive, TwoRanksToThree) {
  const Store all = store_of(two_ranks());
  std::vector<Rank> ranks(3);
  for (int r = 0; r < 3; ++r) {
    // Node 2 is everywhere and belongs to the last.
    ranks[r] = {r, {2, r < 2 ? r : 4}, {2, r}, std::vector<Vec3>(2)};
    set_elements(ranks[r], r == 0 ? std::vector<GlobalId>{} : std::vector<GlobalId>{r, 4 + r}, false);
    StoreReader reader(all);
    ranks[r].archive(reader);
  }
  EXPECT_EQ(ranks[1].x[0].x, 2.0);
  EXPECT_EQ(ranks[2].x[0].x, 2.0);
  EXPECT_EQ(ranks[2].state[1], 60.0F);
  EXPECT_EQ(ranks[0].pairs, std::vector<GlobalId>{});
  EXPECT_EQ(ranks[1].records, std::vector<Record>{record(2)});
  EXPECT_EQ(ranks[2].pairs, (std::vector<GlobalId>{2, 7, 4, 7}));
  EXPECT_EQ(ranks[0].work.value(), 1e30);
  EXPECT_EQ(ranks[1].work.value(), 0.0);
}

TEST(Archive, MissingAndUnknownNamesAreErrors) {
  Store all = store_of(two_ranks());
  const auto read = [&](Store& store) {
    Rank one{0, {0}, {0}, std::vector<Vec3>(1)};
    StoreReader reader(store);
    one.archive(reader);
    refuse_unread(reader.unread());
  };
  const auto message = [&](Store& store) -> std::string {
    try {
      read(store);
    } catch (const Error& error) {
      return error.id() + ": " + error.message();
    }
    return "";
  };
  EXPECT_EQ(message(all), "");
  Store lacks = all;
  lacks.fields.erase("toy/x");
  EXPECT_EQ(message(lacks), "CR-A001: module 'toy': field 'x' is missing in the saved state");
  Store more = all;
  more.fields["toy/heat"] = all.fields.at("toy/x");
  EXPECT_EQ(message(more), "CR-A002: module 'toy': field 'heat' of the saved state is not known to this run");
  Store other = all;
  other.fields.at("toy/x").width = 1;
  EXPECT_EQ(message(other), "CR-A003: module 'toy': field 'x' is of another kind in the saved state");
  Rank elsewhere{0, {17}, {0}, std::vector<Vec3>(1)};
  StoreReader reader(all);
  try {
    elsewhere.archive(reader);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "module 'toy': field 'x' has no row for node 17 in the saved state");
  }
}

TEST(Archive, FieldsAreListed) {
  FieldList list;
  std::vector<Rank> ranks = two_ranks();
  ranks[1].archive(list);
  std::string names;
  for (const FieldList::Entry& e : list.entries()) names += e.name + " ";
  EXPECT_EQ(names,
            "toy/pair/alive toy/pair/entry/flag toy/pair/entry/nodes toy/pair/entry/way toy/pair/entry/work "
            "toy/pairs toy/shells/state toy/time toy/work toy/x ");
  const FieldList::Entry x = list.entries().back();
  EXPECT_EQ(x.rows, 3U);
  EXPECT_EQ(x.writes, 2U);
  EXPECT_EQ(x.width, 3);
  EXPECT_NE(list.text().find("toy/shells/state"), std::string::npos);
}

}  // namespace crumple::state
