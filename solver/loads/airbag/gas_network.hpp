// Mixtures of gases in one bag, or in several that are joined by holes: masses of all gases and energies,
// integrated together.
//
// For each bag, with gases i,
//
//   dm_i/dt = m_i,in - m_out m_i / m + flow from other bags
//   dU/dt = sum of m_i,in h_i(T_in) - m_out h(T) - p dV/dt - H A (T - T_e) + enthalpy of that flow
//
// (Wang and Nefske 1988, SAE 880654; Wang 1989, SAE 890602 for mixtures). What leaves has the composition and
// the enthalpy of the bag it leaves. H A (T - T_e) is the heat that goes to the surroundings through the
// bag's surface. Fourth order Runge-Kutta, in parts of a step in which masses, energies and volumes change
// little, for all bags the same.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "loads/airbag/airbag.hpp"
#include "loads/airbag/gas_mixture.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::loads {

/// A bag's surface at the end of a step.
struct BagSurface {
  double volume = 0, area = 0;
};

/// Every rank computes all networks from the same numbers.
class GasNetwork {
 public:
  /// Of these bags, by index; keeps a reference to the inputs. All links between them stay inside.
  GasNetwork(const std::vector<Airbag>& inputs, std::vector<std::size_t> bags);

  const std::vector<std::size_t>& bags() const { return bags_; }
  /// Kinds of gas in all bags.
  std::size_t kinds() const { return kinds_.size(); }
  /// Mass of a kind in a bag of the network.
  double mass(std::size_t bag, std::size_t kind) const { return now_[bag * width_ + kind]; }

  /// The gases at `time`, from the first call on. `surfaces` and `states` are those of the model's bags.
  void advance(const model::Model& model, double time, std::span<const BagSurface> surfaces,
               std::span<GasState> states);
  /// Masses and energies; `states` have the rest.
  void archive(state::Archive& archive);

 private:
  struct Chamber {
    const Airbag* input = nullptr;
    std::vector<std::size_t> kind;  ///< of its own gases
    // over a step
    double volume = 0, rate = 0, area = 0;
    bool popped = false;
    // at an instant
    double volume_now = 0;
    Mixture mixture;
    double temperature = 0, pressure = 0, inflow = 0, outflow = 0;
  };
  struct Link {
    std::size_t from = 0, to = 0;
    const BagLink* input = nullptr;
  };

  void add_links(const std::vector<Airbag>& inputs);
  void start(double time, std::span<const BagSurface> surfaces, std::span<GasState> states);
  int number_of_parts(double step) const;
  void move(const model::Model& model, double from, double elapsed, double h);
  void rates(const model::Model& model, double time, double elapsed, std::span<const double> y,
             std::span<double> dy);
  void look(Chamber& c, double elapsed, std::span<const double> y) const;
  void feed(const model::Model& model, double time, Chamber& c, std::span<double> dy) const;
  void vent(const model::Model& model, double time, Chamber& c, std::span<const double> y,
            std::span<double> dy) const;
  /// Mass per time and area to another bag.
  static double flux_to(const Chamber& c, double outside);
  void exchange(const model::Model& model, double time, const Link& link, std::span<const double> y,
                std::span<double> dy);
  /// What `flow` takes along from a bag to a bag, or away.
  void carry(const Chamber& c, double flow, std::span<const double> from, std::span<double> dy) const;
  void report(double time, std::span<GasState> states) const;

  std::vector<std::size_t> bags_;
  std::vector<Chamber> chambers_;
  std::vector<Link> links_;
  std::vector<GasKind> kinds_;
  std::size_t width_ = 0;                     ///< numbers of a bag: masses by kind, then the energy
  std::vector<double> now_, stage_;           ///< by bag
  std::array<std::vector<double>, 4> slope_;  ///< their rates
};

/// The networks among bags: those that links join, and single bags with mixtures.
std::vector<GasNetwork> networks_of(const std::vector<Airbag>& inputs);

}  // namespace crumple::loads
