// Decks and schemas for tests: a folder of temporary files, and a schema of a few keywords.
#pragma once

#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "deck/deck.hpp"
#include "deck/diagnostics.hpp"
#include "deck/schema.hpp"

namespace crumple::deck {

/// A folder of files that goes when the object does.
class DeckFiles {
 public:
  DeckFiles() {
    static std::atomic<int> count = 0;
    root_ = std::filesystem::temp_directory_path() /
            ("crumple-deck-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(root_);
  }
  ~DeckFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = root_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }
  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
};

/// Keywords with every feature of the schema format.
inline const std::string& small_schema_text() {
  static const std::string text = R"json({
  "@left_out": [ {"of": ["MAT"], "effect": "parts are missing"}, {"of": ["MAT_ADD"], "effect": "it is whole"} ],
  "CONTROL_TERMINATION": { "summary": "end", "support": "yes",
    "cards": [ { "name": "1", "fields": [["ENDTIM","F",0], ["ENDCYC","I",0], ["DTMIN","F",0]] } ] },
  "CONTROL_SHELL": { "support": "yes",
    "cards": [ { "name": "1", "fields": [["WRPANG","F",20.0], ["ESORT","I",0]] },
               { "name": "2", "optional": true, "fields": [["ROTASCL","F",1.0], ["INTGRD","I",0]] },
               { "name": "3", "optional": true, "fields": [["PSTUPD","I",0]] } ] },
  "SECTION_SHELL": { "support": "yes", "suffixes": ["TITLE"], "repeat": true,
    "formulations": { "read": [2, 16], "of": 49 },
    "cards": [ { "name": "1", "fields": [["SECID","I"], ["ELFORM","I",2], ["SHRF","F",1.0], ["NIP","I",2],
                 ["PROPT","F",0,10,{"s":"ignored","why":"printout"}], ["QR/IRID","I",0], ["ICOMP","I",0],
                 ["SETYP","I",1,10,{"s":"refused","ok":[1,7],"why":"only solid sections"}]] },
               { "name": "2", "fields": [["T1","F"], ["T2","F"], ["T3","F"], ["T4","F"], ["NLOC","F",0],
                 ["MAREA","F",0], ["-","A"], ["EDGSET","I",0]] },
               { "name": "3", "when": "ICOMP==1", "count": "ceil(NIP/4)",
                 "fields": [["B1","F"], ["B2","F"], ["B3","F"], ["B4","F"]] } ] },
  "MAT_PLASTIC_KINEMATIC": { "support": "partial", "aliases": ["MAT_003"], "suffixes": ["TITLE"],
    "cards": [ { "name": "1", "fields": [["MID","I"], ["RO","F"], ["E","F"], ["PR","F"], ["SIGY","F"], ["ETAN","F"],
                 ["BETA","F",0]] },
               { "name": "2", "fields": [["SRC","F",0], ["SRP","F",0], ["FS","F",1e20], ["VP","F",0]] } ] },
  "MAT_MOONEY-RIVLIN_RUBBER": { "support": "refused", "why": "no rubber", "aliases": ["MAT_027"] },
  "MAT_ARRUDA": { "support": "yes", "aliases": ["MAT_127"], "suffixes": ["TITLE", "LOG_INTERPOLATION"],
    "cards": [ { "name": "1", "fields": [["MID","I"], ["RO","F"]] } ] },
  "PART": { "support": "yes", "suffixes": ["CONTACT"], "repeat": true,
    "cards": [ { "name": "0", "fields": [["HEADING","A",null,80]] },
               { "name": "1", "fields": [["PID","I"], ["SECID","I"], ["MID","I"]] },
               { "name": "2", "when": "has(CONTACT)", "fields": [["FS","F"], ["FD","F"]] } ] },
  "SET_NODE_LIST": { "support": "yes", "aliases": ["SET_NODE"], "suffixes": ["TITLE"],
    "cards": [ { "name": "1", "fields": [["SID","I"]] },
               { "name": "list", "repeat": "rest", "fields": [["N1","I"], ["N2","I"], ["N3","I"], ["N4","I"],
                 ["N5","I"], ["N6","I"], ["N7","I"], ["N8","I"]] } ] },
  "SET_NODE_GENERAL": { "support": "yes",
    "cards": [ { "name": "1", "fields": [["SID","I"]] },
               { "name": "list", "repeat": "rest", "fields": [["OPTION","A"], ["E1","A"], ["E2","A"]] } ] },
  "DEFINE_CURVE": { "support": "yes", "suffixes": ["TITLE"],
    "cards": [ { "name": "1", "fields": [["LCID","I"], ["SIDR","I",0], ["SFA","F",1.0]] },
               { "name": "list", "repeat": "rest", "fields": [["A","F",null,20], ["O","F",null,20]] } ] },
  "CONTACT_SINGLE": { "support": "yes", "suffixes": ["ID", "TITLE", "MPP"],
    "cards": [ { "name": "mpp", "when": "has(MPP)", "fields": [["BCKT","I"]] },
               { "name": "1", "fields": [["SSID","I"], ["MSID","I"]] } ] },
  "CONTACT_LIKE": { "like": "CONTACT_SINGLE" },
  "DATABASE_GLSTAT": { "support": "ignored", "why": "no output" },
  "LOAD_RIGID_BODY": { "support": "refused", "why": "not there" },
  "NODE": { "support": "yes", "bulk": true,
    "cards": [ { "name": "1", "fields": [["NID","I",null,8], ["X","F",0,16], ["Y","F",0,16], ["Z","F",0,16],
                 ["TC","I",0,8], ["RC","I",0,8]] } ] },
  "ELEMENT_SHELL": { "support": "yes", "bulk": true, "suffixes": ["THICKNESS"],
    "cards": [ { "name": "1", "fields": [["EID","I",null,8], ["PID","I",null,8], ["N1","I",null,8], ["N2","I",null,8],
                 ["N3","I",null,8], ["N4","I",null,8], ["N5","I",0,8,{"s":"refused","why":"8 nodes"}]] },
               { "name": "2", "when": "has(THICKNESS)",
                 "fields": [["THIC1","F",0,16], ["THIC2","F",0,16], ["THIC3","F",0,16], ["THIC4","F",0,16]] } ] },
  "ELEMENT_SOLID": { "support": "yes", "bulk": true,
    "cards": [ { "name": "1", "fields": [["EID","I",null,8], ["PID","I",null,8], ["N1","I",null,8], ["N2","I",null,8],
                 ["N3","I",null,8], ["N4","I",null,8], ["N5","I",null,8], ["N6","I",null,8], ["N7","I",null,8],
                 ["N8","I",null,8]] },
               { "name": "2", "when": "!given(N1)", "fields": [["N1","I",null,8], ["N2","I",null,8],
                 ["N3","I",null,8], ["N4","I",null,8], ["N5","I",null,8], ["N6","I",null,8], ["N7","I",null,8],
                 ["N8","I",null,8], ["N9","I",null,8], ["N10","I",null,8]] } ] }
})json";
  return text;
}

inline const Schema& small_schema() {
  static const Schema schema(std::array<std::string, 1>{small_schema_text()});
  return schema;
}

/// Read a deck given as text.
inline Deck read_text(const std::string& text, const ReadOptions& options = {}) {
  const DeckFiles files;
  return read_deck(files.write("deck.k", text), options, small_schema());
}

/// Ids of all problems, in order.
inline std::vector<std::string> ids(const Deck& deck) {
  std::vector<std::string> out;
  for (const Problem& problem : deck.problems()) out.push_back(problem.id);
  return out;
}

/// All problems as text, for messages of failed tests.
inline std::string all_problems(const Deck& deck) {
  std::string out;
  for (const Problem& problem : deck.problems()) out += to_text(problem) + "\n";
  return out;
}

}  // namespace crumple::deck
