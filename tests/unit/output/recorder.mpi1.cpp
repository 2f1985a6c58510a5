// The recorder on results that no solver computed: what any solver, or none, may give it.
#include "output/recorder.hpp"

#include <gtest/gtest.h>

#include "state/archive_store.hpp"
#include "unit/output/folder.hpp"

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

  mutable int asked = 0;  ///< for energies

 private:
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

}  // namespace
}  // namespace crumple::output
