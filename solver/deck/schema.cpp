// JSON to schema entries, and keyword names to entries and suffixes.
#include "deck/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/error.hpp"

namespace crumple::deck {
namespace {

using Json = nlohmann::json;

// Keys of a file that are not keywords.
constexpr const char *kReferences = "@references", *kKnown = "@known", *kOptions = "@options",
                     *kLeftOut = "@left_out";

/// Suffixes of keywords that are known by name only.
const std::vector<std::string> kCommonSuffixes{"TITLE", "ID",   "MPP",      "COLLECT",  "SET",
                                               "LOCAL", "LIST", "GENERATE", "INCREMENT"};

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw Error("CR-D900", fmt::format("schema of *{}: {}", where, what));
}

void check_keys(const Json& object, const std::set<std::string>& known, const std::string& where) {
  if (!object.is_object()) fail(where, "expected an object");
  for (const auto& [key, value] : object.items())
    if (key != "//" && !known.contains(key)) fail(where, fmt::format("unknown key '{}'", key));
}

template <class T>
T value(const Json& object, const char* key, const T& otherwise, const std::string& where) {
  const auto it = object.find(key);
  if (it == object.end()) return otherwise;
  try {
    return it->template get<T>();
  } catch (const Json::exception&) {
    fail(where, fmt::format("'{}' has the wrong type", key));
  }
}

Support parse_support(const std::string& word, const std::string& where) {
  if (word == "yes" || word.empty()) return Support::yes;
  if (word == "partial") return Support::partial;
  if (word == "ignored") return Support::ignored;
  if (word == "refused") return Support::refused;
  fail(where, fmt::format("support '{}' is none of yes, partial, ignored, refused", word));
}

Condition::Variable variable(const EntrySchema& entry, const std::string& name, const std::string& at) {
  using Source = Condition::Source;
  if (name.starts_with("has:")) {
    const int bit = entry.suffix_bit(name.substr(4));
    if (bit < 0) fail(at, fmt::format("'{}' is not among the suffixes", name.substr(4)));
    return {Source::suffix, static_cast<std::size_t>(bit)};
  }
  if (name == "LINES") return {Source::lines, 0};
  if (name == "AMPERSAND") return {Source::ampersand, 0};
  const bool given = name.starts_with("given:");
  const auto it = entry.slot_of.find(given ? name.substr(6) : name);
  if (it == entry.slot_of.end()) fail(at, fmt::format("no field '{}' on this card or before it", name));
  return {given ? Source::given : Source::field, it->second};
}

std::optional<Condition> parse_condition(const EntrySchema& entry, const std::string& text,
                                         const std::string& at) {
  if (text.empty()) return std::nullopt;
  try {
    Condition condition{Expression(text), {}, text};
    for (const std::string& name : condition.expression.names())
      condition.variables.push_back(variable(entry, name, at));
    return condition;
  } catch (const Error& error) {
    if (error.id() == "CR-D900") throw;
    fail(at, error.message());
  }
}

/// Converts one JSON entry to an EntrySchema.
class EntryReader {
 public:
  EntryReader(const std::string& name, const Json& json) : json_(json) { entry_.name = name; }

  EntrySchema read() {
    check_keys(json_,
               {"summary", "support", "why", "aliases", "suffixes", "like", "repeat", "bulk", "cards",
                "own_id", "own_title", "insert", "formulations"},
               entry_.name);
    const std::string& at = entry_.name;
    entry_.summary = value<std::string>(json_, "summary", "", at);
    entry_.why = value<std::string>(json_, "why", "", at);
    entry_.support = parse_support(value<std::string>(json_, "support", "yes", at), at);
    entry_.aliases = value<std::vector<std::string>>(json_, "aliases", {}, at);
    entry_.suffixes = value<std::vector<std::string>>(json_, "suffixes", {}, at);
    entry_.bulk = value(json_, "bulk", false, at);
    entry_.repeat = value(json_, "repeat", false, at) || entry_.bulk;
    if (entry_.suffixes.size() > 64) fail(at, "more than 64 suffixes");
    read_formulations();
    read_cards();
    check_layout();
    return std::move(entry_);
  }

 private:
  void read_formulations() {
    const auto given = json_.find("formulations");
    if (given == json_.end()) return;
    const std::string at = entry_.name + " formulations";
    check_keys(*given, {"read", "of"}, at);
    entry_.formulations.read = value<std::vector<int>>(*given, "read", {}, at);
    entry_.formulations.of = value(*given, "of", 0, at);
  }

