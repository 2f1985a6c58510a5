// Decks that between them have everything that carries something from step to step; units kg, mm, ms, kN.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.hpp"

namespace crumple::explicit_dynamics {

/// Keywords in the order they were added; numbers nodes and elements as they come.
class DeckText {
 public:
  explicit DeckText(double end_time = 1.0) { add(fmt::format("*CONTROL_TERMINATION\n{}", end_time)); }

  void add(std::string_view text) { text_.append(text).append("\n"); }
  int node(const Vec3& x) {
    add(fmt::format("*NODE\n{},{},{},{}", ++nodes_, x.x, x.y, x.z));
    return nodes_;
  }
  void element(std::string_view kind, int part, const std::vector<int>& nodes) {
    add(fmt::format("*ELEMENT_{}\n{},{},{}", kind, ++elements_, part, fmt::join(nodes, ",")));
  }
  /// Section and law are a keyword and its cards after the number, with bars between them.
  void part(int number, std::string_view section, std::string_view law) {
    add(fmt::format("*PART\npart\n{0},{0},{0}", number));
    card("SECTION", number, section);
    card("MAT", number, law);
  }
  /// A grid of shells between `low`, `low + u` and `low + v`; its nodes, u fastest.
  std::vector<int> plate(int part, int nu, int nv, const Vec3& low, const Vec3& u, const Vec3& v) {
    std::vector<int> ids;
    for (int j = 0; j <= nv; ++j)
      for (int i = 0; i <= nu; ++i) ids.push_back(node(low + (1.0 * i / nu) * u + (1.0 * j / nv) * v));
    for (int j = 0; j < nv; ++j)
      for (int i = 0; i < nu; ++i) {
        const auto at = [&](int a, int b) {
          return ids[static_cast<std::size_t>((j + b) * (nu + 1) + i + a)];
        };
        element("SHELL", part, {at(0, 0), at(1, 0), at(1, 1), at(0, 1)});
      }
    return ids;
  }
  /// A box of bricks; its nodes, x fastest.
  std::vector<int> block(int part, const std::array<int, 3>& n, const Vec3& low, const Vec3& size) {
    std::vector<int> ids;
    for (int k = 0; k <= n[2]; ++k)
      for (int j = 0; j <= n[1]; ++j)
        for (int i = 0; i <= n[0]; ++i)
          ids.push_back(node(low + Vec3{size.x * i / n[0], size.y * j / n[1], size.z * k / n[2]}));
    for (int k = 0; k < n[2]; ++k)
      for (int j = 0; j < n[1]; ++j)
        for (int i = 0; i < n[0]; ++i) {
          const auto at = [&](int a, int b, int c) {
            return ids[static_cast<std::size_t>(((k + c) * (n[1] + 1) + j + b) * (n[0] + 1) + i + a)];
          };
          element("SOLID", part,
                  {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0), at(0, 0, 1), at(1, 0, 1), at(1, 1, 1),
                   at(0, 1, 1)});
        }
    return ids;
  }
  void set(std::string_view kind, int number, const std::vector<int>& items) {
    add(fmt::format("*SET_{}_LIST\n{}", kind, number));
    for (std::size_t k = 0; k < items.size(); k += 8)
      add(fmt::format(
          "{}", fmt::join(items.begin() + static_cast<std::ptrdiff_t>(k),
                          items.begin() + static_cast<std::ptrdiff_t>(std::min(k + 8, items.size())), ",")));
  }
  std::string text() const { return "*KEYWORD\n" + text_ + "*END\n"; }

 private:
  void card(std::string_view keyword, int number, std::string_view cards) {
    const std::size_t comma = cards.find(',');
    std::string rest(cards.substr(comma + 1));
    for (char& c : rest)
      if (c == '|') c = '\n';
    add(fmt::format("*{}_{}\n{},{}", keyword, cards.substr(0, comma), number, rest));
  }

  std::string text_;
  int nodes_ = 0, elements_ = 0;
};

