// Writes 3 + 100,000 bytes by a C++ stream, copies them by sendfile or copy_file_range, and reads them.
#include <mpi.h>

#include <filesystem>
#include <fstream>
#include <string>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::string name = "cpp." + std::to_string(rank);
  std::ofstream(name) << 123 << std::string(100000, 'x');
  std::filesystem::copy_file(name, "copy." + std::to_string(rank));
  std::string text;
  std::ifstream(name) >> text;
  if (text.size() != 100003) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
}
