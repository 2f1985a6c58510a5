// The recorder on results that no solver computed: what any solver, or none, may give it.
#include "output/recorder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/packing.hpp"
#include "output/ascii/histories.hpp"
#include "output/binout/binout.hpp"
#include "output/history.hpp"
#include "state/archive_store.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/hdf5_contents.hpp"

namespace crumple::output {
namespace {

model::Model one_rigid_shell() {
  model::Model m;
  m.control.title = "Results from nowhere";
  m.nodes.id = {11, 12, 13, 14};
  m.nodes.x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  m.shells.id = {5}, m.shells.order = {0}, m.shells.part = {0}, m.shells.nodes = {{0, 1, 2, 3}};
  model::Section section;
  section.kind = model::ElementKind::shell;
  section.elform = 2;
  section.thickness.fill(0.1);
  m.sections = {section};
  model::Material material;
  material.law = 1;
  material.density = 1;
  material.fields = {{"E", 1.0}, {"PR", 0.3}};
  m.materials = {material};
  m.parts = {model::Part{.id = 7, .section = 0, .material = 0, .kind = model::ElementKind::shell}};
  m.output.glstat = m.output.nodout = m.output.matsum = m.output.d3plot = 1.0;
  m.output.history_nodes = {2};
  return m;
}

/// A history of a feature that begins with cycle 4.
class Late : public History {
 public:
  std::string_view name() const override { return "abstat"; }
  void write(AsciiHistories& file, double, std::int64_t cycle) const override {
    if (cycle >= 4) file.append("abstat", {}, "", fmt::format("cycle {}\n", cycle));
  }
  void write(BinoutWriter& file, double time, std::int64_t cycle) const override {
    if (cycle < 4) return;
    file.begin("abstat");
    file.begin_state("abstat");
    file.real("time", time);
    file.publish();
  }
};

/// Everything moves along x by the number of the cycle.
class Invented : public ResultsView {
 public:
  explicit Invented(const model::Model& m) : id_(m.nodes.id), x0_(m.nodes.x), zero_(m.nodes.x.size()) {}

  void show(std::int64_t number) {
    cycle_ = {number, 1.0 * double(number), 1.0, 1.0 * double(number + 1)};
    x_ = x0_;
    for (Vec3& x : x_) x.x += double(number);
  }
  CycleTimes cycle() const override { return cycle_; }
  NodeView nodes() const override { return {id_, x0_, x_, zero_, zero_, zero_, zero_, {zero_.data(), 1}}; }
  std::span<const state::GroupView> elements() const override { return {}; }
  GlobalRow energies() const override {
    ++asked;
    GlobalRow row;
    row.cycle = cycle_.cycle, row.time = cycle_.time, row.kinetic = 0.125 * double(cycle_.cycle);
    return row;
  }
  std::vector<MatsumRow> parts() const override { return {MatsumRow{}}; }
  std::vector<History*> histories() const override { return {&late_}; }

  mutable int asked = 0;  ///< for energies

