// Dumps written on three ranks and read on one, two and three: rows, sums, lists; both layouts; what is
// damaged, missing or of another kind is named.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "parallel/communicator.hpp"
#include "restart/dump.hpp"

namespace crumple::restart {
namespace {

namespace fs = std::filesystem;
using state::Of;
using state::Rows;

constexpr int kNodes = 40, kElements = 23;

/// A rank of `size` with every n-th node and copies of its neighbours', every n-th element, a sum, a list.
struct Part {
  int rank = 0, size = 1;
  std::vector<GlobalId> nodes, elements, pairs;
  std::vector<int> owners;
  std::vector<Vec3> x;
  std::vector<float> stress;  ///< 5 numbers in blocks of 4 elements
  std::vector<double> gaps;   ///< of pairs
  parallel::ExactSum work;
  std::int32_t cycle = 0;

  Part(int rank_, int size_) : rank(rank_), size(size_) {
    for (int n = 0; n < kNodes; ++n)
      if (n % size == rank || (n + 1) % size == rank) nodes.push_back(n), owners.push_back(n % size);
    for (int e = rank; e < kElements; e += size) elements.push_back(e);
    x.resize(nodes.size());
    stress.resize((elements.size() + 3) / 4 * 20);
  }
  void fill() {
    for (std::size_t i = 0; i < nodes.size(); ++i)
      x[i] = {0.1 * double(nodes[i]), 1.0 / 3.0, -double(nodes[i])};
    for (std::size_t e = 0; e < elements.size(); ++e)
      for (std::size_t k = 0; k < 5; ++k)
        stress[e / 4 * 20 + k * 4 + e % 4] = float(100 * elements[e]) + float(k);
    for (const GlobalId n : nodes)
      if (n % size == rank && n % 3 == 0)
        pairs.insert(pairs.end(), {n, 7 - n}), gaps.push_back(0.5 * double(n));
    work = {};
    work += 1.25 * (rank + 1);
    cycle = 77;
  }
  void archive(state::Archive& archive) {
    const auto here = archive.module("toy");
    archive.field("x", Rows::nodes(nodes, owners, rank), std::span(x));
    archive.lanes("stress", Rows::own(Of::element, elements), std::span(stress), 5, 4);
    archive.global_sum("work", work, rank);
    archive.list("pairs", pairs, 2, [&](std::span<const GlobalId> key) { return key[0] % size == rank; });
    gaps.resize(pairs.size() / 2);
    archive.field("gap", Rows::own(Of::entity, pairs, 2), std::span(gaps));
    archive.global("cycle", cycle);
  }
};

class Dumped : public ::testing::TestWithParam<Layout> {
 protected:
  void SetUp() override {
    std::vector<std::byte> name =
        pack((fs::temp_directory_path() / fmt::format("crumple-dump-{}", ::getpid())).string());
    world.broadcast(name);
    folder = Unpacker(name).take<std::string>();
    if (world.root()) fs::create_directories(folder);
    world.barrier();
    path = folder + "/d3dump01";
    write(12);
  }
  void TearDown() override {
    world.barrier();
    if (world.root()) fs::remove_all(folder);
    world.barrier();
  }
  void write(std::int64_t cycle) {
    Part part(world.rank(), world.size());
    part.fill();
    Index index;
    index.origin.deck = "/a/deck.k";
    index.moment = {0.25, cycle, false};
    written = write_dump(
        world, path, GetParam(), [&](state::Archive& to) { part.archive(to); }, index);
    world.barrier();
  }
  /// A file of the dump's streams.
  std::string stream() const { return folder + "/" + read_index(path).streams.back().file; }
  /// Changes one byte of a file, on rank 0. Collective.
  void flip(const std::string& file, std::int64_t at) const {
    if (world.root()) {
      std::fstream of(file, std::ios::in | std::ios::out | std::ios::binary);
      of.seekg(at);
      const int byte = of.get();
      of.seekp(at);
      of.put(static_cast<char>(byte ^ 4));
    }
    world.barrier();
  }
  std::string error_of_verify() const {
    try {
      verify(world, path, read_index(path));
    } catch (const Error& error) {
      return error.id() + " " + error.message();
    }
    return "none";
  }

  parallel::Communicator world;
  std::string folder, path;
  Written written;
};
INSTANTIATE_TEST_SUITE_P(Layouts, Dumped, ::testing::Values(Layout::files, Layout::shared));

TEST_P(Dumped, AreReadOnAnyNumberOfRanks) {
  EXPECT_EQ(written.failure, "");
  for (const int size : {1, 2, 3}) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world.rank() < size ? 0 : MPI_UNDEFINED, world.rank(), &some);
    if (some == MPI_COMM_NULL) continue;
    const parallel::Communicator comm(some);
    const Index index = read_index(path);
    EXPECT_EQ(index.moment.cycle, 12);
    EXPECT_EQ(index.origin.deck, "/a/deck.k");
    verify(comm, path, index);
    Part got(comm.rank(), size), expected(comm.rank(), size);
    expected.fill();
    restore(comm, path, index, [&](state::Archive& from) { got.archive(from); });
    for (std::size_t i = 0; i < got.x.size(); ++i) EXPECT_EQ(got.x[i], expected.x[i]) << i;
    EXPECT_EQ(got.stress, expected.stress);
    EXPECT_EQ(got.pairs, expected.pairs);
    EXPECT_EQ(got.gaps, expected.gaps);
    EXPECT_EQ(got.cycle, 77);
    std::array<parallel::ExactSum, 1> work{got.work};
    parallel::ExactSum::reduce(comm, work);
    EXPECT_EQ(work[0].value(), 1.25 * (1 + 2 + 3));
    MPI_Comm_free(&some);
  }
}

