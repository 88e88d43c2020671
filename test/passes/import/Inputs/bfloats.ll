; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arithmetic of bfloat16 that bfloats.c calls, with bits as arguments and results. The host's NaNs
; have many bits.

define float @widen(i16 %bits) {
  %h = bitcast i16 %bits to bfloat
  %f = fpext bfloat %h to float
  ret float %f
}

define i16 @narrow(float %f) {
  %h = fptrunc float %f to bfloat
  %bits = bitcast bfloat %h to i16
  ret i16 %bits
}

define i16 @narrow_double(double %d) {
  %h = fptrunc double %d to bfloat
  %bits = bitcast bfloat %h to i16
  ret i16 %bits
}

define float @rounded(float %f) {
  %h = fptrunc float %f to bfloat
  %r = fpext bfloat %h to float
  ret float %r
}

define double @rounded_double(double %d) {
  %h = fptrunc double %d to bfloat
  %r = fpext bfloat %h to double
  ret double %r
}

define i16 @fused(i16 %a.bits, i16 %b.bits, i16 %c.bits) {
  %a = bitcast i16 %a.bits to bfloat
  %b = bitcast i16 %b.bits to bfloat
  %c = bitcast i16 %c.bits to bfloat
  %r = call bfloat @llvm.fma.bf16(bfloat %a, bfloat %b, bfloat %c)
  %bits = bitcast bfloat %r to i16
  ret i16 %bits
}

; A sum that stays a number in the loop, and whose bits are used after it.
define i16 @sum(ptr %p, i32 %n, i16 %scale.bits) {
entry:
  %scale = bitcast i16 %scale.bits to bfloat
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi bfloat [ 0xR3F80, %entry ], [ %both, %loop ]
  %at = getelementptr bfloat, ptr %p, i32 %i
  %x = load bfloat, ptr %at
  %product = fmul bfloat %x, %scale
  %negative = fcmp olt bfloat %product, 0xR0000
  %turned = fneg bfloat %product
  %one = select i1 %negative, bfloat %turned, bfloat %x
  %other = call bfloat @llvm.fabs.bf16(bfloat %sum)
  %both = fadd bfloat %one, %other
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi bfloat [ %both, %loop ]
  %bits = bitcast bfloat %result to i16
  ret i16 %bits
}

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"vx.canonical-nan", i32 0}
