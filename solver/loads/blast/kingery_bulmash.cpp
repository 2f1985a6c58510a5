// The polynomials of the report, and decays from impulses.
#include "loads/blast/kingery_bulmash.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace crumple::loads {

namespace {

/// 10^(sum of c_i U^i) with U = a + b log10(Z), up to a scaled distance Z [m / kg^(1/3)].
struct Piece {
  double up_to = 0, a = 0, b = 0;
  std::array<double, 12> c{};
};
using Pieces = std::array<Piece, 3>;

enum class Quantity { arrival, duration, incident, incident_impulse, reflected, reflected_impulse };
using Fits = std::array<Pieces, 6>;

// Kingery and Bulmash (1984) in metric units: ms / kg^(1/3), kPa, kPa ms / kg^(1/3).
constexpr Fits kAirBurst{
    {// arrival
     Pieces{{Piece{40,
                   -0.253273111999,
                   1.37407043777,
                   {0.0720707787637, 1.36456871214, -0.0570035692784, -0.182832224796, 0.0118851436014,
                    0.0432648687627, -0.0007997367834, -0.00436073555033}}}},
     // duration
     Pieces{{Piece{0.888,
                   2.26367268496,
                   5.11588554305,
                   {-0.686608550419, 0.164953518069, 0.127788499497, 0.00291430135946, 0.0018795744922,
                    0.017341396254, 0.0026973975804, -0.00361976502798, -0.00100926577934}},
             Piece{2.28,
                   -1.33361206714,
                   9.2996288611,
                   {0.23031841078, -0.0297944268969, 0.0306329542941, 0.018340557407, -0.0173964666286,
                    -0.00106321963576, 0.0056206003128, 0.0001618217499, -0.0006860188944}},
             Piece{40,
                   -3.13005805346,
                   3.1524725364,
                   {0.621036276475, 0.0967031995552, -0.00801302059667, 0.00482705779732, 0.00187587272287,
                    -0.00246738509321, -0.000841116668, 0.0006193291052}}}},
     // incident pressure
     Pieces{{Piece{40,
                   -0.214362789151,
                   1.35034249993,
                   {2.611368669, -1.69012801396, 0.00804973591951, 0.336743114941, -0.00516226351334,
                    -0.0809228619888, -0.00478507266747, 0.00793030472242, 0.0007684469735}}}},
     // incident impulse
     Pieces{{Piece{0.792,
                   2.34723921354,
                   3.24299066475,
                   {2.38830516757, -0.443749377691, 0.168825414684, 0.0348138030308, -0.010435192824}},
             Piece{40,
                   -1.75305660315,
                   2.30629231803,
                   {1.55197227115, -0.40463292088, -0.0142721946082, 0.00912366316617, -0.0006750681404,
                    -0.00800863718901, 0.00314819515931, 0.00152044783382, -0.0007470265899}}}},
     // reflected pressure
     Pieces{
         {Piece{40,
                -0.214362789151,
                1.35034249993,
                {3.22958031387, -2.21400538997, 0.035119031446, 0.657599992109, 0.0141818951887,
                 -0.243076636231, -0.0158699803158, 0.0492741184234, 0.00227639644004, -0.00397126276058}}}},
     // reflected impulse
     Pieces{{Piece{40,
                   -0.204004553231,
                   1.37882996018,
                   {2.55875660396, -0.903118886091, 0.101771877942, -0.0242139751146}}}}}};

constexpr Fits kSurfaceBurst{
    {// arrival
     Pieces{
         {Piece{40,
                -0.202425716178,
                1.37784223635,
                {-0.0591634288046, 1.35706496258, 0.052492798645, -0.196563954086, -0.0601770052288,
                 0.0696360270891, 0.0215297490092, -0.0161658930785, -0.00232531970294, 0.00147752067524}}}},
     // duration
     Pieces{{Piece{1.01,
                   1.92946154068,
                   5.25099193925,
                   {-0.614227603559, 0.130143717675, 0.134872511954, 0.0391574276906, -0.00475933664702,
                    -0.00428144598008}},
             Piece{2.78,
                   -2.12492525216,
                   9.2996288611,
                   {0.315409245784, -0.0297944268976, 0.030632954288, 0.0183405574086, -0.0173964666211,
                    -0.00106321963633, 0.00562060030977, 0.0001618217499, -0.0006860188944}},
             Piece{40,
                   -3.53626218091,
                   3.46349745571,
                   {0.686906642409, 0.0933035304009, -0.0005849420883, -0.0022688499501, -0.00295908591505,
                    0.00148029868929}}}},
     // incident pressure
     Pieces{{Piece{40,
                   -0.214362789151,
                   1.35034249993,
                   {2.78076916577, -1.6958988741, -0.154159376846, 0.514060730593, 0.0988534365274,
                    -0.293912623038, -0.0268112345019, 0.109097496421, 0.00162846756311, -0.0214631030242,
                    0.0001456723382, 0.00167847752266}}}},
     // incident impulse
     Pieces{{Piece{0.955,
                   2.06761908721,
                   3.0760329666,
                   {2.52455620925, -0.502992763686, 0.171335645235, 0.0450176963051, -0.0118964626402}},
             Piece{40,
                   -1.94708846747,
                   2.40697745406,
                   {1.67281645863, -0.384519026965, -0.0260816706301, 0.00595798753822, 0.0145445261077,
                    -0.00663289334734, -0.00284189327204, 0.0013644816227}}}},
     // reflected pressure
     Pieces{{Piece{40,
                   -0.240657322658,
                   1.3663771922,
                   {3.40283217581, -2.21030870597, -0.218536586295, 0.895319589372, 0.24989009775,
                    -0.569249436807, -0.11791682383, 0.224131161411, 0.0245620259375, -0.0455116002694,
                    -0.0019093073888, 0.00361471193389}}}},
     // reflected impulse
     Pieces{{Piece{40,
                   -0.246208804814,
                   1.33422049854,
                   {2.70588058103, -0.949516092853, 0.112136118689, -0.0250659183287}}}}}};

double fitted_value(const Fits& fits, Quantity of, double z) {
  const Pieces& pieces = fits[static_cast<std::size_t>(of)];
  std::size_t k = 0;
  while (k + 1 < pieces.size() && z > pieces[k].up_to && pieces[k + 1].up_to > 0.0) ++k;
  const Piece& p = pieces[k];
  const double u = p.a + p.b * std::log10(z);
  double sum = 0.0;
  for (std::size_t i = p.c.size(); i-- > 0;) sum = sum * u + p.c[i];
  return std::pow(10.0, sum);
}

/// The impulse of (1 - s) e^(-b s) for s from 0 to 1: 1/b - (1 - e^-b)/b^2.
double unit_impulse(double b) {
  if (std::abs(b) < 1e-3) return 0.5 - b / 6 + b * b / 24;
  return (1 - (1 - std::exp(-b)) / b) / b;
}

}  // namespace

