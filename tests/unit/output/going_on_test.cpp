// Writers that are interrupted and go on at an earlier moment, against those that never were.
#include <gtest/gtest.h>

#include <tuple>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "output/ascii/d3hsp.hpp"
#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/vtkhdf/vtkhdf.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/hdf5_contents.hpp"
#include "unit/output/killed.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::differences;
using sample::Folder;
using sample::hdf5_contents;
using sample::read_all;

namespace {

using Names = std::vector<std::string>;

/// As a dump keeps it.
template <class Position>
Position through_bytes(const Position& position) {
  const std::vector<std::byte> bytes = pack(position);
  Unpacker unpacker(bytes);
  const auto read = unpacker.take<Position>();
  EXPECT_TRUE(unpacker.at_end());
  return read;
}

void append_to(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

std::string error_id(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.id();
  }
  return "";
}

void write_plot_states(auto& writer, const Catalogue& c, int first, int last) {
  for (int step = first; step < last; ++step) writer.write(sample::plot_state(c, {}, step));
}

/// Rows of three histories; rcforc begins with row 4.
void write_rows(auto& writer, const Catalogue& c, int first, int last) {
  for (int step = first; step < last; ++step) {
    writer.glstat(sample::global_row(c, step));
    writer.matsum(0.1 * step, step, sample::matsum_rows(c, step));
    if (step >= 4) writer.rcforc(0.1 * step, step, sample::rcforc_rows(c, step));
  }
}

}  // namespace

TEST(GoingOn, D3plot) {
  const Catalogue c = sample::catalogue();
  for (const auto& [one_each, wide] :
       {std::tuple(false, false), std::tuple(true, false), std::tuple(false, true)})
    for (int kept = 0; kept < 7; ++kept) {
      const Folder once, twice;
      D3plotOptions options;
      options.one_state_per_file = one_each, options.double_precision = wide;
      options.prefix = "crash.";
      options.file_bytes = wide ? 17000 : 8000;  // three states a file
      D3plotWriter whole(c, once.path(), options);
      write_plot_states(whole, c, 0, 8);
      D3plotPosition position;
      std::string last;
      {
        D3plotWriter first(c, twice.path(), options);
        write_plot_states(first, c, 0, kept);
        position = through_bytes(first.position());
        write_plot_states(first, c, kept, 7);
        last = twice.path() + "/crash." + d3plot_name(first.position().sizes.size() - 1);
      }
      append_to(last, std::string(1001, 'x'));  // a part of a state
      D3plotWriter second(c, twice.path(), options, position);
      EXPECT_EQ(second.states(), kept);
      {
        const Folder until_now;
        D3plotWriter reached(c, until_now.path(), options);
        write_plot_states(reached, c, 0, kept);
        EXPECT_EQ(differences(read_all(until_now.path()), read_all(twice.path())), Names{}) << kept;
      }
      write_plot_states(second, c, kept, 8);
      EXPECT_EQ(differences(read_all(once.path()), read_all(twice.path())), Names{}) << kept;
      EXPECT_EQ(pack(whole.position()), pack(second.position()));
    }
}

TEST(GoingOn, D3plotWithStatesOfAnotherSize) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3plotWriter first(c, folder.path(), {});
  write_plot_states(first, c, 0, 1);
  const D3plotPosition position = first.position();
  write_plot_states(first, c, 1, 2);
  const auto before = read_all(folder.path());
  D3plotOptions options;
  options.sigflg = 3;
  EXPECT_EQ(error_id([&] { D3plotWriter(c, folder.path(), options, position); }), "CR-O131");
  EXPECT_EQ(differences(before, read_all(folder.path())), Names{});
}

