// crumple-solver: MPI, the command line, and the one place where errors end the program.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <new>

#include "base/error.hpp"
#include "control/cases.hpp"
#include "control/options.hpp"
#include "control/version.hpp"
#include "parallel/agreed_error.hpp"

namespace {

/// Ends the whole job: other ranks may be waiting for this one.
[[noreturn]] void abort_job(const char* what, crumple::Exit status) {
  fmt::print(stderr, "{}\n", what);
  std::fflush(nullptr);
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(status));
  std::abort();
}

/// The same for an error that all ranks have: rank 0 tells it.
[[noreturn]] void abort_together(const char* what, crumple::Exit status) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) MPI_Barrier(MPI_COMM_WORLD);  // until rank 0 ends this process
  abort_job(what, status);
}

/// Collective. A mistake on the command line is the same on every rank, so one rank reports it and all end.
int read_and_run(int argc, char** argv, const crumple::parallel::Communicator& comm) {
  crumple::control::Options options;
  try {
    options = crumple::control::read_options(argc, argv);
  } catch (const crumple::Error& error) {
    if (comm.root()) fmt::print(stderr, "{}\n", error.what());
    return static_cast<int>(error.status());
  }
  if (options.command == crumple::control::Command::version) {
    if (comm.root()) fmt::print("{}\n", crumple::control::version_line(crumple::control::version()));
    return 0;
  }
  return crumple::control::run_cases(options, comm, crumple::control::version());
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int status = 0;
  try {
    const crumple::parallel::Communicator comm;
    status = read_and_run(argc, argv, comm);
  } catch (const crumple::parallel::AgreedError& error) {
    abort_together(error.what(), error.status());
  } catch (const crumple::Error& error) {
    abort_job(error.what(), error.status());
  } catch (const std::bad_alloc&) {
    abort_job("error CR-S001: out of memory", crumple::Exit::system);
  } catch (const std::exception& error) {
    abort_job(fmt::format("error CR-S002: {}", error.what()).c_str(), crumple::Exit::system);
  }
  std::fflush(nullptr);
  MPI_Finalize();
  return status;
}
