// LS-DYNA's text histories: one function per file.
#include "output/ascii/histories.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "model/feature.hpp"
#include "output/ascii/numbers.hpp"
#include "output/file_positions.hpp"
#include "output/rows.hpp"

namespace crumple::output {

AsciiHistories::AsciiHistories(const Catalogue& catalogue, const std::string& directory,
                               const std::string& prefix)
    : catalogue_(catalogue), stem_(directory + "/" + prefix) {
  remove_others({});
}

AsciiHistories::AsciiHistories(const Catalogue& catalogue, const std::string& directory,
                               const std::string& prefix, const std::map<std::string, std::int64_t>& sizes)
    : catalogue_(catalogue), stem_(directory + "/" + prefix) {
  for (const auto& [name, size] : sizes)
    if (name != kD3hsp) files_.emplace(name, File::cut_back(stem_ + name, size));
  remove_others(sizes);
}

/// Removes files of histories that an earlier run left.
void AsciiHistories::remove_others(const std::map<std::string, std::int64_t>& kept) const {
  const auto remove = [&](std::string_view name) {
    if (!kept.contains(std::string(name))) remove_file(stem_ + std::string(name));
  };
  for (const char* name : {"glstat", "matsum", "rcforc", "rwforc", "nodout", "swforc", "secforc", "spcforc",
                           "bndout", "sleout", "ncforc", "elout", "deforc", "jntforc", "rbdout"})
    remove(name);
  for (const model::Feature* const feature : model::features())
    for (const std::string_view name : feature->histories()) remove(name);
}

void AsciiHistories::append(const std::string& name, const Legend& legend, const std::string& after_legend,
                            const std::string& block) {
  if (take_) return take_(name, top(legend, after_legend), block);
  const auto found = files_.find(name);
  if (found != files_.end()) {
    found->second.append(block);
    return;
  }
  File file(stem_ + name);
  file.append(top(legend, after_legend) + block);
  files_.emplace(name, std::move(file));
}

/// What a file begins with.
std::string AsciiHistories::top(const Legend& legend, const std::string& after_legend) const {
  const RunInfo& run = catalogue_.run;
  std::string text = fmt::format(" {:.72}\n                         ls-dyna ({})     date {}\n",
                                 catalogue_.title, run.program(), run.date);
  if (!legend.empty()) {
    text += "\n{BEGIN LEGEND}\n Entity #        Title\n";
    for (const auto& [id, title] : legend) text += fmt::format("{:9d}     {:.80}\n", id, title);
    text += "{END LEGEND}\n\n";
  }
  return text + after_legend;
}

void AsciiHistories::glstat(const GlobalRow& row) {
  std::string text;
  const auto line = [&](const char* label, double value, const std::string& after = "") {
    text += fmt::format(" {:.<31}{}{}\n", label, real(value, 14, 5), after);
  };
  if (row.controlling == ElementKind::none) {
    text += fmt::format("\n\n dt of cycle{:8d} is controlled by load curve\n\n", row.cycle);
  } else {
    text += fmt::format("\n\n dt of cycle{:8d} is controlled by {:<10}{:10d} of part{:10d}\n\n", row.cycle,
                        kind_name(row.controlling), row.controlling_element, row.controlling_part);
  }
  line("time", row.time);
  line("time step", row.dt);
  line("kinetic energy", row.kinetic);
  line("internal energy", row.internal);
  for (std::size_t i = 0; i < row.stonewall.size(); ++i) {
    line("stonewall energy", row.stonewall[i], fmt::format(" wall#{:5d}", i + 1));
  }
  line("spring and damper energy", row.spring_damper);
  if (catalogue_.has_joints()) line("joint internal energy", row.joint);
  line("hourglass energy ", row.hourglass);
  line("system damping energy", row.damping);
  line("sliding interface energy", row.sliding);
  line("external work", row.external_work);
  line("eroded kinetic energy", row.eroded_kinetic);
  line("eroded internal energy", row.eroded_internal);
  line("eroded hourglass energy", row.eroded_hourglass);
  line("total energy", row.total);
  line("total energy / initial energy", row.ratio);
  line("energy ratio w/o eroded energy", row.ratio_without_eroded);
  line("global x velocity", row.velocity.x);
  line("global y velocity", row.velocity.y);
  line("global z velocity", row.velocity.z);
  text += fmt::format(" time per zone cycle.(nanosec)..{:14d}\n", std::llround(row.ns_per_zone_cycle));
  if (row.added_mass != 0) {
    text += "\n\n";
    line("added mass", row.added_mass);
    line("percentage increase", row.added_mass_percent);
  }
  append("glstat", {}, "", text);
}

void AsciiHistories::matsum(double time, std::int64_t, std::span<const MatsumRow> rows) {
  require_rows("matsum", rows.size(), catalogue_.parts.size());
  Legend legend;
  std::string text = fmt::format("\n\n time ={}\n", real(time, 13, 4));
  const auto field = [](const char* label, double value) {
    return fmt::format("{}={}", label, real(value, 13, 4));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const MatsumRow& r = rows[i];
    const GlobalId id = catalogue_.parts[i].id;
    legend.emplace_back(id, catalogue_.parts[i].title);
    text += id < 100000 ? fmt::format(" mat.#={:5d}   ", id) : fmt::format(" mat.#={:8d}", id);
    text += fmt::format("          {}     {}     {}     {}\n", field("inten", r.internal),
                        field("kinen", r.kinetic), field("eroded_ie", r.eroded_internal),
                        field("eroded_ke", r.eroded_kinetic));
    text += fmt::format(" {}     {}     {}\n", field("x-mom", r.momentum.x), field("y-mom", r.momentum.y),
                        field("z-mom", r.momentum.z));
    text += fmt::format(" {}     {}     {}\n", field("x-rbv", r.rigid_velocity.x),
                        field("y-rbv", r.rigid_velocity.y), field("z-rbv", r.rigid_velocity.z));
    text += fmt::format("                         {}     {}     {}\n\n", field("hgeng", r.hourglass),
                        field("+mass", r.added_mass), field("eroded_he", r.eroded_hourglass));
  }
  append("matsum", legend, "", text);
}

void AsciiHistories::rcforc(double time, std::int64_t, std::span<const RcforcRow> rows) {
  require_rows("rcforc", rows.size(), catalogue_.contacts.size());
  Legend legend;
  std::string text;
  const auto side = [&](const char* name, GlobalId id, const Vec3& force, double mass) {
    text += fmt::format("  {:<6}{:11d} time{}  x {}  y {}  z {} mass {}\n", name, id, real(time, 12, 5),
                        real(force.x, 12, 5), real(force.y, 12, 5), real(force.z, 12, 5), real(mass, 12, 5));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ContactInfo& contact = catalogue_.contacts[i];
    legend.emplace_back(contact.id, contact.title);
    if (contact.side_a) side("slave", contact.id, rows[i].force_a, rows[i].mass_a);
    if (contact.side_b) side("master", contact.id, rows[i].force_b, rows[i].mass_b);
  }
  append("rcforc", legend, "", text);
}

void AsciiHistories::sleout(double time, std::int64_t, std::span<const SleoutRow> rows) {
  require_rows("sleout", rows.size(), catalogue_.contacts.size());
  Legend legend;
  std::string text =
      fmt::format("\n time ={}\n slideline       slave      master    friction\n", real(time, 13, 5));
  SleoutRow total;
  const auto line = [&](const std::string& name, const SleoutRow& r) {
    text += fmt::format("{:>10}{}{}{}\n", name, real(r.energy_a, 12, 4), real(r.energy_b, 12, 4),
                        real(r.friction, 12, 4));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ContactInfo& contact = catalogue_.contacts[i];
    legend.emplace_back(contact.id, contact.title);
    line(std::to_string(contact.id), rows[i]);
    total.energy_a += rows[i].energy_a, total.energy_b += rows[i].energy_b;
    total.friction += rows[i].friction;
  }
  line("total", total);
  append("sleout", legend, "", text);
}

void AsciiHistories::ncforc(double time, std::int64_t, std::span<const std::vector<NcforcRow>> blocks) {
  const auto& sides = catalogue_.contact_sides;
  require_rows("ncforc", blocks.size(), sides.size());
  Legend legend;
  for (const ContactInfo& contact : catalogue_.contacts) legend.emplace_back(contact.id, contact.title);
  std::string text;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const ContactSideInfo& side = sides[k];
    text += fmt::format("\n forces at time{} on the {} side of contact {:9d}\n", real(time, 13, 5),
                        side.b ? "master" : "slave", catalogue_.contacts[side.contact].id);
    text += "     node     x-force     y-force     z-force           x           y           z\n";
    require_rows("ncforc", blocks[k].size(), side.nodes.size());
    for (std::size_t i = 0; i < side.nodes.size(); ++i)
      text += fmt::format("{:9d}{}{}\n", catalogue_.node_id[side.nodes[i]], real3(blocks[k][i].force, 12, 4),
                          real3(blocks[k][i].x, 12, 4));
  }
  append("ncforc", legend, "", text);
}

