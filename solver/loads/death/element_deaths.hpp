// Which elements die by *DEFINE_ELEMENT_DEATH, and when.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "loads/death/element_death.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/communicator.hpp"

namespace crumple::loads {

/// Deaths of one rank. An element of a group dies in the cycle after the one in which enough of the group
/// have been deleted, for whatever reason; so ranks compare their numbers once a cycle where there are
/// groups.
class ElementDeaths final : public modules::Module {
 public:
  ElementDeaths(const model::Model& model, const parallel::Communicator& comm);

  struct Dying {
    model::ElementKind kind;
    GlobalId id;  ///< of the user
    auto operator<=>(const Dying&) const = default;
  };
  /// The rank's elements that are to be deleted now and have not been so yet, in ascending order; none in
  /// dynamic relaxation. Collective.
  std::span<const Dying> due(double time, std::span<const Vec3> x, model::Stage stage);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void delete_element(model::ElementKind kind, LocalId element) override;
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

 private:
  /// An element as one input has it.
  struct Listed {
    model::ElementKind kind;
    LocalId element;
    std::size_t input;
    bool marked = false;
  };
  bool in_time_or_place(const Listed& of, double time, std::span<const Vec3> x) const;
  Vec3 centre(const Listed& of, std::span<const Vec3> x) const;
  void count_groups();

  const model::Model* model_;
  const parallel::Communicator* comm_;
  const std::vector<ElementDeath>* inputs_;
  std::vector<Listed> listed_;           ///< by kind and element
  std::vector<char> gone_;               ///< of each: it has been deleted
  std::vector<std::int64_t> gone_of_;    ///< elements of each group that have been deleted, on all ranks
  std::vector<const ElementDeath*> of_;  ///< an input of each group
  std::vector<Dying> due_;
};

}  // namespace crumple::loads
