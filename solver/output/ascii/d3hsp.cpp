// The printed record of a run.
#include "output/ascii/d3hsp.hpp"

#include <fmt/format.h>

#include <vector>

#include "output/file_positions.hpp"

namespace crumple::output {

namespace {

std::string spaced(std::string_view title) {
  std::string result;
  for (const char c : title) {
    if (!result.empty()) result += ' ';
    result += c;
  }
  return result;
}

template <int N>
void count(const Elements<N>& elements, std::vector<std::int64_t>& per_part) {
  for (const std::int32_t part : elements.part) ++per_part[std::size_t(part)];
}

}  // namespace

D3hsp::D3hsp(const Catalogue& catalogue, const std::string& directory, const std::string& prefix)
    : file_(directory + "/" + prefix + kD3hsp) {
  const RunInfo& run = catalogue.run;
  file_.append(fmt::format(" {:.80}\n                         {}     date {}\n", catalogue.title,
                           run.program(), run.date));
}

D3hsp::D3hsp(const std::string& directory, const std::string& prefix, std::int64_t size)
    : file_(File::cut_back(directory + "/" + prefix + kD3hsp, size)) {}

void D3hsp::append(const std::string& text) {
  file_.append(text);
  if (tell_) tell_(text);
}

void D3hsp::section(std::string_view title, std::string_view text) {
  const bool ended = text.empty() || text.back() == '\n';
  append(fmt::format("\n\n {}\n\n{}{}", spaced(title), text, ended ? "" : "\n"));
}

void D3hsp::line(std::string_view text) { append(fmt::format("{}\n", text)); }

void D3hsp::parts(const Catalogue& catalogue) {
  std::vector<std::int64_t> elements(catalogue.parts.size());
  count(catalogue.solids, elements), count(catalogue.beams, elements), count(catalogue.shells, elements);
  count(catalogue.particles, elements);
  std::string text =
      fmt::format(" {:>10} {:>8} {:>9} {:>12}  {}\n", "part id", "kind", "material", "elements", "title");
  for (std::size_t p = 0; p < catalogue.parts.size(); ++p) {
    const PartInfo& part = catalogue.parts[p];
    // the catalogue has no discrete elements
    const std::string count = part.kind == ElementKind::discrete ? "-" : fmt::format("{}", elements[p]);
    text += fmt::format(" {:10d} {:>8} {:9d} {:>12}  {}\n", part.id, kind_name(part.kind), part.law, count,
                        part.title);
  }
  section("part summary", text);
}

void D3hsp::cycle(std::int64_t number, double time, double dt, std::string_view what) {
  append(fmt::format("{:8d} t {:.4E} dt {:.2E} {}\n", number, time, dt, what));
}

void D3hsp::end(bool normal, std::string_view text) {
  append(fmt::format("\n{}\n {}\n", text,
                     normal ? "N o r m a l    t e r m i n a t i o n" : "E r r o r    t e r m i n a t i o n"));
}

}  // namespace crumple::output