void AsciiHistories::rwforc(double time, std::int64_t, std::span<const RwforcRow> rows) {
  require_rows("rwforc", rows.size(), catalogue_.walls.size());
  Legend legend;
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const WallInfo& wall = catalogue_.walls[i];
    legend.emplace_back(wall.id, wall.title);
    text += fmt::format("{}{:8d}{}{}\n", real(time, 12, 5), wall.id, real(rows[i].normal, 15, 6),
                        real3(rows[i].force, 15, 6));
  }
  append("rwforc", legend,
         "\n\n    time       wall#   normal-force    x-force        y-force        z-force\n", text);
}

void AsciiHistories::nodout(double time, std::int64_t cycle, std::span<const NodoutRow> rows) {
  require_rows("nodout", rows.size(), catalogue_.history_nodes.size());
  Legend legend;
  for (const Named& node : catalogue_.history_nodes) {
    if (!node.title.empty()) legend.emplace_back(node.id, node.title);
  }
  const std::string head = fmt::format(
      "\n\n\n n o d a l   p r i n t   o u t   f o r   t i m e  s t e p{:8d}"
      "                              ( at time{} )\n",
      cycle, real(time, 14, 7));
  std::string text = head +
                     "\n nodal point  x-disp     y-disp      z-disp      x-vel       y-vel       z-vel"
                     "      x-accl      y-accl      z-accl      x-coor      y-coor      z-coor\n";
  const auto& nodes = catalogue_.history_nodes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NodoutRow& r = rows[i];
    text += fmt::format("{:9d} {}{}{}{}\n", nodes[i].id, real3(r.displacement, 12, 4),
                        real3(r.velocity, 12, 4), real3(r.acceleration, 12, 4), real3(r.x, 12, 4));
  }
  text += head +
          "\n nodal point  x-rot      y-rot       z-rot       x-rot vel   y-rot vel   z-rot vel"
          "   x-rot acc   y-rot acc   z-rot acc\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const NodoutRow& r = rows[i];
    text += fmt::format("{:9d} {}{}{}\n", nodes[i].id, real3(r.rotation, 12, 4),
                        real3(r.angular_velocity, 12, 4), real3(r.angular_acceleration, 12, 4));
  }
  append("nodout", legend, "", text);
}

