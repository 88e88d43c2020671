# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the generators of random kernels share: expressions, uniform control flow, the program around.

A kernel's code is `body<N>`, for device and host; its variables have the same names in all generators.
"""

CONSTANTS = [1, 2, 3, 5, 7, 16, 31, 255, 1000003, 0x80000000]
GRIDS = ["1", "2", "3", "5", "dim3(2, 2)", "dim3(3, 2)"]

PARAMS = """struct Params {
  unsigned x, y[4];
};
"""
MIXERS = """
__host__ __device__ __attribute__((noinline)) unsigned mix0(unsigned *where, unsigned v) {
  *where ^= v;
  return *where * 5 + tidX() + bidX() * 3;
}
__host__ __device__ unsigned mix1(unsigned *where, unsigned v) {
  *where += v / 3;
  return mixed(*where) ^ linearThread();
}
"""

KERNEL = """__global__ void kernel{0}(const unsigned *in, const unsigned *zeros, unsigned *out, unsigned n,
                        {2}Params p) {{
  {1}
  body{0}(s, in, zeros, out, n, {3}p);
}}
"""
STATIC = "__shared__ Shared s;"
DYNAMIC = ("extern __shared__ unsigned long long bytes[];\n"
           "  Shared &s = *reinterpret_cast<Shared *>(bytes);")


def kernel(index, dynamic, parameters="", arguments=""):
    """The kernel around a body; PARAMETERS and ARGUMENTS come before the last one."""
    return KERNEL.format(index, DYNAMIC if dynamic else STATIC, parameters, arguments)


class Writer:
    """Lines of code. Sub-classes have leaf() and uniform_leaf() for what expressions compute with, and
    block(DEPTH) for nested statements."""

    def __init__(self, rng, index, depth):
        self.rng, self.index, self.depth = rng, index, depth
        self.lines, self.indent = [], 1
        # Shared arrays written and read at foreign slots since the last barrier.
        self.read, self.written = set(), set()

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def nested(self, head, body, tail="}"):
        self.emit(head)
        self.indent += 1
        body()
        self.indent -= 1
        self.emit(tail)

    def otherwise(self, body):
        """The other side of the branch that ends with the last line."""
        self.lines.pop()
        self.nested("} else {", body)

    # Expressions. Uniform ones have one value for all threads that run the code together.

    def uniform(self, depth=2):
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

    # Control flow on which all threads agree.

    def uniform_if(self, depth):
        before = set(self.read), set(self.written)
        self.nested(f"if ({self.uniform_condition()}) {{", lambda: self.block(depth - 1))
        after = self.read, self.written
        self.read, self.written = before
        if self.rng.randrange(2):
            self.otherwise(lambda: self.block(depth - 1))
        self.read, self.written = self.read | after[0], self.written | after[1]