inline const char* const kThin = "SHELL,2,0.8333,3|1.,1.,1.,1.";
inline const char* const kRigid = "RIGID,7.85e-6,210.,0.3|0.|";
inline const char* const kSoft = "PLASTIC_KINEMATIC,7.85e-6,210.,0.3,0.25,1.0,0.5|0.,0.,0.,0.";
inline const char* const kBrittle = "PLASTIC_KINEMATIC,7.85e-6,210.,0.3,0.25,1.0,0.5|0.,0.,0.03,0.";

/// A plate on a block and a plate on that, all tied; a shot tears segments off.
/// @param offset of the tied contacts' names
inline std::string tied_deck(std::string_view offset) {
  DeckText deck;
  deck.part(1, "SOLID,1", kSoft);
  deck.part(2, kThin, kBrittle);
  deck.part(3, kThin, kSoft);
  deck.part(4, "SOLID,1", kRigid);
  deck.block(1, {3, 3, 2}, {0, 0, 0}, {12, 12, 4});
  deck.plate(2, 7, 6, {-8, -4, 4.6}, {28, 0, 0}, {0, 20, 0});
  deck.plate(3, 5, 4, {1, 2, 5.7}, {14, 0, 0}, {0, 8, 0});
  deck.block(4, {2, 2, 1}, {13.5, 1.5, 6.8}, {5, 5, 5});
  deck.add(fmt::format("*CONTACT_TIED_SHELL_EDGE_TO_SURFACE{}\n3,2,3,3\n0.\n1.,1.,-1.,-1.", offset));
  deck.add(fmt::format("*CONTACT_TIED_SURFACE_TO_SURFACE{}\n2,1,3,3\n,,,,,,,0.02\n1.,1.,-1.,-1.", offset));
  deck.set("PART", 9, {2, 3, 4});
  deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,");
  deck.set("PART", 4, {4});
  deck.add("*INITIAL_VELOCITY_GENERATION\n4,1,0.,0.,3.,-200.\n0.,0.,0.");
  return deck.text();
}

/// A plate is torn off a block, to which it is tied until that fails; a chain of trusses pulls at it.
inline std::string breaking_deck() {
  DeckText deck;
  deck.part(1, "SOLID,1", kSoft);
  deck.part(2, kThin, kSoft);
  deck.part(3, "SOLID,1", kRigid);
  deck.block(1, {4, 3, 2}, {0, 0, 0}, {12, 12, 4});
  const auto plate = deck.plate(2, 7, 6, {1, 1, 4.6}, {10, 0, 0}, {0, 9, 0});
  deck.block(3, {2, 2, 1}, {8, 3, 5.6}, {5, 5, 5});
  deck.add(
      "*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_TIEBREAK\n2,1,3,3\n0.1,0.1\n,\n11,0.5,0.4,1.,0.02,0.03,0.8");
  deck.set("PART", 9, {2, 3});
  deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,");
  deck.set("PART", 4, {3});
  deck.add("*INITIAL_VELOCITY_GENERATION\n4,1,0.,-60.,3.,-100.\n0.,0.,0.");
  deck.add(fmt::format(
      "*PART_AVERAGED\nchain\n5,5,5\n*SECTION_BEAM\n5,3\n2.,,,\n*MAT_ELASTIC\n5,7.85e-6,210.,0.3\n"
      "*NODE\n9001,5,5,12\n9002,12,6,15,7,7\n*ELEMENT_BEAM\n9001,5,{},9001\n9002,5,9001,9002",
      plate[20]));
  return deck.text();
}

