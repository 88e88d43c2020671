// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// thread_block_tile of 1 to 32 threads: positions, votes, matches, shuffles of any plain type,
// reductions with every operator and type, scans; all tiles of a block or only some of them.
// RUN: %vxcc -O3 --lower=hw -I%inputs %s -o %t
// RUN: %shapes --warp %t

#include "warp.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

struct Wide { // 32 bytes: the largest that can be exchanged
  unsigned long long a[3];
  unsigned b, c;
};
struct Odd { // neither words nor pairs of them
  unsigned short a[5];
  unsigned short pad;
};
__host__ __device__ inline Wide makeWide(unsigned x) {
  return {{make<unsigned long long>(x), x, ~(unsigned long long)x}, x * 3, x * 5};
}
__host__ __device__ inline Odd makeOdd(unsigned x) {
  return {
      {(unsigned short)x, (unsigned short)(x * 3), (unsigned short)mixed(x), 7, (unsigned short)~x},
      1};
}
__host__ __device__ inline unsigned seed(unsigned block, unsigned rank) {
  return block * 4096 + rank;
}

struct Basics {
  unsigned rank, size, metaRank, metaSize;
  unsigned any, all, ballot, matchAny, matchAll;
  int same;
  unsigned shfl, up, down, bfly;
  double wideUp;
  Wide wide;
  Odd odd;
  signed char small;
  bool truth;
  unsigned char pad[6];
};

// PICK: which tiles of each four take part.
template <unsigned N> __global__ void basics(Basics *out, unsigned pick) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<N>(block);
  unsigned x = seed(blockIdx.x, block.thread_rank());
  if (!(pick >> tile.meta_group_rank() % 4 & 1))
    return;
  Basics b;
  memset(&b, 0, sizeof(b));
  b.rank = tile.thread_rank();
  b.size = tile.size() + 100 * tile.num_threads();
  b.metaRank = tile.meta_group_rank();
  b.metaSize = tile.meta_group_size();
  b.any = tile.any(mixed(x) % 8 == 0);
  b.all = tile.all(mixed(x) % 8 != 1);
  b.ballot = tile.ballot(mixed(x) & 16);
  b.matchAny = tile.match_any(mixed(x) % 3);
  b.matchAll = tile.match_all((long long)(x / 16), b.same);
  b.shfl = tile.shfl(x, N / 2);
  b.up = tile.shfl_up(x, 1);
  b.down = tile.shfl_down(x, N / 4 + 1);
  b.bfly = tile.shfl_xor(x, N - 1);
  b.wideUp = tile.shfl_up((double)x * 1.000000001, 2);
  b.wide = tile.shfl(makeWide(x), (b.rank + 1) % N);
  b.odd = tile.shfl_xor(makeOdd(x), N / 2);
  b.small = tile.shfl((signed char)x, N - 1);
  b.truth = tile.shfl_down(mixed(x) % 2 == 0, 1);
  tile.sync();
  out[blockIdx.x * block.size() + block.thread_rank()] = b;
}

template <unsigned N> static void checkBasics(dim3 block, unsigned pick) {
  unsigned threads = threadsOf(block);
  DeviceArray<Basics> out(kGrid * threads);
  basics<N><<<kGrid, block>>>(out, pick);
  std::vector<Basics> got = out.host();
  size_t at = 0;
  forThreads(block, [&](unsigned b, unsigned rank, unsigned, unsigned, unsigned) {
    unsigned first = rank & ~(N - 1), r = rank - first, x = seed(b, rank), x0 = seed(b, first);
    Basics want;
    std::memset(&want, 0, sizeof(want));
    if (pick >> rank / N % 4 & 1) {
      want.rank = r;
      want.size = N + 100 * N;
      want.metaRank = rank / N;
      want.metaSize = (threads + N - 1) / N;
      want.all = 1;
      want.same = 1;
      for (unsigned i = 0; i < N; ++i) {
        unsigned y = x0 + i;
        want.any |= mixed(y) % 8 == 0;
        want.all &= mixed(y) % 8 != 1;
        want.ballot |= (unsigned)((mixed(y) & 16) != 0) << i;
        want.matchAny |= (unsigned)(mixed(y) % 3 == mixed(x) % 3) << i;
        want.same &= y / 16 == x0 / 16;
      }
      want.matchAll = want.same ? (N == 32 ? ~0u : (1u << N % 32) - 1) : 0;
      want.shfl = x0 + N / 2;
      want.up = r >= 1 ? x - 1 : x;
      want.down = r + N / 4 + 1 < N ? x + N / 4 + 1 : x;
      want.bfly = x0 + (r ^ (N - 1));
      want.wideUp = (double)(r >= 2 ? x - 2 : x) * 1.000000001;
      want.wide = makeWide(x0 + (r + 1) % N);
      want.odd = makeOdd(x0 + ((r ^ (N / 2)) & (N - 1)));
      want.small = (signed char)(x0 + N - 1);
      want.truth = mixed(r + 1 < N ? x + 1 : x) % 2 == 0;
    }
    const Basics &g = got[at++];
    if (!expect(sameBits(g, want), "basics", at))
      std::printf("  tile %u, pick %#x, block of %u, thread %u: ballot %#x, wanted %#x; shfl %u, "
                  "wanted %u; xor %u, wanted %u; match %#x, wanted %#x\n",
                  N, pick, threads, rank, g.ballot, want.ballot, g.shfl, want.shfl, g.bfly,
                  want.bfly, g.matchAny, want.matchAny);
  });
}

