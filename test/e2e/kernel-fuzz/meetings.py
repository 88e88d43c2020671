# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warp functions that the lanes of a mask come to from different places, for generate.py: sides of branches, cases,
code after the reconvergence point, other iterations of a loop, functions called through a pointer. Each lane of the
scope makes as many calls of the function with the scope's mask as all others do. Warps come to barriers of the block by
number from two places."""

from warp_functions import REDUCTIONS, SHUFFLES


class Meetings:
    """`meets` is a source of random numbers of its own, or None for kernels without such calls."""

    def meeting_statement(self):
        """Perhaps one more statement."""
        if self.meets is None or self.meets.randrange(2):
            return
        self.meets.choice([self.meet_on_sides, self.meet_on_sides, self.meet_in_cases, self.meet_after,
                           self.meet_in_iterations, self.meet_in_loops])()

    def meeting_call(self):
        """What makes a call of one function, with other operands each time."""
        mask, members = self.scope.mask(), self.scope.members
        kind = self.meets.randrange(7)
        if kind < 2:
            shuffle = self.meets.choice(SHUFFLES)
            return lambda: (f"shuffle<{shuffle}>({mask}, {members}, {self.expression(1)}, {self.expression(1)}, "
                            f"{self.meets.choice([32, 32, 16, 8])})")
        if kind == 2:
            return lambda: f"ballot({mask}, {self.condition()})"
        if kind == 3:
            return lambda: f"matchAny({mask}, ({self.expression(1)}) % 3)"
        if kind == 4:
            return lambda: f"scanOutOfLine({mask}, {members}, {self.expression(1)})"
        if kind == 5:
            return lambda: f"sumThroughPointer({mask}, {self.expression(1)}, {self.expression(1)})"
        reduction = self.meets.choice(REDUCTIONS)
        return lambda: f"{reduction}({mask}, {self.expression(1)})"

    def meet(self, call):
        if self.meets.randrange(3) == 0:
            self.assignment()
        self.assign_value(call())
        if self.meets.randrange(3) == 0:
            self.assignment()

    def decide(self):
        test = self.name("c")
        self.emit(f"const bool {test} = {self.meets.choice(['laneId() < 9', 'tid & 1', self.condition()])};")
        return test

    def meet_on_sides(self):
        call, test, count = self.meeting_call(), self.decide(), self.meets.choice([1, 1, 2])

        def body():
            for _ in range(count):
                self.meet(call)
        self.nested(f"if ({test}) {{", body)
        self.otherwise(body)

    def meet_in_cases(self):
        call, selector, modulus = self.meeting_call(), self.name("c"), self.meets.choice([2, 3, 4])
        self.emit(f"const unsigned {selector} = ({self.expression(1)}) % {modulus};")
        self.emit(f"switch ({selector}) {{")
        for case in range(modulus):
            label = f"case {case}:" if case < modulus - 1 else "default:"
            self.nested(f"{label} {{", lambda: self.meet(call))
            self.emit("  break;")
        self.emit("}")

    def meet_after(self):
        """The first call of some meets that of the others after the join."""
        call, test = self.meeting_call(), self.decide()
        self.nested(f"if ({test}) {{", lambda: self.meet(call))
        if self.meets.randrange(2):
            self.assignment()
        self.nested(f"if (!{test}) {{", lambda: self.meet(call))

    def meet_in_iterations(self):
        """Each lane skips another iteration."""
        call, skipped, counter = self.meeting_call(), self.name("c"), self.name("i")
        self.emit(f"const unsigned {skipped} = ({self.expression(1)}) % 3;")

        def body():
            self.nested(f"if ({counter} != {skipped}) {{", lambda: self.meet(call))
        self.nested(f"for (unsigned {counter} = 0; {counter} < 3; ++{counter}) {{", body)

    def meet_in_loops(self):
        """Some proceed to calls after the loop while others are still in it."""
        call, test, counter = self.meeting_call(), self.decide(), self.name("i")
        self.nested(f"for (unsigned {counter} = {test}; {counter} < 3; ++{counter}) {{", lambda: self.meet(call))
        self.nested(f"if ({test}) {{", lambda: self.meet(call))
