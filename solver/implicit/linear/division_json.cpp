// Writes what RankDivision has found.
#include "implicit/linear/division_json.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/packing.hpp"
#include "implicit/linear/factor_needs.hpp"
#include "implicit/linear/rank_division.hpp"
#include "implicit/linear/rank_part_members.hpp"
#include "implicit/linear/top_needs.hpp"

namespace crumple::implicit::linear {

namespace {

using Text = std::back_insert_iterator<std::string>;

/// What a rank has of fronts that it makes alone, of panels above, and of the matrix.
void write_rank(Text out, const RankPart& part, const ChosenPlan& how, std::size_t value_bytes) {
  const Fronts& fronts = part.own.fronts;
  double flops = 0;
  std::int64_t factor = 0, update = 0;
  for (const FrontShape& shape : fronts.shape) {
    flops += shape.flops();
    factor += shape.factor_values();
    update += shape.update_values();
  }
  const TopNeeds tops = top_needs(part.tops, part.rank);
  const double in_files = how.is.bytes_on_disk / double(value_bytes);
  fmt::format_to(out,
                 "{{\"fronts\": {}, \"flops\": {:.0f}, \"factor_values\": {}, \"update_values\": {}, "
                 "\"top_values\": {}, \"equations\": {}, \"all_equations\": {}, \"matrix_values\": {}, "
                 "\"part_bytes\": {}, \"out_of_core\": {}, \"file_values\": {:.0f}, \"bytes\": {:.0f}}}",
                 fronts.size(), flops, factor, update, tops.factor, part.own_equations(),
                 part.all_equations(), part.values, part.rank > 0 ? pack(part).size() : 0, how.is.out_of_core,
                 in_files, how.is.bytes);
}

void write_top(Text out, const std::vector<TopFront>& tops, std::size_t t) {
  const TopFront& top = tops[t];
  fmt::format_to(out, "{{\"order\": {}, \"pivots\": {}, \"parent\": {}, \"ranks\": [{}],\n   \"children\": [",
                 top.shape.order, top.shape.pivots, top.parent, fmt::join(top.rank, ", "));
  for (std::size_t c = 0; c < top.children.size(); ++c) {
    const TopChild& child = top.children[c];
    fmt::format_to(out, "{}[{}, {}, {}]", c == 0 ? "" : ", ", child.top, child.rank, child.updated);
  }
  fmt::format_to(out, "],\n   \"pieces\": [");
  bool first = true;
  for (const UpdatePiece& piece : update_pieces(tops, t)) {
    fmt::format_to(out, "{}[{}, {}, {}, {}]", first ? "" : ", ", piece.panel, piece.values(), piece.from,
                   piece.to);
    first = false;
  }
  fmt::format_to(out, "]}}");
}

}  // namespace

std::string division_json(const Symbolic& symbolic, const SolverOptions& options, int ranks,
                          std::size_t value_bytes) {
  const RankDivision division(symbolic, ranks, options.division);
  std::string text;
  const Text out = std::back_inserter(text);
  double flops = 0, entries = 0;
  for (const FrontShape& shape : symbolic.fronts.shape) flops += shape.flops(), entries += shape.entries();
  fmt::format_to(out,
                 "{{\"format\": \"crumple-factor-division\", \"version\": 1, \"ranks\": {}, \"tile\": {},\n"
                 " \"value_bytes\": {}, \"equations\": {}, \"flops\": {:.0f}, \"entries\": {:.0f},\n"
                 " \"of_rank\": [",
                 ranks, kTile, value_bytes, symbolic.fronts.equation.back(), flops, entries);
  for (int r = 0; r < ranks; ++r) {
    RankPart part = division.part(r, r > 0);
    part.own.matrix_bytes = r == 0 ? symbolic.matrix_bytes : double(part.values) * sizeof(double);
    const TopNeeds tops = top_needs(part.tops, part.rank);
    fmt::format_to(out, "{}\n  ", r == 0 ? "" : ",");
    write_rank(out, part, choose_plan(part.own, options, value_bytes, &tops), value_bytes);
  }
  fmt::format_to(out, "],\n \"top_fronts\": [");
  for (std::size_t t = 0; t < division.tops().size(); ++t) {
    fmt::format_to(out, "{}\n  ", t == 0 ? "" : ",");
    write_top(out, division.tops(), t);
  }
  fmt::format_to(out, "]}}\n");
  return text;
}

}  // namespace crumple::implicit::linear
