"""The lab: runs, profiles and compares MPI programs."""
