// The ranks that run on one machine.
#pragma once

#include <mpi.h>

namespace crumple::parallel {

/// A communicator of those ranks of another one that are on this machine, while it lives.
class MachineRanks {
 public:
  /// Collective.
  explicit MachineRanks(MPI_Comm all) {
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &mpi_);
  }
  ~MachineRanks() { MPI_Comm_free(&mpi_); }
  MachineRanks(const MachineRanks&) = delete;
  MachineRanks& operator=(const MachineRanks&) = delete;

  MPI_Comm mpi() const { return mpi_; }
  int size() const {
    int ranks = 1;
    MPI_Comm_size(mpi_, &ranks);
    return ranks;
  }

 private:
  MPI_Comm mpi_ = MPI_COMM_NULL;
};

}  // namespace crumple::parallel