 private:
  mutable Late late_;
  std::vector<GlobalId> id_;
  std::vector<Vec3> x0_, zero_, x_;
  CycleTimes cycle_;
};

std::string file(const sample::Folder& folder, const char* name) {
  return sample::read_text(folder.path() + "/" + name);
}

TEST(Recorder, WritesTheResultsOfAnySolver) {
  const parallel::Communicator comm;
  const model::Model model = one_rigid_shell();
  const auto subdomain = decomposition::distribute(comm, &model, decomposition::Method::rcb);
  const sample::Folder folder;
  RecorderOptions options;
  options.directory = folder.path();
  options.vtkhdf = true;
  options.run = {"crumple 9.8.7 d", "b0729094cf12", "01/02/2026", 1767312000};
  Recorder recorder(comm, subdomain, make_catalogue(model, {}), options);
  Invented results(subdomain.model);
  for (const std::int64_t number : {0, 1, 2}) {
    results.show(number);
    ASSERT_TRUE(recorder.due(results.cycle().time, 1.0));
    recorder.record(results);
  }
  recorder.end(true, "");
  recorder.close();
  const std::string nodout = file(folder, "nodout"), glstat = file(folder, "glstat");
  EXPECT_NE(nodout.find("13   2.0000E+00"), std::string::npos) << nodout;  // displaced by the last cycle
  EXPECT_NE(glstat.find("2.50000E-01"), std::string::npos) << glstat;
  EXPECT_TRUE(folder.has("d3plot01"));
  EXPECT_EQ(results.asked, 6);  // glstat and d3plot of three cycles: nobody else wants energies
  const std::string program = "crumple 9.8.7 d (revision b0729094cf12)";
  for (const char* name : {"nodout", "glstat", "matsum", "d3hsp", "results.vtkhdf"})
    EXPECT_NE(file(folder, name).find(program), std::string::npos) << name;
  const std::string binout = file(folder, "binout0000");
  EXPECT_NE(binout.find("b0729094cf12"), std::string::npos);
  EXPECT_NE(binout.find("crumple 9.8.7 d"), std::string::npos);
  std::int32_t word = 0;  // 12 of the plot file's header: the first seven digits
  std::memcpy(&word, file(folder, "d3plot").data() + 12 * 4, 4);
  EXPECT_EQ(word, 0xb072909);
}

TEST(Recorder, GoesOnWithTheRowsThatAreDue) {
  const parallel::Communicator comm;
  model::Model model = one_rigid_shell();
  model.output.of_features = {{"abstat", 2.0, 0}};
  const auto subdomain = decomposition::distribute(comm, &model, decomposition::Method::rcb);
  const sample::Folder before, after;
  RecorderOptions options;
  options.directory = before.path();
  Recorder recorder(comm, subdomain, make_catalogue(model, {}), options);
  options.directory = after.path();
  Recorder other(comm, subdomain, make_catalogue(model, {}), options);
  Invented results(subdomain.model);
  for (const std::int64_t number : {0, 1, 2}) {
    results.show(number);
    recorder.record(results);
  }
  state::Store store;
  state::StoreWriter writer(store);
  recorder.archive(writer);
  EXPECT_TRUE(other.due(2.0, 0.5));
  state::StoreReader reader(store);
  other.archive(reader);
  EXPECT_TRUE(reader.unread().empty());
  EXPECT_FALSE(other.due(2.0, 0.5));  // all up to 2 was written
  EXPECT_TRUE(other.due(2.5, 1.0));
  results.show(2);
  other.record_plot(results);  // of a cycle that has one
  other.close();
  EXPECT_FALSE(after.has("d3plot01"));
}

/// A run with all files in a folder, and its state after some cycles.
class Recording {
 public:
  explicit Recording(const std::string& folder, std::optional<FilePositions> go_on = {}) : results_(model_) {
    RecorderOptions options;
    options.directory = folder;
    options.vtkhdf = true;
    options.run = {"crumple 9.8.7 d", "b0729094cf12", go_on ? "03/04/2027" : "01/02/2026", 1767312000};
    options.go_on = std::move(go_on);
    recorder_.emplace(comm_, subdomain_, make_catalogue(model_, {}), options);
  }
  void cycles(std::int64_t first, std::int64_t last) {
    for (std::int64_t number = first; number < last; ++number) {
      results_.show(number);
      recorder_->record(results_);
    }
  }
  void close() {
    recorder_->end(true, "");
    recorder_->close();
  }
  Recorder& recorder() { return *recorder_; }

