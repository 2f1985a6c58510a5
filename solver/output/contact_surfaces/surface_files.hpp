// Contact surfaces for ParaView: what LS-DYNA's interface force file (*DATABASE_BINARY_INTFOR) has, as files
// of VTK.
//
// intfor0001.vtp, intfor0002.vtp, ...: a state each, by VTK's XML format for polygons, with the numbers
// appended as raw bytes; intfor.pvd lists them with their times. The binary file of LS-DYNA is not written:
// what is public of its layout does not suffice to read it, and no free program reads it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "output/file_positions.hpp"
#include "output/results.hpp"

namespace crumple::output {

inline constexpr const char* kContactSurfaces = "intfor";

/// The files of one run. Points are the nodes of each of Catalogue::contact_sides, with Force and NodeId; a
/// node of two sides is there twice. Cells are segments, with Contact, Side (0: A, 1: B), Pressure, Shear and
/// Traction. Not collective: only rank 0 has one.
class ContactSurfaceFiles {
 public:
  /// `catalogue` must outlive this. Removes the files of an earlier run.
  /// @param wide reals of 8 bytes, else 4
  ContactSurfaceFiles(const Catalogue& catalogue, const std::string& directory, const std::string& prefix,
                      bool wide);
  /// Goes on after the states of an earlier part of the run, and removes later ones.
  ContactSurfaceFiles(const Catalogue& catalogue, const std::string& directory, const std::string& prefix,
                      bool wide, const ContactSurfacePosition& from);

  /// Writes a state. If the run is killed at any time, the list names complete states only.
  /// @param blocks one for each of Catalogue::contact_sides @throws Error CR-O001, CR-O1xx
  void write(double time, std::span<const std::vector<NcforcRow>> blocks);
  /// After the last complete state.
  ContactSurfacePosition position() const { return {times_}; }

 private:
  std::string state(double time, std::span<const std::vector<NcforcRow>> blocks) const;
  std::string list(std::span<const double> times) const;
  void remove_later() const;

  const Catalogue& catalogue_;
  std::string directory_, prefix_;
  bool wide_;
  std::vector<double> times_;
};

/// Name of a state, counted from 0: "intfor0001.vtp".
std::string contact_surface_name(std::size_t state);

/// Whether a name without prefix is that of a state, or of the list.
bool is_contact_surface_name(std::string_view name);

}  // namespace crumple::output
