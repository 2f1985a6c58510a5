// Makes the schema of restart decks from their own entries and those of ordinary decks.
#include "restart/deck_schema.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace crumple::restart {

namespace {

using Json = nlohmann::json;

constexpr const char* kSame = "@same";    ///< names of entries that are those of ordinary decks
constexpr const char* kKnown = "@known";  ///< families (deck/schema/README.md)
constexpr const char* kWhole =
    "it belongs to the whole deck, and a full restart is not supported: the model stays as it is in the dump";

/// An entry of ordinary decks in a restart deck: refused, but for what changes print-out only.
Json refused(Json entry) {
  const std::string support = entry.value("support", "yes");
  if (support == "ignored") return entry;
  Json made{{"summary", entry.value("summary", "")}, {"support", "refused"}};
  made["why"] = support == "refused" ? entry.value("why", kWhole) : kWhole;
  for (const char* key : {"aliases", "suffixes"})
    if (entry.contains(key)) made[key] = entry[key];
  return made;
}

/// Names of a line of a family that are not in `own`: "ICFD_: MAT PART" has ICFD_MAT and ICFD_PART.
std::string without(const std::string& line, const Json& own) {
  std::istringstream words(line);
  std::string beginning, left;
  for (std::string word; words >> word;) {
    if (word.ends_with(':'))
      beginning = word.substr(0, word.size() - 1);
    else if (!own.contains(beginning + word))
      left.append(left.empty() ? "" : " ").append(beginning).append(word);
  }
  return left;
}

Json families(const Json& given, const Json& own) {
  Json made = Json::array();
  for (Json family : given) {
    Json names = Json::array();
    for (const Json& line : family.at("names"))
      if (const std::string left = without(line.get<std::string>(), own); !left.empty())
        names.push_back(left);
    family["names"] = names;
    made.push_back(family);
  }
  return made;
}

/// The rest of the suffixes of an entry that inherits them.
void inherit(Json& file, const std::map<std::string, Json>& all) {
  for (auto& [name, entry] : file.items()) {
    if (!entry.is_object()) continue;
    const auto from = all.find(name);
    if (from == all.end() || !from->second.contains("like") || entry.contains("suffixes")) continue;
    const auto base = all.find(from->second["like"].get<std::string>());
    if (base != all.end() && base->second.contains("suffixes")) entry["suffixes"] = base->second["suffixes"];
  }
}

std::vector<std::string> texts() {
  std::vector<std::string> made;
  Json own = Json::parse(schema_texts().at(0));
  const auto listed = own.at(kSame).get<std::vector<std::string>>();
  own.erase(kSame);
  const std::set<std::string> same(listed.begin(), listed.end());
  std::map<std::string, Json> all;
  std::vector<Json> files;
  for (const std::string& text : deck::schema_texts()) {
    files.push_back(Json::parse(text));
    for (const auto& [name, entry] : files.back().items())
      if (!name.starts_with("@")) all[name] = entry;
  }
  for (const Json& given : files) {
    Json file = Json::object();
    for (const auto& [name, entry] : given.items()) {
      if (name == kKnown) file[name] = families(entry, own);
      if (name == "@options") file[name] = entry;
      if (name.starts_with("@") || !entry.is_object() || own.contains(name)) continue;
      file[name] = same.contains(name) ? entry : refused(entry);
    }
    inherit(file, all);
    made.push_back(file.dump());
  }
  made.push_back(own.dump());
  return made;
}

}  // namespace

const deck::Schema& deck_schema() {
  static const deck::Schema schema(texts());
  return schema;
}

}  // namespace crumple::restart
