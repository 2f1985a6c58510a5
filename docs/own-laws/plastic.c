/* umat42 in C: J2 plasticity with linear isotropic hardening, for solids and shells; points fail at a plastic
 * strain.
 *
 * cm: K, G, yield stress, plastic hardening modulus, plastic strain at failure. Radial return (Simo and
 * Hughes 1998, box 3.1); in shells the thickness strain makes the stress across them zero, by secants. */
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Stress and plastic strain of a strain increment. */
static void radial_return(const double* cm, const double eps[6], double sig[6], double* epsp) {
  const double bulk = cm[0], shear = cm[1], yield = cm[2] + cm[3] * *epsp;
  const double volume = eps[0] + eps[1] + eps[2], pressure = (sig[0] + sig[1] + sig[2]) / 3 + bulk * volume;
  const double old = (sig[0] + sig[1] + sig[2]) / 3;
  double s[6], size = 0;
  for (int k = 0; k < 6; ++k) {
    s[k] = k < 3 ? sig[k] - old + 2 * shear * (eps[k] - volume / 3) : sig[k] + shear * eps[k];
    size += (k < 3 ? 1 : 2) * s[k] * s[k];
  }
  const double mises = sqrt(1.5 * size), over = mises - yield;
  double scale = 1;
  if (over > 0) {
    const double more = over / (3 * shear + cm[3]);
    scale = 1 - 3 * shear * more / mises;
    *epsp += more;
  }
  for (int k = 0; k < 6; ++k) sig[k] = scale * s[k] + (k < 3 ? pressure : 0);
}

void umat42(double* cm, double* eps, double* sig, double* epsp, double* hsv, double* dt1, double* capa,
            const char* etype, double* tt, double* temper, int32_t* failel, const double* crv,
            const int32_t* nnpcrv, double* cma, double* qmat, double* elsiz, int64_t* idele,
            int32_t* reject) {
  if (strncmp(etype, "shell", 5) != 0) {
    radial_return(cm, eps, sig, epsp);
  } else {
    const double in_plane = eps[0] + eps[1];
    const double nu = (3 * cm[0] - 2 * cm[1]) / (6 * cm[0] + 2 * cm[1]);
    double guess[2] = {-nu / (1 - nu) * in_plane, -in_plane}, across[2];
    double stress[6], plastic;
    for (int k = 0; k < 30; ++k) {
      memcpy(stress, sig, sizeof stress);
      plastic = *epsp;
      eps[2] = guess[k > 0];
      radial_return(cm, eps, stress, &plastic);
      across[k > 0] = stress[2];
      if (fabs(stress[2]) < 1e-12 * cm[0]) break;
      if (k == 0) continue;
      const double slope = across[1] - across[0];
      if (slope == 0) break;
      const double next = guess[1] - across[1] * (guess[1] - guess[0]) / slope;
      guess[0] = guess[1], across[0] = across[1], guess[1] = next;
    }
    memcpy(sig, stress, sizeof stress);
    sig[2] = 0;
    *epsp = plastic;
  }
  if (*epsp > cm[4]) *failel = 1;
}
