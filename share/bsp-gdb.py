# SPDX-License-Identifier: BSD-3-Clause
# bsp-gdb.py - the command "info bsp" of gdb: supersteps, calls and transfers to come.

"""
It reads what the library knows, by the library's debugging information: the status table, which
all processes of a node share, and of the process at hand the records in its open chunks. So it
works on a process that is stopped and on a core.
"""

import gdb

TEXT_MOST = 256
HEAD_BYTES, RECORD_BYTES, WIDE_BYTES = 16, 16, 16
KIND, WIDE = 0x1f, 0x20


def constant(name):
    return int(gdb.parse_and_eval(name))


def variable(name):
    """A variable of the library, of whichever file."""
    symbol = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if symbol is None:
        raise gdb.GdbError(
            f"info bsp: {name} is not known: there is no process, the program does not use the "
            "library, or the library has no debugging information (libbsp0-dbgsym has Debian's)")
    return symbol.value()


def text_at(address):
    if address == 0:
        return None
    try:
        pointer = gdb.Value(address).cast(gdb.lookup_type("char").pointer())
        return pointer.string(errors="replace", length=-1)[:TEXT_MOST]
    except gdb.error:
        return None


def site_text(site):
    """A call site in words; job/job.h says what it may be."""
    site &= (1 << 64) - 1
    address = site & ((1 << 48) - 1)
    line = site >> 48 & 0x7fff
    if site == 0:
        return "an unknown place"
    if site >> 63 == 0:
        return text_at(site) or "an unknown place"
    if line:
        return f"{text_at(address) or '?'}:{line}"
    if address & 1:
        place = gdb.find_pc_line(address)
        if place.symtab is None:
            return f"{address:#x}"
        return f"{place.symtab.filename}:{place.line}"
    try:
        source = gdb.Value(address).cast(gdb.lookup_type("struct bspj_source").pointer())
        return f"{source['file'].string()}:{int(source['line'])}"
    except gdb.error:
        return "an unknown place"


def turned_back(packed, base):
    """bspi_site_unpack() of bsplib/core/site.h"""
    turned = (packed + base) & ((1 << 64) - 1)
    return 0 if packed == -(1 << 31) else (turned >> 1 | turned << 63) & ((1 << 64) - 1)


def plural(number, noun):
    return f"{number} {noun}" + ("" if number == 1 else "s")


class Records:
    """The records in the open chunk to a process: kind, region, site, offset and size."""

    def __init__(self, out, base):
        self.inferior = gdb.selected_inferior()
        self.at = int(out["chunk"]) + HEAD_BYTES
        self.end = int(out["at"])
        self.base = base
        names = ("PAD", "PUT", "PUT_PART", "GET", "GET_PART", "MSG")
        self.kinds = {constant("BSPI_" + name): name for name in names}

    def number(self, offset, size, signed=False):
        data = self.inferior.read_memory(self.at + offset, size)
        return int.from_bytes(bytes(data), "little", signed=signed)

    def length(self, kind, wide):
        size = self.number(4, 4)
        header = RECORD_BYTES + (WIDE_BYTES if wide else 0)
        if kind == "PAD":
            return size
        if kind == "MSG":
            # a message: its size in 8 bytes, the data and then the tag, both on multiples of 16
            return 16 + (self.number(8, 8) + 15 & ~15) + (size + 15 & ~15)
        if kind in ("GET", "GET_PART"):
            return header + 8
        return header + size + 7 & ~7

    def __iter__(self):
        while self.at < self.end:
            what = self.number(0, 4)
            kind, wide = self.kinds.get(what & KIND), what & WIDE
            if kind is None:
                yield None, 0, 0, 0, 0
                return
            site = self.number(16, 8, True) if wide else self.number(8, 4, True)
            offset = self.number(24, 8) if wide else self.number(12, 4)
            if kind != "PAD":
                yield (kind, what >> 8, turned_back(site, self.base), offset,
                       self.number(4, 4))
            length = self.length(kind, wide)
            if length <= 0:
                return
            self.at += length


def print_records(process, records):
    for kind, region, site, offset, size in records:
        if kind is None:
            print(f"  and other records to process {process}")
        elif kind == "MSG":
            print(f"  message to process {process}")
        else:
            call = "get from" if kind.startswith("GET") else "put to"
            print(f"  {call} process {process}: {plural(size, 'byte')} at offset {offset} of "
                  f"registration {region}, {site_text(site)}")


class InfoBsp(gdb.Command):
    """Print the superstep and the call of each process of this node, and the puts of this one.

Usage: info bsp

For each process: the number of its superstep, what it does, and the bsp_sync or other call site
that it is in, or that began the superstep. For the process at hand also the puts of this superstep
that wait in its memory to be sent: to which process, how many bytes, the offset, and the call
site. A core has no chunks, and of these only the number of bytes."""

    def __init__(self):
        super().__init__("info bsp", gdb.COMMAND_STATUS)

    def invoke(self, argument, from_tty):
        bspi = variable("bspi")
        phase = int(bspi["phase"])
        if phase not in (constant("BSPI_RUNNING"), constant("BSPI_IN_SYNC")):
            before = phase == constant("BSPI_BEFORE")
            print("outside of the SPMD part: " +
                  ("bsp_begin has not returned here, or this is the supervisor"
                   if before else "after bsp_end, or in a child of a process"))
            if not int(bspi["job"]["table"]):
                return
        self.print_processes(bspi)
        if phase in (constant("BSPI_RUNNING"), constant("BSPI_IN_SYNC")):
            self.print_puts(bspi)

    @staticmethod
    def print_processes(bspi):
        words = variable("words")["doing"]
        for process in range(int(bspi["nprocs"])):
            status = bspi["job"]["table"]["rank"][process]
            state = int(status["state"]) & 0xff
            if int(status["os_pid"]) == 0 and state == 0:
                print(f"  process {process}: not of this node, or not started")
                continue
            mark = "*" if process == int(bspi["me"]) else " "
            print(f"{mark} process {process}: superstep {int(status['step'])}, "
                  f"{words[state].string()}, {site_text(int(status['site']))}")

    @staticmethod
    def print_puts(bspi):
        engine = variable("bspi_engine")
        base, none = int(bspi["site_base"]), True
        for process in range(int(bspi["nprocs"])):
            out = engine["out"][process]
            if int(out["volume"]) > 0:
                print(f"  sent in this superstep to process {process}: "
                      f"{plural(int(out['volume']), 'byte')} in chunks")
                none = False
            if int(out["chunk"]) == 0:
                continue
            none = False
            try:
                print_records(process, Records(out, base))
            except gdb.MemoryError:
                size = int(out["at"]) - int(out["chunk"]) - HEAD_BYTES
                print(f"  to process {process}: {plural(size, 'byte')} of puts, gets and "
                      "messages, which a core does not have")
        if none:
            print("  no puts, gets or messages in this superstep so far")


InfoBsp()
