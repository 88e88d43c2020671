# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of generate.py that use the device's heap, managed memory and textures (memory-spaces.h)."""


class MemorySpaces:
    """Statements that a thread executes by itself. `spaces` is a source of random numbers of their own, or None
    for kernels without them. `owns_heap`: the threads have words of the heap from start to end."""

    def enter_space(self):
        """True if a statement was written instead of the usual one."""
        if self.spaces is None or self.spaces.randrange(4):
            return False
        kinds = [self.managed_read, self.texture_fetch, self.image_sample, self.short_lived_words]
        if self.owns_heap and not self.helper:
            kinds += [self.heap_write, self.heap_read]
        self.spaces.choice(kinds)()
        return True

    def managed_read(self):
        self.emit(f"{self.value()} ^= managedWord({self.expression(1)});")

    def texture_fetch(self):
        self.emit(f"{self.value()} += fetched({self.expression(1)});")

    def image_sample(self):
        self.emit(f"f0 = f0 * 0.5f + sampled({self.expression(1)}, {self.leaf()});")

    def heap_write(self):
        self.emit(f"heap[{self.expression(1)} & 7] = {self.expression(1)};")

    def heap_read(self):
        self.emit(f"{self.value()} += heap[{self.leaf()} & 7];")

    def short_lived_words(self):
        words, count = self.name("h"), self.spaces.choice([1, 2, 4, 16])

        def body():
            self.emit(f"unsigned *{words} = newWords({count}, {self.leaf()});")
            self.emit(f"{words}[{self.leaf()} & {count - 1}] ^= {self.expression(1)};")
            self.emit(f"result ^= {words}[{self.leaf()} & {count - 1}];")
            self.emit(f"free({words});")
        self.nested("{", body)