/// Plates that welds, a set of tied nodes and bodies of nodes hold together fall on a wall; welds break.
inline std::string welded_deck() {
  DeckText deck;
  deck.part(1, kThin, kSoft);
  deck.part(2, kThin, kSoft);
  const auto low = deck.plate(1, 8, 5, {0, 0, 0}, {40, 0, 6}, {0, 30, 0});
  const auto high = deck.plate(2, 8, 5, {0.7, -1, 3}, {40, 0, 6}, {0, 30, 0});
  const auto pair = [&](int i, int j) {
    const auto at = static_cast<std::size_t>(9 * j + i);
    return std::vector{low[at], high[at]};
  };
  for (int j = 0; j < 6; ++j) {
    deck.add(fmt::format("*CONSTRAINED_SPOTWELD{}", j < 3 ? "" : "_FILTERED_FORCE"));
    deck.add(fmt::format("{},0.8,0.6,2.,2.{}", fmt::join(pair(7, j), ","), j < 3 ? "" : "\n7,0.02"));
    deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{}", fmt::join(pair(4, j), ",")));
  }
  const auto first = pair(2, 4), next = pair(3, 4);  // a chain
  deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{},1.,1.,2.,2.,0.01", fmt::join(first, ",")));
  deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{},{},1.,1.,2.,2.,0.02", first[1], next[1]));
  deck.set("NODE", 1, pair(3, 0));
  deck.add("*CONSTRAINED_NODE_SET\n1,5,0.02");
  deck.set("NODE", 2, {low[10], low[11], high[10], high[11]});
  deck.add("*CONSTRAINED_NODAL_RIGID_BODY\n101,0,2");
  deck.set("PART", 9, {1, 2});
  deck.add("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n9,0,2,0\n0.2,0.1\n,");
  deck.add(
      "*CONTROL_CONTACT\n0.1,1.0\n*RIGIDWALL_PLANAR\n0\n0.,0.,-1.,0.,0.2,0.,0.3\n*INITIAL_VELOCITY\n\n0.,0.,-"
      "150.");
  return deck.text();
}

/// A rigid block and one of solids hit plates to which springs join them: welds, rods, sets and a seam.
inline std::string sprung_deck() {
  DeckText deck;
  deck.part(1, kThin, kSoft);
  deck.part(2, "SOLID,1", kRigid);
  deck.part(3, "SOLID,1", kSoft);
  const auto plate = deck.plate(1, 8, 6, {0, 0, 0}, {32, 0, 0}, {0, 24, 0});
  const auto rigid = deck.block(2, {2, 2, 1}, {4, 4, 2}, {8, 8, 4});
  const auto soft = deck.block(3, {2, 2, 1}, {20, 4, 0}, {8, 8, 4});
  deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{},{},0.3,0.3,2.,2.\n{},{},0.,0.,0.,0.,0.02", rigid[0],
                       plate[10], plate[12], rigid[2]));
  deck.add(fmt::format("*BOUNDARY_SPC_NODE\n{},0,1,1,1", soft[9]));
  deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{},{},1.,1.,1.,1.", plate[60], soft[9]));
  deck.add(fmt::format("*CONSTRAINED_RIVET\n{},{}", rigid[6], plate[28]));
  deck.set("NODE", 1, {rigid[8], plate[30], soft[0]});
  deck.add("*CONSTRAINED_NODE_SET\n1,5,0.03");
  deck.set("PART", 4, {2});
  deck.add("*INITIAL_VELOCITY_GENERATION\n4,1,0.,20.,3.,60.\n0.,0.,0.");
  return deck.text();
}

