# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands of gdb for kernels on the simulated device (docs/user/debugger.md): source this file.

  info vx kernels|blocks|warps|lanes           what runs
  vx focus [block (X,Y,Z)] [thread (X,Y,Z)]    select the lane that runs that thread
"""

import re

import gdb

COORDINATES = r"\(?\s*(\d+)\s*(?:,\s*(\d+)\s*)?(?:,\s*(\d+)\s*)?\)?"


def place_of(thread):
    """Block and thread in it that a thread of gdb runs; None if it is none of the program's."""
    match = re.fullmatch(r"block \((\d+),(\d+),(\d+)\) thread \((\d+),(\d+),(\d+)\)", thread.name or "")
    if not match:
        return None
    numbers = tuple(int(part) for part in match.groups())
    return numbers[:3], numbers[3:]


class Vx(gdb.Command):
    """Commands for kernels on the simulated device."""

    def __init__(self):
        super().__init__("vx", gdb.COMMAND_RUNNING, prefix=True)


class VxFocus(gdb.Command):
    """Select a thread of the program: vx focus [block (X,Y,Z)] [thread (X,Y,Z)].
What is not given is as it is for the thread that is selected. Without arguments, say which it is."""

    def __init__(self):
        super().__init__("vx focus", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        selected = gdb.selected_thread()
        if selected is None:
            raise gdb.GdbError("No kernel is stopped.")
        wanted = self.parse(argument, place_of(selected))
        if argument.strip():
            self.select(wanted)
        gdb.execute("thread", from_tty)

    @staticmethod
    def parse(argument, here):
        block, thread = here or ((0, 0, 0), (0, 0, 0))
        rest = argument.strip()
        while rest:
            match = re.match(r"(block|thread)\s*" + COORDINATES + r"\s*", rest)
            if not match:
                raise gdb.GdbError("Usage: vx focus [block (X,Y,Z)] [thread (X,Y,Z)]")
            place = tuple(int(part or 0) for part in match.groups()[1:])
            if match.group(1) == "block":
                block = place
            else:
                thread = place
            rest = rest[match.end():]
        return block, thread

    @staticmethod
    def select(wanted):
        for thread in gdb.selected_inferior().threads():
            if place_of(thread) == wanted:
                thread.switch()
                return
        raise gdb.GdbError("Block (%d,%d,%d) thread (%d,%d,%d) is on no lane now." % (wanted[0] + wanted[1]))


class InfoVx(gdb.Command):
    """What runs on the simulated device: info vx kernels|blocks|warps|lanes."""

    def __init__(self):
        super().__init__("info vx", gdb.COMMAND_STATUS, prefix=True)


class InfoVxTable(gdb.Command):
    def __init__(self, name, text):
        self.__doc__ = text
        super().__init__("info vx " + name, gdb.COMMAND_STATUS)
        self.name = name

    def invoke(self, argument, from_tty):
        gdb.execute("monitor " + self.name, from_tty)


Vx()
VxFocus()
InfoVx()
InfoVxTable("kernels", "The kernel that runs, its grid and blocks.")
InfoVxTable("blocks", "The blocks that are on the device.")
InfoVxTable("warps", "The hardware warps that have not ended.")
InfoVxTable("lanes", "The lanes of the selected thread's warp.")
