# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of warp functions for generate.py.

A call stands where all threads of the scope are, and names them: `scope.mask` for the call itself,
`scope.members` for the lanes that really take part. Results that differ between lanes go to v0 … v3,
results that are the same for the whole scope may go to the scope's own variables as well.
"""

SHUFFLES = ["Idx", "Up", "Down", "Xor"]
REDUCTIONS = ["reduceAdd", "reduceMin", "reduceMax", "reduceAnd", "reduceOr", "reduceXor"]


class WarpFunctions:
    def warp_statement(self):
        kinds = [self.shuffle, self.shuffle, self.shuffle, self.vote, self.vote, self.match,
                 self.reduce, self.exchange, self.leader, self.scan, self.sync_lanes]
        if self.scope.tile:
            kinds += [self.tile_statement] * 6
        if self.scope.together:
            kinds += [self.active, self.coalesced_statement, self.coalesced_statement]
        if self.helpers and self.scope is not self.helper:
            kinds += [self.call_helper] * 2
        self.rng.choice(kinds)()

    def value(self):
        return f"v{self.rng.randrange(4)}"

    def assign_uniform(self, text):
        """TEXT has one value for all lanes of the scope's mask."""
        if self.scope.writable and self.rng.randrange(3):
            self.emit(f"{self.rng.choice(self.scope.writable)} "
                      f"{self.rng.choice(['=', '+=', '^='])} {text};")
        else:
            self.assign_value(text)

    def assign_value(self, text):
        """TEXT may differ between lanes."""
        self.emit(f"{self.value()} {self.rng.choice(['=', '+=', '^='])} {text};")

    def shuffle(self):
        kind = self.rng.choice(SHUFFLES)
        mask, members = self.scope.mask(), self.scope.members
        by = self.rng.choice([str(self.rng.randrange(1, 32)), "1", "16", self.uniform(1),
                              self.expression(1)])
        width = self.rng.choice(["32", "32", "32", "16", "8", "4", "2", "1", "1u << u0 % 6"])
        kind_of_value = self.rng.randrange(8)
        if kind_of_value == 0:
            self.emit(f"w0 ^= shuffle<{kind}>({mask}, {members}, w0 + {self.expression(1)}, {by}, "
                      f"{width});")
        elif kind_of_value == 1:
            self.emit(f"d0 = shuffle<{kind}>({mask}, {members}, d0, {by}, {width});")
        elif kind_of_value == 6:
            self.emit(f"f0 = shuffle<{kind}>({mask}, {members}, f0, {by}, {width});")
        elif kind_of_value == 7:
            self.emit(f"h0 = shuffle<{kind}>({mask}, {members}, h0, {by}, {width});")
        elif kind_of_value == 2:
            self.emit(f"{self.value()} += static_cast<unsigned>(shuffle<{kind}>({mask}, {members}, "
                      f"static_cast<float>({self.leaf()} & 4095), {by}, {width}));")
        elif kind_of_value == 3 and self.scope.kind in ("warp", "mask"):
            # A broadcast from a lane that all choose.
            source = f"memberOf({members}, {self.uniform(1)})"
            self.assign_uniform(f"shuffle<Idx>({mask}, {members}, {self.expression(1)}, {source})")
        else:
            self.emit(f"{self.value()} {self.rng.choice(['=', '^=', '+='])} shuffle<{kind}>({mask}, "
                      f"{members}, {self.expression(1)}, {by}, {width});")

    def vote(self):
        vote = self.rng.choice(["ballot", "ballot", "anyOf", "allOf"])
        text = f"{vote}({self.scope.mask()}, {self.condition()})"
        if self.scope.kind == "block":
            self.emit(f"{self.rng.choice(['q0', 'q1', self.value()])} = {text};")
        else:
            self.assign_uniform(text)

    def match(self):
        if self.rng.randrange(2):
            operand = self.rng.choice([f"{self.expression(1)} % {self.rng.choice([2, 3, 7])}",
                                       f"w0 & {self.rng.choice([1, 3])}ull",
                                       f"({self.expression(1)} & 1) * 0x100000000ull"])
            self.emit(f"{self.value()} ^= matchAny({self.scope.mask()}, {operand});")
        else:
            operand = self.rng.choice([f"{self.expression(1)} & 1", self.uniform(1), "w0 & 1ull"])
            self.emit(f"{self.value()} += matchAll({self.scope.mask()}, {operand});")

    def reduce(self):
        function, operand = self.rng.choice(REDUCTIONS), self.expression(1)
        if function in ("reduceMin", "reduceMax") and self.rng.randrange(2):
            operand = f"static_cast<int>({operand})"
        text = f"static_cast<unsigned>({function}({self.scope.mask()}, {operand}))"
        if self.scope.kind == "block":
            self.emit(f"q{self.rng.randrange(2)} += {text};")
        else:
            self.assign_uniform(text)

    def exchange(self):
        """Shared memory instead of a shuffle."""
        mask = self.scope.mask()
        self.emit(f"s.x[tid] = {self.expression(1)};")
        self.emit(f"syncLanes({mask});")
        self.emit(f"{self.value()} ^= s.x[warpId() * 32 + memberOr({self.scope.members}, "
                  f"{self.expression(1)})];")
        self.emit(f"syncLanes({mask});")

    def leader(self):
        """One lane stores, the others read."""
        mask, members = self.scope.mask(), self.scope.members
        self.emit(f"if (laneId() == lowest({members}))")
        self.emit(f"  s.x[tid] = {self.expression(1)};")
        self.emit(f"syncLanes({mask});")
        self.emit(f"{self.value()} += s.x[warpId() * 32 + lowest({members})];")
        self.emit(f"syncLanes({mask});")

    def scan(self):
        self.emit(f"{self.value()} = {self.rng.choice(['scanLanes', 'scanOutOfLine'])}("
                  f"{self.scope.mask()}, {self.scope.members}, {self.expression(1)});")

    def sync_lanes(self):
        self.emit(f"syncLanes({self.scope.mask()});")

    def active(self):
        mask = self.scope.mask()
        self.emit(f"syncLanes({mask});")
        self.emit(f"{self.value()} ^= activeLanes({self.scope.members});")