/// Two plates that linear constraints, rivets and tied nodes link; one is moved, and the seam fails.
inline std::string linked_deck() {
  DeckText deck;
  deck.part(1, kThin, kSoft);
  const auto left = deck.plate(1, 6, 5, {0, 0, 0}, {30, 0, 0}, {0, 30, 0});
  const auto right = deck.plate(1, 6, 5, {30, 0, 0}, {30, 0, 0}, {0, 30, 0});
  std::vector<int> seam;
  for (std::size_t j = 0; j < 6; ++j) seam.insert(seam.end(), {left[7 * j + 6], right[7 * j]});
  deck.set("NODE", 1, seam);
  deck.add("*CONSTRAINED_TIED_NODES_FAILURE\n1,0.001");
  deck.add(fmt::format("*CONSTRAINED_RIVET\n{},{}\n{},{},0.01", left[8], left[24], left[24], right[9]));
  deck.add(fmt::format("*CONSTRAINED_LINEAR_GLOBAL\n1\n{},3,1.\n{},3,2.\n{},4,0.5", right[12], right[41],
                       right[20]));
  deck.set("NODE", 2, {left[0], left[7], left[14], left[21], left[28], left[35]});
  deck.add(fmt::format("*CONSTRAINED_LINEAR_GLOBAL\n2\n{},1,1.\n{},1,1.", left[7], right[27]));
  deck.part(2, "SOLID,1", kSoft);
  const auto block = deck.block(2, {2, 2, 4}, {60, 0, -2}, {6, 6, 4});
  for (std::size_t j = 0; j < 2; ++j) {
    const int set = 10 + static_cast<int>(j);
    std::vector<int> line;
    for (std::size_t k = 0; k < 5; ++k) line.push_back(block[9 * k + 6 * j]);
    deck.set("NODE", set, line);
    deck.add(fmt::format("*CONSTRAINED_SHELL_TO_SOLID\n{},{}", right[7 * j + 6], set));
  }
  deck.add("*DEFINE_CURVE\n1\n0.,-40.\n10.,-40.\n*BOUNDARY_PRESCRIBED_MOTION_SET\n2,1,0,1");
  deck.add("*INITIAL_VELOCITY_GENERATION\n3,1,0.1,2.,5.,20.\n30.,15.,0.,0.,1.,0.\n*SET_PART_LIST\n3\n1");
  return deck.text();
}

/// A soft block slides over a sphere and a plane of a free rigid block.
inline std::string entity_deck() {
  DeckText deck;
  deck.part(1, "SOLID,1", kSoft);
  deck.part(2, "SOLID,1", kRigid);
  deck.block(1, {4, 3, 2}, {0, 0, 0.01}, {12, 12, 5});
  deck.block(2, {2, 2, 2}, {0, 0, -14}, {12, 12, 12});
  deck.add(
      "*CONTACT_ENTITY\n2,2,1,1,,10.,0.3\n0.\n5.,7.,-8.\n0.\n0,0.,0.,0.,8.\n"
      "*CONTACT_ENTITY\n2,1,1,1,0.5,,0.1\n0.\n0.,0.,-0.1,1.,0.,0.\n0.,1.,0.\n0,0.,0.,0.,0.,0.,1.");
  deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.,6.,2.,-2.\n0.,0.,0.");
  deck.add("*LOAD_GRAVITY_PART\n1,3,1,1000.\n*DEFINE_CURVE\n1\n0.,1.\n1000.,1.");
  return deck.text();
}

