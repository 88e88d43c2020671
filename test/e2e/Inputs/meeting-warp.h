// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp by CUDA's rule for warp functions, on the host: each lane is a thread, and lanes meet at
// the same function with the same member mask, wherever they come from. A body is code that is
// given a warp, DeviceWarp or a lane of ReferenceWarp, and runs on both.

#ifndef VX_TEST_MEETING_WARP_H
#define VX_TEST_MEETING_WARP_H

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

enum class WarpFunction { ShflXor, ShflIdx, Ballot, Any, All, ReduceAdd, Sync };

/// The functions of a warp, in a kernel.
struct DeviceWarp {
  __device__ int shflXor(unsigned mask, int v, int by) { return __shfl_xor_sync(mask, v, by); }
  __device__ int shfl(unsigned mask, int v, int from) { return __shfl_sync(mask, v, from); }
  __device__ unsigned ballot(unsigned mask, bool p) { return __ballot_sync(mask, p); }
  __device__ bool any(unsigned mask, bool p) { return __any_sync(mask, p); }
  __device__ bool all(unsigned mask, bool p) { return __all_sync(mask, p); }
  __device__ int add(unsigned mask, int v) { return __reduce_add_sync(mask, v); }
  __device__ void sync(unsigned mask) { __syncwarp(mask); }
};

/// The warp of LANES threads whose lanes are threads of the host.
class ReferenceWarp {
public:
  explicit ReferenceWarp(unsigned lanes) : alive(lanes == 32 ? ~0u : (1u << lanes) - 1) {}

  /// LANE comes to FUNCTION. Returns the lanes that meet, and their values in VALUES.
  unsigned meet(unsigned lane, WarpFunction function, unsigned mask, int value, int (&values)[32]) {
    std::unique_lock<std::mutex> lock(mutex);
    Lane &own = lanes[lane];
    own = {true, false, function, mask, value};
    release();
    changed.wait(lock, [&] { return own.released; });
    own.waiting = false;
    std::copy(own.values, own.values + 32, values);
    return own.members;
  }

  void end(unsigned lane) {
    std::lock_guard<std::mutex> lock(mutex);
    alive &= ~(1u << lane);
    release();
  }

private:
  struct Lane {
    bool waiting = false, released = false;
    WarpFunction function{};
    unsigned mask = 0;
    int value = 0;
    unsigned members = 0;
    int values[32] = {};
  };

  /// Lets all lanes proceed whose meetings are complete.
  void release() {
    for (Lane &first : lanes) {
      if (!first.waiting || first.released)
        continue;
      unsigned members = first.mask & alive;
      bool complete = true;
      for (unsigned k = 0; k < 32; ++k)
        if (members >> k & 1)
          complete &= lanes[k].waiting && !lanes[k].released && lanes[k].mask == first.mask &&
                      lanes[k].function == first.function;
      if (!complete)
        continue;
      for (unsigned k = 0; k < 32; ++k)
        if (members >> k & 1) {
          lanes[k].members = members;
          for (unsigned j = 0; j < 32; ++j)
            lanes[k].values[j] = members >> j & 1 ? lanes[j].value : 0;
          lanes[k].released = true;
        }
    }
    changed.notify_all();
  }

  std::mutex mutex;
  std::condition_variable changed;
  unsigned alive;
  Lane lanes[32];
};

/// The view that a body has of a ReferenceWarp.
struct ReferenceLane {
  ReferenceWarp &warp;
  unsigned lane;

  unsigned meet(WarpFunction f, unsigned mask, int value, int (&values)[32]) {
    return warp.meet(lane, f, mask, value, values);
  }
  int shflXor(unsigned mask, int v, int by) {
    int values[32];
    meet(WarpFunction::ShflXor, mask, v, values);
    return values[lane ^ by];
  }
  int shfl(unsigned mask, int v, int from) {
    int values[32];
    meet(WarpFunction::ShflIdx, mask, v, values);
    return values[from & 31];
  }
  unsigned ballot(unsigned mask, bool p) {
    int values[32];
    unsigned members = meet(WarpFunction::Ballot, mask, p, values), result = 0;
    for (unsigned k = 0; k < 32; ++k)
      result |= unsigned((members >> k & 1) && values[k]) << k;
    return result;
  }
  bool any(unsigned mask, bool p) {
    int values[32];
    meet(WarpFunction::Any, mask, p, values);
    return std::any_of(values, values + 32, [](int v) { return v != 0; });
  }
  bool all(unsigned mask, bool p) {
    int values[32];
    unsigned members = meet(WarpFunction::All, mask, p, values);
    for (unsigned k = 0; k < 32; ++k)
      if ((members >> k & 1) && !values[k])
        return false;
    return true;
  }
  int add(unsigned mask, int v) {
    int values[32], sum = 0;
    meet(WarpFunction::ReduceAdd, mask, v, values);
    for (int value : values)
      sum += value;
    return sum;
  }
  void sync(unsigned mask) {
    int values[32];
    meet(WarpFunction::Sync, mask, 0, values);
  }
};

template <class Body> __global__ void runBody(int *out, int n) {
  DeviceWarp warp;
  int t = threadIdx.x;
  if (t < n)
    out[t] = Body::run(warp, t & 31, t >> 5);
}

/// Returns what the threads of a block of THREADS find with BODY.
template <class Body> std::vector<int> expectBody(unsigned threads) {
  std::vector<int> out(threads);
  for (unsigned first = 0; first < threads; first += 32) {
    unsigned lanes = std::min(32u, threads - first);
    ReferenceWarp warp(lanes);
    std::vector<std::thread> all;
    for (unsigned k = 0; k < lanes; ++k)
      all.emplace_back([&, k] {
        ReferenceLane lane{warp, k};
        out[first + k] = Body::run(lane, k, first / 32);
        warp.end(k);
      });
    for (std::thread &t : all)
      t.join();
  }
  return out;
}

#endif // VX_TEST_MEETING_WARP_H