void AsciiHistories::swforc(double time, std::int64_t, std::span<const SwforcRow> rows) {
  require_rows("swforc", rows.size(), catalogue_.welds.size());
  std::string text = fmt::format("\n constraint #      axial        shear         time{:48}length\n", "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SwforcRow& r = rows[i];
    text += fmt::format("      {:5d}{}{}{}  {:<7}    spotweld beam  ID   {:8d}", i + 1, real(r.axial, 13, 5),
                        real(r.shear, 13, 5), real(time, 13, 5), r.failed ? "failure" : "",
                        catalogue_.welds[i].id);
    text += r.failed ? fmt::format("  failure time={}\n", real(r.failure_time, 12, 4))
                     : fmt::format("{}\n", real(r.length, 13, 5));
  }
  append("swforc", {}, "", text);
}

void AsciiHistories::secforc(double time, std::int64_t, std::span<const SecforcRow> rows) {
  require_rows("secforc", rows.size(), catalogue_.sections.size());
  Legend legend;
  std::string text;
  const auto line = [&](const std::string& head, const Vec3& v, double last) {
    text += fmt::format("{:<27}{}{}{}{}\n", head, real(v.x, 15, 4), real(v.y, 12, 4), real(v.z, 12, 4),
                        real(last, 12, 4));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SecforcRow& r = rows[i];
    const SectionInfo& section = catalogue_.sections[i];
    legend.emplace_back(section.id, section.title);
    line(fmt::format("{:12d}{}", section.id, real(time, 15, 5)), r.force, norm(r.force));
    std::string axes = "global system";
    if (section.rigid_body != 0) axes = fmt::format("rb ID ={:8d}", section.rigid_body);
    if (section.system != 0) axes = fmt::format("cs ID ={:8d}", section.system);
    line(axes, r.moment, norm(r.moment));
    line("", r.centroid, r.area);
    text += "\n";
  }
  append("secforc", legend,
         "\n\n line#1  section#     time        x-force     y-force     z-force    magnitude\n"
         " line#2  resultant  moments       x-moment    y-moment    z-moment   magnitude\n"
         " line#3  centroids                x           y           z            area  \n",
         text);
}

