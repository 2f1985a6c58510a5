// What an earlier run left in the folder of the results: kept, unless the command line says otherwise.
#pragma once

#include <string>

namespace crumple::control {

/// Moves the results of an earlier run into a new folder `previous-1`, `previous-2`, ... beside them.
///
/// Results are the files that this program and `crumple run` write, of the same `prefix` (jobid); everything
/// else stays. Local, on rank 0.
/// @returns that folder, empty where nothing was to be kept
/// @throws Error CR-O105 while another run writes there, CR-O106 when files cannot be moved
std::string keep_earlier_results(const std::string& directory, const std::string& prefix);

/// Whether a run left its d3hsp there. Local.
bool has_run(const std::string& directory, const std::string& prefix);

/// Raises Error CR-O105 while another run writes results of that prefix there. Local.
void refuse_folder_in_use(const std::string& directory, const std::string& prefix);

/// A mark that a run writes here, kept by the system until the process ends.
class FolderInUse {
 public:
  /// d3hsp must be there. File systems without locks are left unmarked. Local, on rank 0.
  FolderInUse(const std::string& directory, const std::string& prefix);
  ~FolderInUse();
  FolderInUse(const FolderInUse&) = delete;
  FolderInUse& operator=(const FolderInUse&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace crumple::control
