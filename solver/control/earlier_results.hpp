// Results of an earlier run in the folder of the results: they are kept, unless the command line has
// --overwrite.
#pragma once

#include <string>

namespace crumple::control {

/// Moves the results of an earlier run into a new folder `previous-1`, `previous-2`, ... beside them.
///
/// Results are the files that this program and `crumple run` write, of the same `prefix` (jobid); all other
/// files stay. Local, on rank 0. @returns that folder, empty if there were no results
/// @throws Error CR-O105 while another run writes there, CR-O106 when files cannot be moved
std::string keep_earlier_results(const std::string& directory, const std::string& prefix);

/// Whether the folder has the d3hsp of a run. Local.
bool has_run(const std::string& directory, const std::string& prefix);

/// Raises Error CR-O105 while another run writes results of that prefix there. Local.
void refuse_folder_in_use(const std::string& directory, const std::string& prefix);

/// A lock of the folder by a running process; the system releases it when the process ends.
class FolderInUse {
 public:
  /// d3hsp must exist. Does nothing on file systems without locks. Local, on rank 0.
  FolderInUse(const std::string& directory, const std::string& prefix);
  ~FolderInUse();
  FolderInUse(const FolderInUse&) = delete;
  FolderInUse& operator=(const FolderInUse&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace crumple::control
