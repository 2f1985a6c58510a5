// The blast wave of a charge of TNT, and its pressure on a surface.
//
// Kingery and Bulmash (1984, "Airblast parameters from TNT spherical air burst and hemispherical surface
// burst", ARBRL-TR-02555): polynomials over log10 of the scaled distance Z = R / M^(1/3) for the time of
// arrival, the duration t_d of the positive phase, peak overpressures and impulses, of the wave itself and of
// the wave that a wall reflects. In time both decay as Friedlander's wave (UFC 3-340-02, 2-13; Baker 1973),
//
//   p(s) = p_0 (1 - s) e^(-b s)      s = (t - t_a) / t_d        I = p_0 t_d (1/b - (1 - e^-b) / b^2)
//
// with b from the impulse. On a surface whose normal has the cosine c to the direction of the charge
// (Randers-Pehrson and Bannister 1997, "Airblast loading model for DYNA2D and DYNA3D", ARL-TR-1310):
//
//   p = p_r c^2 + p_i (1 + c^2 - 2 c)   for c > 0,   p_i else
//
// What is in the way of the wave, and what the surface itself reflects to others, has no effect.
#pragma once

namespace crumple::loads {

/// In ms and kPa.
struct BlastWave {
  double arrival = 0, duration = 0;
  double incident = 0, reflected = 0;  ///< peak overpressures
  double incident_decay = 0, reflected_decay = 0;

  /// Overpressures at a time since the arrival.
  double incident_at(double since) const;
  double reflected_at(double since) const;
  /// The overpressure on a surface; 0 before the arrival, and after the positive phase unless `negative`.
  double pressure(double time, double cosine, bool negative) const;
};

/// Scaled distances [m / kg^(1/3)] for which all polynomials are given.
struct ScaledRange {
  double least, most;
};
ScaledRange scaled_range(bool surface);

/// @param surface a hemisphere on the ground, else a sphere in the air
/// @param z scaled distance, in scaled_range()
/// @param root cube root of the mass of TNT [kg]
BlastWave blast_wave(bool surface, double z, double root);

/// The decay b of a wave whose impulse is `share` of p_0 t_d; 0 for a half.
double decay_of(double share);

}  // namespace crumple::loads
