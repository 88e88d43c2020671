// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who chooses a kernel's lowering, by which names, and what -Rvx-lower says of it.
// RUN: %vxcc -O3 -c -Rvx-lower %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: %vxcc -O3 -c -Rvx-lower --lower=hw --lower-kernel=plain=auto %s -o %t.o 2>&1 | FileCheck %s --check-prefix=HARD
// RUN: %vxcc -O3 -c -Rvx-lower --vx-isa=base %s -o %t.o 2>&1 | FileCheck %s --check-prefix=BASE
// RUN: %vxcc -O3 -c -Rvx-lower --lower-kernel=ns::inSpace=hw --lower-kernel=generic=hw --lower-kernel=inSource=hw %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NAMES
// RUN: %vxcc -O3 -c -Rvx-lower '--lower-kernel=generic<int>=sw' --lower-kernel=_Z5plainPi=hw %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %vxcc -O3 -c --lower-kernel=plan=hw --lower-kernel=plain=sw --lower-kernel=space::inSpace=hw %s -o %t.o 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: %vxcc -E --lower-kernel=plan=hw %s -o %t.i 2>&1 | count 0
// RUN: not %vxcc -c --lower-kernel=plain=soft %s -o %t.o 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not %vxcc -c --lower-kernel=plain %s -o %t.o 2>&1 | FileCheck %s --check-prefix=NOVALUE
// RUN: not %vxcc -c -DWRONG %s -o %t.o 2>&1 | FileCheck %s --check-prefix=SOURCE

// Both variants, and when each is taken.
// BOTH-DAG: note: kernel 'plain(int*)': sw variant, a loop over threads
// BOTH-DAG: note: kernel 'plain(int*)': hw variant with instructions of profile 'base', or hardware warps of 8 lanes with four threads each (coarsened); auto takes it where the device has that, else the sw variant
// BOTH-DAG: note: kernel 'vote(int*)': hw variant with instructions of profile 'upstream', groups of 32 threads{{.*}}; auto takes it where
// BOTH-DAG: note: kernel 'inSource(int*)': no hw variant: __vx_lower__ in its source
// BOTH-DAG: note: kernel 'sides(int*)': sw variant, loops over warps and lanes with sets of waiting threads, {{[0-9]+}} bytes of context a thread; no mapping thread-per-lane: the threads of a warp may diverge around a warp function
// BOTH-DAG: note: kernel 'sixtyFour(int*)': sw variant, {{.*}}; no mapping thread-per-lane: it has groups of several warps

// The command line says something of all kernels, of one, and the source of one.
// HARD-DAG: note: kernel 'plain(int*)': sw variant
// HARD-DAG: note: kernel 'vote(int*)': no sw variant: --lower=hw
// HARD-DAG: note: kernel 'inSource(int*)': no hw variant: __vx_lower__ in its source

// BASE-DAG: note: kernel 'vote(int*)': no hw variant: profile 'base' has no instructions for its warp functions
// BASE-DAG: note: kernel 'vote(int*)': sw variant, loops over warps and lanes
// BASE-DAG: note: kernel 'plain(int*)': hw variant with instructions of profile 'base', or {{.*}}; auto

// A name may be qualified; a template's without arguments means all of it.
// NAMES-NOT: warning
// NAMES-DAG: note: kernel 'ns::inSpace(int*)': no sw variant: --lower-kernel=ns::inSpace=hw
// NAMES-DAG: note: kernel 'void generic<int>(int*)': no sw variant: --lower-kernel=generic=hw
// NAMES-DAG: note: kernel 'void generic<float>(float*)': no sw variant: --lower-kernel=generic=hw
// NAMES-DAG: note: kernel 'inSource(int*)': no sw variant: --lower-kernel=inSource=hw
// ONE-NOT: kernel 'void generic<float>(float*)': no
// ONE-DAG: note: kernel 'void generic<int>(int*)': no hw variant: --lower-kernel=generic<int>=sw
// ONE-DAG: note: kernel 'plain(int*)': no sw variant: --lower-kernel=_Z5plainPi=hw
// ONE-NOT: kernel 'void generic<float>(float*)': no

// UNKNOWN-NOT: plain
// UNKNOWN: warning: --lower-kernel=plan: there is no kernel of this name here
// UNKNOWN-NEXT: warning: --lower-kernel=space::inSpace: there is no kernel of this name here
// UNKNOWN-NOT: plain
// VALUE: error: value 'plain=soft' is not defined for option 'lower-kernel'; allowed: KERNEL=hw, KERNEL=sw, KERNEL=auto
// NOVALUE: error: value 'plain' is not defined for option 'lower-kernel'; allowed: KERNEL=hw

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void plain(int *p) {
  p[threadIdx.x] = 1;
}
__global__ void vote(int *p) {
  p[threadIdx.x] = __any_sync(~0u, p[threadIdx.x]);
}
__vx_lower__("sw") __global__ void inSource(int *p) {
  p[threadIdx.x] = 2;
}
__global__ void sides(int *p) {
  int v = p[threadIdx.x];
  if (threadIdx.x % 2)
    v = __ballot_sync(0xaaaaaaaau, v);
  else
    v = -__ballot_sync(0x55555555u, v & 7);
  p[threadIdx.x] = v;
}
__global__ void sixtyFour(int *p) {
  auto tile = cg::tiled_partition<64>(cg::this_thread_block());
  p[threadIdx.x] += 1;
  tile.sync();
  p[threadIdx.x] += p[threadIdx.x ^ 1];
}
namespace ns {
__global__ void inSpace(int *p) {
  p[threadIdx.x] = 3;
}
} // namespace ns
template <class T> __global__ void generic(T *p) {
  p[threadIdx.x] = 4;
}
template __global__ void generic<int>(int *);
template __global__ void generic<float>(float *);

#ifdef WRONG
// SOURCE: lowering-choice.cu:[[#@LINE+1]]:{{[0-9]+}}: error: __vx_lower__("soft"): it is "hw", "sw" or "auto"
__vx_lower__("soft") __global__ void wrong() {}
// SOURCE: lowering-choice.cu:[[#@LINE+1]]:{{[0-9]+}}: error: __vx_lower__ is for kernels; what they call is lowered with them
__vx_lower__("sw") __device__ __noinline__ void function(int *p) {
  *p = 1;
}
__global__ void caller(int *p) {
  function(p);
}
#endif