void AsciiHistories::spcforc(double time, std::int64_t, const SpcforcBlock& block) {
  require_rows("spcforc", block.rows.size(), catalogue_.held_nodes.size());
  std::string text = fmt::format(" output at time ={}\n", real(time, 14, 5));
  for (std::size_t i = 0; i < block.rows.size(); ++i) {
    const HeldNode& node = catalogue_.held_nodes[i];
    const std::string set = node.constraint != 0 ? fmt::format("   setid={:8d}", node.constraint) : "";
    if (node.translations)
      text += fmt::format(" node={:8d} local x,y,z forces ={}{}\n", node.id,
                          real3(block.rows[i].force, 14, 4), set);
    if (node.rotations)
      text += fmt::format(" node={:8d} local x,y,z moments={}{}\n", node.id,
                          real3(block.rows[i].moment, 14, 4), set);
  }
  text += fmt::format("             force resultants   ={}\n", real3(block.resultant, 14, 4));
  append("spcforc", {}, " single point constraint forces\n\n", text);
}

namespace {

std::string forces_line(const char* head, const char* gap, const std::array<const char*, 4>& names,
                        const BndoutBlock::Row& row) {
  return fmt::format("{}{}={}   {}={}  {}={}   {}={}\n", head, gap + std::string(names[0]),
                     real(row.force.x, 13, 4), names[1], real(row.force.y, 13, 4), names[2],
                     real(row.force.z, 13, 4), names[3], real(row.energy, 13, 4));
}

/// Rows of nodes or bodies; adds them to `total`.
std::string bndout_rows(const char* entity, std::span<const GlobalId> numbers,
                        std::span<const BndoutBlock::Row> rows, bool with_moments, BndoutBlock::Row& total) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const BndoutBlock::Row& row = rows[i];
    text += forces_line(fmt::format("{}#{:8d}", entity, numbers[i]).c_str(), "  ",
                        {"xforce", "yforce", "zforce", "energy"}, row);
    if (with_moments)
      text += fmt::format("             xmoment={}  ymoment={} zmoment={}\n", real(row.moment.x, 13, 4),
                          real(row.moment.y, 13, 4), real(row.moment.z, 13, 4));
    total.force += row.force;
    total.energy += row.energy;
  }
  return text;
}

std::string bndout_total(const BndoutBlock::Row& total) {
  return forces_line("            ", "  ", {"xtotal", "ytotal", "ztotal", "etotal"}, total);
}

}  // namespace