/// Rigid blocks in a chain of joints, driven, held, pushed and stiffened, meet walls; a node is a mean.
inline std::string jointed_deck() {
  DeckText deck;
  for (int part = 1; part <= 5; ++part) {
    deck.part(part, "SOLID,1", part == 5 ? kSoft : part == 1 ? "RIGID,7.85e-6,210.,0.3|1.,7,0|" : kRigid);
    deck.block(part, {2, 1, 1}, {8.0 * part, 8, 4.0 * part}, {6, 4, 3});
  }
  const auto join = [&](const char* kind, int body, const std::vector<Vec3>& places) {
    std::vector<int> nodes;
    for (const Vec3& x : places) {
      nodes.push_back(deck.node(x));
      deck.add(fmt::format("*CONSTRAINED_EXTRA_NODES_NODE\n{},{}",
                           body + static_cast<int>((nodes.size() - 1) % 2), nodes.back()));
    }
    nodes.resize(6, 0);
    deck.add(fmt::format("*CONSTRAINED_JOINT_{}\n{}", kind, fmt::join(nodes, ",")));
  };
  join("SPHERICAL", 1, {{15, 10, 7}, {15, 10, 7}});
  join("REVOLUTE", 2, {{23, 10, 11}, {23, 10, 11}, {23, 13, 11}, {23, 13, 11}});
  join("CYLINDRICAL", 3, {{31, 10, 15}, {31, 10, 15}, {31, 13, 16}, {31, 13, 16}});
  deck.add("*DEFINE_COORDINATE_SYSTEM\n7,0.,0.,0.,1.,0.,0.\n0.,1.,0.\n*DEFINE_CURVE\n2\n-9.,-4.\n9.,4.");
  deck.add("*CONSTRAINED_JOINT_STIFFNESS_GENERALIZED\n1,1,2,7,7\n2,0,0,2,0,0\n0.5,0.1,0.5,0.1,0.5,0.1\n,");
  deck.add("*DEFINE_CURVE\n8\n-9.,-0.002\n9.,0.002");
  deck.add(
      "*CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION\n2,2,3,7,7\n8,0,8,8\n0.01,0.001,0.01,0.001\n5.,-5.,5.");
  deck.add("*CONSTRAINED_JOINT_STIFFNESS_TRANSLATIONAL\n3,3,4,7,7\n8,8,0,8\n0.01,0.001\n,");
  deck.add("*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*DEFINE_CURVE\n3\n0.,0.\n0.02,0.3\n10.,0.3");
  deck.add("*LOAD_RIGID_BODY\n3,1,1,-0.5\n*LOAD_RIGID_BODY\n3,6,1,0.3\n*LOAD_BODY_Z\n1,9.81e-1");
  deck.add("*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,1,2,3,1.,0,,0.002\n*DAMPING_GLOBAL\n0,0.2");
  const int mean = deck.node({43, 10, 22});
  deck.add(fmt::format("*ELEMENT_MASS\n9001,{0},0.0005\n*CONSTRAINED_INTERPOLATION\n1,{0},123,0,1\n5,123,1.",
                       mean));
  const int first = 4 * 12 + 1;  // of part 5
  deck.set("NODE", 5, {first, first + 1, first + 2, first + 6, first + 7, first + 9});
  deck.add("*BOUNDARY_SPC_NODE\n37,0,0,1,0,0,0,0");  // of part 4
  deck.add(
      "*CONTROL_CONTACT\n0.1,1.0\n*RIGIDWALL_PLANAR_FINITE\n0\n0.,0.,3.9,0.,0.,13.,0.3\n30.,0.,3.9,60.,60.");
  deck.add("*RIGIDWALL_PLANAR_MOVING\n0\n50.,0.,0.,40.,0.,0.,0.2\n0.001,30.");
  deck.set("PART", 5, {5});
  deck.add("*INITIAL_VELOCITY_GENERATION\n5,1,0.3,100.,3.,-20.\n40.,8.,20.,1.,1.,0.");
  deck.set("PART", 2, {2, 3});
  deck.add("*INITIAL_VELOCITY_GENERATION\n2,1,0.1,0.,3.,-40.\n20.,8.,8.,1.,0.,0.");
  return deck.text();
}

/// A block that flies on a belt: a ring, a retractor that locks with an element inside, a pretensioner.
inline std::string belted_deck() {
  DeckText deck;
  deck.part(1, "SOLID,1", kSoft);
  const auto block = deck.block(1, {3, 3, 3}, {0, 0, 0}, {9, 9, 6});
  const int ring = deck.node({-6, 0, 0}), reel = deck.node({-6, -12, 0});
  const int at_ring = deck.node({-6, 0, 0}), at_reel = deck.node({-6, -12, 0}),
            inside = deck.node({-6, -12, 0});
  const int middle = deck.node({-3, 0, 0}), side = deck.node({-6, -6, 0});
  deck.set("NODE", 1, {ring, reel});
  deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1,1,1,1");
  deck.add(
      "*DEFINE_CURVE\n1\n0.,0.\n1.,0.02\n*DEFINE_CURVE\n2\n0.,1e-4\n9.,3e-3\n*DEFINE_CURVE\n3\n0.,0.\n1.,1.");
  deck.add("*PART\nbelt\n9,9,9\n*SECTION_SEATBELT\n9\n*MAT_SEATBELT\n9,1e-5,1,1,0.5");
  deck.add(fmt::format("*ELEMENT_SEATBELT\n901,9,{},{}\n902,9,{},{}\n903,9,{},{}\n904,9,{},{}\n905,9,{},{},7",
                       block[0], middle, middle, at_ring, at_ring, side, side, at_reel, at_reel, inside));
  deck.add(fmt::format("*ELEMENT_SEATBELT_SLIPRING\n1,902,903,0.2,{}", ring));
  deck.add(fmt::format("*ELEMENT_SEATBELT_SENSOR\n1,3\n0.005\n2,1\n{},1,1.0,0.001", block[0]));
  deck.add(fmt::format("*ELEMENT_SEATBELT_RETRACTOR\n7,{},904,1,2\n0.001,0.,2,0,3.", reel));
  deck.add("*ELEMENT_SEATBELT_PRETENSIONER\n5,4,1\n7,0.,3");
  deck.add("*INITIAL_VELOCITY_GENERATION\n1,2,0.,40.,3.,0.\n0.,0.,0.");
  return deck.text();
}

