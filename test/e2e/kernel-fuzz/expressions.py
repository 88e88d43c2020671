# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions for generate.py: per thread, or with one value for all threads of a scope."""

CONSTANTS = [1, 2, 3, 5, 7, 16, 31, 255, 1000003, 0x80000000]
VALUES = ["v0", "v1", "v2", "v3"]


class Expressions:
    """What a kernel's statements compute with. Sub-classes hold the current scope in `scope`."""

    def uniform_leaf(self):
        kind = self.rng.randrange(8)
        if kind < 4:
            return self.rng.choice(self.scope.uniforms)
        if kind == 4:
            return self.rng.choice(["n", "p.x", "bidX()"])
        if kind == 5:
            return f"in[{self.rng.choice(self.scope.uniforms)} & 255]"
        if kind == 6 and self.scope.kind != "block":
            return "warpId()"
        return f"{self.rng.choice(CONSTANTS)}u"

    def uniform(self, depth=2):
        """One value for all threads of the scope."""
        if depth == 0 or self.rng.randrange(4) == 0:
            return self.uniform_leaf()
        return self.operation(self.uniform(depth - 1), self.uniform(depth - 1))

    def operation(self, x, y):
        kind = self.rng.randrange(8)
        if kind < 5:
            return f"({x} {self.rng.choice(['+', '-', '*', '^', '&', '|'])} {y})"
        if kind == 5:
            return f"({x} {self.rng.choice(['<<', '>>'])} ({y} & 31))"
        if kind == 6:
            return f"({x} {self.rng.choice(['/', '%'])} ({y} | 1))"
        return f"({x} < {y} ? {x} : {y})"

    def leaf(self):
        kind = self.rng.randrange(16)
        if kind < 6:
            return self.rng.choice(VALUES)
        if kind == 6:
            return self.rng.choice(["tidX()", "tidY()", "tidZ()", "tid", "laneId()", "laneId()"])
        if kind == 7:
            return f"local[{self.rng.choice(['v0', 'v1', 'v2', 'u0'])} & 7]"
        if kind == 8:
            return "static_cast<unsigned>(w0 >> 13)"
        if kind == 9:
            return "static_cast<unsigned>(d0)"
        if kind == 10:
            return self.rng.choice(["p.y[v0 & 3]", "p.y[2]", "in[v1 & 255]"])
        if kind == 11:
            return "static_cast<unsigned>(static_cast<int>(f0))"
        if kind == 12:
            return "static_cast<unsigned>(__half2float(h0))"
        return self.uniform_leaf()

    def expression(self, depth=2):
        if depth == 0 or self.rng.randrange(4) == 0:
            return self.leaf()
        return self.operation(self.expression(depth - 1), self.expression(depth - 1))

    def compare(self, expression):
        modulus = self.rng.choice([2, 3, 5, 16])
        comparison = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{expression} % {modulus} {comparison} {self.rng.randrange(modulus)}"

    def condition(self):
        text = self.compare(self.expression(1))
        if self.rng.randrange(3) == 0:
            text += f" {self.rng.choice(['&&', '||'])} {self.compare(self.expression(1))}"
        return text

    def uniform_condition(self):
        condition = self.compare(self.uniform(1))
        # Uniform, but no analysis can know.
        return f"{condition} + zeros[tid]" if self.rng.randrange(12) == 0 else condition
