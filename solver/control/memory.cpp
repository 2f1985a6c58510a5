// Bytes by element, node and segment, added up for each phase of a run.
#include "control/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/error.hpp"
#include "contact/contact_system.hpp"
#include "contact/force/penalty.hpp"
#include "elements/kernel.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/element_rows.hpp"
#include "output/d3plot/state_layout.hpp"
#include "parallel/load_sum.hpp"
#include "state/groups.hpp"

namespace crumple::control {

namespace {

using model::ElementKind;
using model::kNone;
using model::Model;

constexpr double kMB = 1e6;

// Measured values, which do not follow from sizes of arrays (docs/performance.md, "Memory").
constexpr double kProgram = 28 * kMB;  ///< rank 0, with the schema of decks
constexpr double kProgramOnOther = 25 * kMB;
constexpr double kTouching = 0.1;     ///< fraction of tracked nodes that touch at the same time
constexpr double kNear = 0.5;         ///< fraction of segments that are candidates of some node
constexpr double kPairsOfNode = 4.0;  ///< candidates of a tracked node
constexpr double kGrowth = 1.5;       ///< for arrays that grow while they are filled: capacity over size
constexpr double kSlack = 1.03;       ///< overhead of the allocator

// Bytes by node, see state/nodal.hpp, explicit/solver.hpp and decomposition/distribution.hpp.
constexpr double kNodeInModel = sizeof(GlobalId) + sizeof(Vec3);
constexpr double kNodeInShare = kNodeInModel + sizeof(int) + sizeof(GlobalId);
constexpr double kNodeState =
    sizeof(GlobalId) + sizeof(int) + 6 * sizeof(Vec3) + 2 * sizeof(double) + sizeof(parallel::LoadSum);
constexpr double kNodeSnapshot = 3 * sizeof(Vec3) + 2 * sizeof(double);
constexpr double kNodeInDump = sizeof(GlobalId) + 5 * sizeof(Vec3) + 2 * sizeof(double);
constexpr double kNodeMarks = 16;  ///< marks of constraints, rigid bodies, walls
constexpr double kNodeOrder = sizeof(GlobalId) + sizeof(LocalId);  ///< of plot states

// A piece of a plot state: shells of 3 layers as values, as words from and to other ranks, and in order.
constexpr double kRowInPlot = 34 * (sizeof(double) + 3 * sizeof(float));

// Bytes by element beside its state.
constexpr double kElementInModel = 2 * sizeof(GlobalId) + sizeof(LocalId);
constexpr double kElementMarks = sizeof(GlobalId) + sizeof(LocalId) + 2 * sizeof(double);

// Of smooth particles, see particles/particles.hpp: what every rank has of all, with the message of their
// motion; lists of about 80 neighbours.
constexpr double kParticleEverywhere = 300;
constexpr double kParticleLists = kGrowth * 80 * sizeof(std::int32_t) + 40;

struct Sum {
  double elements = 0;      ///< state and lists of deformable elements
  double in_dump = 0;       ///< state of deformable elements, as dumps have it
  double in_model = 0;      ///< of all, in the model
  double in_catalogue = 0;  ///< of all, in the output's catalogue
  double corners = 0;
  std::size_t count = 0;
};

template <class Elements>
double bytes_in_model(const Elements& elements) {
  double bytes = kElementInModel + sizeof(elements.nodes[0]);
  if constexpr (std::is_same_v<Elements, model::Shells>) {
    if (!elements.thickness.empty()) bytes += sizeof(elements.thickness[0]);
    if (!elements.offset.empty()) bytes += sizeof(double);
  }
  if constexpr (std::is_same_v<Elements, model::SphParticles>) bytes += 2 * sizeof(double);
  if constexpr (std::is_same_v<Elements, model::Discretes>) bytes += sizeof(LocalId) + 2 * sizeof(double);
  return bytes;
}

/// Bytes of a deformable element of a form.
struct StateBytes {
  double held = 0;  ///< in its group, including about one node to prefetch
  double dumped = 0;
};

StateBytes state_bytes(const Model& m, const model::Part& part, const state::Compact& form, bool single) {
  const double word = single ? sizeof(float) : sizeof(double);
  try {
    const state::PartFormulation ready = state::part_formulation(m, part, form);
    const int variables = ready.formulation->layout(ready.parameters).n_vars;
    const double state = variables * word + elements::kEnergies * sizeof(double);
    return {state + 2 * word + (ready.formulation->n_nodes + 1) * sizeof(std::int32_t),
            state + sizeof(GlobalId)};
  } catch (const Error&) {
    return {};  // the deck has errors, reported elsewhere
  }
}

template <class Elements>
void add_elements(const Model& m, ElementKind kind, const Elements& elements, bool single, Sum& sum) {
  const std::size_t n = elements.size();
  if (n == 0) return;
  std::map<std::tuple<LocalId, int, LocalId>, StateBytes> bytes_of_form;
  for (std::size_t e = 0; e < n; ++e) {
    const LocalId p = elements.part[e];
    const model::Part& part = m.parts[static_cast<std::size_t>(p)];
    if (part.rigid_body != kNone || part.section == kNone || part.material == kNone) continue;
    const state::Compact form = state::compact(m, kind, static_cast<LocalId>(e));
    auto [at, added] = bytes_of_form.try_emplace({p, form.elform, form.section});
    if (added) at->second = state_bytes(m, part, form, single);
    sum.elements += at->second.held;
    sum.in_dump += at->second.dumped;
  }
  constexpr double corners = std::tuple_size_v<typename decltype(elements.nodes)::value_type>;
  const auto count = static_cast<double>(n);
  sum.elements += kElementMarks * count;
  sum.in_model += bytes_in_model(elements) * count;
  sum.in_catalogue += (2 * sizeof(GlobalId) + (corners + 1) * sizeof(std::int32_t)) * count;
  sum.corners += corners * count;
  sum.count += n;
}

Sum element_sum(const Model& m, bool single) {
  Sum sum;
  model::for_each_array(
      m, [&](ElementKind kind, const auto& elements) { add_elements(m, kind, elements, single, sum); });
  return sum;
}

/// Entries of contact surfaces.
struct Touch {
  double segments = 0, tracked = 0, lines = 0, sharers = 0;
  double moving = 0;  ///< upper bound of nodes in contacts
  double ties = 0;
};

Touch touch_of(const Model& m) {
  Touch t;
  for (const model::Contact& contact : m.contacts) {
    for (const model::Surface* side : {&contact.a, &contact.b}) {
      t.segments += static_cast<double>(side->segments.size());
      t.tracked += static_cast<double>(side->nodes.size());
      t.lines += static_cast<double>(side->lines.size());
      t.sharers += static_cast<double>(side->sharers.size());
    }
    t.ties += static_cast<double>(contact.ties.size() + contact.springs.size() + contact.breaking.size());
  }
  t.moving = std::min(t.tracked, static_cast<double>(m.nodes.size()));
  return t;
}

/// Bytes of the search for near pairs.
double search_bytes(const Touch& t) {
  const double segment = sizeof(contact::SegmentRecord) + 16;
  const double tracked =
      sizeof(contact::TrackedNode) + 1 + sizeof(std::int32_t) + sizeof(contact::SlidingWork);
  const double near = 2 * sizeof(std::int32_t) + sizeof(float) + kPairsOfNode * sizeof(contact::Pair);
  return t.segments * (segment + kNear * sizeof(contact::CandidateSegment)) + t.tracked * (tracked + near) +
         t.moving * (sizeof(LocalId) + sizeof(Vec3)) + t.lines * 424.0 + t.sharers * 48.0;
}

/// Bytes of contacts during cycles, with their forces.
double contact_bytes(const Touch& t) {
  const double used = 2 * sizeof(double) + sizeof(LocalId) + 2 * sizeof(Vec3);
  return search_bytes(t) + t.tracked * (kNear * used + kTouching * sizeof(contact::NodeSlots));
}

/// Bytes of contacts in a dump: what deletions change, and what touches or has touched.
double dumped_contact_bytes(const Touch& t) {
  const double segment = sizeof(GlobalId) + 2, tracked = sizeof(GlobalId) + 4;
  const double history = sizeof(GlobalId) + 1 + sizeof(contact::SlidingWork) + sizeof(contact::NodeSlots);
  const double line =
      3 * sizeof(GlobalId) + 2 * sizeof(double) + sizeof(LocalId) + sizeof(contact::SlidingWork);
  return t.segments * segment + t.tracked * (tracked + kTouching * history) + t.lines * line;
}

/// Bytes that a sort needs in addition, temporarily.
double sort_bytes(const Touch& t) {
  return t.segments * (2 * sizeof(void*) + 4 * sizeof(Vec3) + sizeof(std::int32_t)) +
         t.tracked * 3 * sizeof(Vec3);
}

double surfaces_in_model(const Touch& t) {
  return t.segments * sizeof(model::Segment) + t.lines * sizeof(model::ContactLine) +
         t.sharers * sizeof(model::LineSharer) + t.tracked * (sizeof(LocalId) + sizeof(double)) +
         t.ties * sizeof(model::Tie);
}

double walls_and_motion(const Model& m) {
  double bytes = static_cast<double>(m.initial_velocities.size() * sizeof(model::InitialVelocity));
  for (const auto& wall : m.features.of<loads::RigidWall>())
    bytes += 16.0 * static_cast<double>(wall.nodes.size());
  return bytes;
}

}  // namespace

MemoryNeed memory_need(const Model& m, const deck::DeckSize& deck, int ranks, bool single_precision) {
  MemoryNeed need;
  need.ranks = ranks;
  need.single_precision = single_precision;
  need.program = kProgram;
  need.program_on_other = kProgramOnOther;

  const Sum elements = element_sum(m, single_precision);
  const Touch touch = touch_of(m);
  const auto nodes = static_cast<double>(m.nodes.size());
  const double surfaces = surfaces_in_model(touch), motion = walls_and_motion(m);
  const double whole = nodes * kNodeInModel + elements.in_model + motion;
  // Initial penetrations are searched on one rank, without forces.
  const double one_rank_contact = m.contacts.empty() ? 0.0
                                                     : search_bytes(touch) + sort_bytes(touch) +
                                                           nodes * (kNodeInModel + 2 * sizeof(Vec3) + 24);
  need.reading =
      kSlack * std::max(deck.files + deck.rows + whole, whole + kGrowth * surfaces + one_rank_contact);

  // A rank's part, with copies of nodes on its border.
  const double part = 1.0 / ranks;
  const double own_nodes = nodes * part + (ranks > 1 ? 4.0 * std::sqrt(nodes * part) : 0.0);
  const double share = own_nodes * kNodeInShare + part * (elements.in_model + motion);
  const double order = own_nodes * kNodeOrder;
  const double catalogue = nodes * (kNodeInModel + sizeof(GlobalId)) + elements.in_catalogue;
  const double copies = 8.0 * (nodes + elements.corners + 4.0 * touch.segments);
  const double packed = ranks > 1 ? 2.0 * kGrowth * (share + part * surfaces) : 0.0;
  need.distributing =
      kSlack * (whole + surfaces + catalogue + share + part * surfaces + kGrowth * copies + packed);

  const double state =
      own_nodes * (kNodeState + kNodeSnapshot + kNodeMarks) + part * elements.elements +
      part * contact_bytes(touch) +
      static_cast<double>(m.particles.size()) * (kParticleEverywhere + part * kParticleLists);
  const double plot =
      kRowInPlot * std::min(static_cast<double>(output::kPiece), static_cast<double>(elements.count));
  const double cycles = share + state + order + std::max(plot, part * sort_bytes(touch));
  need.first = kSlack * cycles;
  if (ranks > 1) need.other = kSlack * std::max(3.0 * (share + part * surfaces), cycles);
  need.state_copy = nodes * kNodeInDump + elements.in_dump + dumped_contact_bytes(touch);
  return need;
}

std::optional<double> memory_words(const std::string& text) {
  std::size_t used = 0;
  double words = 0.0;
  try {
    words = std::stod(text, &used);
  } catch (const std::logic_error&) {
    return std::nullopt;
  }
  static const std::map<std::string, double> suffixes{
      {"", 1.0}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}};
  std::string suffix = text.substr(used);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), ::tolower);
  const auto at = suffixes.find(suffix);
  if (at == suffixes.end() || !(words > 0.0) || !std::isfinite(words)) return std::nullopt;
  return words * at->second;
}