void AsciiHistories::bndout(double time, std::int64_t, const BndoutBlock& block) {
  const BoundaryInfo& info = catalogue_.boundary;
  require_rows("bndout",
               block.loaded.size() + block.pressed.size() + block.moved.size() + block.bodies.size(),
               info.loaded.size() + info.pressed.size() + info.moved.size() + info.bodies.size());
  const auto head = [&](const char* title) {
    return fmt::format(
        "\n\n\n\n\n n o d a l   f o r c e/e n e r g y    o u t p u t   t={}\n\n\n\n\n\n {} \n\n",
        real(time, 9, 3), title);
  };
  std::string text;
  BndoutBlock::Row loads, pressures, motions;
  if (!block.loaded.empty()) {
    text += head("discrete nodal point forces");
    text += bndout_rows(" nd", info.loaded, block.loaded, false, loads);
    text += bndout_total(loads);
  }
  if (!block.pressed.empty()) {
    text += head("pressure boundary condition forces");
    text += bndout_rows(" nd", info.pressed, block.pressed, false, pressures);
    text += bndout_total(pressures);
  }
  if (!block.moved.empty() || !block.bodies.empty()) {
    text += head("velocity boundary condition forces/rigid body moments");
    text += bndout_rows(" nd", info.moved, block.moved, false, motions);
    text += bndout_rows("mat", info.bodies, block.bodies, true, motions);
    text += bndout_total(motions);
  }
  append("bndout", {}, "", text);
}

namespace {

std::string real6(const std::array<double, 6>& v, int width, int digits) {
  std::string text;
  for (const double value : v) text += real(value, width, digits);
  return text;
}

std::string name_line(const EloutElement& e) { return fmt::format("{:8d}-{:7d}\n", e.id, e.part); }

std::string elout_head(const char* what, double time, std::int64_t cycle) {
  return fmt::format("\n\n\n {}   f o r   t i m e  s t e p{:9d}   ( at time{} )\n", what, cycle,
                     real(time, 12, 5));
}

constexpr const char* kStress = "e l e m e n t   s t r e s s   c a l c u l a t i o n s";
constexpr const char* kStressNames = "sig-xx      sig-yy      sig-zz      sig-xy      sig-yz      sig-zx";
constexpr const char* kStrainNames = "eps-xx      eps-yy      eps-zz      eps-xy      eps-yz      eps-zx";

std::string solid_block(const std::string& head, const std::string& strain_head, const EloutRow& row) {
  std::string text = fmt::format(
      "{}\n element  materl\n     ipt  stress       {}{:23}yield\n           state{:82}effsg      function\n",
      head, kStressNames, "", "");
  for (const EloutElement& e : row.solids) {
    const PointState& p = e.points[0];
    text += name_line(e) + fmt::format("       1 {:<7} {}{}{}\n", (p.plastic() ? "plastic" : "elastic"),
                                       real6(p.stress, 12, 4), real(p.von_mises(), 14, 4),
                                       real(p.plastic_strain, 14, 4));
  }
  if (!row.strains) return text;
  text += fmt::format("{}\n element  materl\n element  strain       {}{:23}yield\n num/ipt   state\n",
                      strain_head, kStrainNames, "");
  for (const EloutElement& e : row.solids)
    text += name_line(e) + fmt::format("      1  {:<7} {}\n", (e.points[0].plastic() ? "plastic" : "elastic"),
                                       real6(e.inner, 12, 4));
  return text;
}

std::string beam_block(const std::string& head, const EloutRow& row) {
  std::string text = "\n" + head;
  for (const EloutElement& e : row.beams) {
    text += fmt::format("\n\n\n\n beam/truss # ={:8d}      material #  ={:5d}\n", e.id, e.part);
    text += "\n\n resultants      axial    shear-s    shear-t    moment-s   moment-t   torsion\n";
    text += fmt::format("{:11}{}\n", "", real6(e.resultant, 11, 3));
    if (e.points.empty()) continue;
    text += fmt::format(
        "\n\n integration point stresses\n{:23}sigma 11       sigma 12       sigma 31   plastic  eps\n", "");
    for (std::size_t p = 0; p < e.points.size(); ++p) {
      const auto& s = e.points[p].stress;
      text += fmt::format("{:5d}           {}{}{}{}\n", p + 1, real(s[0], 15, 6), real(s[3], 15, 6),
                          real(s[5], 15, 6), real(e.points[p].plastic_strain, 15, 6));
    }
  }
  return text;
}

std::string shell_block(const std::string& head, const EloutRow& row) {
  std::string text = fmt::format(
      "{}\n element  materl(global)\n ipt-shl  stress       {}       plastic\n           state{:81}strain \n",
      head, kStressNames, "");
  for (const EloutElement& e : row.shells) {
    text += name_line(e);
    for (std::size_t p = 0; p < e.points.size(); ++p)
      text += fmt::format("{:4d}-{:3d} {:<7} {}{}\n", p + 1, e.form,
                          (e.points[p].plastic() ? "plastic" : "elastic"), real6(e.points[p].stress, 12, 4),
                          real(e.points[p].plastic_strain, 14, 4));
  }
  if (!row.strains) return text;
  text += fmt::format("\n strains (global)      {}{:36}\n{:117}\n", kStrainNames, "", "");
  for (const EloutElement& e : row.shells)
    text += name_line(e) + fmt::format(" lower surface   {}\n upper surface   {}\n", real6(e.inner, 12, 4),
                                       real6(e.outer, 12, 4));
  return text;
}

}  // namespace