TEST(GoingOn, Binout) {
  const Catalogue c = sample::catalogue();
  for (int kept = 0; kept < 7; ++kept) {
    const Folder once, twice;
    BinoutWriter whole(c, once.path());
    write_rows(whole, c, 0, 8);
    BinoutPosition position;
    {
      BinoutWriter first(c, twice.path());
      write_rows(first, c, 0, kept);
      position = through_bytes(first.position());
      write_rows(first, c, kept, 6);
    }
    append_to(twice.path() + "/binout0000", "a table that nothing links");
    append_to(twice.path() + "/binout0001", "older");
    BinoutWriter second(c, twice.path(), {}, position);
    {
      const Folder until_now;
      BinoutWriter reached(c, until_now.path());
      write_rows(reached, c, 0, kept);
      EXPECT_EQ(differences(read_all(until_now.path()), read_all(twice.path())), Names{}) << kept;
    }
    write_rows(second, c, kept, 8);
    EXPECT_EQ(differences(read_all(once.path()), read_all(twice.path())), Names{}) << kept;
    EXPECT_EQ(pack(whole.position()), pack(second.position()));
  }
}

TEST(GoingOn, TextHistories) {
  const Catalogue c = sample::catalogue();
  for (int kept = 0; kept < 7; ++kept) {
    const Folder once, twice;
    AsciiHistories whole(c, once.path(), "crash.");
    write_rows(whole, c, 0, 8);
    std::map<std::string, std::int64_t> sizes;
    {
      AsciiHistories first(c, twice.path(), "crash.");
      write_rows(first, c, 0, kept);
      sizes = first.sizes();
      write_rows(first, c, kept, 6);
    }
    append_to(twice.path() + "/crash.glstat", " total energy....");
    append_to(twice.path() + "/crash.abstat", "begun later");
    AsciiHistories second(c, twice.path(), "crash.", sizes);
    {
      const Folder until_now;
      AsciiHistories reached(c, until_now.path(), "crash.");
      write_rows(reached, c, 0, kept);
      EXPECT_EQ(differences(read_all(until_now.path()), read_all(twice.path())), Names{}) << kept;
    }
    write_rows(second, c, kept, 8);
    EXPECT_EQ(differences(read_all(once.path()), read_all(twice.path())), Names{}) << kept;
    EXPECT_EQ(whole.sizes(), second.sizes());
  }
}

TEST(GoingOn, D3hsp) {
  const Folder once, twice;
  const Catalogue c = sample::catalogue();
  D3hsp whole(c, once.path());
  D3hsp first(c, twice.path());
  for (D3hsp* const d3hsp : {&whole, &first}) d3hsp->parts(c);
  const std::int64_t size = first.size();
  first.section("fall of the time step", std::string(1000, '.'));
  D3hsp second(twice.path(), "", size);
  for (D3hsp* const d3hsp : {&whole, &second}) d3hsp->end(true, "elapsed 12 s");
  EXPECT_EQ(differences(read_all(once.path()), read_all(twice.path())), Names{});
}

TEST(GoingOn, Vtkhdf) {
  const Catalogue c = sample::catalogue();
  for (const int kept : {0, 1, 3, 5, 66}) {  // past the first chunk of the times, of 64
    const Folder once, twice;
    const std::string name = "/results.vtkhdf";
    const VtkhdfOptions options{.double_precision = kept == 3};
    VtkhdfWriter whole(c, once.path(), options);
    write_plot_states(whole, c, 0, kept + 3);
    whole.close();
    VtkhdfPosition position;
    {
      VtkhdfWriter first(c, twice.path(), options);
      write_plot_states(first, c, 0, kept);
      position = through_bytes(first.position());
      write_plot_states(first, c, kept, kept + 4);
    }
    append_to(twice.path() + name + ".new", "left over");
    append_to(twice.path() + name, "a part of a state");
    VtkhdfWriter second(c, twice.path(), options, position);
    EXPECT_NE(hdf5_contents(twice.path() + name), hdf5_contents(once.path() + name));
    second.publish();
    {
      const Folder until_now;
      VtkhdfWriter reached(c, until_now.path(), options);
      write_plot_states(reached, c, 0, kept);
      EXPECT_TRUE(hdf5_contents(until_now.path() + name) == hdf5_contents(twice.path() + name)) << kept;
    }
    write_plot_states(second, c, kept, kept + 3);
    second.close();
    EXPECT_TRUE(hdf5_contents(once.path() + name) == hdf5_contents(twice.path() + name)) << kept;
    EXPECT_FALSE(twice.has("results.vtkhdf.new"));
  }
}