MemoryLimit with_deck(MemoryLimit given, const deck::Deck& deck) {
  const auto from_deck = [&](std::optional<double>& words, const char* name) {
    const std::string text = deck.keyword_option(name);
    if (text.empty()) return;
    const std::optional<double> of_deck = memory_words(text);
    if (!of_deck)
      throw Error("CR-K001",
                  fmt::format("{}={} of *KEYWORD is no number of words, such as 200m", name, text));
    if (!words) words = of_deck;
  };
  from_deck(given.memory, "MEMORY");
  from_deck(given.memory2, "MEMORY2");
  return given;
}

void check_memory(const MemoryNeed& need, const MemoryLimit& limit) {
  const double word = need.single_precision ? sizeof(float) : sizeof(double);
  const auto compare = [&](const char* name, double allowed, const std::string& whose, double bytes) {
    if (allowed * word >= bytes) return;
    throw Error(
        "CR-K010",
        fmt::format("{}={:.4g} words of {:.0f} bytes ({:.4g} MB) is too small: {} needs about {}={:.0f}k "
                    "({:.4g} MB)",
                    name, allowed, word, 1e-6 * allowed * word, whose, name, std::ceil(1e-3 * bytes / word),
                    1e-6 * bytes));
  };
  const bool one = need.ranks == 1;
  if (limit.memory) compare("memory", *limit.memory, one ? "the model" : "rank 0", need.model_on_first());
  if (one) return;
  if (limit.memory2)
    compare("memory2", *limit.memory2, "each further rank", need.other);
  else if (limit.memory)
    compare("memory", *limit.memory, "each rank", need.other);
}