TEST_P(Dumped, EveryByteIsChecked) {
  EXPECT_EQ(error_of_verify(), "none");
  const std::string file = stream();
  const auto bytes = static_cast<std::int64_t>(fs::file_size(file));
  for (std::int64_t at = 0; at < bytes; at += 97) {
    flip(file, at);
    EXPECT_TRUE(error_of_verify().starts_with("CR-T006 the dump is damaged: "))
        << at << " " << error_of_verify();
    flip(file, at);
  }
  flip(file, 3);
  EXPECT_NE(error_of_verify().find(file), std::string::npos) << error_of_verify();
}

TEST_P(Dumped, AMissingOrShortFileIsNamed) {
  const std::string file = stream();
  const auto bytes = fs::file_size(file);
  world.barrier();
  if (world.root()) fs::resize_file(file, bytes - 1);
  world.barrier();
  EXPECT_EQ(error_of_verify(),
            fmt::format("CR-T005 the dump is not whole: {} has {} bytes, not {}", file, bytes - 1, bytes));
  world.barrier();
  if (world.root()) fs::remove(file);
  world.barrier();
  EXPECT_EQ(error_of_verify(),
            fmt::format("CR-T005 the dump is not whole: {}: No such file or directory", file));
}

TEST_P(Dumped, AnIndexIsCheckedWhole) {
  const auto bytes = static_cast<std::int64_t>(fs::file_size(path));
  const auto id = [&] {
    try {
      read_index(path);
    } catch (const Error& error) {
      return error.id();
    }
    return std::string("none");
  };
  EXPECT_EQ(id(), "none");
  world.barrier();
  for (std::int64_t at = 0; at < bytes; at += 5) {
    flip(path, at);
    EXPECT_EQ(id(), at < 13 ? "CR-T002" : at < 17 ? "CR-T003" : "CR-T004") << at;
    world.barrier();
    flip(path, at);
  }
  if (world.root()) fs::resize_file(path, static_cast<std::uintmax_t>(bytes / 2));
  world.barrier();
  EXPECT_EQ(id(), "CR-T004");
}

TEST_P(Dumped, OneThatCannotBeWrittenLeavesTheLast) {
  const std::string before = stream();
  if (world.root())
    fs::create_directory(path + (GetParam() == Layout::files ? ".c13.r1.new" : ".c13.all.new"));
  world.barrier();
  write(13);
  if (world.root()) {
    EXPECT_NE(written.failure.find("c13"), std::string::npos) << written.failure;
  }
  EXPECT_EQ(read_index(path).moment.cycle, 12);
  EXPECT_EQ(error_of_verify(), "none");
}

TEST_P(Dumped, ANewOneReplacesTheStreamsOfTheLast) {
  write(13);
  EXPECT_EQ(read_index(path).moment.cycle, 13);
  EXPECT_EQ(error_of_verify(), "none");
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder))
    files += entry.path().string().find(".c12.") != std::string::npos;
  EXPECT_EQ(files, 0u);
  const std::vector<Found> found = dumps_in(folder, "");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, path);
}

TEST_P(Dumped, ACopyIsWrittenAsTheMomentWas) {
  const auto bytes_of = [](const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string before = bytes_of(stream());
  Part part(world.rank(), world.size());
  part.fill();
  const Say say = [&](state::Archive& to) { part.archive(to); };
  StateCopy copy;
  part.cycle = 78;
  copy.take(say);  // is replaced
  part.cycle = 77;
  copy.take(say);
  EXPECT_EQ(copy.stream().bytes, StateCopy::size_of(say));
  part.x.assign(part.x.size(), {});
  Index index;
  index.moment = {0.25, 12, false};
  world.barrier();
  written = write_dump(world, path, GetParam(), copy, index);
  world.barrier();
  EXPECT_EQ(written.failure, "");
  EXPECT_EQ(error_of_verify(), "none");
  EXPECT_EQ(bytes_of(stream()), before);
}

TEST_P(Dumped, AFieldThatNobodyReadsIsRefused) {
  Part part(world.rank(), world.size());
  try {
    restore(world, path, read_index(path), [&](state::Archive& from) {
      const auto here = from.module("toy");
      from.field("x", Rows::nodes(part.nodes, part.owners, part.rank), std::span(part.x));
    });
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-A002");
  }
  try {
    restore(world, path, read_index(path), [&](state::Archive& from) {
      const auto here = from.module("toy");
      from.global("unknown", part.cycle);
    });
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-A001");
  }
}

TEST(DumpNames, AreKnown) {
  for (const char* name : {"d3dump01", "d3dump123", "runrsf", "runrsf02", "d3dump01.c500.r0",
                           "runrsf.x20.all", "d3dump01.c500.r12.new"})
    EXPECT_TRUE(is_dump_file(name)) << name;
  for (const char* name : {"d3plot01", "d3dump01.k", "runrsf.txt", "d3dump01.c500", "my_d3dump01"})
    EXPECT_FALSE(is_dump_file(name)) << name;
}

}  // namespace
}  // namespace crumple::restart
