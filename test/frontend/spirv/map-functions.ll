; Calling conventions, and the mangled names of functions for SPIR and for nvptx64: constant memory
; is 4 instead of 2, private and generic memory have no number. The names are those that clang gives.
;
; RUN: %vx_opt -passes=vx-spirv-map-functions %s | FileCheck %s

; CHECK: define ptx_kernel void @k(ptr addrspace(4) %c) [[ATTR:#[0-9]+]]
define spir_kernel void @k(ptr addrspace(4) %c) {
  ; CHECK-NEXT: call float @_Z3sinf(float 1.000000e+00)
  %1 = call spir_func float @_Z3sinf(float 1.0)
  ; CHECK-NEXT: call <4 x float> @_Z5fractDv4_fPS_(
  %2 = call spir_func <4 x float> @_Z5fractDv4_fPU3AS4S_(<4 x float> zeroinitializer, ptr null)
  ; CHECK-NEXT: call <4 x float> @_Z6vload4mPU3AS4Kf(
  %3 = call spir_func <4 x float> @_Z6vload4mPU3AS2Kf(i64 0, ptr addrspace(4) %c)
  ; CHECK-NEXT: call i32 @_Z25atomic_fetch_add_explicitPVU7_Atomicii12memory_order12memory_scope(
  %4 = call spir_func i32 @_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope(ptr null, i32 1, i32 0, i32 1)
  ; CHECK-NEXT: call void @_Z1gPiS0_PU3AS1KDv2_jS3_S3_(
  call spir_func void @_Z1gPU3AS4iS0_PU3AS1KDv2_jS3_S3_(ptr null, ptr null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null)
  ; What a pointer to private or generic memory is to counts as a type of its own.
  ; CHECK-NEXT: call i1 @_Z39atomic_compare_exchange_strong_explicitPVU7_AtomiciPii12memory_orderS4_12memory_scope(
  %done = call spir_func i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope(ptr null, ptr null, i32 0, i32 0, i32 0, i32 1)
  ; CHECK-NEXT: call void @_Z1hDv4_fPS_S1_12memory_orderS2_PS2_S4_(
  call spir_func void @_Z1hDv4_fPS_S1_12memory_orderS2_PS2_S4_(<4 x float> zeroinitializer, ptr null, ptr null, i32 0, i32 0, ptr null, ptr null)
  ; CHECK-NEXT: call void @_Z1hPU3AS1iPiS2_PKiPiS6_(
  call spir_func void @_Z1hPU3AS1iPiS2_PKiPU3AS4iS6_(ptr addrspace(1) null, ptr null, ptr null, ptr null, ptr null, ptr null)
  ; A private and a generic pointer are the same: one function is left.
  ; CHECK-NEXT: call float @_Z5modffPf(
  ; CHECK-NEXT: call float @_Z5modffPf(
  %5 = call spir_func float @_Z5modffPf(float 1.0, ptr null)
  %6 = call spir_func float @_Z5modffPU3AS4f(float 1.0, ptr null)
  ; CHECK-NEXT: call void @_ZN3one3twoEv()
  call spir_func void @_ZN3one3twoEv()
  ret void
}

; CHECK-NOT: U3AS4f(
declare spir_func float @_Z3sinf(float)
declare spir_func <4 x float> @_Z5fractDv4_fPU3AS4S_(<4 x float>, ptr)
declare spir_func <4 x float> @_Z6vload4mPU3AS2Kf(i64, ptr addrspace(4))
declare spir_func i32 @_Z25atomic_fetch_add_explicitPU3AS4VU7_Atomicii12memory_order12memory_scope(ptr, i32, i32, i32)
declare spir_func void @_Z1gPU3AS4iS0_PU3AS1KDv2_jS3_S3_(ptr, ptr, ptr addrspace(1), ptr addrspace(1), ptr addrspace(1))
declare spir_func i1 @_Z39atomic_compare_exchange_strong_explicitPU3AS4VU7_AtomiciPU3AS4ii12memory_orderS4_12memory_scope(ptr, ptr, i32, i32, i32, i32)
declare spir_func void @_Z1hDv4_fPS_S1_12memory_orderS2_PS2_S4_(<4 x float>, ptr, ptr, i32, i32, ptr, ptr)
declare spir_func void @_Z1hPU3AS1iPiS2_PKiPU3AS4iS6_(ptr addrspace(1), ptr, ptr, ptr, ptr, ptr)
declare spir_func float @_Z5modffPf(float, ptr)
declare spir_func float @_Z5modffPU3AS4f(float, ptr)
declare spir_func void @_ZN3one3twoEv()

; CHECK: attributes [[ATTR]] = { convergent }
