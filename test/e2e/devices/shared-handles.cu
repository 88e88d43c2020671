// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %vxcc -O3 %s -o %t -lcuda && %run %t
// RUN: %vxcc -O3 --target=host %s -o %t.host -lcuda && %run %t.host
// RUN: %vxcc -O3 --vx-xlen=32 %s -o %t.32 -lcuda && env VX_SET=isa.xlen=32 %run %t.32
//
// Another process works on memory of cuMemCreate and of a memory pool, by their file descriptors.

#include "../Inputs/harness.h"
#include <cstring>
#include <cuda.h>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

__global__ void twice(int *p, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    p[i] *= 2;
}

constexpr int n = 3000;
constexpr size_t size = 16384; // more than N, in pages
constexpr auto kType = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
constexpr auto kPoolType = cudaMemHandleTypePosixFileDescriptor;

struct Message {
  cudaMemPoolPtrExportData pointer;
};

/// Sends MESSAGE and two descriptors, or receives them.
static void transfer(int socket, Message &message, int (&files)[2], bool send) {
  char control[CMSG_SPACE(sizeof files)] = {};
  iovec data{&message, sizeof message};
  msghdr header{};
  header.msg_iov = &data;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof control;
  if (send) {
    cmsghdr *part = CMSG_FIRSTHDR(&header);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(part), files, sizeof files);
    EXPECT(sendmsg(socket, &header, 0) == sizeof message);
  } else {
    if (recvmsg(socket, &header, 0) != sizeof message || !CMSG_FIRSTHDR(&header))
      _exit(3);
    std::memcpy(files, CMSG_DATA(CMSG_FIRSTHDR(&header)), sizeof files);
  }
}

/// Maps MEMORY and ends the program's handle of it.
static CUdeviceptr map(CUmemGenericAllocationHandle memory) {
  CUdeviceptr base = 0;
  EXPECT(cuMemAddressReserve(&base, size, 0, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuMemMap(base, size, 0, memory, 0) == CUDA_SUCCESS);
  EXPECT(cuMemRelease(memory) == CUDA_SUCCESS);
  CUmemAccessDesc access{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  EXPECT(cuMemSetAccess(base, size, &access, 1) == CUDA_SUCCESS);
  return base;
}

static void unmap(CUdeviceptr base) {
  EXPECT(cuMemUnmap(base, size) == CUDA_SUCCESS);
  EXPECT(cuMemAddressFree(base, size) == CUDA_SUCCESS);
}

static int child(int socket) {
  Message message;
  int files[2];
  transfer(socket, message, files, false);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  CUmemGenericAllocationHandle memory, wrong;
  void *file = reinterpret_cast<void *>(intptr_t(files[0]));
  EXPECT(cuMemImportFromShareableHandle(&memory, file, kType) == CUDA_SUCCESS);
  EXPECT(cuMemImportFromShareableHandle(&wrong, (void *)intptr_t(socket), kType) ==
         CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = map(memory);
  twice<<<1, 64, 0, stream>>>((int *)base, n);

  cudaMemPool_t pool, other;
  void *pointer = nullptr, *own = nullptr;
  CHECK(cudaMemPoolImportFromShareableHandle(&pool, (void *)intptr_t(files[1]), kPoolType, 0));
  EXPECT(cudaMemPoolImportFromShareableHandle(&other, file, kPoolType, 0) == cudaErrorInvalidValue);
  EXPECT(cudaMallocFromPoolAsync(&own, 64, pool, stream) == cudaErrorNotSupported);
  Message changed = message;
  changed.pointer.reserved[0] ^= 1; // of another pool
  EXPECT(cudaMemPoolImportPointer(&own, pool, &changed.pointer) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK(cudaMemPoolImportPointer(&pointer, pool, &message.pointer));
  twice<<<1, 64, 0, stream>>>((int *)pointer, n);
  CHECK(cudaFreeAsync(pointer, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(cudaMemset(pointer, 0, 4) == cudaErrorInvalidValue); // gone, here
  (void)cudaGetLastError();
  CHECK(cudaMemPoolDestroy(pool));
  unmap(base);
  close(files[0]);
  close(files[1]);
  return finish();
}

static std::vector<int> filled(void *memory) {
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = 5 * i + 1;
  CHECK(cudaMemcpy(memory, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  return values;
}

static void checkDoubled(void *memory, const std::vector<int> &before, const char *what) {
  std::vector<int> values(n);
  CHECK(cudaMemcpy(values.data(), memory, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    expectEqual(values[i], 2 * before[i], what);
}

int main(int argc, char **argv) {
  CHECK(cudaFree(nullptr)); // a context for the driver API
  EXPECT(cuInit(0) == CUDA_SUCCESS);
  if (argc > 1)
    return child(std::atoi(argv[1]));
  int supported = 0, poolTypes = 0;
  EXPECT(cuDeviceGetAttribute(&supported,
                              CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                              0) == CUDA_SUCCESS);
  CHECK(cudaDeviceGetAttribute(&poolTypes, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
  EXPECT(supported == 1 && poolTypes == kPoolType);

  int sockets[2];
  EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
  std::string name = std::to_string(sockets[1]);
  char *arguments[] = {argv[0], name.data(), nullptr};
  pid_t process = 0;
  EXPECT(posix_spawn(&process, "/proc/self/exe", nullptr, nullptr, arguments, environ) == 0);
  close(sockets[1]);

  Message message{};
  int files[2] = {-1, -1};
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  properties.requestedHandleTypes = kType;
  CUmemGenericAllocationHandle memory;
  EXPECT(cuMemCreate(&memory, size, &properties, 0) == CUDA_SUCCESS);
  EXPECT(cuMemExportToShareableHandle(&files[0], memory, kType, 0) == CUDA_SUCCESS);
  void *mapped = reinterpret_cast<void *>(map(memory));
  std::vector<int> inMapped = filled(mapped);

  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = kPoolType;
  props.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, plain;
  void *pointer = nullptr, *other = nullptr;
  CHECK(cudaMemPoolCreate(&pool, &props));
  CHECK(cudaMallocFromPoolAsync(&pointer, n * sizeof(int), pool, nullptr));
  CHECK(cudaMemPoolExportToShareableHandle(&files[1], pool, kPoolType, 0));
  CHECK(cudaMemPoolExportPointer(&message.pointer, pointer));
  CHECK(cudaDeviceGetDefaultMemPool(&plain, 0));
  CHECK(cudaMallocAsync(&other, 64, nullptr));
  EXPECT(cudaMemPoolExportToShareableHandle(&files[1], plain, kPoolType, 0) ==
         cudaErrorInvalidValue);
  cudaMemPoolPtrExportData none;
  EXPECT(cudaMemPoolExportPointer(&none, other) == cudaErrorInvalidValue);
  (void)cudaGetLastError();
  std::vector<int> inPool = filled(pointer);

  transfer(sockets[0], message, files, true);
  close(files[0]);
  close(files[1]);
  int status = -1;
  EXPECT(waitpid(process, &status, 0) == process && status == 0);
  checkDoubled(mapped, inMapped, "mapped memory");
  checkDoubled(pointer, inPool, "memory of a pool");
  unmap(CUdeviceptr(mapped));
  CHECK(cudaFreeAsync(pointer, nullptr));
  CHECK(cudaMemPoolDestroy(pool));
  return finish();
}
