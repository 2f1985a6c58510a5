// *INTERFACE_SPRINGBACK_LSDYNA: the parts of the file of the final state, and the nodes that it holds.
#include <array>
#include <charconv>

#include "model/builder.hpp"
#include "springback/request.hpp"

namespace crumple::springback {

using model::Builder;
using model::Keyword;
using model::Record;

namespace {

/// Codes 1 to 7 of TC and RC: x, y, z, xy, yz, zx, xyz. Anything else is reported.
std::uint8_t mask_of(const Builder& build, const Record& r, std::size_t row, std::size_t column) {
  constexpr std::array<std::uint8_t, 8> masks{0, 1, 2, 4, 3, 6, 5, 7};
  const std::int64_t code = r.integer(row, column);
  if (code >= 0 && code < std::ssize(masks)) return masks[static_cast<std::size_t>(code)];
  build.error("CR-D310", fmt::format("*INTERFACE_SPRINGBACK_LSDYNA: {} is no code of 0 to 7", code),
              r.row_place(row));
  return 0;
}

/// The optional card: SLDO, NCYC, FSPLIT, NDFLAG, CFLAG, HFLAG.
void read_options(const Builder& build, const Record& r, std::size_t row, Request& request) {
  const auto refuse = [&](std::size_t column, const char* why) {
    if (r.integer(row, column) != 0)
      build.unsupported(fmt::format("*INTERFACE_SPRINGBACK_LSDYNA: {}", why), r.row_place(row));
  };
  refuse(1, "SLDO: there are no anisotropic solids");
  refuse(2, "NCYC: wear is not computed");
  refuse(3, "FSPLIT: dynain is one file");
  request.all_nodes = r.integer(row, 4) != 0;
  refuse(5, "CFLAG: the state of contacts is not written");
  refuse(6, "HFLAG: hourglass stresses are not written");
}

}  // namespace

void read_request(Builder& build) {
  for (const Keyword& k : build.deck.all("INTERFACE_SPRINGBACK_LSDYNA"))
    for (const Record& r : k.records()) {
      Request request;
      const model::PartSet* const set =
          build.find_part_set(r.integer("PSID"), Builder::star(k), r.place("PSID"));
      request.history = static_cast<int>(r.integer("NSHV"));
      for (std::size_t row = 0; row < r.rows(); ++row) {
        const std::string first = r.text(row, 0);
        if (row == 0 && first == "OPTCARD") {
          read_options(build, r, row, request);
          continue;
        }
        GlobalId id = 0;
        const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), id);
        if (error != std::errc() || end != first.data() + first.size()) {
          build.error("CR-D310", fmt::format("{}: '{}' is no node number", Builder::star(k), first),
                      r.row_place(row));
          continue;
        }
        if (build.find_node(id, Builder::star(k), r.row_place(row)) == model::kNone) continue;
        request.held.push_back({id, mask_of(build, r, row, 1), mask_of(build, r, row, 2)});
      }
      if (set == nullptr) continue;
      request.parts = set->parts;
      for (const LocalId p : request.parts)
        if (const model::Part& part = build.model.parts[static_cast<std::size_t>(p)];
            part.section != model::kNone &&
            model::is_thick_shell(build.model.sections[static_cast<std::size_t>(part.section)]))
          build.unsupported(
              fmt::format("*INTERFACE_SPRINGBACK_LSDYNA: thick shells (part {}): their stresses are not "
                          "written",
                          part.id),
              r.place("PSID"));
      for (std::size_t e = 0; e < build.model.shells.section.size(); ++e)
        if (build.model.shells.section[e] != model::kNone) {
          build.unsupported(
              fmt::format("*INTERFACE_SPRINGBACK_LSDYNA: shells with layers of their own (shell {}): their "
                          "layers are not written",
                          build.model.shells.id[e]),
              r.place("PSID"));
          break;
        }
      auto& requests = build.model.features.of<Request>();
      if (!requests.empty()) {
        build.error("CR-D301", "*INTERFACE_SPRINGBACK_LSDYNA is given twice", k.place());
        continue;
      }
      requests.push_back(std::move(request));
    }
}

}  // namespace crumple::springback
