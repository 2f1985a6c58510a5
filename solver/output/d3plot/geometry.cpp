// The first file of the d3plot family: control words, geometry, user ids, titles.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "output/d3plot/d3plot.hpp"
#include "output/d3plot/words.hpp"

namespace crumple::output {

namespace {

constexpr int kBlock = 512;  ///< words; LS-DYNA fills its files up to a multiple of this

/// Readers show it as LS-DYNA's release.
constexpr std::string_view kRelease = "CR01";

/// Number of parts of `kind`. A part without elements in the file counts as beams, so that the sum is the
/// number of parts, as vtk assumes.
std::int64_t count_parts(const Catalogue& c, ElementKind kind) {
  std::int64_t n = 0;
  for (const PartInfo& part : c.parts) {
    const bool held =
        part.kind == ElementKind::solid || part.kind == ElementKind::shell || part.kind == ElementKind::sph;
    n += (held ? part.kind : ElementKind::beam) == kind;
  }
  return n;
}

int stress_flag(int flag) { return flag == 1 ? 1000 : flag == 2 ? 999 : 0; }

/// The first seven hexadecimal digits of a commit, which fit into any word; 0 without a commit.
std::int64_t revision_number(const std::string& revision) {
  constexpr std::size_t digits = 7;
  std::int64_t number = 0;
  const auto end =
      std::from_chars(revision.data(), revision.data() + std::min(digits, revision.size()), number, 16);
  return end.ec == std::errc{} ? number : 0;
}

}  // namespace

void D3plotWriter::write_geometry_file() {
  File file(path(0));
  try {
    WordStream out(file, 0, options_.double_precision);
    put_control(out);
    put_geometry(out);
    put_ids(out);
    put_particles(out);
    out.real(kEndMark);
    put_titles(out);
    out.real(kEndMark);
    out.pad(kBlock);
    out.finish();
    file.close();
    sizes_ = {file.size()};
  } catch (...) {
    remove_file(file.path());  // so that no partial header is left
    throw;
  }
}

void D3plotWriter::put_control(WordStream& out) const {
  const Catalogue& c = catalogue_;
  const Layout& l = options_.layout;
  const auto n = [](const auto& elements) { return std::int64_t(elements.size()); };
  out.text(c.title, 10 * std::size_t(out.word_size()));
  out.integer(c.run.seconds & 0x7fffffff);
  out.integer(1);                                // 11: a d3plot
  out.integer(revision_number(c.run.revision));  // 12: source version
  out.text(kRelease, std::size_t(out.word_size()));
  out.real(960.0);
  // 15 NDIM: 4 unpacked connectivity; 5 also has the list of material types that rigid shells need
  out.integer(options_.drop_rigid_shells ? 5 : 4);
  out.integer(n(c.node_id));
  out.integer(6);                                // 17 ICODE
  out.integer(6 + 7 * n(c.parts) + n(c.walls));  // 18 NGLBV
  out.integer(l.added_mass ? 10 : 0);            // 19 IT, second digit: added masses of nodes
  const int motion = options_.node_motion;
  for (const int flag : {1, motion, motion}) out.integer(flag);  // 20 IU, IV, IA
  out.integer(n(c.solids));
  out.integer(count_parts(c, ElementKind::solid));
  out.integer(0), out.integer(0);
  out.integer(rows_.words(ElementKind::solid));
  out.integer(n(c.beams));
  out.integer(count_parts(c, ElementKind::beam));
  out.integer(rows_.words(ElementKind::beam));
  out.integer(n(c.shells));
  out.integer(count_parts(c, ElementKind::shell));
  out.integer(rows_.words(ElementKind::shell));
  out.integer(l.solid_history + 6 * l.strains);  // 34 NEIPH: strains of solids are its last six
  out.integer(l.shell_history);
  out.integer(-(10000 + l.shell_layers));         // 36 MAXINT, below -10000: element deletion list
  out.integer(n(c.particles));                    // 37 NMSPH
  out.integer(count_parts(c, ElementKind::sph));  // 38 NGPSPH
  out.integer(16 + n(c.node_id) + n(c.solids) + n(c.beams) + n(c.shells) + 3 * n(c.parts));  // 39 NARBS
  for (int word = 40; word < 43; ++word) out.integer(0);                                     // thick shells
  out.integer(stress_flag(options_.sigflg));
  out.integer(stress_flag(options_.epsflg));
  out.integer(options_.shell_resultants ? 1000 : 0);
  out.integer(options_.shell_energies ? 1000 : 0);
  for (int word = 47; word < 51; ++word) out.integer(0);
  out.integer(n(c.parts));  // 51 NMMAT
  out.integer(0);
  out.integer(1);  // 53 INN: invariant node numbering
  out.integer(0), out.integer(0);
  out.integer(l.strains ? 10000 : 0);  // 56 IDTDT, fifth digit: with strains
  for (int word = 57; word < 64; ++word) out.integer(0);
  if (options_.drop_rigid_shells) {
    out.integer(counts_.dropped);
    out.integer(n(c.parts));
    constexpr int kRigidType = 20;  // of the format, for any law that makes a part rigid
    for (const auto p : part_order_) out.integer(c.parts[p].rigid ? kRigidType : c.parts[p].law);
  }
  if (c.particles.size() == 0) return;
  out.integer(1 + kParticleItems.size());  // ISPHFG: this list's length, and what each particle has
  for (const int words : kParticleItems) out.integer(words);
}

void D3plotWriter::put_geometry(WordStream& out) const {
  const Catalogue& c = catalogue_;
  for (const Vec3& x : c.node_x) out.real(x.x), out.real(x.y), out.real(x.z);
  for (std::size_t i = 0; i < c.solids.size(); ++i) {
    for (const auto node : c.solids.nodes[i]) out.integer(node + 1);
    out.integer(part_number_[c.solids.part[i]]);
  }
  for (std::size_t i = 0; i < c.beams.size(); ++i) {
    for (const auto node : c.beams.nodes[i]) out.integer(node + 1);
    out.integer(0), out.integer(0);
    out.integer(part_number_[c.beams.part[i]]);
  }
  for (std::size_t i = 0; i < c.shells.size(); ++i) {
    for (const auto node : c.shells.nodes[i]) out.integer(node + 1);
    out.integer(part_number_[c.shells.part[i]]);
  }
}

void D3plotWriter::put_ids(WordStream& out) const {
  const Catalogue& c = catalogue_;
  const auto n = [](const auto& elements) { return std::int64_t(elements.size()); };
  // Addresses of the lists in LS-DYNA's memory; if the first is negative, lists of part ids follow.
  std::int64_t address = 1;
  out.integer(-address);
  for (const std::int64_t size : {n(c.node_id), n(c.solids), n(c.beams), n(c.shells)}) {
    out.integer(address += size);
  }
  for (const std::int64_t size : {n(c.node_id), n(c.solids), n(c.beams), n(c.shells), std::int64_t(0)}) {
    out.integer(size);
  }
  for (int list = 0; list < 3; ++list) out.integer(address + list * n(c.parts));
  out.integer(n(c.parts));
  out.integer(0);  // NUMRBS
  out.integer(n(c.parts));
  for (const GlobalId id : c.node_id) out.integer(id);
  for (const GlobalId id : c.solids.id) out.integer(id);
  for (const GlobalId id : c.beams.id) out.integer(id);
  for (const GlobalId id : c.shells.id) out.integer(id);
  // Sorted ids, ids in the file's order, index of each: all the same, because parts are written in sorted
  // order.
  for (int list = 0; list < 2; ++list) {
    for (const auto p : part_order_) out.integer(c.parts[p].id);
  }
  for (std::size_t k = 0; k < part_order_.size(); ++k) out.integer(std::int64_t(k + 1));
}

/// The node and the part of each particle.
void D3plotWriter::put_particles(WordStream& out) const {
  const auto& particles = catalogue_.particles;
  for (std::size_t i = 0; i < particles.size(); ++i)
    out.integer(particles.nodes[i][0] + 1), out.integer(part_number_[particles.part[i]]);
}

void D3plotWriter::put_titles(WordStream& out) const {
  const Catalogue& c = catalogue_;
  // Titles have 72 bytes whatever the word size. Parts first, because vtk searches only there.
  out.integer(90001);
  out.integer(std::int64_t(c.parts.size()));
  for (const auto p : part_order_) {
    out.integer(c.parts[p].id);
    out.text(c.parts[p].title, 72);
  }
  if (!c.contacts.empty()) {
    out.integer(90002);
    out.integer(std::int64_t(c.contacts.size()));
    for (const ContactInfo& contact : c.contacts) {
      out.integer(contact.id);
      out.text(contact.title, 72);
    }
  }
  out.integer(90000);
  out.text(c.title, 72);
}

}  // namespace crumple::output