  void read_cards() {
    const auto cards = json_.find("cards");
    entry_.has_cards = cards != json_.end();
    if (!entry_.has_cards) {
      if (entry_.support == Support::yes || entry_.support == Support::partial) fail(entry_.name, "no cards");
      return;
    }
    if (entry_.suffix_bit("TITLE") >= 0 && !value(json_, "own_title", false, entry_.name))
      read_card(
          Json::parse(R"json({"name":"title","when":"has(TITLE)","fields":[["_TITLE","A",null,80]]})json"));
    if (entry_.suffix_bit("ID") >= 0 && !value(json_, "own_id", false, entry_.name))
      read_card(Json::parse(
          R"json({"name":"id","when":"has(ID)","fields":[["_ID","I"],["_HEADING","A",null,70]]})json"));
    if (!cards->is_array()) fail(entry_.name, "'cards' is no list");
    for (const Json& card : *cards) read_card(card);
  }

  void read_card(const Json& json) {
    CardSchema card;
    card.name = value<std::string>(json, "name", "", entry_.name);
    const std::string at = fmt::format("{} card {}", entry_.name, card.name);
    check_keys(json, {"name", "fields", "when", "optional", "count", "repeat", "skip"}, at);
    if (card.name.empty()) fail(at, "a card has no name");
    for (const CardSchema& other : entry_.cards)
      if (other.name == card.name) fail(at, "two cards of this name");
    card.optional = value(json, "optional", false, at);
    card.skip = value(json, "skip", false, at);
    if (const auto repeat = json.find("repeat"); repeat != json.end()) {
      if (*repeat != "rest") fail(at, "'repeat' can only be \"rest\"");
      card.rest = true;
    }
    Json fields = json.value("fields", Json());
    if (card.skip && fields.is_null()) fields = Json::parse(R"json([["-", "A", null, 80]])json");
    if (!fields.is_array() || fields.empty()) fail(at, "no fields");
    for (const Json& field : fields) card.fields.push_back(read_field(field, at));
    const FieldSchema& last = card.fields.back();
    card.text_last = last.type == 'A' && last.width > 10;
    card.text_at = card.fields.size() - 1;
    register_slots(card);
    entry_.cards.push_back(std::move(card));
    // Conditions come last: they may use fields of this card.
    CardSchema& added = entry_.cards.back();
    added.when = parse_condition(entry_, value<std::string>(json, "when", "", at), at);
    added.count = parse_condition(entry_, value<std::string>(json, "count", "", at), at);
    for (std::size_t i = 0; i < added.fields.size(); ++i)
      if (const Json& field = fields[i]; field.size() > 4)
        added.fields[i].when = parse_condition(entry_, value<std::string>(field[4], "when", "", at), at);
  }

  FieldSchema read_field(const Json& json, const std::string& card) const {
    if (!json.is_array() || json.size() < 2 || json.size() > 5 || !json[0].is_string() ||
        !json[1].is_string())
      fail(card, fmt::format("{} is no [name, type, default, width, options]", json.dump()));
    FieldSchema field;
    field.name = json[0];
    const std::string at = fmt::format("{} field {}", card, field.name);
    const std::string type = json[1];
    if (type != "I" && type != "F" && type != "A") fail(at, "type is none of I, F, A");
    field.type = type[0];
    field.spacer = field.name == "-";
    if (json.size() > 2) read_default(json[2], field, at);
    if (json.size() > 3 && !json[3].is_null()) {
      if (!json[3].is_number_integer() || json[3] < 1) fail(at, "width is no positive integer");
      field.width = json[3];
    }
    if (json.size() > 4) read_options(json[4], field, at);
    return field;
  }

  static void read_default(const Json& json, FieldSchema& field, const std::string& at) {
    if (json.is_null()) return;
    field.has_default = true;
    if (json.is_number() && field.type != 'A')
      field.number = json;
    else if (json.is_string() && field.type == 'A')
      field.text = json;
    else
      fail(at, "default does not fit the type");
  }

