// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O1 %s -o %t
// RUN: %run %t --steps=2000 | FileCheck %s
// RUN: env VX_DEVICES=2 %run %t --steps=1000 --seed=2 | FileCheck %s
// RUN: %vxcc -O1 --default-stream=per-thread %s -o %t.own && %run %t.own --steps=1000 --seed=3 | FileCheck %s
// CHECK: PASS
//
// Random operations on streams, events and memory from several host threads at a time, which come
// and go, with resets in between. All numbers are right, and at the end all memory is there again.
//
// usage: stress [--steps=N] [--seed=N] [--threads=N] [--resets=N] [--growth=MIB]
//
// --growth: by how much the program may grow in its second half (16; 0: not looked at).

#include "Inputs/worker.h"
#include <condition_variable>
#include <cstring>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

static struct Options {
  int steps = 10000, seed = 1, threads = 4, resets = 5, growth = 16;
} options;

static void parse(int argc, char **argv) {
  static const struct {
    const char *name;
    int &value;
  } known[] = {{"--steps=", options.steps},
               {"--seed=", options.seed},
               {"--threads=", options.threads},
               {"--resets=", options.resets},
               {"--growth=", options.growth}};
  for (int i = 1; i < argc; ++i) {
    bool found = false;
    for (const auto &option : known)
      if (std::strncmp(argv[i], option.name, std::strlen(option.name)) == 0) {
        option.value = std::atoi(argv[i] + std::strlen(option.name));
        found = true;
      }
    if (!found) {
      std::fprintf(stderr, "unknown option %s\n", argv[i]);
      std::exit(2);
    }
  }
}

/// Returns the kibibytes of memory that the process has.
static long residentSize() {
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  long total = 0, resident = 0;
  if (file && std::fscanf(file, "%ld %ld", &total, &resident) != 2)
    resident = 0;
  if (file)
    std::fclose(file);
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static SharedEvent sharedEvent;
static std::mutex door; // held by who waits for the workers to stop
static std::shared_mutex working;
static int generation = 0; // of the contexts, guarded by `working`
static std::atomic<int> stepsDone = 0;
static int devices = 1;

/// A worker's life is that of several threads, one after the other.
static void work(int number) {
  Worker worker(unsigned(options.seed * 1000 + number), devices, sharedEvent);
  int known = 0;
  auto some = [&](int steps) {
    for (; steps > 0; --steps) {
      door.lock();
      door.unlock();
      std::shared_lock lock(working);
      if (known != generation)
        worker.forget();
      known = generation;
      worker.step();
      ++stepsDone;
    }
    // The thread's own streams go with it: what they have to do is done first.
    std::shared_lock lock(working);
    for (int device = 0; device < devices; ++device) {
      CHECK(cudaSetDevice(device));
      CHECK(cudaStreamSynchronize(cudaStreamPerThread));
    }
  };
  int steps = options.steps / options.threads;
  for (int done = 0; done < steps; done += 200)
    std::thread(some, std::min(200, steps - done)).join();
  std::shared_lock lock(working);
  if (known != generation)
    worker.forget();
  worker.giveBack();
}

/// Returns the bytes in use on all devices when nothing of the workers is left.
static size_t bytesInUse() {
  size_t all = 0;
  for (int device = 0; device < devices; ++device) {
    size_t free, total;
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemGetInfo(&free, &total));
    all += total - free;
  }
  return all;
}

/// Each kernel once: what the runtime needs for itself is there from then on.
static size_t bytesOfTheRuntime() {
  for (int device = 0; device < devices; ++device) {
    int *data;
    CHECK(cudaSetDevice(device));
    CHECK(cudaMalloc(&data, 2 * kBytes));
    CHECK(cudaMemset(data, 0, 2 * kBytes));
    addTo<<<7, 32>>>(data, 0);
    addTo<<<2, 100>>>(data, 0);
    mix<<<4, 64>>>(data, data + kNumbers);
    CHECK(cudaFree(data));
  }
  return bytesInUse();
}

static void resetAll() {
  std::lock_guard outside(door);
  std::lock_guard lock(working);
  for (int device = 0; device < devices; ++device) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceReset());
  }
  ++generation;
  sharedEvent.event = nullptr;
  if (pendingFunctions != 0) {
    std::printf("%d host functions have not run before a reset\n", pendingFunctions.load());
    ++wrong;
  }
}

int main(int argc, char **argv) {
  parse(argc, argv);
  CHECK(cudaGetDeviceCount(&devices));
  std::vector<std::thread> threads;
  for (int i = 0; i < options.threads; ++i)
    threads.emplace_back(work, i);
  int total = options.steps / options.threads * options.threads, resets = 0;
  long half = 0;
  while (stepsDone < total) {
    usleep(500);
    if (resets < options.resets && stepsDone >= total / (options.resets + 1) * (resets + 1)) {
      resetAll();
      ++resets;
    }
    if (!half && stepsDone >= total / 2)
      half = residentSize();
  }
  for (std::thread &thread : threads)
    thread.join();
  CHECK(cudaSetDevice(0));
  if (sharedEvent.event)
    CHECK(cudaEventDestroy(sharedEvent.event));
  long growth = residentSize() - half;
  size_t left = bytesInUse();
  for (int device = 0; device < devices; ++device) {
    CHECK(cudaSetDevice(device));
    CHECK(cudaDeviceReset());
  }
  size_t own = bytesOfTheRuntime();
  if (left > own) {
    std::printf("%zu bytes of device memory were not given back\n", left - own);
    ++wrong;
  }
  if (options.growth && growth > options.growth * 1024L) {
    std::printf("the program grew by %ld KiB in its second half\n", growth);
    ++wrong;
  }
  std::printf("%d steps, %d resets, %d wrong\n", stepsDone.load(), resets, wrong.load());
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
