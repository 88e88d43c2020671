# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that only some threads have, for generate.py: variables without an initial value, each with a flag
that says whether the thread has set it; counters of loops that threads leave at different times; and shuffles that
PTX's clamp and segment mask bound."""

TYPES = {"unsigned": "{}", "unsigned long long": "{} * 0x100000001ull", "double": "static_cast<double>({} & 4095)",
         "Couple": "Couple{{{}, 3.0f}}"}
AS_UNSIGNED = {"unsigned": "{}", "unsigned long long": "static_cast<unsigned>({0} >> 32 ^ {0})",
               "double": "static_cast<unsigned>({})", "Couple": "({0}.first + static_cast<unsigned>({0}.second))"}


class PartialValues:
    """`partial` is a source of random numbers of its own, or None for kernels without them. `known`: the variables
    that are visible, as name, flag and type."""

    def partial_statement(self):
        """Perhaps one more statement."""
        if self.partial is None or self.partial.randrange(2):
            return
        kinds = [self.declare_partial] * 2
        if self.known:
            kinds += [self.set_partial] * 2 + [self.use_partial] * 4
        kinds += [self.bounded_shuffle, self.count_turns]
        self.partial.choice(kinds)()

    def declare_partial(self):
        name, flag = self.name("x"), self.name("s")
        kind = self.partial.choice(list(TYPES))
        self.emit(f"{kind} {name};")
        self.emit(f"bool {flag} = false;")
        self.known.append((name, flag, kind))
        if self.partial.randrange(2):
            self.set_partial(self.known[-1])

    def some_threads(self):
        kind = self.partial.randrange(6)
        if kind == 0:
            return "tid == 0"
        if kind == 1:
            return f"tid {self.partial.choice(['<', '>', '=='])} {self.partial.choice([5, 31, 32, 70])}"
        if kind == 2:
            return f"laneId() == {self.partial.choice([0, 1, 7, 31])}"
        if kind == 3:
            return f"warpId() == {self.partial.randrange(3)}"
        return self.uniform_condition() if kind == 4 else self.condition()

    def set_partial(self, variable=None):
        name, flag, kind = variable or self.partial.choice(self.known)
        if flag == "true":
            return
        value = self.expression(1) if self.partial.randrange(4) == 0 else self.uniform(1)
        self.nested(f"if ({self.some_threads()}) {{", lambda: (
            self.emit(f"{name} = {TYPES[kind].format(value)};"), self.emit(f"{flag} = true;")))

    def use_partial(self):
        name, flag, kind = self.partial.choice(self.known)
        value = AS_UNSIGNED[kind].format(name)
        if self.partial.randrange(3):
            self.emit(f"{self.value()} ^= {flag} ? {value} : {self.leaf()};")
        else:
            self.nested(f"if ({flag}) {{", lambda: self.emit(f"{self.value()} += {value};"))

    def count_turns(self):
        """A counter that is the same for all threads in the loop, and not after it."""
        name = self.name("x")
        self.emit(f"unsigned {name} = {self.uniform(1)} & 3;")
        bound = self.partial.choice([f"{name} < {self.leaf()} % 7", f"({name} ^ {self.leaf()}) % 5 != 0 && {name} < 40",
                                     f"{name} * {self.leaf()} % 3 == 1 && {name} < 9"])

        def body():
            self.emit(f"{name} += {self.partial.choice(['1', '2', self.uniform(1) + ' % 3 + 1'])};")
            if self.partial.randrange(2):
                self.assignment()
        self.nested(f"while ({bound}) {{", body)
        self.known.append((name, "true", "unsigned"))

    def bounded_shuffle(self):
        kind = self.partial.choice(["Idx", "Up", "Up", "Down", "Xor"])
        bound = self.partial.choice([f"laneId() / {self.partial.choice([3, 5, 8])}u * 3", f"{self.leaf()} & 31",
                                     f"{self.leaf()} & 0x1f1f", "0x1807", str(self.partial.randrange(32))])
        distance = self.partial.choice(["1", "2", "8", self.uniform(1), self.leaf()])
        self.emit(f"{self.value()} ^= boundedShuffle<{kind}>({self.scope.mask()}, {self.scope.members}, "
                  f"{self.expression(1)}, {distance}, {bound});")