  static void read_options(const Json& json, FieldSchema& field, const std::string& at) {
    check_keys(json, {"s", "ok", "why", "when"}, at);
    field.support = parse_support(value<std::string>(json, "s", "yes", at), at);
    field.why = value<std::string>(json, "why", "", at);
    for (const Json& ok : json.value("ok", Json::array())) {
      if (ok.is_number())
        field.ok_numbers.push_back(ok);
      else if (ok.is_string())
        field.ok_texts.push_back(ok);
      else
        fail(at, "'ok' holds something else than numbers and texts");
    }
  }

  void register_slots(CardSchema& card) {
    std::set<std::string> here;
    for (std::size_t i = 0; i < card.fields.size(); ++i) {
      FieldSchema& field = card.fields[i];
      if (field.spacer) continue;
      if (!here.insert(field.name).second)
        fail(fmt::format("{} card {}", entry_.name, card.name),
             fmt::format("field {} comes twice", field.name));
      const auto [it, added] = entry_.slot_of.try_emplace(field.name, entry_.slots.size());
      if (added) entry_.slots.push_back({field.name, entry_.cards.size(), i});
      field.slot = it->second;
    }
  }

  void check_layout() const {
    for (std::size_t i = 0; i < entry_.cards.size(); ++i) {
      const CardSchema& card = entry_.cards[i];
      const std::string at = fmt::format("{} card {}", entry_.name, card.name);
      if (card.rest && i + 1 != entry_.cards.size()) fail(at, "only the last card can take the rest");
      if (card.rest && entry_.repeat) fail(at, "a repeating keyword cannot have a card that takes the rest");
      if (card.optional && entry_.repeat) fail(at, "a repeating keyword cannot have optional cards");
      if (entry_.bulk && card.count) fail(at, "a bulk keyword cannot have counted cards");
    }
  }

  const Json& json_;
  EntrySchema entry_;
};

// Inserts an entry's own cards after the named one of its inherited cards.
void insert_cards(const std::string& name, Json& json) {
  const Json insert = json["insert"];
  check_keys(insert, {"after", "cards"}, name);
  json.erase("insert");
  Json cards = Json::array();
  bool found = false;
  for (const Json& card : json["cards"]) {
    cards.push_back(card);
    if (card["name"] != insert["after"]) continue;
    found = true;
    for (const Json& own : insert["cards"]) cards.push_back(own);
  }
  if (!found) fail(name, "'insert' is after a card that does not exist");
  json["cards"] = cards;
}

// "ICFD_: MAT PART" -> ICFD_MAT, ICFD_PART; without the first word the names are complete.
std::vector<std::string> names_of_line(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream words(line);
  std::string beginning;
  for (std::string word; words >> word;)
    if (word.ends_with(':'))
      beginning = word.substr(0, word.size() - 1);
    else
      out.push_back(beginning + word);
  return out;
}

// Entry `name`, merged with the entry of its "like".
Json resolve_like(const std::string& name, const std::map<std::string, Json>& all, int depth = 0) {
  Json json = all.at(name);
  const std::string other = value<std::string>(json, "like", "", name);
  if (other.empty()) return json;
  if (!all.contains(other) || depth > 8) fail(name, fmt::format("is like '{}', which does not exist", other));
  const Json base = resolve_like(other, all, depth + 1);
  for (const char* key : {"cards", "suffixes", "repeat", "bulk", "own_id", "own_title"})
    if (!json.contains(key) && base.contains(key)) json[key] = base[key];
  if (json.contains("insert")) insert_cards(name, json);
  return json;
}

std::map<std::string, Json> parse_all(std::span<const std::string> texts) {
  std::map<std::string, Json> all;
  for (const std::string& text : texts) {
    Json file;
    try {
      file = Json::parse(text);
    } catch (const Json::exception& error) {
      fail(text.substr(0, 40), error.what());
    }
    for (const auto& [name, json] : file.items())
      if (name != "//" && !name.starts_with('@') && !all.try_emplace(name, json).second)
        fail(name, "defined twice");
  }
  return all;
}

/// Adds the effect of *INCLUDE_TRANSFORM on fields to one entry.
class ReferenceReader {
 public:
  explicit ReferenceReader(EntrySchema& entry) : entry_(entry), at_(entry.name + " references") {}

