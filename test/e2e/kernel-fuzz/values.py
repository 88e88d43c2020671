# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What expressions of generate.py compute with: values per thread, or one for all of a scope."""

from fuzz.kernels import CONSTANTS

VALUES = ["v0", "v1", "v2", "v3"]


class Values:
    """Sub-classes hold the current scope in `scope`."""

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
