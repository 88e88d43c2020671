/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's occupancy calculator: how many blocks of a kernel a multiprocessor of a described device
 * has room for. It knows only the limits that the description has; for the device at hand,
 * cudaOccupancyMaxActiveBlocksPerMultiprocessor() says what the launch would do.
 */

#ifndef __CUDA_OCCUPANCY_H__
#define __CUDA_OCCUPANCY_H__

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define __OCC_INLINE static __inline__

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2,
} cudaOccError;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0,
  CACHE_PREFER_SHARED = 1,
  CACHE_PREFER_L1 = 2,
  CACHE_PREFER_EQUAL = 3,
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50,
} cudaOccCarveoutConfig;

typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT,
} cudaOccPartitionedGCConfig;

typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN,
} cudaOccFuncShmemConfig;

/* The cache and the shared memory of this machine are two memories, so no setting changes a limit.
 */
typedef struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig;
#if defined(__cplusplus)
  cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
} cudaOccDeviceState;

typedef struct cudaOccDeviceProp {
  int computeMajor, computeMinor;
  int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
  int regsPerBlock, regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
#if defined(__cplusplus)
  /* Of a cudaDeviceProp. */
  template <typename DeviceProp>
  cudaOccDeviceProp(const DeviceProp &p)
      : computeMajor(p.major), computeMinor(p.minor), maxThreadsPerBlock(p.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor), regsPerBlock(p.regsPerBlock),
        regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize),
        sharedMemPerBlock(p.sharedMemPerBlock),
        sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor), numSms(p.multiProcessorCount),
        sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(p.reservedSharedMemPerBlock) {}
  cudaOccDeviceProp() { memset(this, 0, sizeof *this); }
#endif
} cudaOccDeviceProp;

typedef struct cudaOccFuncAttributes {
  int maxThreadsPerBlock;
  int numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
#if defined(__cplusplus)
  /* Of a cudaFuncAttributes. */
  template <typename FuncAttributes>
  cudaOccFuncAttributes(const FuncAttributes &a)
      : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs),
        sharedSizeBytes(a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(a.maxDynamicSharedSizeBytes), numBlockBarriers(1) {}
  cudaOccFuncAttributes() { memset(this, 0, sizeof *this); }
#endif
} cudaOccFuncAttributes;

/* Bits of limitingFactors. */
typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10,
} cudaOccLimitingFactors;

typedef struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors;
  int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

/* How many blocks of BLOCKSIZE threads and DYNAMICSMEMSIZE bytes of dynamic shared memory, and what
 * limits them. CUDA_OCC_ERROR_INVALID_INPUT: a null pointer or a size below 1. */
__OCC_INLINE cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state, int blockSize,
    size_t dynamicSmemSize) {
  int warps, blocks, isTooLarge;
  size_t shared, sharedLimit;
  if (!result || !properties || !attributes || !state || blockSize < 1 ||
      properties->warpSize < 1 || properties->maxThreadsPerMultiprocessor < 1)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  memset(result, 0, sizeof *result);
  warps = (blockSize + properties->warpSize - 1) / properties->warpSize;
  shared = attributes->sharedSizeBytes + dynamicSmemSize;
  if (shared)
    shared += properties->reservedSharedMemPerBlock;
  sharedLimit =
      attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && properties->sharedMemPerBlockOptin
          ? properties->sharedMemPerBlockOptin
          : properties->sharedMemPerBlock;
  isTooLarge = blockSize > properties->maxThreadsPerBlock ||
               (attributes->maxThreadsPerBlock && blockSize > attributes->maxThreadsPerBlock);

  result->allocatedRegistersPerBlock = warps * properties->warpSize * attributes->numRegs;
  result->allocatedSharedMemPerBlock = shared;
  result->partitionedGCConfig = attributes->partitionedGCConfig;
  result->blockLimitWarps =
      isTooLarge ? 0 : properties->maxThreadsPerMultiprocessor / (warps * properties->warpSize);
  result->blockLimitRegs = INT_MAX;
  if (result->allocatedRegistersPerBlock > 0)
    result->blockLimitRegs =
        result->allocatedRegistersPerBlock > properties->regsPerBlock
            ? 0
            : properties->regsPerMultiprocessor / result->allocatedRegistersPerBlock;
  result->blockLimitSharedMem = INT_MAX;
  if (shared)
    result->blockLimitSharedMem = shared > sharedLimit + properties->reservedSharedMemPerBlock
                                      ? 0
                                      : (int)(properties->sharedMemPerMultiprocessor / shared);
  /* A warp is the least that a block takes, and blocks have a barrier each. */
  result->blockLimitBlocks = properties->maxThreadsPerMultiprocessor / properties->warpSize;
  result->blockLimitBarriers = INT_MAX;

  blocks = result->blockLimitWarps;
  if (blocks > result->blockLimitRegs)
    blocks = result->blockLimitRegs;
  if (blocks > result->blockLimitSharedMem)
    blocks = result->blockLimitSharedMem;
  if (blocks > result->blockLimitBlocks)
    blocks = result->blockLimitBlocks;
  result->activeBlocksPerMultiprocessor = blocks;
  result->limitingFactors |= blocks == result->blockLimitWarps ? OCC_LIMIT_WARPS : 0;
  result->limitingFactors |= blocks == result->blockLimitRegs ? OCC_LIMIT_REGISTERS : 0;
  result->limitingFactors |= blocks == result->blockLimitSharedMem ? OCC_LIMIT_SHARED_MEMORY : 0;
  result->limitingFactors |= blocks == result->blockLimitBlocks ? OCC_LIMIT_BLOCKS : 0;
  return CUDA_OCC_SUCCESS;
}

