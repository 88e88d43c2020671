// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures what small operations cost the host: each line of output is a case, the microseconds of
// one of its turns, and the processor time of that, all threads together.
//
// usage: launches [TURNS [CASE...]]

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    cudaError_t error = (call);                                                                    \
    if (error != cudaSuccess) {                                                                    \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                          \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__global__ void empty() {}

struct Numbers {
  double values[8];
};
__global__ void withArguments(int *out, int a, float b, double c, Numbers d, const char *e) {
  if (out && threadIdx.x == 0)
    *out = int(a + b + c + d.values[7]) + (e != nullptr);
}

static int *device;
static cudaStream_t streams[2];
static cudaEvent_t event;

static void launch(int) {
  empty<<<1, 32>>>();
}
static void launchWithArguments(int turn) {
  withArguments<<<1, 32>>>(device, turn, 1.5f, 2.5, Numbers{}, nullptr);
}
static void launchAndWait(int) {
  empty<<<1, 32>>>();
  CHECK(cudaDeviceSynchronize());
}
static void launchInTwoStreams(int turn) {
  empty<<<1, 32, 0, streams[turn % 2]>>>();
}
static void launchAndCopyLater(int turn) {
  static int value;
  value = turn;
  empty<<<1, 32, 0, streams[0]>>>();
  CHECK(cudaMemcpyAsync(device, &value, sizeof value, cudaMemcpyHostToDevice, streams[0]));
}
static void launchAndCopyBack(int) {
  int value;
  empty<<<1, 32>>>();
  CHECK(cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost));
}
static void launchAndRecord(int) {
  empty<<<1, 32, 0, streams[0]>>>();
  CHECK(cudaEventRecord(event, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], event, 0));
}
static void launchAndQuery(int) {
  empty<<<1, 32, 0, streams[0]>>>();
  while (cudaStreamQuery(streams[0]) == cudaErrorNotReady)
    ;
}
static void allocateAndFree(int) {
  void *memory;
  CHECK(cudaMalloc(&memory, 4096));
  CHECK(cudaFree(memory));
}

static const struct {
  const char *name;
  void (*turn)(int);
} cases[] = {
    {"empty-kernel", launch},
    {"arguments", launchWithArguments},
    {"launch-and-wait", launchAndWait},
    {"two-streams", launchInTwoStreams},
    {"asynchronous-copies", launchAndCopyLater},
    {"copies-back", launchAndCopyBack},
    {"events", launchAndRecord},
    {"queries", launchAndQuery},
    {"allocations", allocateAndFree},
};

static double processorTime() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return double(time.tv_sec) * 1e6 + double(time.tv_nsec) / 1e3;
}

static bool isWanted(const char *name, int count, char **names) {
  for (int i = 0; i < count; ++i)
    if (std::strcmp(name, names[i]) == 0)
      return true;
  return count == 0;
}

int main(int argc, char **argv) {
  using Clock = std::chrono::steady_clock;
  int turns = argc > 1 ? std::atoi(argv[1]) : 20000;
  CHECK(cudaMalloc(&device, 4096));
  CHECK(cudaStreamCreate(&streams[0]));
  CHECK(cudaStreamCreate(&streams[1]));
  CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  for (const auto &each : cases) {
    if (!isWanted(each.name, argc - 2, argv + 2))
      continue;
    each.turn(0);
    CHECK(cudaDeviceSynchronize());
    double processor = processorTime();
    Clock::time_point begin = Clock::now();
    for (int i = 0; i < turns; ++i)
      each.turn(i);
    CHECK(cudaDeviceSynchronize());
    double wall = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    std::printf("%s %.3f %.3f\n", each.name, wall / turns, (processorTime() - processor) / turns);
    std::fflush(stdout);
  }
}
