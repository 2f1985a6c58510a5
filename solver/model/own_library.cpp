// Reads *MODULE_LOAD and *MODULE_PATH.
#include "model/own_library.hpp"

#include <filesystem>

#include "model/builder.hpp"
#include "model/feature.hpp"
#include "modules/module.hpp"

namespace crumple::model {

namespace {

namespace fs = std::filesystem;

class OwnLibraries final : public FeatureOf<OwnLibrary> {
 public:
  std::string_view not_implicit() const override { return {}; }
  bool keep(OwnLibrary&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }

  void read(Builder& build) const override {
    std::vector<fs::path> folders;
    for (const char* name : {"MODULE_PATH", "MODULE_PATH_RELATIVE"})
      for (const Keyword& k : build.deck.all(name))
        for (const Record& r : k.records()) folders.push_back(folder_of(r) / r.text("PWD"));
    for (const Keyword& k : build.deck.all("MODULE_LOAD"))
      for (const Record& r : k.records()) read_library(build, r, folders);
  }

 private:
  /// The folder of the file with the record.
  static fs::path folder_of(const Record& r) { return fs::path(r.place().file).parent_path(); }

  /// In the folders, beside the deck, then where the run is started.
  static void read_library(Builder& build, const Record& r, std::vector<fs::path> folders) {
    const std::string name = r.text("FILENAME");
    const std::string label = fmt::format("*MODULE_LOAD {} {}", r.text("MDLID"), r.text("TITLE"));
    if (name.empty())
      return build.error("CR-D310", fmt::format("{} has no FILENAME", label), r.place("FILENAME"));
    folders.push_back(folder_of(r));
    folders.emplace_back();
    for (const fs::path& folder : folders)
      if (const fs::path path = folder / name; fs::exists(path)) {
        build.model.features.of<OwnLibrary>().push_back({fs::absolute(path).string()});
        return;
      }
    build.missing("CR-D302", "library", fmt::format("{}: the file {} does not exist", label, name),
                  r.place("FILENAME"));
  }
};

}  // namespace

const Feature& own_library_feature() {
  static const OwnLibraries feature;
  return feature;
}

}  // namespace crumple::model
