// States of results.vtkhdf that 1 to 4 ranks write together, against those that one writes alone.
#include "output/vtkhdf/shared_steps.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "output/d3plot/state_layout.hpp"
#include "parallel/agreed_error.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/hdf5_contents.hpp"
#include "unit/output/sample_model.hpp"
#include "unit/output/sample_ranks.hpp"

namespace crumple::output {
namespace {

using sample::large_catalogue;
using sample::Ranks;
using sample::Share;
using sample::SharedFolder;

constexpr const char* kName = "/results.vtkhdf";

/// All ranks of a communicator as they write one file.
class Together {
 public:
  Together(const parallel::Communicator& comm, const Catalogue& c, const std::string& folder,
           const VtkhdfOptions& options, const std::optional<VtkhdfPosition>& from = {})
      : catalogue_(c),
        options_(options),
        share_(c, comm.rank(), comm.size()),
        x0_(share_.nodes(c.node_x)),
        steps_(comm, share_.rows(), options) {
    if (comm.root() && from) {
      writer_.emplace(c, folder, options, *from);
      writer_->publish();
    } else if (comm.root()) {
      writer_.emplace(c, folder, options);
    }
  }
  void write(int first, int last) {
    for (int step = first; step < last; ++step) {
      const PlotState s = sample::plot_state(catalogue_, options_.layout, step);
      const auto x = share_.nodes(s.x), v = share_.nodes(s.v);
      for (const ElementKind kind : kPlotKinds)
        for (const Range piece : pieces_of(share_.rows().elements(kind).order.size(), 4))
          steps_.keep(kind, piece, share_.elements(kind, piece, s, catalogue_));
      steps_.write(writer_ ? &*writer_ : nullptr, s.time, {x, v, {}, {}, x0_});
    }
  }
  void close() {
    steps_.close();
    if (writer_) writer_->close();
  }
  SharedSteps& steps() { return steps_; }

 private:
  const Catalogue& catalogue_;
  VtkhdfOptions options_;
  Share share_;
  std::vector<Vec3> x0_;
  std::optional<VtkhdfWriter> writer_;
  SharedSteps steps_;
};

/// The bytes that one writer gives.
std::string alone(const Catalogue& c, const VtkhdfOptions& options, int states) {
  const sample::Folder folder;
  VtkhdfWriter one(c, folder.path(), options);
  for (int step = 0; step < states; ++step) one.write(sample::plot_state(c, options.layout, step));
  one.close();
  return sample::read_text(folder.path() + "/" + options.prefix + "results.vtkhdf");
}

std::vector<std::pair<const char*, VtkhdfOptions>> variants() {
  VtkhdfOptions plain;
  plain.piece = 7;
  std::vector<std::pair<const char*, VtkhdfOptions>> all{{"plain", plain}};
  const auto add = [&](const char* name, auto&& change) {
    VtkhdfOptions options = plain;
    change(options);
    all.emplace_back(name, options);
  };
  add("one piece", [](auto& o) { o.piece = 16384; });
  add("pieces of one row", [](auto& o) { o.piece = 1; });
  add("double", [](auto& o) { o.double_precision = true; });
  add("compressed", [](auto& o) { o.compression = 1; });
  add("compressed, double", [](auto& o) { o.compression = 9, o.double_precision = true; });
  add("compressed, larger pieces", [](auto& o) { o.compression = 6, o.piece = 50; });
  add("layers and points",
      [](auto& o) { o.layout.shell_layers = 5, o.layout.solid_points = 8, o.layout.beam_points = 4; });
  return all;
}

TEST(SharedSteps, GiveTheBytesOfOneWriter) {
  const Catalogue c = large_catalogue();
  for (int n = 1; n <= 4; ++n) {
    const Ranks ranks(n);
    if (!ranks.here()) continue;
    const parallel::Communicator comm = ranks.communicator();
    for (const auto& [name, options] : variants()) {
      const SharedFolder folder(comm);
      Together together(comm, c, folder.path(), options);
      together.write(0, 5);
      EXPECT_EQ(std::ssize(together.steps().writers()), n);
      together.close();
      if (!comm.root()) continue;
      EXPECT_TRUE(sample::read_text(folder.path() + kName) == alone(c, options, 5))
          << name << ", ranks: " << n;
    }
  }
}

TEST(SharedSteps, GiveTheBytesOfOneWriterWithoutSomeKinds) {
  const Ranks ranks(4);
  const parallel::Communicator comm = ranks.communicator();
  for (int without = 1; without < 8; ++without) {
    Catalogue c = large_catalogue();
    if (without & 1) c.solids = {};
    if (without & 2) c.beams = {};
    if (without & 4) c.shells = {};
    if (without == 7) c.node_id.clear(), c.node_x.clear();
    for (const int compression : {0, 4}) {
      VtkhdfOptions options;
      options.piece = 10, options.compression = compression;
      const SharedFolder folder(comm);
      std::optional<VtkhdfWriter> writer;
      if (comm.root()) writer.emplace(c, folder.path(), options);
      const Share share(c, comm.rank(), comm.size());
      SharedSteps steps(comm, share.rows(), options);
      PlotState zero;
      zero.x = c.node_x, zero.parts.resize(c.parts.size()), zero.wall_force.resize(c.walls.size());
      const auto x = share.nodes(c.node_x);
      const std::vector<Vec3> still(x.size());
      for (const ElementKind kind : kPlotKinds)
        steps.keep(kind, {0, share.rows().elements(kind).order.size()}, {});
      steps.write(writer ? &*writer : nullptr, 0.0, {x, still, {}, {}, x});
      if (!comm.root()) continue;
      const sample::Folder other;
      VtkhdfWriter one(c, other.path(), options);
      one.write(zero);
      EXPECT_TRUE(sample::read_text(folder.path() + kName) == sample::read_text(other.path() + kName))
          << without;
    }
  }
}

TEST(SharedSteps, CompressedOrNotTheNumbersAreTheSame) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  std::vector<std::map<std::string, std::string>> contents;
  for (const int compression : {0, 1, 9}) {
    const SharedFolder folder(comm);
    VtkhdfOptions options;
    options.piece = 50, options.compression = compression;
    Together together(comm, c, folder.path(), options);
    together.write(0, 3);
    together.close();
    if (comm.root()) contents.push_back(sample::hdf5_contents(folder.path() + kName));
  }
  for (std::size_t k = 1; k < contents.size(); ++k) EXPECT_TRUE(contents[k] == contents[0]) << k;
}

TEST(SharedSteps, GoOnAfterAnEarlierPartOfOtherRanks) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3), fewer(2);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  for (const int compression : {0, 3})
    for (int kept = 0; kept < 5; ++kept) {
      VtkhdfOptions options;
      options.piece = 7, options.compression = compression;
      const SharedFolder folder(comm);
      if (fewer.here()) {
        const parallel::Communicator two = fewer.communicator();
        Together first(two, c, folder.path(), options);
        first.write(0, 4);
        if (kept % 2 == 0) first.close();  // else it was killed
      }
      comm.barrier();
      options.compression = 0;  // that of the earlier part stays
      Together second(comm, c, folder.path(), options, VtkhdfPosition{kept < 4 ? kept : 4});
      second.write(kept, 6);
      second.close();
      options.compression = compression;
      if (comm.root()) {
        EXPECT_TRUE(sample::read_text(folder.path() + kName) == alone(c, options, 6)) << kept;
      }
    }
}

