// Plot states that 1 to 4 ranks write together, against those that one writes alone.
#include "output/d3plot/shared_states.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.hpp"
#include "parallel/agreed_error.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"
#include "unit/output/sample_ranks.hpp"

namespace crumple::output {
namespace {

using Names = std::vector<std::string>;
using sample::large_catalogue;
using sample::Ranks;
using sample::Share;
using sample::SharedFolder;

/// All ranks of a communicator as they write one family.
class Together {
 public:
  Together(const parallel::Communicator& comm, const Catalogue& c, const std::string& folder,
           const D3plotOptions& options, const std::optional<D3plotPosition>& from = {})
      : comm_(comm),
        catalogue_(c),
        options_(options),
        share_(c, comm.rank(), comm.size()),
        states_(comm, share_.rows(), options) {
    if (comm.root() && from) writer_.emplace(c, folder, options, *from);
    if (comm.root() && !from) writer_.emplace(c, folder, options);
  }
  void write(int first, int last) {
    for (int step = first; step < last; ++step) write(sample_state(step));
  }
  void write(const PlotState& s) {
    PlotState globals;
    globals.time = s.time, globals.kinetic = s.kinetic, globals.internal = s.internal,
    globals.total = s.total;
    globals.velocity = s.velocity, globals.parts = s.parts, globals.wall_force = s.wall_force;
    const auto x = share_.nodes(s.x), v = share_.nodes(s.v), a = share_.nodes(s.a);
    const auto added = share_.nodes(s.added_mass);
    states_.write(writer_ ? &*writer_ : nullptr, globals, {x, v, a, added},
                  [&](ElementKind kind, Range of_rank, PlotState& part) {
                    part = share_.elements(kind, of_rank, s, catalogue_);
                  });
  }
  PlotState sample_state(int step) const {
    PlotState s = sample::plot_state(catalogue_, options_.layout, step);
    if (options_.layout.added_mass) s.added_mass = sample::numbers(catalogue_.node_id.size(), 17 + step);
    return s;
  }
  SharedStates& states() { return states_; }
  D3plotPosition position() const { return writer_ ? writer_->position() : D3plotPosition{}; }

