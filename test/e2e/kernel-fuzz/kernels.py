# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels for generate.py: scopes and the control flow between them.

A scope is a set of threads that run the same code together: the block; a warp, whose flow may differ
from other warps'; a tile; the lanes of a warp that a ballot has found. Inside a scope there is
uniform control flow (all its threads agree) and there are statements in which only its own threads
synchronize. Variables that a scope owns have one value for all of its threads; scopes inside may read them.
"""

import random

from fuzz.kernels import Writer
from group_functions import GroupFunctions
from meetings import Meetings
from memory_spaces import MemorySpaces
from partial_values import PartialValues
from values import Values
from waits import Waits
from warp_functions import WarpFunctions

COUNTERS = 4
OUTCOME = "outcome(result, v0, v1, v2, v3, w0, d0, f0, h0)"
SHARED = {"a": "unsigned", "b": "unsigned"}


class Scope:
    def __init__(self, rng, kind, masks, members, uniforms, writable, tile=0, together=False):
        self.rng, self.kind = rng, kind
        self.masks = masks          # expressions for the member mask of a call
        self.members = members      # expression: the lanes that take part
        self.uniforms, self.writable = uniforms, writable
        self.tile = tile            # tiles up to this size are complete here
        self.together = together    # the lanes are known to run in lockstep
        self.loops = []             # innermost last, of this scope: "loop" or "switch"

    def mask(self):
        return self.rng.choice(self.masks)


class KernelWriter(Values, GroupFunctions, WarpFunctions, MemorySpaces, PartialValues, Meetings, Waits, Writer):
    """Writes the body of one kernel. `options.drop` are numbers of statements to leave out."""

    def __init__(self, rng, index, options):
        super().__init__(rng, index, options.depth)
        self.drop = set(options.drop)
        self.statements = self.names = self.exits = 0
        self.budget = options.statements
        # Blocks are multiples of this; that many threads are tiles.
        self.complete = rng.choice([1] * 6 + [2, 4, 8, 16] + [32] * 4 + [64, 128])
        self.tiles = min(self.complete, 32) if self.complete > 1 else 0
        self.cooperative = rng.randrange(6) == 0     # the grid synchronizes
        self.traced = rng.randrange(2) == 0    # values go into the result where they come up
        self.nesting = 0
        self.helpers, self.helper, self.functions = [], None, []
        self.spaces = random.Random(f"{options.seed} {index}") if options.spaces else None
        self.partial = random.Random(f"partial {options.seed} {index}") if options.partial else None
        self.meets = random.Random(f"meetings {options.seed} {index}") if options.meetings else None
        self.waits = random.Random(f"waits {options.seed} {index}") if options.waits else None
        # Lanes that wait for each other do not run in lockstep with the others.
        self.in_step = self.meets is None and self.waits is None
        self.known = []
        self.owns_heap = self.spaces is not None and self.spaces.randrange(3) == 0
        whole = self.tiles == 32
        self.top = Scope(rng, "block", ["~0u"] if whole else ["~0u", "alive"],
                         "~0u" if whole else "alive",
                         ["u0", "u1", "u2"], ["u0", "u1", "u2"], self.tiles, self.in_step)
        self.scope = self.top

    def name(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    def nested(self, head, body, tail="}"):
        self.nesting += 1
        known = len(self.known)
        super().nested(head, body, tail)
        del self.known[known:]
        self.nesting -= 1

    def inside(self, scope, body):
        """BODY in another scope; threads may end there, so who is left is found out afterwards."""
        outer, exits = self.scope, self.exits
        self.scope = scope
        body()
        self.scope = outer
        return self.exits > exits

    def recount(self):
        if self.scope.members != "~0u":
            self.emit(f"{self.scope.members} = ballot({self.scope.mask()}, true);")

    # Statements that a thread executes by itself.

    def assignment(self):
        if self.enter_space():
            return
        kind = self.rng.randrange(14)
        if kind < 6:
            self.emit(f"{self.value()} = {self.expression()};")
        elif kind == 11:
            self.emit(self.rng.choice([
                f"f0 = f0 * 0.5f + static_cast<float>({self.expression(1)} & 1023);",
                f"f0 = f0 / static_cast<float>({self.leaf()} & 7 | 1);",
                f"f0 = f0 - static_cast<float>({self.leaf()} & 63);"]))
        elif kind == 12:
            self.emit(f"h0 = __float2half(static_cast<float>({self.expression(1)} & 1023));")
        elif kind == 6:
            self.emit(f"local[{self.expression(1)} & 7] = {self.expression(1)};")
        elif kind == 7:
            self.emit(f"w0 = w0 * 31 + {self.expression(1)};")
        elif kind == 8:
            self.emit(f"d0 = d0 * 0.5 + ({self.expression(1)} & 1023);")
        elif kind == 9:
            self.emit(f"{self.value()} = mix{self.rng.randrange(2)}(&local[{self.leaf()} & 7], "
                      f"{self.leaf()});")
        else:
            self.emit(f"result = result * 7 + {self.expression(1)};")

    def divergent(self, depth):
        kind = self.rng.randrange(3) if depth else 2
        if kind == 0:
            self.nested(f"if ({self.condition()}) {{", lambda: self.divergent(depth - 1))
            if self.rng.randrange(2):
                self.otherwise(lambda: self.divergent(depth - 1))
        elif kind == 1:
            def body():
                self.divergent(depth - 1)
                if self.rng.randrange(2):
                    self.emit(f"if ({self.condition()})")
                    self.emit(f"  {self.rng.choice(['break', 'continue'])};")
                self.assignment()
            counter = self.name("j")
            self.nested(f"for (unsigned {counter} = 0; {counter} < {self.leaf()} % 4 + 1; "
                        f"++{counter}) {{", body)
        else:
            self.assignment()

    # Statements of the whole block.

    def sync(self):
        if self.meets is not None and self.meets.randrange(4) == 0:
            self.emit(f"syncByNumber({self.meets.randrange(16)});")
        elif self.rng.randrange(3):
            self.emit("sync();")
        else:
            reduction = self.rng.choice(["syncCount", "syncAnd", "syncOr"])
            self.emit(f"u{self.rng.randrange(3)} += {reduction}({self.condition()});")
        self.read, self.written = set(), set()

    def shared_access(self):
        array = self.rng.choice(list(SHARED))
        store = self.rng.randrange(2)
        if array in (self.read if store else self.written):
            self.sync()
        (self.written if store else self.read).add(array)
        if store:
            guard = f"if ({self.condition()}) " if self.rng.randrange(3) == 0 else ""
            self.emit(f"{guard}s.{array}[tid] = {self.expression()};")
        elif self.rng.randrange(3) == 0:
            self.emit(f"u{self.rng.randrange(3)} = s.{array}[{self.uniform(1)} % threads];")
        else:
            self.emit(f"{self.value()} += s.{array}[(tid + {self.expression(1)} % threads) % "
                      "threads];")

    def count_shared(self):
        if self.rng.randrange(2):
            if "counters" in self.read:
                self.sync()
            self.written.add("counters")
            self.emit(f"addTo(&s.counters[{self.leaf()} % {COUNTERS}], {self.expression(1)});")
        else:
            if "counters" in self.written:
                self.sync()
            self.read.add("counters")
            self.emit(f"u{self.rng.randrange(3)} += s.counters[{self.rng.randrange(COUNTERS)}];")

    def anything_happened(self):
        everything = set(SHARED) | {"counters"}
        self.read, self.written = set(everything), set(everything)

    def exchange_in_grid(self):
        """Through global memory, between blocks."""
        self.emit(f"cells[cell] = {self.expression()};")
        self.emit("gridSync();")
        self.emit(f"{self.value()} ^= cells[{self.expression(1)} % (threads * blocks)];")
        self.emit("gridSync();")
        self.read, self.written = set(), set()

    # Uniform control flow: stays in its scope.

    def uniform_loop(self, depth):
        counter = self.name("i")
        bound = f"{self.uniform(1)} % {depth + 1}"
        self.anything_happened()
        kind = self.rng.randrange(3)
        if kind == 0:
            head, tail = f"for (unsigned {counter} = 0; {counter} <= {bound}; ++{counter}) {{", "}"
        elif kind == 1:
            head, tail = (f"for (unsigned {counter} = {bound} + 1; {counter}-- > 0 && "
                          f"{self.uniform_condition()};) {{", "}")
        else:
            self.emit(f"unsigned {counter} = 0;")
            vote = f"anyOf({self.scope.mask()}, {self.condition()})"
            if self.scope.kind == "block":
                vote = f"syncOr({self.condition()})"
            elif self.scope.kind == "tile" and self.scope.tile == 0:
                vote = self.uniform_condition()
            head, tail = "do {", f"}} while (++{counter} < {depth + 1} && {vote});"
        self.scope.loops.append("loop")
        self.scope.uniforms.append(counter)
        self.nested(head, lambda: self.block(depth - 1), tail)
        self.scope.uniforms.remove(counter)
        self.scope.loops.pop()
        self.anything_happened()

    def uniform_switch(self, depth):
        self.scope.loops.append("switch")
        modulus = self.rng.choice([2, 3, 5])
        self.emit(f"switch ({self.uniform(1)} % {modulus}u) {{")
        for case in range(modulus - 1):
            self.anything_happened()
            self.nested(f"case {case}u: {{", lambda: self.block(depth - 1))
            if self.rng.randrange(4):
                self.emit("  break;")
        self.emit("}")
        self.scope.loops.pop()
        self.anything_happened()

    def leave(self):
        """Ends the loop, the iteration or the thread under a condition that the scope agrees on."""
        choices = ["return"]
        if self.scope.loops:
            choices += ["break"] * 2
        if "loop" in self.scope.loops:
            choices += ["continue"] * 2
        kind = self.rng.choice(choices)
        if kind == "return":
            self.exit_threads()
        else:
            self.nested(f"if ({self.uniform_condition()}) {{", lambda: self.emit(kind + ";"))

    def exit_threads(self):
        kind = self.scope.kind
        if self.helper:
            # The other members of the helper would wait for lanes that return from a smaller scope.
            if self.scope is not self.helper:
                return
            self.nested(f"if ({self.uniform_condition()}) {{",
                        lambda: self.emit(f"return result + {self.expression()};"))
            return
        if self.exits >= 3 or self.cooperative or (self.tiles and kind in ("tile", "mask")):
            return
        if self.complete > 32 and kind != "block":
            return
        self.exits += 1
        whole = self.tiles or self.rng.randrange(3) == 0
        condition = self.uniform_condition() if whole else self.condition()

        def finish():
            self.emit(f"*out = {OUTCOME} + {self.expression()};")
            if self.owns_heap:
                self.emit("free(heap);")
            self.emit("return;")
        self.nested(f"if ({condition}) {{", finish)
        self.recount()

    # Control flow into a smaller scope.

    def own_variable(self, scope, vote):
        """A variable that the new scope owns, with a first value from a vote or a reduction."""
        name = self.name("g")
        self.emit(f"unsigned {name} = {vote};")
        scope.uniforms = scope.uniforms + [name]
        scope.writable = [name]

    def enter_warp(self, depth):
        """From the block to warps that diverge from each other."""
        outer = self.scope
        scope = Scope(self.rng, "warp", outer.masks, outer.members,
                      outer.uniforms + ["q0", "q1"], ["q0", "q1"], outer.tile, self.in_step)
        condition = self.rng.choice(["q0", "q1", "warpId()"])
        head = f"if ({self.compare(f'({condition} + {self.uniform_leaf()})')}) {{"
        kind = self.rng.randrange(3)
        if kind == 0:
            counter = self.name("i")
            head = (f"for (unsigned {counter} = 0; {counter} < ({condition} + {self.uniform_leaf()}) "
                    f"% {depth + 1} + 1; ++{counter}) {{")
            # The loop's bound may change inside: q0 and q1 are not written there.
            scope.writable = [] if condition != "warpId()" else scope.writable
            scope.uniforms = scope.uniforms + [counter]
            scope.loops = ["loop"]
        before = set(self.read), set(self.written)
        exits = []
        self.nested(head, lambda: exits.append(self.inside(scope, lambda: self.block(depth - 1))))
        if kind == 1:
            self.otherwise(lambda: exits.append(
                self.inside(scope, lambda: self.block(depth - 1))))
        self.read, self.written = before
        if any(exits):
            self.recount()

    def enter_tile(self, depth):
        """From complete tiles to one that goes its own way."""
        size = self.rng.choice(self.tile_sizes()[-4:])
        mask = self.name("m")
        outer = self.scope
        scope = Scope(self.rng, "tile", [mask], mask, outer.uniforms[:], [], size)
        decision = self.name("g")
        choice = self.rng.randrange(4)
        if choice == 0:
            self.emit(f"unsigned {decision} = numberOf(tileOf<{size}>()) + {self.uniform(1)};")
        elif choice == 1:
            self.emit(f"unsigned {decision} = ballotIn(tileOf<{size}>(), {self.condition()});")
        elif choice == 2:
            self.emit(f"unsigned {decision} = shuffleIn<Idx>(tileOf<{size}>(), "
                      f"{self.expression(1)}, {self.rng.randrange(size)});")
        else:
            self.emit(f"unsigned {decision} = sumIn(tileOf<{size}>(), {self.expression(1)});")
        self.emit(f"const unsigned {mask} = tileLanes(laneId(), {size});")
        scope.uniforms = scope.uniforms + [decision]
        scope.writable = [decision]
        if self.rng.randrange(3):
            self.nested(f"if ({self.compare(decision)}) {{",
                        lambda: self.inside(scope, lambda: self.block(depth - 1)))
            if self.rng.randrange(2):
                self.otherwise(lambda: self.inside(scope, lambda: self.block(depth - 1)))
        else:
            counter, iterations = self.name("i"), self.name("g")
            self.emit(f"const unsigned {iterations} = {decision} % {depth + 2};")
            scope.uniforms = scope.uniforms + [counter]
            scope.loops = ["loop"]
            self.nested(f"for (unsigned {counter} = 0; {counter} < {iterations}; ++{counter}) {{",
                        lambda: self.inside(scope, lambda: self.block(depth - 1)))

    def mask_scope(self, mask):
        return Scope(self.rng, "mask", [mask], mask, self.scope.uniforms[:], [], 0,
                     self.scope.together)

    def in_mask(self, mask, depth):
        """The block of a scope of the lanes in MASK; true if threads may have ended in it."""
        scope = self.mask_scope(mask)

        def body():
            if self.rng.randrange(2):
                vote = (f"ballot({mask}, {self.condition()})" if self.rng.randrange(2)
                        else f"reduceAdd({mask}, {self.expression(1)})")
                self.own_variable(scope, vote)
            self.block(depth)
        return self.inside(scope, body)

    def branch_by_ballot(self, depth):
        mask, test = self.name("m"), self.name("c")
        self.emit(f"const bool {test} = {self.condition()};")
        self.emit(f"unsigned {mask} = ballot({self.scope.mask()}, {test});")
        other = None
        if self.rng.randrange(2):
            other = self.name("m")
            self.emit(f"unsigned {other} = {self.scope.members} & ~{mask};"
                      if self.rng.randrange(2) and self.scope.members != "~0u"
                      else f"unsigned {other} = ballot({self.scope.mask()}, !{test});")
        exits = []
        self.nested(f"if ({test}) {{", lambda: exits.append(self.in_mask(mask, depth - 1)))
        if other:
            self.otherwise(lambda: exits.append(self.in_mask(other, depth - 1)))
        if any(exits):
            self.recount()

    def switch_by_ballots(self, depth):
        selector, modulus = self.name("c"), self.rng.choice([2, 3, 4])
        self.emit(f"const unsigned {selector} = {self.expression(1)} % {modulus};")
        masks = [self.name("m") for _ in range(modulus - 1)]
        for case, mask in enumerate(masks):
            self.emit(f"unsigned {mask} = ballot({self.scope.mask()}, {selector} == {case});")
        exits = []
        self.emit(f"switch ({selector}) {{")
        for case, mask in enumerate(masks):
            self.nested(f"case {case}: {{",
                        lambda mask=mask: exits.append(self.in_mask(mask, depth - 1)))
            self.emit("  break;")
        self.emit("}")
        if any(exits):
            self.recount()

    def loop_by_ballots(self, depth):
        """Lanes leave the loop one after the other; the ballot at its head finds those who stay."""
        mask, counter, bound = self.name("m"), self.name("i"), self.name("c")
        self.emit(f"unsigned {mask} = {self.scope.members};")
        self.emit(f"const unsigned {bound} = {self.expression(1)} % {depth + 2};")
        exits = []

        def body():
            self.emit(f"{mask} = ballot({mask}, {counter} < {bound});")
            self.emit(f"if ({counter} >= {bound})")
            self.emit("  break;")
            exits.append(self.in_mask(mask, depth - 1))
            kind = self.rng.randrange(4)
            if kind == 0:    # some leave in the middle
                stop = self.name("c")
                self.emit(f"const bool {stop} = {self.condition()};")
                self.emit(f"{mask} = ballot({mask}, !{stop});")
                self.nested(f"if ({stop}) {{", lambda: (self.assignment(), self.emit("break;")))
                exits.append(self.in_mask(mask, depth - 1))
            elif kind == 1:  # some start the next iteration early
                stay, skip = self.name("m"), self.name("c")
                self.emit(f"const bool {skip} = {self.condition()};")
                self.emit(f"unsigned {stay} = ballot({mask}, !{skip});")
                self.nested(f"if ({skip}) {{", lambda: (self.assignment(), self.emit("continue;")))
                exits.append(self.in_mask(stay, depth - 1))
        self.nested(f"for (unsigned {counter} = 0;; ++{counter}) {{", body)
        if any(exits):
            self.recount()

    def do_by_ballots(self, depth):
        """As loop_by_ballots; who stays is found out at the end of each iteration."""
        mask, counter, again = self.name("m"), self.name("i"), self.name("c")
        self.emit(f"unsigned {mask} = {self.scope.members}, {counter} = 0;")
        self.emit(f"bool {again};")
        exits = []

        def body():
            exits.append(self.in_mask(mask, depth - 1))
            self.emit(f"{again} = ++{counter} < {depth + 2} && ({self.condition()});")
            self.emit(f"{mask} = ballot({mask}, {again});")
        self.nested("do {", body, f"}} while ({again});")
        if any(exits):
            self.recount()

    # Functions.

    def write_helper(self):
        """A device function with warp functions, for the lanes that its parameter names."""
        scope = Scope(self.rng, "mask", ["members"], "members", ["u0", "u1"], ["u0", "u1"])
        name = f"helper{self.index}_{len(self.helpers)}"
        outer, self.lines, self.scope, self.helper = self.lines, [], scope, scope
        self.block(1)
        body, self.lines, self.scope, self.helper = self.lines, outer, self.top, None
        self.known = []
        inline = self.rng.choice(["", "__attribute__((noinline)) "])
        self.functions += [
            f"__host__ __device__ {inline}unsigned {name}(Shared &s, const unsigned *in, const unsigned "
            "*zeros,", "    unsigned members, unsigned v0, unsigned v1, unsigned u0, unsigned n, "
            "Params p) {",
            "  const unsigned tid = linearThread();",
            "  unsigned v2 = v0 ^ tid, v3 = v1 + 3, u1 = p.x, local[8] = {v0, v1, 2, n, 4, 5, tid, 7};",
            "  unsigned long long w0 = v0 * 5ull + tid;", "  double d0 = v1 & 1023;",
            "  float f0 = tid * 0.5f;", "  __half h0 = __float2half(3.0f);", "  unsigned result = u0;",
            *body, "  for (unsigned i = 0; i < 8; ++i)", "    result = result * 31 + local[i];",
            f"  return {OUTCOME} ^ u0 * 13 ^ u1 * 17;", "}"]
        self.helpers.append(name)

    def call_helper(self):
        self.assign_value(f"{self.rng.choice(self.helpers)}(s, in, zeros, {self.scope.members}, "
                          f"{self.expression(1)}, {self.leaf()}, {self.uniform(1)}, n, p)")

    # All statements.

    def statement(self, depth):
        kind = self.rng.randrange(31)
        scope = self.scope
        if self.cooperative and self.nesting == 0 and not self.helper and self.rng.randrange(6) == 0:
            return self.exchange_in_grid()
        if self.complete > 32 and scope.kind == "block" and self.rng.randrange(6) == 0:
            return self.warps_statement()
        if depth > 0 and kind < 3:
            self.uniform_if(depth)
        elif depth > 0 and kind < 5:
            self.uniform_loop(depth)
        elif depth > 0 and kind == 5:
            self.uniform_switch(depth)
        elif depth > 0 and kind < 8 and scope.kind == "block":
            self.enter_warp(depth)
        elif depth > 0 and kind < 10 and scope.tile:
            self.enter_tile(depth)
        elif depth > 0 and kind < 12:
            self.branch_by_ballot(depth)
        elif depth > 0 and kind == 12:
            self.switch_by_ballots(depth)
        elif depth > 0 and kind < 15:
            self.loop_by_ballots(depth)
        elif depth > 0 and kind == 30:
            self.do_by_ballots(depth)
        elif kind == 15:
            self.leave()
        elif kind < 18 and scope.kind == "block":
            self.rng.choice([self.shared_access, self.shared_access, self.count_shared,
                             self.sync])()
        elif kind == 18 and scope.writable:
            self.emit(f"{self.rng.choice(scope.writable)} = {self.uniform()};")
        elif kind < 21:
            self.divergent(2)
        elif kind < 23:
            self.assignment()
        else:
            self.warp_statement()

    def block(self, depth):
        for _ in range(self.rng.randrange(2, 5)):
            self.statements += 1
            number, start = self.statements, len(self.lines)
            if self.statements > self.budget:
                self.assignment()
            else:
                self.statement(depth)
            if self.traced and self.rng.randrange(3) == 0:
                self.emit(f"result = result * 31 + {self.leaf()};")
            if number in self.drop:
                del self.lines[start:]
            self.partial_statement()
            self.meeting_statement()
            self.waiting_statement()

    def write(self):
        """The lines of `body<index>` and of the functions it calls."""
        for _ in range(self.rng.choice([0, 0, 1, 2])):
            self.write_helper()
        for _ in range(2):
            self.block(self.depth)
        inline = self.rng.choice(["", "", "__attribute__((noinline)) "])
        head = [f"__host__ __device__ {inline}void body{self.index}(Shared &s, const unsigned *in, "
                "const unsigned *zeros, unsigned *out, unsigned n, unsigned *cells, Params p) {",
                "  const unsigned tid = linearThread(), threads = blockSize().x * blockSize().y * "
                "blockSize().z;",
                "  const unsigned cell = linearBlock() * threads + tid, blocks = gridSize().x * "
                "gridSize().y;",
                "  unsigned v0 = tid * 3 + n, v1 = in[tid & 255], v2 = tidY() ^ 77, v3 = tidX();",
                "  unsigned u0 = n, u1 = p.x, u2 = 3, local[8] = {tid, 1, 2, n, 4, 5, v1, blocks};",
                "  unsigned q0 = warpId(), q1 = in[warpId()];",
                "  unsigned long long w0 = in[3] * 1ull * tid;",
                "  double d0 = tid;",
                "  float f0 = (tid & 63) * 0.25f;",
                "  __half h0 = __float2half(static_cast<float>(tid & 127));",
                "  unsigned result = 1;",
                "  out += cell;",
                "  s.a[tid] = tid;", "  s.b[tid] = v1;",
                f"  for (unsigned i = tid; i < {COUNTERS}; i += threads)",
                "    s.counters[i] = 0;", "  sync();"]
        if self.owns_heap:
            head.append("  unsigned *heap = newWords(8, tid * 5);")
        if self.top.members == "alive":
            head.append("  unsigned alive = ballot(~0u, true);")
        tail = ["  for (unsigned i = 0; i < 8; ++i)",
                "    result = result * 31 + local[i];",
                *(["  for (unsigned i = 0; i < 8; ++i)", "    result ^= heap[i] * (i + 2);", "  free(heap);"]
                  if self.owns_heap else []),
                "  result += s.a[tid] * 3 + s.b[tid] * 5;",
                "  result ^= u0 * 13 ^ u1 * 17 ^ u2 * 19 ^ q0 * 23 ^ q1 * 29;",
                f"  *out = {OUTCOME};", "}", ""]
        return self.functions + head + self.lines + tail
