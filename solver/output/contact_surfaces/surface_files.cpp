// States of contact surfaces as VTK polygons.
#include "output/contact_surfaces/surface_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <system_error>

#include "output/contact_surfaces/segment_tractions.hpp"
#include "output/file.hpp"
#include "output/rows.hpp"
#include "output/words.hpp"

namespace crumple::output {

static_assert(std::endian::native == std::endian::little, "the files are written in native byte order");

namespace {

constexpr std::string_view kStateEnd = ".vtp", kListEnd = ".pvd";

/// The arrays of a file: their bytes, and the elements that name them.
class AppendedArrays {
 public:
  explicit AppendedArrays(bool wide) : wide_(wide) {}

  std::string reals(std::string_view name, int width, std::span<const double> values) {
    Words words(wide_, values.size_bytes());
    words.reals(values);
    return add(wide_ ? "Float64" : "Float32", name, width, words.bytes());
  }
  std::string integers(std::string_view name, std::span<const std::int64_t> values) {
    return add("Int64", name, 1, std::as_bytes(values));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  /// The number of bytes comes before them.
  std::string add(std::string_view type, std::string_view name, int width,
                  std::span<const std::byte> values) {
    std::string element = fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type, name, width, bytes_.size());
    const std::uint64_t size = values.size();
    bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size());
    return element;
  }

  bool wide_;
  std::string bytes_;
};

/// Values of the points and cells of all sides.
struct SurfaceColumns {
  std::vector<double> x, force, pressure, shear, traction;
  std::vector<std::int64_t> node, contact, side, corners, ends;

  static void put(std::vector<double>& column, const Vec3& v) {
    column.insert(column.end(), {v.x, v.y, v.z});
  }
  void add_points(const Catalogue& c, const ContactSideInfo& of, std::span<const NcforcRow> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      put(x, rows[i].x), put(force, rows[i].force);
      node.push_back(c.node_id[std::size_t(of.nodes[i])]);
    }
  }
  /// @param first point of the side
  void add_cells(const Catalogue& c, const ContactSideInfo& of, std::span<const NcforcRow> rows,
                 std::int64_t first) {
    const std::vector<SegmentTraction> tractions = segment_tractions(of, rows);
    for (std::size_t s = 0; s < tractions.size(); ++s) {
      const std::array<std::int32_t, 4>& n = of.segments[s];
      for (std::size_t k = 0; k < (n[2] == n[3] ? 3U : 4U); ++k) corners.push_back(first + n[k]);
      ends.push_back(std::ssize(corners));
      contact.push_back(c.contacts[std::size_t(of.contact)].id);
      side.push_back(of.b ? 1 : 0);
      pressure.push_back(tractions[s].pressure);
      shear.push_back(tractions[s].shear);
      put(traction, tractions[s].traction);
    }
  }
};

std::string piece_of(const SurfaceColumns& of, AppendedArrays& arrays) {
  std::string text = fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      of.node.size(), of.ends.size());
  text += "<PointData Vectors=\"Force\">\n";
  text += arrays.reals("Force", 3, of.force) + arrays.integers("NodeId", of.node);
  text += "</PointData>\n<CellData Scalars=\"Pressure\">\n";
  text += arrays.reals("Pressure", 1, of.pressure) + arrays.reals("Shear", 1, of.shear);
  text += arrays.reals("Traction", 3, of.traction);
  text += arrays.integers("Contact", of.contact) + arrays.integers("Side", of.side);
  text += "</CellData>\n<Points>\n" + arrays.reals("Points", 3, of.x);
  text += "</Points>\n<Polys>\n";
  text += arrays.integers("connectivity", of.corners) + arrays.integers("offsets", of.ends);
  return text + "</Polys>\n</Piece>\n";
}

}  // namespace

std::string contact_surface_name(std::size_t state) {
  return fmt::format("{}{:04d}{}", kContactSurfaces, state + 1, kStateEnd);
}

bool is_contact_surface_name(std::string_view name) {
  const std::string_view stem = kContactSurfaces;
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  if (name == kListEnd) return true;
  if (!name.ends_with(kStateEnd)) return false;
  name.remove_suffix(kStateEnd.size());
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

ContactSurfaceFiles::ContactSurfaceFiles(const Catalogue& catalogue, const std::string& directory,
                                         const std::string& prefix, bool wide)
    : ContactSurfaceFiles(catalogue, directory, prefix, wide, {}) {}

ContactSurfaceFiles::ContactSurfaceFiles(const Catalogue& catalogue, const std::string& directory,
                                         const std::string& prefix, bool wide,
                                         const ContactSurfacePosition& from)
    : catalogue_(catalogue), directory_(directory + "/"), prefix_(prefix), wide_(wide), times_(from.times) {
  remove_later();
  if (!times_.empty())
    write_whole(directory_ + prefix_ + kContactSurfaces + std::string(kListEnd), list(times_));
}

/// Removes states that are not in the list, and the list if none is.
void ContactSurfaceFiles::remove_later() const {
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator it(directory_, error), end; !error && it != end;
       it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(prefix_) && is_contact_surface_name(std::string_view(name).substr(prefix_.size())))
      found.push_back(name);
  }
  for (const std::string& name : found) {
    bool kept = false;
    for (std::size_t k = 0; k < times_.size(); ++k) kept |= name == prefix_ + contact_surface_name(k);
    if (!kept) remove_file(directory_ + name);
  }
}

void ContactSurfaceFiles::write(double time, std::span<const std::vector<NcforcRow>> blocks) {
  write_whole(directory_ + prefix_ + contact_surface_name(times_.size()), state(time, blocks));
  std::vector<double> times = times_;
  times.push_back(time);
  write_whole(directory_ + prefix_ + kContactSurfaces + std::string(kListEnd), list(times));
  times_ = std::move(times);
}

std::string ContactSurfaceFiles::state(double time, std::span<const std::vector<NcforcRow>> blocks) const {
  const std::vector<ContactSideInfo>& sides = catalogue_.contact_sides;
  require_rows(kContactSurfaces, blocks.size(), sides.size());
  SurfaceColumns columns;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    require_rows(kContactSurfaces, blocks[k].size(), sides[k].nodes.size());
    columns.add_cells(catalogue_, sides[k], blocks[k], std::ssize(columns.node));
    columns.add_points(catalogue_, sides[k], blocks[k]);
  }
  AppendedArrays arrays(wide_);
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n";
  text += fmt::format("<!-- {} -->\n<PolyData>\n", catalogue_.run.program());
  text += fmt::format(
      "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
      "format=\"ascii\">{:.17g}</DataArray>\n</FieldData>\n",
      time);
  text += piece_of(columns, arrays);
  return text + "</PolyData>\n<AppendedData encoding=\"raw\">\n_" + arrays.bytes() +
         "\n</AppendedData>\n</VTKFile>\n";
}

std::string ContactSurfaceFiles::list(std::span<const double> times) const {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<!-- {} -->\n<Collection>\n",
      catalogue_.run.program());
  for (std::size_t k = 0; k < times.size(); ++k)
    text += fmt::format("<DataSet timestep=\"{:.17g}\" part=\"0\" file=\"{}{}\"/>\n", times[k], prefix_,
                        contact_surface_name(k));
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace crumple::output