  void read(const Json& json) {
    entry_.placeable = true;
    for (const auto& [kind, items] : json.items()) {
      if (kind == "options") {
        for (const auto& [option, item] : items.items()) read_option(option, item);
        continue;
      }
      if (kind == "stays") {
        entry_.stays = true;
        if (items.is_string())
          entry_.stays_where = parse_condition(entry_, items.get<std::string>(), at_);
        else
          entry_.stays = items.get<bool>();
        continue;
      }
      if (!items.is_array()) fail(at_, fmt::format("'{}' is no list", kind));
      for (const Json& item : items) read_item(kind, item);
    }
  }

 private:
  // "PART": "part", or ["part", 3] if only three columns after the option are ids.
  void read_option(const std::string& option, const Json& item) {
    const bool some = item.is_array() && item.size() == 2;
    const auto id = id_kind((some ? item[0] : item).get<std::string>());
    if (!id || entry_.bulk) fail(at_, fmt::format("option {} of no kind, or in a bulk keyword", option));
    const std::size_t all = entry_.cards.back().fields.size() - 1;
    const std::size_t columns = some ? item[1].get<std::size_t>() : all;
    if (!entry_.cards.back().rest || columns > all) fail(at_, fmt::format("option {} has no row", option));
    entry_.option_ids[option] = {*id, columns};
  }

  void read_item(const std::string& kind, const Json& item) {
    if (kind == "point" || kind == "vector") {
      if (!item.is_array() || item.size() < 3 || item.size() > 4 || (entry_.bulk && item.size() == 4))
        fail(at_, "a point or vector needs three names, and may have a condition where it is no bulk");
      auto& list = kind == "point" ? entry_.points : entry_.vectors;
      const std::string when = item.size() == 4 ? item[3].get<std::string>() : std::string{};
      list.push_back({{slot(item[0]), slot(item[1]), slot(item[2])}, parse_condition(entry_, when, at_)});
      return;
    }
    const auto id = id_kind(kind);
    if (!id) fail(at_, fmt::format("unknown kind '{}'", kind));
    const bool conditional = item.is_array() && item.size() == 2;
    const std::size_t wanted = slot(conditional ? item[0] : item);
    const std::string when = conditional ? item[1].get<std::string>() : std::string{};
    for (CardSchema& card : entry_.cards)
      for (FieldSchema& field : card.fields)
        if (!field.spacer && field.slot == wanted) add(field, {*id, parse_condition(entry_, when, at_)});
  }

  void add(FieldSchema& field, IdReference reference) const {
    if (field.type == 'A' || (entry_.bulk && field.type != 'I'))
      fail(at_, fmt::format("{} is no integer field", field.name));
    field.ids.push_back(std::move(reference));
  }

  std::size_t slot(const Json& name) const {
    const auto it = name.is_string() ? entry_.slot_of.find(name.get<std::string>()) : entry_.slot_of.end();
    if (it == entry_.slot_of.end()) fail(at_, fmt::format("no field {}", name.dump()));
    return it->second;
  }

  EntrySchema& entry_;
  std::string at_;
};

}  // namespace

const char* to_text(Support support) {
  switch (support) {
    case Support::yes:
      return "yes";
    case Support::partial:
      return "partial";
    case Support::ignored:
      return "ignored";
    case Support::refused:
      return "refused";
  }
  return "";
}

bool CardSchema::without_effect() const {
  return skip || std::all_of(fields.begin(), fields.end(),
                             [](const FieldSchema& f) { return f.spacer || f.support == Support::ignored; });
}

int EntrySchema::suffix_bit(std::string_view suffix) const {
  const auto it = std::find(suffixes.begin(), suffixes.end(), suffix);
  return it == suffixes.end() ? -1 : static_cast<int>(it - suffixes.begin());
}

std::string EntrySchema::full_name(std::uint64_t given) const {
  std::string out = name;
  for (std::size_t i = 0; i < suffixes.size(); ++i)
    if (given >> i & 1) out += "_" + suffixes[i];
  return out;
}

Schema::Schema(std::span<const std::string> texts) {
  const std::map<std::string, Json> all = parse_all(texts);
  entries_.reserve(all.size());
  for (const auto& [name, unused] : all) {
    const Json json = resolve_like(name, all);
    add_entry(EntryReader(name, json).read());
  }
  for (const std::string& text : texts) add_families(text);
  for (const std::string& text : texts) add_references(text);
  for (const std::string& text : texts) add_effects(text);
}