void AsciiHistories::elout(double time, std::int64_t cycle, const EloutRow& row) {
  const std::string head = elout_head(kStress, time, cycle);
  std::string text;
  if (!row.solids.empty())
    text += solid_block(
        head, elout_head("e l e m e n t   s t r a i n   c a l c u l a t i o n s", time, cycle), row);
  if (!row.beams.empty())
    text += beam_block(elout_head("r e s u l t a n t s   a n d   s t r e s s e s", time, cycle), row);
  if (!row.shells.empty()) text += shell_block(head, row);
  Legend legend;
  for (const auto* named : {&catalogue_.named_solids, &catalogue_.named_beams, &catalogue_.named_shells})
    for (const Named& element : *named) legend.emplace_back(element.id, element.title);
  if (!text.empty()) append("elout", legend, "", text);
}

void AsciiHistories::deforc(double time, std::int64_t, std::span<const DeforcRow> rows) {
  require_rows("deforc", rows.size(), catalogue_.springs.size());
  const auto line = [](const std::string& label, double value) {
    return fmt::format(" {:.<29}{}\n", label, real(value, 14, 5));
  };
  Legend legend;
  std::string text = "\n" + line("time", time);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SpringInfo& spring = catalogue_.springs[i];
    const DeforcRow& r = rows[i];
    const std::string what = spring.rotational ? "moment" : "force";
    text += fmt::format(" {:.<29}{:10d}\n", "spring/damper number", spring.id);
    for (int k = 0; k < 3; ++k) text += line(std::string(1, "xyz"[k]) + "-" + what, r.force[k]);
    text += line("resultant " + what, r.resultant);
    text += line(spring.rotational ? "relative rotation" : "change in length", r.change);
    if (!spring.title.empty()) legend.emplace_back(spring.id, spring.title);
  }
  append("deforc", legend, "", text);
}

