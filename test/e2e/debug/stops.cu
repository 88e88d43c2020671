// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: gdb
// RUN: %vxcc -G %s -o %t
// RUN: env VX_LOWERING=hw %python %S/run-gdb.py --prefix=GDB-FAULT %s %t fault > %t.out && FileCheck --check-prefix=FAULT %s < %t.out
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py --prefix=GDB-FAULT %s %t fault > %t.out && FileCheck --check-prefix=FAULT %s < %t.out
// RUN: env VX_LOWERING=hw %python %S/run-gdb.py --prefix=GDB-ASSERT %s %t assert > %t.out && FileCheck --check-prefix=ASSERT %s < %t.out
// RUN: env VX_LOWERING=sw %python %S/run-gdb.py --prefix=GDB-ASSERT %s %t assert > %t.out && FileCheck --check-prefix=ASSERT %s < %t.out
// RUN: %python %S/run-gdb.py --prefix=GDB-SPIN %s %t spin > %t.out && FileCheck --check-prefix=SPIN %s < %t.out
// RUN: %python %S/run-gdb.py --prefix=GDB-LEAVE %s %t fault > %t.out && FileCheck --check-prefix=LEAVE %s < %t.out
// RUN: env VX_GDB=no-port not %t fault 2>&1 | FileCheck --check-prefix=PORT %s
// RUN: env VX_GDB=0 VX_MODE=timing not %t fault 2>&1 | FileCheck --check-prefix=MODE %s
//
// Reasons that stop a kernel under gdb, with its state as it was: a fault, a failed assert, an
// interrupt. Ways in which gdb leaves: kill, detach. Things that cannot be.
#include <cassert>
#include <cstdio>
#include <cstring>

__global__ void fault(int *data) {
  int i = threadIdx.x;
  int *place = i == 2 ? nullptr : data + i;
  *place = i; // {store}
}

__global__ void check(int limit) {
  int i = threadIdx.x;
  assert(i < limit); // {assert}
}

__global__ void spin(volatile int *flag) {
  int rounds = 0;
  while (*flag == 0)
    ++rounds;
}

int main(int, char **argv) {
  int *data;
  if (cudaMalloc(&data, 256) != cudaSuccess)
    return 2;
  cudaMemset(data, 0, 256);
  if (std::strcmp(argv[1], "fault") == 0)
    fault<<<1, 4>>>(data);
  if (std::strcmp(argv[1], "assert") == 0)
    check<<<1, 4>>>(1);
  if (std::strcmp(argv[1], "spin") == 0)
    spin<<<1, 1>>>(data);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}

// GDB-FAULT: continue
// GDB-FAULT: print i
// GDB-FAULT: print place
// GDB-FAULT: print data == 0
// GDB-FAULT: continue
// FAULT: vx: illegal memory access: store of 4 byte(s) at 0x0
// FAULT: Thread {{[0-9]+}} "block (0,0,0) thread (2,0,0)" received signal SIGSEGV
// FAULT: fault (data=0x[[#%x,]]) at {{.*}}stops.cu:[[#]]
// FAULT: $1 = 2
// FAULT: $2 = (int *) 0x0
// FAULT: $3 = false
// FAULT: exited normally
// FAULT: illegal memory access, writing 4 bytes at 0x0
// FAULT: cudaErrorIllegalAddress
// FAULT: exit code 0

// GDB-ASSERT: continue
// GDB-ASSERT: backtrace
// GDB-ASSERT: frame function check
// GDB-ASSERT: print i
// GDB-ASSERT: continue
// ASSERT: vx: assertion failed
// ASSERT: Thread {{[0-9]+}} "block (0,0,0) thread ([[THREAD:[1-3]]],0,0)" received signal SIGABRT
// ASSERT: #0 {{.*}} __vx_assert_fail ()
// ASSERT: #{{[0-9]}} {{.*}} check (limit=1) at {{.*}}stops.cu:[[#]]
// ASSERT: $1 = [[THREAD]]
// ASSERT: cudaErrorAssert

// GDB-SPIN: python import os, signal, threading
// GDB-SPIN: python threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
// GDB-SPIN: continue
// GDB-SPIN: print rounds > 0
// GDB-SPIN: kill
// SPIN: received signal SIGINT
// SPIN: spin (flag=0x[[#%x,]])
// SPIN: $1 = true
// SPIN: killed
// SPIN: exit code -9

// GDB-LEAVE: break {store}
// GDB-LEAVE: continue
// GDB-LEAVE: detach
// LEAVE: hit Breakpoint 1
// LEAVE: detached
// LEAVE: cudaErrorIllegalAddress
// LEAVE: exit code 0

// PORT: no-port is neither a port (0 to 65535) nor the path of a socket
// MODE: debug.gdb (VX_GDB) needs run.mode=functional