void Schema::add_entry(EntrySchema entry) {
  const std::size_t index = entries_.size();
  const std::string& name = entry.name;
  if (!names_.try_emplace(name, index).second) fail(name, "is also an alias, or defined twice");
  for (const std::string& alias : entry.aliases)
    if (!names_.try_emplace(alias, index).second) fail(name, fmt::format("alias {} is defined twice", alias));
  entries_.push_back(std::move(entry));
}

// Names by families: only the reason is known why they are ignored or refused.
void Schema::add_families(const std::string& text) {
  const Json file = Json::parse(text);
  for (const Json& family : file.value(kKnown, Json::array())) {
    check_keys(family, {"support", "why", "options", "names"}, kKnown);
    EntrySchema entry;
    entry.by_name = true;
    entry.support = parse_support(value<std::string>(family, "support", "refused", kKnown), kKnown);
    entry.why = value<std::string>(family, "why", "", kKnown);
    if (entry.why.empty() || entry.support == Support::yes || entry.support == Support::partial)
      fail(kKnown, "a family needs a reason, and is ignored or refused");
    entry.suffixes = value<std::vector<std::string>>(family, "options", {}, kKnown);
    entry.suffixes.insert(entry.suffixes.end(), kCommonSuffixes.begin(), kCommonSuffixes.end());
    for (const std::string& names : value<std::vector<std::string>>(family, "names", {}, kKnown))
      for (std::string& name : names_of_line(names)) {
        entry.name = std::move(name);
        add_entry(entry);
      }
  }
  for (const Json& rule : file.value(kOptions, Json::array())) {
    check_keys(rule, {"of", "options", "why"}, kOptions);
    refused_options_.push_back({value<std::vector<std::string>>(rule, "of", {}, kOptions),
                                value<std::vector<std::string>>(rule, "options", {}, kOptions),
                                value<std::string>(rule, "why", "", kOptions)});
  }
}

void Schema::add_effects(const std::string& text) {
  const Json file = Json::parse(text);
  for (const Json& rule : file.value(kLeftOut, Json::array())) {
    check_keys(rule, {"of", "effect"}, kLeftOut);
    const std::string effect = value<std::string>(rule, "effect", "", kLeftOut);
    if (effect.empty()) fail(kLeftOut, "an effect is missing");
    for (const std::string& beginning : value<std::vector<std::string>>(rule, "of", {}, kLeftOut))
      if (!effects_.try_emplace(beginning, effect).second) fail(kLeftOut, beginning + " is given twice");
  }
}

std::string_view Schema::effect_of_leaving_out(std::string_view name) const {
  for (std::size_t n = name.size(); n != std::string_view::npos && n > 0; n = name.rfind('_', n - 1))
    if (const auto it = effects_.find(name.substr(0, n)); it != effects_.end()) return it->second;
  return {};
}

void Schema::add_references(const std::string& text) {
  const Json file = Json::parse(text);
  const auto references = file.find(kReferences);
  if (references == file.end()) return;
  for (const auto& [name, json] : references->items()) {
    if (name == "//") continue;
    const auto it = names_.find(name);
    if (it == names_.end() || entries_[it->second].name != name) fail(name, "references without an entry");
    const Json& what = json.is_string() ? references->value(json.get<std::string>(), Json{}) : json;
    if (!what.is_object()) fail(name, "references are no object");
    ReferenceReader(entries_[it->second]).read(what);
  }
}

namespace {

/// `left` ("_SET_ID") without the longest of `options` at its beginning; `left` itself if there is none.
std::string_view without_option(std::string_view left, const std::vector<std::string>& options, int& which) {
  which = -1;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    const bool fits = left.substr(1).starts_with(option) &&
                      (left.size() == option.size() + 1 || left[option.size() + 1] == '_');
    if (fits && (which < 0 || option.size() > options[static_cast<std::size_t>(which)].size()))
      which = static_cast<int>(i);
  }
  return which < 0 ? left : left.substr(options[static_cast<std::size_t>(which)].size() + 1);
}

}  // namespace

// `left` without its first option, which is one of the entry's or a refused one; its reason is stored in
// `why`.
std::string_view Schema::strip_option(std::string_view left, const EntrySchema& entry,
                                      std::string& why) const {
  int which = -1;
  std::string_view rest = without_option(left, entry.suffixes, which);
  for (const RefusedOptions& rule : refused_options_) {
    const bool applies = std::any_of(rule.beginnings.begin(), rule.beginnings.end(),
                                     [&](const std::string& b) { return entry.name.starts_with(b); });
    if (!applies) continue;
    const std::string_view other = without_option(left, rule.options, which);
    if (other.size() >= rest.size()) continue;
    rest = other;
    why = rule.why;
  }
  return rest;
}