std::string to_text(const MemoryNeed& need) {
  const double word = need.single_precision ? sizeof(float) : sizeof(double);
  std::string text = fmt::format("Memory on {} rank{}, {} precision: about {:.0f} MB on rank 0", need.ranks,
                                 need.ranks == 1 ? "" : "s", need.single_precision ? "single" : "double",
                                 1e-6 * need.on_first());
  if (need.ranks > 1) text += fmt::format(", {:.0f} MB on each other", 1e-6 * need.on_other());
  text += fmt::format("\n  of it the program {:.0f} MB; memory={:.0f}k", 1e-6 * need.program,
                      std::ceil(1e-3 * need.model_on_first() / word));
  if (need.ranks > 1) text += fmt::format(" memory2={:.0f}k", std::ceil(1e-3 * need.other / word));
  text += fmt::format(" words of {:.0f} bytes are enough for the model\n", word);
  return text + fmt::format(
                    "  a dump is about {:.0f} MB; a copy of the state for the dump at an error takes as much "
                    "more, all ranks together, where there is room (--error-dump)\n",
                    1e-6 * need.state_copy);
}

std::string to_json(const MemoryNeed& need, const std::string& further) {
  const double word = need.single_precision ? sizeof(float) : sizeof(double);
  return fmt::format(
      "{{\"memory\": {{\"ranks\": {}, \"precision\": \"{}\", \"word_bytes\": {:.0f}, \"program_bytes\": "
      "{:.0f},\n"
      "  \"rank_0\": {{\"bytes\": {:.0f}, \"reading_bytes\": {:.0f}, \"distributing_bytes\": {:.0f}, "
      "\"cycling_bytes\": {:.0f}}},\n"
      "  \"other_ranks\": {{\"bytes\": {:.0f}}},\n"
      "  \"all_ranks\": {{\"state_copy_bytes\": {:.0f}}}}}{}}}\n",
      need.ranks, need.single_precision ? "single" : "double", word, need.program, need.on_first(),
      need.reading, need.distributing, need.first, need.on_other(), need.state_copy, further);
}

}  // namespace crumple::control
