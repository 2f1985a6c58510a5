// Keeps in a file where a rank is, and reports it in a crash.
#include "base/at_work.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>

namespace crumple {

namespace {

struct Elements {
  const char* kind = nullptr;
  GlobalId part = 0, first = 0, last = 0;
};

thread_local Elements computed;
int own_rank = 0;
std::span<const char* const> phase_names;

constexpr int kCrashes[] = {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGABRT};
struct sigaction before[std::size(kCrashes)];

const char* name_of(int number) {
  switch (number) {
    case SIGSEGV:
      return "SIGSEGV, memory that it does not have";
    case SIGFPE:
      return "SIGFPE, floating-point or integer exception";
    case SIGBUS:
      return "SIGBUS, memory that does not exist";
    case SIGILL:
      return "SIGILL, unknown instruction";
    default:
      return "SIGABRT";
  }
}

/// A line of text made without the heap, which may be damaged.
class Line {
 public:
  Line& operator<<(const char* text) {
    while (*text && length_ < sizeof text_) text_[length_++] = *text++;
    return *this;
  }
  Line& operator<<(std::int64_t number) {
    char digits[24];
    std::size_t n = 0;
    auto left = number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
    do digits[n++] = static_cast<char>('0' + left % 10);
    while (left /= 10);
    if (number < 0) digits[n++] = '-';
    while (n > 0 && length_ < sizeof text_) text_[length_++] = digits[--n];
    return *this;
  }
  void write() const {
    if (::write(STDERR_FILENO, text_, length_) < 0) return;  // there is no other way to report it
  }

 private:
  char text_[512];
  std::size_t length_ = 0;
};

void on_crash(int number) {
  for (std::size_t k = 0; k < std::size(kCrashes); ++k)
    if (kCrashes[k] == number) ::sigaction(number, &before[k], nullptr);
  Line line;
  line << "error CR-S004: rank " << own_rank << " crashed (" << name_of(number) << ")";
  const AtWork& at = at_work();
  if (at.cycle >= 0) {
    line << " in cycle " << at.cycle;
    if (at.phase != AtWork::kNoPhase) line << ", phase " << phase_names[static_cast<std::size_t>(at.phase)];
  } else {
    line << " before the first cycle";
  }
  if (computed.kind)
    line << "; it computed " << computed.kind << " elements " << computed.first << " to " << computed.last
         << " of part " << computed.part << " last";
  (line << "\n").write();
  ::raise(number);
}

}  // namespace

void keep_at_work(int rank) {
  const char* const folder = std::getenv("CRUMPLE_AT_WORK");
  if (!folder || !*folder) return;
  const std::string path = fmt::format("{}/{}", folder, rank);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (::ftruncate(file, sizeof(AtWork)) == 0) {
    void* const memory = ::mmap(nullptr, sizeof(AtWork), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) detail::where_at_work = new (memory) AtWork(at_work());
  }
  ::close(file);
}

void report_crashes(int rank, std::span<const char* const> phases) {
  own_rank = rank;
  phase_names = phases;
  for (std::size_t k = 0; k < std::size(kCrashes); ++k) {
    struct sigaction action {};
    action.sa_handler = on_crash;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(kCrashes[k], &action, &before[k]);
  }
}

void note_elements(bool main_thread, int kind, const char* kind_name, GlobalId part, GlobalId first,
                   GlobalId last) {
  computed = {kind_name, part, first, last};
  if (!main_thread) return;
  AtWork& at = at_work();
  at.kind = kind;
  at.part = part;
  at.first = first;
  at.last = last;
}

}  // namespace crumple
