; Calling conventions, and the mangled names of functions for SPIR and for nvptx64: constant memory
; is 4 instead of 2, generic pointers have no number, and what comes behind is counted anew.
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
  ; CHECK-NEXT: call void @_Z1gPiS_PU3AS1KDv2_jS2_S2_(
  call spir_func void @_Z1gPU3AS4iS0_PU3AS1KDv2_jS3_S3_(ptr null, ptr null, ptr addrspace(1) null, ptr addrspace(1) null, ptr addrspace(1) null)
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
declare spir_func float @_Z5modffPf(float, ptr)
declare spir_func float @_Z5modffPU3AS4f(float, ptr)
declare spir_func void @_ZN3one3twoEv()

; CHECK: attributes [[ATTR]] = { convergent }