template <class T> struct Numbers { T plus, less, greater, lambda, inclusive, exclusive, running; };
template <class T> __device__ T third(T a, T b) {
  return a < b ? b : a;
}

template <unsigned N, class T> __global__ void numbers(Numbers<T> *out, unsigned pick) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<N>(block);
  T v = valueOf<T>(blockIdx.x, block.thread_rank());
  if (pick >> tile.meta_group_rank() % 4 & 1) {
    Numbers<T> r;
    r.plus = cg::reduce(tile, v, cg::plus<T>());
    r.less = cg::reduce(tile, v, cg::less<T>());
    r.greater = cg::reduce(tile, v, cg::greater<T>());
    r.lambda = cg::reduce(tile, v, [](T a, T b) { return a < b ? b : a; });
    r.inclusive = cg::inclusive_scan(tile, v);
    r.exclusive = cg::exclusive_scan(tile, v, cg::plus<T>());
    r.running = cg::inclusive_scan(tile, v, third<T>);
    out[blockIdx.x * block.size() + block.thread_rank()] = r;
  }
}

template <unsigned N, class T>
static void checkNumbers(dim3 block, unsigned pick, const char *name) {
  unsigned threads = threadsOf(block);
  DeviceArray<Numbers<T>> out(kGrid * threads);
  numbers<N, T><<<kGrid, block>>>(out, pick);
  std::vector<Numbers<T>> got = out.host();
  size_t at = 0;
  forThreads(block, [&](unsigned b, unsigned rank, unsigned, unsigned, unsigned) {
    unsigned first = rank & ~(N - 1);
    const Numbers<T> &g = got[at++];
    if (!(pick >> rank / N % 4 & 1))
      return;
    Numbers<T> want;
    want.exclusive = T();
    for (unsigned i = first; i < first + N; ++i) {
      T v = valueOf<T>(b, i);
      want.plus = i == first ? v : T(want.plus + v);
      want.less = i == first || v < want.less ? v : want.less;
      want.greater = i == first || want.greater < v ? v : want.greater;
      want.lambda = want.greater;
      if (i < rank)
        want.exclusive = i == first ? v : T(want.exclusive + v);
      if (i == rank) {
        want.inclusive = want.plus;
        want.running = want.greater;
      }
    }
    const T *a = &g.plus, *w = &want.plus;
    for (int i = 0; i < 7; ++i) // by value: the zeros of floating point are equal
      if (!expect(a[i] == w[i], name, at))
        std::printf("  result %d, tile %u, pick %#x, block of %u, thread %u\n", i, N, pick, threads,
                    rank);
  });
}

