; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Arithmetic of halves that halves.c calls, with bits as arguments and results.

define float @widen(i16 %bits) {
  %h = bitcast i16 %bits to half
  %f = fpext half %h to float
  ret float %f
}

define i16 @narrow(float %f) {
  %h = fptrunc float %f to half
  %bits = bitcast half %h to i16
  ret i16 %bits
}

define i16 @narrow_double(double %d) {
  %h = fptrunc double %d to half
  %bits = bitcast half %h to i16
  ret i16 %bits
}

define float @rounded(float %f) {
  %h = fptrunc float %f to half
  %r = fpext half %h to float
  ret float %r
}

define double @rounded_double(double %d) {
  %h = fptrunc double %d to half
  %r = fpext half %h to double
  ret double %r
}

; A sum that stays a number in the loop, and whose bits are used after it.
define i16 @sum(ptr %p, i32 %n, i16 %scale.bits) {
entry:
  %scale = bitcast i16 %scale.bits to half
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi half [ 0xH3C00, %entry ], [ %both, %loop ]
  %at = getelementptr half, ptr %p, i32 %i
  %x = load half, ptr %at
  %product = fmul half %x, %scale
  %negative = fcmp olt half %product, 0xH0000
  %turned = fneg half %product
  %one = select i1 %negative, half %turned, half %x
  %other = call half @llvm.fabs.f16(half %sum)
  %both = call half @llvm.fma.f16(half %one, half %scale, half %other)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %result = phi half [ %both, %loop ]
  %bits = bitcast half %result to i16
  ret i16 %bits
}

; The bits of a number that is also computed with, in one block.
define i16 @both(i16 %a.bits, i16 %b.bits, ptr %p) {
  %a = bitcast i16 %a.bits to half
  %b = bitcast i16 %b.bits to half
  %s = fadd half %a, %b
  store half %s, ptr %p
  %d = fdiv half %s, %a
  %bits = bitcast half %d to i16
  ret i16 %bits
}

; Chosen without being computed with; and the other way round.
define i16 @chosen(i1 %c, i16 %a.bits, i16 %b.bits) {
  %a = bitcast i16 %a.bits to half
  %b = bitcast i16 %b.bits to half
  %larger = select i1 %c, half %a, half %b
  %minus = fneg half %larger
  %bits = bitcast half %minus to i16
  ret i16 %bits
}

define i16 @swapped(i32 %n, i16 %a.bits, i16 %b.bits) {
entry:
  %a = bitcast i16 %a.bits to half
  %b = bitcast i16 %b.bits to half
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %x = phi half [ %a, %entry ], [ %y, %loop ]
  %y = phi half [ %b, %entry ], [ %s, %loop ]
  %s = fsub half %x, %y
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %t = fadd half %x, %s
  %bits = bitcast half %t to i16
  ret i16 %bits
}

; A switch that leads to one block by two edges.
define i16 @joined(i32 %n, i16 %a.bits, i16 %b.bits, ptr %p) {
entry:
  %a = bitcast i16 %a.bits to half
  %b = bitcast i16 %b.bits to half
  %s = fadd half %a, %b
  %t = fmul half %s, %b
  store half %t, ptr %p
  switch i32 %n, label %other [ i32 0, label %join
                                i32 1, label %join ]
other:
  br label %join
join:
  %r = phi half [ %s, %entry ], [ %s, %entry ], [ %a, %other ]
  %bits = bitcast half %r to i16
  ret i16 %bits
}
