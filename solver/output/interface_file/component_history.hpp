// The interface file as a history: places at t_n of the nodes of each interface.
#pragma once

#include <vector>

#include "modules/module.hpp"
#include "output/history.hpp"
#include "output/interface_file/interface_component.hpp"

namespace crumple::output {

class ComponentHistory final : public modules::Module, public History {
 public:
  /// Keeps references to `model` and `comm`.
  ComponentHistory(const model::Model& model, const parallel::Communicator& comm)
      : model_(&model), comm_(&comm) {}

  // As a module: notes the places, which are those of the block when it is written after the step.
  void add_forces(modules::Cycle& c) override;
  std::vector<History*> histories() override { return {this}; }

  // As a history.
  std::string_view name() const override { return kInterfaceFile; }
  void gather() override;
  void write(AsciiHistories& file, double time, std::int64_t cycle) const override;
  void write(BinoutWriter& file, double time, std::int64_t cycle) const override;

 private:
  struct Line {
    GlobalId interface = 0, node = 0;
    Vec3 x;
  };
  const model::Model* model_;
  const parallel::Communicator* comm_;
  std::vector<Line> mine_, all_;  ///< of this rank; of all, on rank 0
};

}  // namespace crumple::output