 private:
  parallel::Communicator comm_;
  const Catalogue& catalogue_;
  D3plotOptions options_;
  Share share_;
  std::optional<D3plotWriter> writer_;
  SharedStates states_;
};

/// Layouts of every kind, each with an option that the others lack.
std::vector<std::pair<const char*, D3plotOptions>> layouts() {
  D3plotOptions plain;
  plain.piece = 7;
  std::vector<std::pair<const char*, D3plotOptions>> all{{"plain", plain}};
  const auto add = [&](const char* name, auto&& change) {
    D3plotOptions options = plain;
    change(options);
    all.emplace_back(name, options);
  };
  add("one piece", [](auto& o) { o.piece = 16384; });
  add("double words", [](auto& o) { o.double_precision = true; });
  add("one state a file", [](auto& o) { o.one_state_per_file = true; });
  add("two states a file", [](auto& o) { o.file_bytes = 25000; });
  add("no rigid shells", [](auto& o) { o.drop_rigid_shells = true; });
  add("no velocities", [](auto& o) { o.node_motion = false; });
  add("no rigid shells, double", [](auto& o) { o.drop_rigid_shells = o.double_precision = true; });
  add("strains", [](auto& o) { o.layout.strains = true; });
  add("added mass", [](auto& o) { o.layout.added_mass = true; });
  add("histories", [](auto& o) { o.layout.shell_history = 4, o.layout.solid_history = 3; });
  add("layers and points",
      [](auto& o) { o.layout.shell_layers = 5, o.layout.solid_points = 8, o.layout.beam_points = 4; });
  add("nothing of shells",
      [](auto& o) { o.sigflg = o.epsflg = 3, o.shell_resultants = o.shell_energies = false; });
  add("no stresses of shells", [](auto& o) { o.sigflg = 2, o.epsflg = 2; });
  add("with a prefix", [](auto& o) { o.prefix = "crash."; });
  return all;
}

TEST(SharedStates, GiveTheBytesOfOneWriter) {
  const Catalogue c = large_catalogue();
  for (int n = 1; n <= 4; ++n) {
    const Ranks ranks(n);
    if (!ranks.here()) continue;
    const parallel::Communicator comm = ranks.communicator();
    for (const auto& [name, options] : layouts()) {
      const SharedFolder folder(comm);
      Together together(comm, c, folder.path(), options);
      together.write(0, 5);
      EXPECT_EQ(std::ssize(together.states().writers()), n);
      together.states().close();
      if (!comm.root()) continue;
      const sample::Folder alone;
      D3plotWriter one(c, alone.path(), options);
      for (int step = 0; step < 5; ++step) one.write(together.sample_state(step));
      EXPECT_EQ(sample::differences(sample::read_all(alone.path()), sample::read_all(folder.path())), Names{})
          << name << ", ranks: " << n;
      EXPECT_GE(sample::read_all(alone.path()).size(), 2u);
    }
  }
}

TEST(SharedStates, GiveTheBytesOfOneWriterWithoutSomeKinds) {
  const Catalogue full = large_catalogue();
  const Ranks ranks(4);
  const parallel::Communicator comm = ranks.communicator();
  for (int without = 1; without < 8; ++without) {
    Catalogue c = full;
    if (without & 1) c.solids = {};
    if (without & 2) c.beams = {};
    if (without & 4) c.shells = {};
    const SharedFolder folder(comm);
    D3plotOptions options;
    options.piece = 10;
    std::optional<D3plotWriter> writer;
    if (comm.root()) writer.emplace(c, folder.path(), options);
    const Share share(c, comm.rank(), comm.size());
    SharedStates states(comm, share.rows(), options);
    PlotState globals, zero;
    zero.x = c.node_x, zero.parts.resize(c.parts.size()), zero.wall_force.resize(c.walls.size());
    globals.parts = zero.parts, globals.wall_force = zero.wall_force;
    const auto x = share.nodes(c.node_x);
    const std::vector<Vec3> still(x.size());
    states.write(writer ? &*writer : nullptr, globals, {x, still, still, {}},
                 [](ElementKind, Range, PlotState&) {});
    if (!comm.root()) continue;
    const sample::Folder alone;
    D3plotWriter(c, alone.path(), options).write(zero);
    EXPECT_EQ(sample::differences(sample::read_all(alone.path()), sample::read_all(folder.path())), Names{});
  }
}

TEST(SharedStates, GoOnAfterAnEarlierPart) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  D3plotOptions options;
  options.piece = 7;
  for (const bool one_each : {false, true})
    for (int kept = 0; kept < 4; ++kept) {
      options.one_state_per_file = one_each;
      const SharedFolder folder(comm), once(comm);
      D3plotPosition position;
      {
        Together first(comm, c, folder.path(), options);
        first.write(0, kept);
        position = first.position();
        first.write(kept, 4);
      }
      Together second(comm, c, folder.path(), options, position);
      second.write(kept, 6);
      Together whole(comm, c, once.path(), options);
      whole.write(0, 6);
      if (comm.root()) {
        EXPECT_EQ(sample::differences(sample::read_all(once.path()), sample::read_all(folder.path())),
                  Names{});
      }
    }
}

TEST(SharedStates, ADiskThatIsFullOnOneRankIsAnErrorOfAll) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  D3plotOptions options;
  options.piece = 7;
  for (int full = 0; full < comm.size(); ++full) {
    const SharedFolder folder(comm);
    Together together(comm, c, folder.path(), options);
    together.write(0, 1);
    const std::string path = folder.path() + "/d3plot01", before = sample::read_text(path);
    comm.barrier();
    {
      std::optional<sample::FullDisk> disk;
      if (comm.rank() == full) disk.emplace(before.size() * 3 / 2);
      try {
        together.write(1, 2);
        ADD_FAILURE() << "no error";
      } catch (const parallel::AgreedError& error) {
        EXPECT_EQ(error.id(), "CR-O102");
        EXPECT_EQ(error.status(), Exit::system);
        EXPECT_EQ(error.message(), "cannot write " + path + ": File too large");
      }
    }
    comm.barrier();
    EXPECT_EQ(sample::read_text(path), before);
    comm.barrier();
    together.write(1, 2);  // room again: goes on where it was
    comm.barrier();
    EXPECT_EQ(sample::read_text(path).size(), 2 * before.size() - 4);
  }
}