double decay_of(double share) {
  double low = -20.0, high = 1000.0;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (low + high);
    (unit_impulse(middle) > share ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double BlastWave::incident_at(double since) const {
  const double s = since / duration;
  return incident * (1 - s) * std::exp(-incident_decay * s);
}
double BlastWave::reflected_at(double since) const {
  const double s = since / duration;
  return reflected * (1 - s) * std::exp(-reflected_decay * s);
}

double BlastWave::pressure(double time, double cosine, bool negative) const {
  const double since = time - arrival;
  if (since < 0.0 || (!negative && since > duration)) return 0.0;
  if (cosine <= 0.0) return incident_at(since);
  const double squared = cosine * cosine;
  return reflected_at(since) * squared + incident_at(since) * (1 + squared - 2 * cosine);
}

ScaledRange scaled_range(bool surface) { return {surface ? 0.178 : 0.147, 40.0}; }

BlastWave blast_wave(bool surface, double z, double root) {
  const Fits& fits = surface ? kSurfaceBurst : kAirBurst;
  BlastWave wave;
  const double per_root = fitted_value(fits, Quantity::duration, z);
  wave.arrival = root * fitted_value(fits, Quantity::arrival, z);
  wave.duration = root * per_root;
  wave.incident = fitted_value(fits, Quantity::incident, z);
  wave.reflected = fitted_value(fits, Quantity::reflected, z);
  wave.incident_decay =
      decay_of(fitted_value(fits, Quantity::incident_impulse, z) / (wave.incident * per_root));
  wave.reflected_decay =
      decay_of(fitted_value(fits, Quantity::reflected_impulse, z) / (wave.reflected * per_root));
  return wave;
}

}  // namespace crumple::loads