/* The most dynamic shared memory that a block may have for NUMBLOCKS of them to be resident. */
__OCC_INLINE cudaOccError
cudaOccAvailableDynamicSMemPerBlock(size_t *bytesAvailable, const cudaOccDeviceProp *properties,
                                    const cudaOccFuncAttributes *attributes,
                                    const cudaOccDeviceState *state, int numBlocks, int blockSize) {
  cudaOccResult result;
  cudaOccError error;
  size_t each, limit, taken;
  if (!bytesAvailable || numBlocks < 1)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  *bytesAvailable = 0;
  error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
  if (error != CUDA_OCC_SUCCESS || result.activeBlocksPerMultiprocessor < numBlocks)
    return error != CUDA_OCC_SUCCESS ? error : CUDA_OCC_ERROR_INVALID_INPUT;
  each = properties->sharedMemPerMultiprocessor / (size_t)numBlocks;
  limit =
      attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN && properties->sharedMemPerBlockOptin
          ? properties->sharedMemPerBlockOptin
          : properties->sharedMemPerBlock;
  if (each > limit + properties->reservedSharedMemPerBlock)
    each = limit + properties->reservedSharedMemPerBlock;
  taken = attributes->sharedSizeBytes + properties->reservedSharedMemPerBlock;
  *bytesAvailable = each > taken ? each - taken : 0;
  return CUDA_OCC_SUCCESS;
}

/* The block size with the most resident threads, the larger one of equals, and how many such blocks
 * the device has room for. BLOCKSIZETODYNAMICSMEMSIZE may be null: DYNAMICSMEMSIZE holds for all.
 */
__OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  int size, limit, best = 0, threads = 0;
  if (!minGridSize || !blockSize || !properties || !attributes || !state ||
      properties->warpSize < 1)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  limit = properties->maxThreadsPerBlock;
  if (attributes->maxThreadsPerBlock && attributes->maxThreadsPerBlock < limit)
    limit = attributes->maxThreadsPerBlock;
  *blockSize = *minGridSize = 0;
  for (size = limit; size > 0; size = (size - 1) / properties->warpSize * properties->warpSize) {
    cudaOccResult result;
    size_t bytes = blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(size) : dynamicSMemSize;
    cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes,
                                                                 state, size, bytes);
    if (error != CUDA_OCC_SUCCESS)
      return error;
    if (result.activeBlocksPerMultiprocessor * size > threads) {
      threads = result.activeBlocksPerMultiprocessor * size;
      best = result.activeBlocksPerMultiprocessor;
      *blockSize = size;
    }
    if (threads >= properties->maxThreadsPerMultiprocessor)
      break;
  }
  *minGridSize = best * properties->numSms;
  return CUDA_OCC_SUCCESS;
}

#undef __OCC_INLINE

#endif /* __CUDA_OCCUPANCY_H__ */