TEST(SharedStates, TheLastWordIsLeftToRank0) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  D3plotOptions options;
  options.piece = 7;  // so that rank 2 has the last flags, those of beams
  const SharedFolder folder(comm);
  Together together(comm, c, folder.path(), options);
  together.write(0, 1);
  const std::size_t first = sample::read_text(folder.path() + "/d3plot01").size(), next = 2 * first - 4;
  comm.barrier();
  std::optional<sample::FullDisk> disk;
  if (!comm.root()) disk.emplace(next - 8);
  EXPECT_NO_THROW(together.write(1, 2));
}

TEST(SharedStates, AFolderThatRank0CannotWrite) {
  const Catalogue c = sample::catalogue();
  const Ranks ranks(2);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  const SharedFolder folder(comm);
  Together together(comm, c, folder.path(), {});
  if (comm.root()) std::filesystem::remove_all(folder.path());
  comm.barrier();
  EXPECT_THROW(together.write(0, 1), parallel::AgreedError);
}

TEST(SharedStates, RanksThatDoNotSeeTheFileDoNotWrite) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  const auto home = std::filesystem::current_path();
  const SharedFolder folder(comm);
  const sample::Folder elsewhere;
  // Rank 1 has no file of that name, rank 2 another one.
  std::filesystem::current_path(comm.root() ? folder.path() : elsewhere.path());
  if (comm.rank() == 2) std::ofstream("d3plot01") << "older results";
  D3plotOptions options;
  options.piece = 7;
  Together together(comm, c, ".", options);
  together.write(0, 2);
  EXPECT_EQ(std::vector<int>(together.states().writers().begin(), together.states().writers().end()),
            std::vector<int>{0});
  if (comm.rank() == 2) {
    EXPECT_EQ(sample::read_text("d3plot01"), "older results");
  }
  std::filesystem::current_path(home);
  if (!comm.root()) return;
  const sample::Folder alone;
  D3plotWriter one(c, alone.path(), options);
  for (int step = 0; step < 2; ++step) one.write(together.sample_state(step));
  EXPECT_EQ(sample::differences(sample::read_all(alone.path()), sample::read_all(folder.path())), Names{});
}

TEST(SharedStates, WhoMayWriteAFile) {
  FileView root;
  root.machine = 1, root.file_system = 5, root.number = 7, root.size = 4, root.opened = true;
  FileView other = root;
  EXPECT_TRUE(other.same(root));
  other.machine = 2;
  EXPECT_TRUE(other.same(root));
  other.size = 0;  // it does not know the last bytes yet
  EXPECT_TRUE(other.same(root));
  other.size = 100;  // a file of its own
  EXPECT_FALSE(other.same(root));
  other = root, other.machine = 2, other.by_nfs = true;
  EXPECT_FALSE(other.same(root));
  other.machine = 1;
  EXPECT_TRUE(other.same(root));
  other = root, other.file_system = 6;
  EXPECT_FALSE(other.same(root));
  other = root, other.number = 8;
  EXPECT_FALSE(other.same(root));
  other = root, other.opened = false;
  EXPECT_FALSE(other.same(root));
}

}  // namespace
}  // namespace crumple::output
