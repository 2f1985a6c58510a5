// Text histories and d3hsp: columns, numbers that do not fit them, a full disk.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "output/ascii/d3hsp.hpp"
#include "output/ascii/histories.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::Folder;
using sample::FullDisk;
using sample::read_text;

TEST(AsciiHistories, NumbersKeepTheirColumns) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  AsciiHistories writer(c, folder.path());
  std::vector<NodoutRow> rows(2);
  rows[0].displacement = {-1.25e-200, 1e-101, -3.5e-7};
  rows[0].x = {-1.0 / 3.0, 1e10, 0};
  writer.nodout(0.5, 7, rows);
  const std::string text = read_text(folder.path() + "/nodout");
  const std::string zero = "  0.0000E+00";
  EXPECT_NE(text.find("\n      965 " + zero + zero + " -3.5000E-07" + zero), std::string::npos) << text;
  EXPECT_NE(text.find(" -3.3333E-01  1.0000E+10" + zero + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("s t e p       7                              ( at time 5.0000000E-01 )"),
            std::string::npos);
}

TEST(AsciiHistories, StepUnderALoadCurve) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  AsciiHistories writer(c, folder.path(), "crash.");
  GlobalRow row = sample::global_row(c, 0);
  row.controlling = ElementKind::none;
  row.added_mass = 0;
  writer.glstat(row);
  const std::string text = read_text(folder.path() + "/crash.glstat");
  EXPECT_NE(text.find(" dt of cycle       1 is controlled by load curve\n"), std::string::npos);
  EXPECT_EQ(text.find("added mass"), std::string::npos);
}

TEST(AsciiHistories, FullDiskLeavesWholeBlocks) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  AsciiHistories writer(c, folder.path());
  writer.glstat(sample::global_row(c, 0));
  const std::string before = read_text(folder.path() + "/glstat");
  const FullDisk disk(before.size() + 100);
  EXPECT_THROW(writer.glstat(sample::global_row(c, 1)), Error);
  EXPECT_EQ(read_text(folder.path() + "/glstat"), before);
}

TEST(D3hsp, Echo) {
  const Folder folder;
  const Catalogue c = sample::catalogue();
  D3hsp d3hsp(c, folder.path());
  d3hsp.section("control", "end time 0.01");
  d3hsp.parts(c);
  d3hsp.cycle(1, 0.0, 1.65463e-3, "flush i/o buffers");
  d3hsp.end(true, "elapsed 12 s");
  const std::string text = read_text(folder.path() + "/d3hsp");
  EXPECT_NE(text.find("\n c o n t r o l\n\nend time 0.01\n"), std::string::npos);
  EXPECT_NE(text.find("\n          7    shell        24            4  sheet\n"), std::string::npos) << text;
  EXPECT_NE(text.find("       1 t 0.0000E+00 dt 1.65E-03 flush i/o buffers\n"), std::string::npos);
  EXPECT_NE(text.find("\n N o r m a l    t e r m i n a t i o n\n"), std::string::npos);
}

}  // namespace crumple::output