// The reason why an option of a supported keyword is refused, empty if there is none.
std::string Schema::refused_option(std::string_view name) const {
  for (std::size_t n = name.rfind('_'); n != std::string_view::npos && n > 0; n = name.rfind('_', n - 1)) {
    const auto it = names_.find(name.substr(0, n));
    if (it == names_.end()) continue;
    std::string why;
    std::string_view left = name.substr(n);
    while (!left.empty()) {
      const std::string_view rest = strip_option(left, entries_[it->second], why);
      if (rest.size() == left.size()) break;
      left = rest;
    }
    if (left.empty() && !why.empty()) return why;
  }
  return {};
}

Schema::Match Schema::find(std::string_view name) const {
  Match near;
  // The longest name wins, unless its rest is unknown: then a shorter one may fit.
  for (std::size_t n = name.size();; n = name.rfind('_', n - 1)) {
    if (n == std::string_view::npos || n == 0) break;
    const auto it = names_.find(name.substr(0, n));
    if (it == names_.end()) continue;
    const EntrySchema& entry = entries_[it->second];
    std::string_view left = name.substr(n);
    std::uint64_t bits = 0;
    while (!left.empty()) {
      int best = -1;
      left = without_option(left, entry.suffixes, best);
      if (best < 0) break;
      bits |= std::uint64_t{1} << best;
    }
    if (left.empty()) return {&entry, bits, {}};
    if (near.unknown_suffix.empty())
      near.unknown_suffix = fmt::format("{} of *{}", left.substr(1), name.substr(0, n));
  }
  near.refused_option = refused_option(name);
  return near;
}

const EntrySchema* Schema::entry(std::string_view canonical_name) const {
  const auto it = names_.find(canonical_name);
  return it == names_.end() || entries_[it->second].name != canonical_name ? nullptr : &entries_[it->second];
}

const Schema& reader_schema() {
  static const Schema schema(std::array<std::string, 1>{R"json({
    "DEFINE_TRANSFORMATION": { "suffixes": ["TITLE"],
      "cards": [ {"name": "1", "fields": [["TRANID", "I"]]},
                 {"name": "list", "repeat": "rest", "fields": [["OPTION", "A"], ["A1", "F"], ["A2", "F"], ["A3", "F"],
                   ["A4", "F"], ["A5", "F"], ["A6", "F"], ["A7", "F"]]} ] },
    "INCLUDE_TRANSFORM": {
      "cards": [ {"name": "1", "fields": [["FILENAME", "A", null, 256]]},
                 {"name": "2", "fields": [["IDNOFF", "I", 0], ["IDEOFF", "I", 0], ["IDPOFF", "I", 0], ["IDMOFF", "I", 0],
                   ["IDSOFF", "I", 0], ["IDFOFF", "I", 0], ["IDDOFF", "I", 0]]},
                 {"name": "3", "fields": [["IDROFF", "I", 0], ["-", "A"],
                   ["PREFIX", "A", "", 10, {"s": "ignored", "why": "titles stay as they are"}],
                   ["SUFFIX", "A", "", 10, {"s": "ignored", "why": "titles stay as they are"}]]},
                 {"name": "4", "fields": [
                   ["FCTMAS", "F", 1.0, 10, {"s": "refused", "ok": [0], "why": "units are not converted"}],
                   ["FCTTIM", "F", 1.0, 10, {"s": "refused", "ok": [0], "why": "units are not converted"}],
                   ["FCTLEN", "F", 1.0, 10, {"s": "refused", "ok": [0], "why": "units are not converted"}],
                   ["FCTTEM", "A", "", 10, {"s": "refused", "ok": ["0", "0.0", "1", "1.0"],
                     "why": "units are not converted"}],
                   ["INCOUT1", "I", 0, 10, {"s": "ignored", "why": "writes a file only"}]]},
                 {"name": "5", "fields": [["TRANID", "I", 0]]} ] }
  })json"});
  return schema;
}

const Schema& builtin_schema() {
  static const Schema schema(schema_texts());
  return schema;
}

}  // namespace crumple::deck