namespace {

/// Lines of one joint stiffness; each kind has its names.
void joint_stiffness(const JointInfo& info, const JointStiffnessRow& s, const auto& line, std::string& text) {
  constexpr std::array<std::array<const char*, 3>, 3> names{
      {{"phi", "theta", "psi"}, {"alpha", "gamma", "beta"}, {"x", "y", "z"}}};
  const auto& angle = names[static_cast<std::size_t>(info.kind)];
  text += fmt::format(" joint stiffness id number....{:10d}\n", info.id);
  for (std::size_t k = 0; k < 3; ++k) {
    line(fmt::format("{}{}", angle[k], info.kind == 2 ? "-displacement" : " (degrees)"), s.angle[k]);
    line(fmt::format("d({})/dt{}", angle[k], info.kind == 2 ? "" : " (degrees)"), s.rate[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (info.kind == 1 && k == 1) {
      line("gamma scale factor", s.scale);
      continue;
    }
    const std::string name = info.kind == 2 ? fmt::format("{}-force-", angle[k])
                                            : fmt::format("{}{}moment-", angle[k], k == 0 ? " " : "-");
    line(name + "stiffness", s.stiffness[k]);
    line(name + "damping", s.damping[k]);
    line(name + "total", s.stiffness[k] + s.damping[k]);
  }
  line("joint energy", s.energy);
}

}  // namespace

void AsciiHistories::jntforc(double time, std::int64_t, std::span<const JointRow> joints,
                             std::span<const JointStiffnessRow> stiffnesses) {
  require_rows("jntforc", joints.size(), catalogue_.joints.size());
  require_rows("jntforc", stiffnesses.size(), catalogue_.joint_stiffnesses.size());
  Legend legend;
  std::string text = fmt::format("\n\n time.........................{}\n", real(time, 14, 5));
  const auto line = [&](const std::string& label, double value) {
    text += fmt::format(" {:.<29}{}\n", label, real(value, 14, 5));
  };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const JointInfo& joint = catalogue_.joints[i];
    if (!joint.title.empty()) legend.emplace_back(joint.id, joint.title);
    text += fmt::format(" joint number.................{:10d}\n", joint.id);
    for (int k = 0; k < 3; ++k)
      line(fmt::format("{}-force{}", "xyz"[k], joint.local ? "  (local) " : ""), joints[i].force[k]);
    for (int k = 0; k < 3; ++k)
      line(fmt::format("{}-moment{}", "xyz"[k], joint.local ? " (local) " : ""), joints[i].moment[k]);
    line("resultant force", norm(joints[i].force));
    line("resultant moment", norm(joints[i].moment));
    line("joint energy", joints[i].energy);
  }
  for (std::size_t i = 0; i < stiffnesses.size(); ++i)
    joint_stiffness(catalogue_.joint_stiffnesses[i], stiffnesses[i], line, text);
  append("jntforc", legend, "", text);
}

void AsciiHistories::rbdout(double time, std::int64_t cycle, std::span<const RigidBodyRow> rows) {
  require_rows("rbdout", rows.size(), catalogue_.rigid_bodies.size());
  std::string text = fmt::format("1\n\n  r i g i d   b o d y   m o t i o n   a t  cycle={:8d}    time={}\n",
                                 cycle, real(time, 15, 6));
  const auto six = [&](const char* label, const Vec3& a, const Vec3& b) {
    text += fmt::format("{}  {}{}\n", label, real3(a, 12, 4), real3(b, 12, 4));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RigidBodyRow& r = rows[i];
    const auto& d = r.direction;
    const auto local = [&](const Vec3& v) { return v.x * d[0] + v.y * d[1] + v.z * d[2]; };
    const RigidBodyInfo& body = catalogue_.rigid_bodies[i];
    text += fmt::format("{} rigid body{:8d}\n", body.nodal ? " nodal" : "\n", body.id);
    text += "   global             x           y           z          x-rot       y-rot       z-rot\n";
    text += fmt::format("   coordinates:  {}\n", real3(r.x, 12, 4));
    six(" displacements:", r.displacement, r.rotation);
    six("    velocities:", r.velocity, r.angular_velocity);
    six(" accelerations:", r.acceleration, r.angular_acceleration);
    text += "\nprincipal or user defined local coordinate direction vectors\n";
    text += "                     a           b           c\n";
    for (std::size_t k = 0; k < 3; ++k) text += fmt::format("     row {}{}\n", k + 1, real3(d[k], 15, 4));
    text += "\n output in principal or user defined local coordinate directions\n";
    text += "                      a           b           c          a-rot       b-rot       c-rot\n";
    six(" displacements:", local(r.displacement), local(r.rotation));
    six("    velocities:", local(r.velocity), local(r.angular_velocity));
    six(" accelerations:", local(r.acceleration), local(r.angular_acceleration));
  }
  append("rbdout", {}, "", text);
}

std::map<std::string, std::int64_t> AsciiHistories::sizes() const {
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [name, file] : files_) sizes.emplace(name, file.size());
  return sizes;
}

void AsciiHistories::flush() {
  for (auto& [name, file] : files_) file.flush();
}

void AsciiHistories::close() {
  for (auto& [name, file] : files_) file.close();
}

}  // namespace crumple::output
