# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random calls of cooperative groups for generate.py.

A group is a value that all its threads have made together: a tile, a tile of a tile, the threads that
run together here, a part of any of them, a tile of several warps. It lives for a few statements.
"""

SHUFFLES = ["Idx", "Up", "Down", "Xor"]


class Group:
    def __init__(self, text, kind, numbered=True, own=False):
        self.text = text
        self.kind = kind          # "tile", "lanes" (any set of them) or "warps"
        self.numbered = numbered  # numberOf() is defined
        self.own = own            # the scope's threads are exactly the group's


class GroupFunctions:
    def tile_sizes(self):
        return [size for size in (1, 2, 4, 8, 16, 32) if size <= self.scope.tile]

    def tile_statement(self):
        size = self.rng.choice(self.tile_sizes()[-4:])
        # A warp's threads may be whole tiles of fewer than 32.
        own = size == {"warp": 32, "tile": self.scope.tile}.get(self.scope.kind)
        group = Group(f"tileOf<{size}>()", "tile", own=own)
        kind = self.rng.randrange(5)
        if kind == 0:
            inner = self.rng.choice([s for s in (1, 2, 4, 8, 16, 32) if s <= size])
            group = Group(f"tileOf<{inner}>({group.text})", "tile", own=own and inner == size)
        if kind < 2:
            self.use(self.named(group))
        else:
            self.group_call(group)

    def coalesced_statement(self):
        """The threads of the scope, found out by who is here."""
        self.emit(f"syncLanes({self.scope.mask()});")
        self.use(self.named(Group(f"coalescedOf({self.scope.members})", "lanes",
                                  own=self.scope.kind in ("warp", "mask"))))

    def warps_statement(self):
        size = self.rng.choice([s for s in (64, 128, 256, 512) if self.complete % s == 0])
        self.use(self.named(Group(f"tileOf<{size}>()", "warps")))

    def named(self, group):
        name = self.name("t")
        self.emit(f"const auto {name} = {group.text};")
        return Group(name, group.kind, group.numbered, group.own)

    def part(self, group):
        kind = self.rng.randrange(3 if group.kind == "lanes" else 2)
        if kind == 0:
            return self.named(Group(f"partOf({group.text}, {self.condition()})", "lanes", False))
        if kind == 1:
            modulus = self.rng.choice([2, 3, 5])
            return self.named(Group(
                f"labelledOf({group.text}, {self.expression(1)} % {modulus})", "lanes"))
        return self.named(Group(f"runsOf({group.text}, {self.rng.choice([1, 2, 4, 8, 16])})",
                                "lanes"))

    def use(self, group):
        for _ in range(self.rng.randrange(1, 4)):
            if group.kind != "warps" and self.rng.randrange(4) == 0:
                group = self.part(group)
            self.group_call(group)

    def group_call(self, group):
        """One call by all threads of GROUP; its result goes to a variable."""
        assign = self.assign_uniform if group.own else self.assign_value
        kind = self.rng.randrange(5)
        if kind == 0:
            return self.group_shuffle(group)
        if kind == 1:
            return assign(self.group_vote(group))
        if kind == 2:
            return self.assign_value(self.group_scan(group))
        if kind == 3:
            return self.group_place(group)
        return self.group_reduction(group, assign)

    def group_shuffle(self, group):
        g, kinds = group.text, SHUFFLES if group.kind == "tile" else SHUFFLES[:3]
        kind = self.rng.choice(kinds)
        by = self.rng.choice([str(self.rng.randrange(32)), "1", self.uniform(1), self.expression(1)])
        if group.kind == "warps":
            # All threads read the same thread.
            kind, by = "Idx", self.rng.choice([str(self.rng.randrange(64)), self.uniform(1)])
        which = self.rng.randrange(7)
        if which == 0:
            self.emit(f"w0 ^= shuffleIn<{kind}>({g}, w0 * 3 + {self.leaf()}, {by});")
        elif which == 1:
            self.emit(f"d0 = shuffleIn<{kind}>({g}, d0, {by});")
        elif which == 2:
            self.emit(f"f0 = shuffleIn<{kind}>({g}, f0, {by});")
        elif which == 3:
            self.emit(f"h0 = shuffleIn<{kind}>({g}, h0, {by});")
        elif which == 4:
            name = self.name("c")
            self.emit(f"const Couple {name} = shuffleIn<{kind}>({g}, Couple{{{self.leaf()}, f0}}, {by});")
            self.emit(f"{self.value()} += {name}.first + static_cast<unsigned>(static_cast<int>("
                      f"{name}.second));")
        else:
            self.assign_value(f"shuffleIn<{kind}>({g}, {self.expression(1)}, {by})")

    def group_vote(self, group):
        kind = self.rng.randrange(4 if group.kind != "warps" else 2)
        if kind < 2:
            return f"{['anyIn', 'allIn'][kind]}({group.text}, {self.condition()})"
        if kind == 2:
            return f"ballotIn({group.text}, {self.condition()})"
        operand = self.rng.choice([f"{self.expression(1)} & 1", f"w0 & {self.rng.choice([1, 3])}ull"])
        return f"matchAllIn({group.text}, {operand})"

    def group_scan(self, group):
        kind = self.rng.randrange(5)
        if kind == 0:
            return f"static_cast<unsigned>(scanIn({group.text}, w0 ^ {self.leaf()}) >> 9)"
        if kind == 1:
            return f"greatestUpTo({group.text}, {self.expression(1)})"
        return f"{self.rng.choice(['scanIn', 'scanBefore'])}({group.text}, {self.expression(1)})"

    def group_place(self, group):
        kind = self.rng.randrange(4)
        if kind == 0 and group.kind != "warps":
            self.assign_value(f"matchIn({group.text}, {self.expression(1)} % 3)")
        elif kind == 1:
            self.emit(f"syncIn({group.text});")
        elif kind == 2 and group.numbered:
            self.assign_value(f"numberOf({group.text})")
        else:
            self.assign_value(f"rankIn({group.text}) * 5 + sizeOf({group.text})")

    def group_reduction(self, group, assign):
        g, kind = group.text, self.rng.randrange(9)
        if kind == 0:
            self.emit(f"f0 = leastIn({g}, f0);")
        elif kind == 1:
            self.emit(f"d0 = greatestIn({g}, d0);")
        elif kind == 2:
            assign(f"static_cast<unsigned>(sumIn({g}, w0 * 5 + {self.leaf()}) >> 7)")
        elif kind == 3:
            # Whole numbers: the sum is exact in any order.
            assign(f"static_cast<unsigned>(sumIn({g}, static_cast<float>({self.leaf()} & 1023)))")
        elif kind == 4:
            assign(f"static_cast<unsigned>(leastIn({g}, static_cast<int>({self.expression(1)})))")
        elif kind == 5:
            assign(f"productIn({g}, {self.expression(1)} | 1)")
        else:
            assign(f"{self.rng.choice(['sumIn', 'greatestIn', 'xorIn'])}({g}, {self.expression(1)})")
