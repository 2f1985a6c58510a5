// Fuzzes the deck reader: any bytes give problems, never a crash. A line "=====" begins the included file.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.hpp"
#include "deck/coverage.hpp"
#include "deck/deck.hpp"
#include "decomposition/deck_cards.hpp"
#include "model/check.hpp"
#include "model/deck_to_model.hpp"

namespace {

/// A folder in memory for this process.
const std::string& folder() {
  static const std::string path = [] {
    const std::string made = "/dev/shm/crumple-fuzz-" + std::to_string(getpid());
    std::filesystem::create_directories(made);
    return made;
  }();
  return path;
}

void write(const std::string& name, const std::string& text) {
  std::ofstream(folder() + "/" + name, std::ios::binary) << text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("=====\n");
  write("deck.k", text.substr(0, cut));
  write("include.k", cut == std::string::npos ? "" : text.substr(cut + 6));
  try {
    crumple::deck::Deck deck = crumple::deck::read_deck(folder() + "/deck.k", {});
    const crumple::model::Model model = crumple::model::build_model(deck, {});
    crumple::decomposition::read_cards(deck);
    crumple::deck::report_unused(deck);
    crumple::deck::to_text(crumple::deck::coverage_table(deck));
    if (!deck.has_errors()) crumple::model::to_text(crumple::model::check_model(model));
  } catch (const crumple::Error&) {
    // said to the user
  }
  return 0;
}