/// A block and a plate that are moved, held, pressed, pulled, damped and made heavier; the plate tears.
/// @param time_step the card of *CONTROL_TIMESTEP
inline std::string loaded_deck(std::string_view time_step, std::string_view more = "") {
  DeckText deck;
  deck.part(1, "SOLID,1", kSoft);
  deck.part(2, kThin, kBrittle);
  const auto block = deck.block(1, {3, 3, 3}, {0, 0, 0}, {9, 9, 6});
  const auto plate = deck.plate(2, 6, 4, {20, 0, 0}, {24, 0, 0}, {0, 16, 3});
  deck.set("NODE", 1, {block.begin(), block.begin() + 16});
  deck.set("NODE", 2, {block.end() - 16, block.end()});
  deck.set("NODE", 3, {plate[0], plate[7], plate[14], plate[21], plate[28]});
  deck.set("NODE", 4, {plate[6], plate[13], plate[20], plate[27], plate[34]});
  deck.add("*BOUNDARY_SPC_SET\n1,0,1,1,1\n*BOUNDARY_SPC_SET_BIRTH_DEATH\n3,0,1,1,1,1,1,1\n0.001,0.01");
  deck.add("*DEFINE_CURVE\n1\n0.,0.\n0.02,-3.\n1.,-3.\n*DEFINE_CURVE\n2\n0.,0.\n0.005,1.\n10.,1.");
  deck.add("*DEFINE_CURVE\n3\n0.,1.\n1000.,1.\n*DEFINE_CURVE\n4\n0.,60.\n10.,60.");
  deck.add("*BOUNDARY_PRESCRIBED_MOTION_SET\n2,3,2,1,1.,0,,0.001\n*BOUNDARY_PRESCRIBED_MOTION_SET\n4,1,0,4");
  deck.add(fmt::format("*LOAD_NODE_POINT\n{},3,2,-0.5\n{},4,2,0.2,,{},{},{}", plate[16], plate[18], plate[18],
                       plate[19], plate[26]));
  for (int j = 0; j < 4; ++j) deck.add(fmt::format("*LOAD_SHELL_ELEMENT\n{},2,0.05,0.", 28 + 6 * j + 5));
  deck.add(fmt::format("*LOAD_SEGMENT\n2,0.02,0.001,{},{},{},{}", block[3], block[7], block[23], block[19]));
  deck.add("*LOAD_BODY_Z\n3,9.81e-2\n*LOAD_GRAVITY_PART\n1,2,2,-0.05\n*DAMPING_PART_MASS\n2,3,0.3");
  deck.add(fmt::format("*CONTROL_TIMESTEP\n{}", time_step));
  deck.add("*SET_PART_LIST\n6,5.,0.97\n1,\n*CONTACT_INTERIOR\n6,");
  deck.add("*DATABASE_EXTENT_BINARY\n0,0,3,1,1,1,1,1");
  deck.add(more);
  return deck.text();
}

}  // namespace crumple::explicit_dynamics