 private:
  static model::Model with_history() {
    model::Model m = one_rigid_shell();
    m.output.of_features = {{"abstat", 1.0, 0}};
    return m;
  }
  parallel::Communicator comm_;
  model::Model model_ = with_history();
  decomposition::Subdomain subdomain_ = decomposition::distribute(comm_, &model_, decomposition::Method::rcb);
  Invented results_;
  std::optional<Recorder> recorder_;
};

/// Names of files that differ, results.vtkhdf by its contents.
std::vector<std::string> differences(const sample::Folder& a, const sample::Folder& b) {
  std::vector<std::string> names =
      sample::differences(sample::read_all(a.path()), sample::read_all(b.path()));
  std::erase(names, "results.vtkhdf");
  const auto contents = [](const auto& f) { return sample::hdf5_contents(f.path() + "/results.vtkhdf"); };
  if (contents(a) != contents(b)) names.emplace_back("contents of results.vtkhdf");
  return names;
}

TEST(Recorder, FilesOfAnInterruptedRunAreThoseOfAWholeOne) {
  for (const std::int64_t kept : {0, 3, 5}) {
    const sample::Folder once, twice;
    Recording whole(once.path());
    whole.cycles(0, 8);
    whole.close();
    state::Store store;
    std::vector<std::byte> positions;
    {
      Recording first(twice.path());
      first.cycles(0, kept);
      positions = pack(first.recorder().positions());
      state::StoreWriter writer(store);
      first.recorder().archive(writer);
      first.cycles(kept, 7);
      first.close();
    }
    Recording second(twice.path(), Unpacker(positions).take<FilePositions>());
    EXPECT_EQ(pack(second.recorder().positions()), positions);
    state::StoreReader reader(store);
    second.recorder().archive(reader);
    second.cycles(kept, 8);
    second.close();
    EXPECT_EQ(differences(once, twice), std::vector<std::string>{}) << kept;
  }
}

/// What the recorder says of a folder in which it shall go on; nothing must have been changed.
std::string refusal(const sample::Folder& folder, const FilePositions& positions, std::string& id) {
  const auto before = sample::read_all(folder.path());
  std::string message;
  try {
    Recording run(folder.path(), positions);
  } catch (const Error& error) {
    message = error.message(), id = error.id();
  }
  EXPECT_EQ(sample::differences(before, sample::read_all(folder.path())), std::vector<std::string>{});
  return message;
}

TEST(Recorder, GoesOnOnlyWithAllFiles) {
  const sample::Folder folder;
  FilePositions positions;
  {
    Recording first(folder.path());
    first.cycles(0, 5);
    positions = first.recorder().positions();
    first.cycles(5, 7);
    first.close();
  }
  const auto files = sample::read_all(folder.path());
  EXPECT_EQ(files.size(), 9u);  // d3plot, d3plot01, binout0000, results.vtkhdf, d3hsp, four histories
  std::string id;
  for (const auto& [name, bytes] : files) {
    const std::string path = folder.path() + "/" + name;
    std::filesystem::remove(path);
    const std::string without = refusal(folder, positions, id);
    EXPECT_EQ(id, "CR-O130");
    EXPECT_NE(without.find(path + " cannot be opened"), std::string::npos) << without;
    std::ofstream(path, std::ios::binary) << bytes.substr(0, 100);
    const std::string cut = refusal(folder, positions, id);
    EXPECT_EQ(id, "CR-O130");
    EXPECT_NE(cut.find(path), std::string::npos) << cut;
    EXPECT_TRUE(name == "results.vtkhdf" || cut.find(" has 100 bytes; ") != std::string::npos) << cut;
    std::ofstream(path, std::ios::binary) << bytes;
  }
  EXPECT_NO_THROW(Recording(folder.path(), positions));
}

TEST(Recorder, GoesOnOnlyWithTheSameOptions) {
  const sample::Folder folder;
  Recording first(folder.path());
  first.cycles(0, 2);
  const FilePositions positions = first.recorder().positions();
  std::string id;
  FilePositions other = positions;
  other.options.double_precision = true;
  EXPECT_EQ(
      refusal(folder, other, id),
      "the results cannot go on with other options: double precision in binary files: yes before, no now");
  EXPECT_EQ(id, "CR-O131");
  other = positions, other.options.one_state_per_file = true, id = "";
  refusal(folder, other, id);
  EXPECT_EQ(id, "CR-O131");
  other = positions, other.options.vtkhdf = false, id = "";
  refusal(folder, other, id);
  EXPECT_EQ(id, "CR-O131");
  other = positions, other.d3plot.state_words += 1, id = "";
  refusal(folder, other, id);
  EXPECT_EQ(id, "CR-O131");
}

}  // namespace
}  // namespace crumple::output
