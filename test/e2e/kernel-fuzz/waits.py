# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locks and flags by which the lanes of a warp wait for each other (lockstep-waits.h), for generate.py: together, and
on the sides of a branch."""

FORMS = ["Compared", "LeftByBreak", "Released", "Ticket"]


class Waits:
    """`waits` is a source of random numbers of its own, or None for kernels without such calls."""

    def waiting_statement(self):
        """Perhaps one more statement."""
        if self.waits is None or self.waits.randrange(3):
            return
        call = self.waiting_call()
        if self.waits.randrange(2):
            self.assign_value(call())
            return
        test = self.name("c")
        self.emit(f"const bool {test} = {self.waits.choice(['laneId() < 9', 'tid & 1', self.condition()])};")
        self.nested(f"if ({test}) {{", lambda: self.assign_value(call()))
        self.otherwise(lambda: self.assign_value(call()))

    def waiting_call(self):
        """What makes a call of one function, with another operand each time."""
        mask, members = self.scope.mask(), self.scope.members
        kind = self.waits.choice(["swapByFlags", f"sumUnderLock<{self.waits.choice(FORMS)}>"])
        return lambda: f"{kind}({mask}, {members}, {self.expression(1)})"
