// Damaged decks give problems, never a crash; a real deck of 150 MB is read in seconds and in bounded memory.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "deck/coverage.hpp"
#include "deck_files.hpp"

namespace crumple::deck {
namespace {

const char* const kSeed =
    "*KEYWORD\n*TITLE\ntest\n*PARAMETER\nRA,1.5,IB,2\n*PARAMETER_EXPRESSION\nRC,&A*2+sqrt(B)\n"
    "*SECTION_SHELL_TITLE\nroof\n1,16,,&b,,,1\n&A,1.5\n0.1,0.2,0.3,0.4\n*PART\nroof\n         1         1    "
    "     1\n"
    "*MAT_003\n1,7.85e-9,2.1+5,.3,250.\n\n*SET_NODE_LIST\n         1\n         1         2         3\n"
    "*DEFINE_CURVE\n         7\n             0.0e0             1.0d0\n*CONTACT_SINGLE_ID\n         1front\n  "
    "       1         2\n"
    "*NODE\n       1             1.0             2.0             3.0       0       0\n2,1.,2.,3.\n"
    "*ELEMENT_SOLID\n       1       1\n       1       2       3       4       5       6       7       8      "
    " 0       0\n"
    "*ELEMENT_SHELL_THICKNESS\n       1       1       1       2       2       1\n             1.0            "
    " 1.0\n"
    "*DEFINE_TRANSFORMATION\n1\nSCALE,2.\nROTATE,0,0,1,0,0,0,30\n*INCLUDE_TRANSFORM\ndeck.k\n1,2,3\n\n\n1\n*"
    "END\n";

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::string apply(std::string text) {
    for (std::size_t n = 1 + pick(8); n > 0; --n) once(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t n) { return random_() % n; }

  void once(std::string& text) {
    static const std::vector<std::string> kPieces{"\n",
                                                  "*",
                                                  "&",
                                                  "$",
                                                  ",",
                                                  "\t",
                                                  "-",
                                                  "+",
                                                  "%",
                                                  "<",
                                                  "e999",
                                                  "\r",
                                                  "*END\n",
                                                  "*INCLUDE\ndeck.k\n",
                                                  "*KEYWORD LONG=S\n",
                                                  "((((",
                                                  std::string(1, 0)};
    const std::size_t at = pick(text.size() + 1);
    switch (pick(5)) {
      case 0:
        text.erase(at, pick(60));
        break;
      case 1:
        text.insert(at, kPieces[pick(kPieces.size())]);
        break;
      case 2:
        text.insert(at, text.substr(pick(text.size() + 1), pick(120)));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(pick(256));
    }
  }

  std::mt19937 random_;
};

TEST(Robustness, DamagedDecksNeverCrash) {
  const DeckFiles files;
  std::size_t problems = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    const Deck deck = read_deck(files.write("deck.k", Damage(seed).apply(kSeed)), {}, small_schema());
    for (const Keyword& keyword : deck.family(""))
      for (const Record& record : keyword.records()) {
        record.title();
        for (const std::string& field : record.numeric_fields()) record.real(field);
      }
    report_unused(deck);
    EXPECT_FALSE(to_text(coverage_table(deck)).empty());
    problems += deck.problems().size();
  }
  EXPECT_GT(problems, 600u);
}

TEST(Robustness, CamryIsReadInSecondsAndBoundedMemory) {
  namespace fs = std::filesystem;
  const fs::path archive = fs::path(CRUMPLE_SOURCE_DIR) / "../shared/decks/camry2012.tar.xz";
  if (!fs::exists(archive)) GTEST_SKIP() << "the Camry deck is not here";
  const DeckFiles files;
  const std::string unpack = "tar xJf '" + archive.string() + "' -C '" + files.root().string() + "'";
  if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "tar cannot unpack the Camry deck";
  const std::clock_t start = std::clock();  // of the processor: the machine may do other things
  const Deck deck = read_deck((files.root() / "camry/main_frontal_bt.k").string());
  [[maybe_unused]] const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
#ifdef __OPTIMIZE__  // sanitizers and counters without optimisation have no limit
  EXPECT_LT(seconds, 15.0);
#endif
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 4l * 1024 * 1024) << "kilobytes";
  EXPECT_EQ(deck.bulk("NODE").size(), 984252u);
  EXPECT_EQ(deck.bulk("ELEMENT_SHELL").size(), 953680u);
  EXPECT_EQ(deck.all("PART").size(), 351u);
  EXPECT_EQ(deck.all("SECTION_SHELL").size(), 208u);
  for (const Problem& problem : deck.problems()) EXPECT_NE(problem.id, "CR-D110") << to_text(problem);
}

}  // namespace
}  // namespace crumple::deck