TEST(SharedSteps, ADiskThatIsFullOnOneRankIsAnErrorOfAll) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  for (const int compression : {0, 1})
    for (int full = 0; full < comm.size(); ++full) {
      VtkhdfOptions options;
      options.piece = 7, options.compression = compression;
      const SharedFolder folder(comm);
      const std::string path = folder.path() + kName;
      {
        Together together(comm, c, folder.path(), options);
        together.write(0, 2);
        comm.barrier();
        const std::size_t before = sample::read_text(path).size();
        comm.barrier();
        std::optional<sample::FullDisk> disk;
        if (comm.rank() == full) disk.emplace(before + 100);
        try {
          together.write(2, 3);
          ADD_FAILURE() << "no error";
        } catch (const parallel::AgreedError& error) {
          EXPECT_EQ(error.id(), "CR-O120");
          EXPECT_EQ(error.status(), Exit::system);
          EXPECT_EQ(error.message(), "cannot write " + path + ": File too large");
        }
      }
      comm.barrier();
      if (comm.root()) {  // what is left has the states before, and a run can go on with it
        const std::string steps = sample::hdf5_contents(path).at("VTKHDF/Steps@NSteps");
        EXPECT_EQ(sample::read_at<std::int64_t>(steps, steps.size() - 8), 2);
        VtkhdfWriter second(c, folder.path(), options, {2});
        second.write(sample::plot_state(c, options.layout, 2));
        second.close();
        EXPECT_TRUE(sample::read_text(path) == alone(c, options, 3));
      }
    }
}

TEST(SharedSteps, RanksThatDoNotSeeTheFileDoNotWrite) {
  const Catalogue c = large_catalogue();
  const Ranks ranks(3);
  if (!ranks.here()) return;
  const parallel::Communicator comm = ranks.communicator();
  const auto home = std::filesystem::current_path();
  const SharedFolder folder(comm);
  const sample::Folder elsewhere;
  std::filesystem::current_path(comm.rank() == 1 ? elsewhere.path() : folder.path());
  VtkhdfOptions options;
  options.piece = 7, options.compression = 2;
  Together together(comm, c, ".", options);
  together.write(0, 2);
  EXPECT_EQ(std::vector<int>(together.steps().writers().begin(), together.steps().writers().end()),
            (std::vector<int>{0, 2}));
  together.close();
  std::filesystem::current_path(home);
  if (comm.root()) {
    EXPECT_TRUE(sample::read_text(folder.path() + kName) == alone(c, options, 2));
  }
}

}  // namespace
}  // namespace crumple::output