struct Bits {
  unsigned long long band, bor, bxor;
  unsigned sand, sor, sxor;
  int mixed;
};
template <unsigned N> __global__ void bits(Bits *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<N>(cg::tiled_partition<32>(block)); // of a tile
  unsigned long long v = valueOf<unsigned long long>(blockIdx.x, block.thread_rank());
  Bits r;
  r.band = cg::reduce(tile, v | 0xff00ff00ff00ffull, cg::bit_and<unsigned long long>());
  r.bor = cg::reduce(tile, v & 0x100ff00ff00ffull, cg::bit_or<unsigned long long>());
  r.bxor = cg::reduce(tile, v, cg::bit_xor<unsigned long long>());
  r.sand = cg::reduce(tile, (unsigned)v | 0xff, cg::bit_and<unsigned>());
  r.sor = (unsigned)cg::reduce(tile, (int)(v & 0x10f), cg::bit_or<int>());
  r.sxor = (unsigned)cg::reduce(tile, (unsigned short)v, cg::bit_xor<unsigned short>());
  // A value of one type, an operator of another.
  r.mixed = (int)cg::reduce(tile, (signed char)v, cg::plus<int>());
  out[blockIdx.x * block.size() + block.thread_rank()] = r;
}
template <unsigned N> static void checkBits(dim3 block) {
  DeviceArray<Bits> out(kGrid * threadsOf(block));
  bits<N><<<kGrid, block>>>(out);
  std::vector<Bits> got = out.host();
  size_t at = 0;
  forThreads(block, [&](unsigned b, unsigned rank, unsigned, unsigned, unsigned) {
    Bits want = {~0ull, 0, 0, ~0u, 0, 0, 0};
    unsigned first = rank & ~(N - 1);
    for (unsigned i = first; i < first + N; ++i) {
      unsigned long long v = valueOf<unsigned long long>(b, i);
      want.band &= v | 0xff00ff00ff00ffull;
      want.bor |= v & 0x100ff00ff00ffull;
      want.bxor ^= v;
      want.sand &= (unsigned)v | 0xff;
      want.sor |= v & 0x10f;
      want.sxor ^= (unsigned short)v;
      want.mixed += (signed char)v;
    }
    const Bits &g = got[at++];
    expect(g.band == want.band && g.bor == want.bor && g.bxor == want.bxor && g.sand == want.sand &&
               g.sor == want.sor && g.sxor == want.sxor && g.mixed == want.mixed,
           "bits", at);
  });
}

/// x -> a x + b: composing is associative but not commutative.
struct Affine {
  unsigned a, b;
};
__host__ __device__ inline Affine then(Affine f, Affine g) {
  return {f.a * g.a, g.a * f.b + g.b};
}
template <unsigned N> __global__ void compose(Affine *out) {
  auto tile = cg::tiled_partition<N>(cg::this_thread_block());
  unsigned x = seed(blockIdx.x, threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = cg::inclusive_scan(
      tile, Affine{mixed(x), x}, [](const Affine &f, const Affine &g) { return then(f, g); });
}
template <unsigned N> static void checkCompose(int threads) {
  DeviceArray<Affine> out(kGrid * threads);
  compose<N><<<kGrid, threads>>>(out);
  std::vector<Affine> got = out.host();
  size_t at = 0;
  forThreads(dim3(threads), [&](unsigned b, unsigned rank, unsigned, unsigned, unsigned) {
    unsigned first = rank & ~(N - 1);
    Affine want = {mixed(seed(b, first)), seed(b, first)};
    for (unsigned i = first + 1; i <= rank; ++i)
      want = then(want, {mixed(seed(b, i)), seed(b, i)});
    expectEqual(got[at], want, "compose", at);
    ++at;
  });
}

template <unsigned N> static void checkSize() {
  for (dim3 block : kBlocks) {
    if (threadsOf(block) % N != 0)
      continue;
    for (unsigned pick : {0xfu, 0x6u, 0x1u}) {
      checkBasics<N>(block, pick);
      checkNumbers<N, int>(block, pick, "int");
      checkNumbers<N, float>(block, pick, "float");
    }
    if (N <= 8 || threadsOf(block) % 32 == 0)
      checkBits<N>(block);
  }
  checkCompose<N>(N == 32 ? 96 : 80);
}
template <class T> static void checkType(const char *name) {
  for (unsigned pick : {0xfu, 0x6u}) {
    checkNumbers<32, T>(dim3(96), pick, name);
    checkNumbers<8, T>(dim3(40), pick, name);
  }
}

int main() {
  checkSize<1>();
  checkSize<2>();
  checkSize<4>();
  checkSize<8>();
  checkSize<16>();
  checkSize<32>();
  checkType<unsigned>("unsigned");
  checkType<long>("long");
  checkType<unsigned long>("unsigned long");
  checkType<long long>("long long");
  checkType<unsigned long long>("unsigned long long");
  checkType<double>("double");
  checkType<short>("short");
  checkType<unsigned char>("unsigned char");
  checkType<__half>("half");
  checkType<__nv_bfloat16>("bfloat16");
  return finish();
}