TEST(GoingOn, VtkhdfKilledWhileWriting) {
  const Catalogue c = sample::catalogue();
  std::int64_t most = 0;
  bool killed = true;
  for (int nth = 1; killed; nth += 3) {
    const Folder once, twice;
    // The last two states may be torn; those before stay.
    const int begun = sample::kill_at_write(nth, [&] {
      VtkhdfWriter first(c, twice.path(), {});
      write_plot_states(first, c, 0, 4);
      first.close();
    });
    if (begun < 0) GTEST_SKIP() << "no leave to trace a process here";
    killed = begun == nth;
    if (!twice.has("results.vtkhdf")) continue;
    const std::string path = twice.path() + "/results.vtkhdf";
    const std::string steps = hdf5_contents(path).at("VTKHDF/Steps@NSteps");
    const auto states = sample::read_at<std::int64_t>(steps, steps.size() - 8);
    most = std::max(most, states);
    VtkhdfWriter whole(c, once.path(), {}), second(c, twice.path(), {}, {states});
    write_plot_states(whole, c, 0, 5), write_plot_states(second, c, static_cast<int>(states), 5);
    whole.close(), second.close();
    ASSERT_TRUE(hdf5_contents(path) == hdf5_contents(once.path() + "/results.vtkhdf")) << nth;
  }
  EXPECT_EQ(most, 4);
}

TEST(GoingOn, VtkhdfKilledWhileGoingOn) {
  const Catalogue c = sample::catalogue();
  const Folder folder;
  const std::string path = folder.path() + "/results.vtkhdf";
  {
    VtkhdfWriter first(c, folder.path(), {});
    write_plot_states(first, c, 0, 4);
    first.close();
  }
  const auto whole = hdf5_contents(path);
  bool killed = true;
  for (int nth = 1; killed; nth += 3) {
    const int begun = sample::kill_at_write(nth, [&] {
      VtkhdfWriter second(c, folder.path(), {}, {2});
      write_plot_states(second, c, 2, 4);
      second.close();
    });
    if (begun < 0) GTEST_SKIP() << "no leave to trace a process here";
    killed = begun == nth;
    VtkhdfWriter third(c, folder.path(), {}, {2});
    write_plot_states(third, c, 2, 4);
    third.close();
    ASSERT_TRUE(hdf5_contents(path) == whole) << nth;
  }
}

TEST(GoingOn, VtkhdfWithTooFewStates) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  VtkhdfWriter first(c, folder.path(), {});
  write_plot_states(first, c, 0, 2);
  first.close();
  const auto before = read_all(folder.path());
  try {
    VtkhdfWriter(c, folder.path(), {}, {3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-O130");
    EXPECT_EQ(error.message(), "the results cannot go on: " + folder.path() +
                                   "/results.vtkhdf has 2 states; 3 states are expected");
  }
  EXPECT_EQ(differences(before, read_all(folder.path())), Names{});
}

TEST(GoingOn, VtkhdfWithoutRoomForTheCopy) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  {
    VtkhdfWriter first(c, folder.path(), {});
    write_plot_states(first, c, 0, 4);
  }
  const auto before = read_all(folder.path());
  const sample::FullDisk disk(before.at("results.vtkhdf").size() / 2);
  EXPECT_EQ(error_id([&] { VtkhdfWriter(c, folder.path(), {}, {3}).publish(); }), "CR-O120");
  EXPECT_EQ(differences(before, read_all(folder.path())), Names{});
}

}  // namespace crumple::output
