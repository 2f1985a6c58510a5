// Hardware counters of the process and its threads, through perf_event_open(2).
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "profiler.h"

static int file_of[kCounters] = {-1, -1, -1};

static int open_counter(uint64_t what) {
  struct perf_event_attr a;
  memset(&a, 0, sizeof a);
  a.size = sizeof a;
  a.type = PERF_TYPE_HARDWARE;
  a.config = what;
  a.inherit = 1;
  a.exclude_kernel = 1;
  a.exclude_hv = 1;
  a.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void start_counters(RankRecord* record) {
  file_of[kInstructions] = open_counter(PERF_COUNT_HW_INSTRUCTIONS);
  file_of[kCycles] = open_counter(PERF_COUNT_HW_CPU_CYCLES);
  file_of[kCacheMisses] = open_counter(PERF_COUNT_HW_CACHE_MISSES);
  record->counters_available =
      file_of[kInstructions] >= 0 && file_of[kCycles] >= 0 && file_of[kCacheMisses] >= 0;
}

void read_counters(RankRecord* record) {
  for (int k = 0; k < kCounters; ++k) {
    uint64_t got[3];  // value, time enabled, time running: the kernel shares counters by turns
    if (file_of[k] < 0 || read(file_of[k], got, sizeof got) != (ssize_t)sizeof got || got[2] == 0) continue;
    record->counter[k] = (int64_t)((double)got[0] * ((double)got[1] / (double)got[2]));
  }
}
