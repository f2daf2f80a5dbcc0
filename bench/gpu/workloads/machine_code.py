# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads machine code of sm_90 out of cubins: instructions with their predicates, targets and source
lines, the control flow between them, and its loops.

A cubin is an ELF file with a section .text.KERNEL for each kernel. An instruction has 128 bits: the
opcode is in bits 0-11 (of these, 9-11 say what kind of operands it has, but for control flow), its
predicate in bits 12-14 (7: always) and whether that is negated in bit 15. NVIDIA doesn't publish
the encoding; what is used here agrees with its disassembler (disassembly.py).
"""

import struct

ALWAYS = 7  # the predicate that is always true

# Opcodes of control flow, whole.
BRANCH, BRANCH_INDIRECT, JUMP_INDIRECT = 0x947, 0x949, 0x94C
EXIT, RETURN, CALL, NOP = 0x94D, 0x950, 0x944, 0x918
BARRIER_SET, BARRIER_WAIT, BARRIER_LEAVE = 0x945, 0x941, 0x942  # BSSY, BSYNC, BREAK
KILL, TRAP = 0x95B, 0x95C
MOVE, MULTIPLY = 0x002, 0x024  # MOV, IMAD; but for the kind of operands


class Instruction:
    """One instruction; `at` and `target` count bytes from the beginning of its section. `copies`: it
    moves a register into another."""

    def __init__(self, at, opcode, guards, target, file, line, copies=False):
        self.at, self.opcode, self.guards, self.target = at, opcode, guards, target
        self.file, self.line, self.copies = file, line, copies

    @property
    def conditional(self):
        """Whether predicates decide if a lane does it; for control flow: if it goes elsewhere."""
        return self.guards != ""


def read_instruction(at, low, high):
    """Of the 128 bits at an address. Its predicates are text: "!P0", "P0,!P3", "" for always; "UR6"
    where a branch is taken if not all lanes in this register are there (BRA.DIV)."""
    opcode, target = low & 0xFFF, None
    guards = [guard(low >> 12)]
    if opcode == BRANCH:
        guards.append(guard(high >> 23))  # a second one
        guards.append(f"UR{low >> 24 & 0x3F}" if low >> 32 & 3 == 2 else "")
    # Units of 4 bytes from the next instruction: 8 bits, and 48 more further up.
    far = signed(low >> 34 | (high & 0x3FFFF) << 30, 48)
    if opcode in (BRANCH, CALL):
        target = at + 16 + 4 * (far << 8 | low >> 16 & 0xFF)
    elif opcode == BARRIER_SET:  # whose number is in the 8 bits
        target = at + 16 + 4 * far
    return Instruction(at, opcode, ",".join(g for g in guards if g), target, None, None,
                       copies_register(low, high))


def copies_register(low, high):
    """MOV, and IMAD of nothing by nothing (bits 24-39), unless it adds a carry (bit 74)."""
    kind = low & 0x1FF
    return kind == MOVE or (kind == MULTIPLY and low >> 24 & 0xFFFF == 0xFFFF and not high >> 10 & 1)


def guard(bits):
    """Three bits of a predicate's number, and one that negates it."""
    if bits & 7 == ALWAYS:
        return "never" if bits >> 3 & 1 else ""
    return f"{'!' if bits >> 3 & 1 else ''}P{bits & 7}"


def signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


# ---- the file -----------------------------------------------------------------------------------


class Section:
    def __init__(self, name, kind, info, content):
        self.name, self.kind, self.info, self.content = name, kind, info, content


def read_sections(image):
    """The sections of an ELF file, in order."""
    if image[:4] != b"\x7fELF" or image[4] != 2:
        raise ValueError("is no 64-bit ELF file")
    start, = struct.unpack_from("<Q", image, 0x28)
    count, names = struct.unpack_from("<HH", image, 0x3C)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, start + 64 * k) for k in range(count)]
    result = []
    for name, kind, _, _, offset, size, _, info, _, _ in headers:
        at = headers[names][4] + name
        text = image[at:image.index(b"\0", at)].decode()
        result.append(Section(text, kind, info, b"" if kind == 8 else image[offset:offset + size]))
    return result


def read_symbols(sections):
    """The section that each symbol is in, by number."""
    table = next(s.content for s in sections if s.kind == 2)
    return [struct.unpack_from("<H", table, at + 6)[0] for at in range(0, len(table), 24)]


# ---- lines --------------------------------------------------------------------------------------


class Reader:
    """Numbers out of bytes, one after the other."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def text(self):
        end = self.data.index(b"\0", self.at)
        value, self.at = self.data[self.at:end].decode(), end + 1
        return value

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.take("B")
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def sleb(self):
        begin = self.at
        value = self.uleb()
        return signed(value, 7 * (self.at - begin))


def read_lines(content, targets):
    """DWARF 2 line tables: for each section a list of (address, file, line), ascending; `targets`
    has the section of each relocation, by its place in the table."""
    result, reader = {}, Reader(content)
    while reader.at < len(content):
        end = reader.take("I") + reader.at
        reader.take("H")
        program = reader.take("I") + reader.at
        reader.take("B")
        reader.take("B")
        base, span, first = reader.take("b"), reader.take("B"), reader.take("B")
        lengths = [reader.take("B") for _ in range(first - 1)]
        while reader.text():  # folders
            pass
        files = [None]
        while name := reader.text():
            files.append(name)
            for _ in range(3):
                reader.uleb()
        reader.at = program
        run_lines(reader, end, (base, span, first, lengths), files, targets, result)
    return result


def run_lines(reader, end, shape, files, targets, result):
    """The program of one table."""
    base, span, first, lengths = shape
    address, file, line, rows = 0, 1, 1, None
    while reader.at < end:
        code = reader.take("B")
        if code >= first:
            address += (code - first) // span
            line += base + (code - first) % span
            rows.append((address, files[file], line))
        elif code == 0:
            size = reader.uleb()
            after = reader.at + size
            extended = reader.take("B")
            if extended == 1:  # end of a sequence
                address, file, line, rows = 0, 1, 1, None
            elif extended == 2:  # an address, which is relocated
                rows = result.setdefault(targets[reader.at], [])
                address = reader.take("Q")
            reader.at = after
        elif code == 1:
            rows.append((address, files[file], line))
        elif code == 2:
            address += reader.uleb()
        elif code == 3:
            line += reader.sleb()
        elif code == 4:
            file = reader.uleb()
        elif code == 8:
            address += (255 - first) // span
        elif code == 9:
            address += reader.take("H")
        else:
            for _ in range(lengths[code - 1]):
                reader.uleb()


# ---- kernels ------------------------------------------------------------------------------------


def read_kernels(path):
    """{name: instructions} of a cubin, in order, without what pads them at the end."""
    with open(path, "rb") as file:
        sections = read_sections(file.read())
    symbols, lines = read_symbols(sections), {}
    for section in sections:
        if section.name == ".debug_line":
            relocations = next(s.content for s in sections if s.name == ".rela.debug_line")
            targets = {}
            for at in range(0, len(relocations), 24):
                place, info = struct.unpack_from("<QQ", relocations, at)
                targets[place] = symbols[info >> 32]
            lines = read_lines(section.content, targets)
    kernels = {}
    for number, section in enumerate(sections):
        if section.name.startswith(".text."):
            kernels[section.name[len(".text."):]] = decode(section.content, lines.get(number, []))
    return kernels


def decode(content, lines):
    """The instructions of a section, with their lines: [(address, file, line)]."""
    code = [read_instruction(at, *struct.unpack_from("<QQ", content, at))
            for at in range(0, len(content), 16)]
    while code and code[-1].opcode == NOP:
        code.pop()
    if code and code[-1].target == code[-1].at:  # for the instruction cache alone
        code.pop()
    rows = sorted(lines, key=lambda row: row[0])
    at = -1
    for instruction in code:
        while at + 1 < len(rows) and rows[at + 1][0] <= instruction.at:
            at += 1
        if at >= 0:
            instruction.file, instruction.line = rows[at][1:]
    return code


# ---- listings -----------------------------------------------------------------------------------


def write_listing(out, name, kernels):
    """One line for each instruction: address and opcode in hexadecimal, predicates, where it goes,
    file and line; what isn't there is -."""
    for kernel, code in sorted(kernels.items()):
        out.write(f"== {name} {kernel}\n")
        for i in code:
            target = "-" if i.target is None else f"{i.target:x}"
            place = "-" if i.line is None else f"{i.file}:{i.line}"
            out.write(f"{i.at:x} {i.opcode:03x} {i.guards or '-'} {target} {place}\n")


def read_listing(path):
    """{(name, kernel): instructions}"""
    result, code = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            fields = line.split()
            if fields[0] == "==":
                code = result[fields[1], fields[2]] = []
                continue
            at, opcode, guards, target, place = fields
            name, _, number = place.rpartition(":")
            code.append(Instruction(int(at, 16), int(opcode, 16), "" if guards == "-" else guards,
                                    None if target == "-" else int(target, 16), name or None,
                                    int(number) if name else None))
    return result


# ---- control flow -------------------------------------------------------------------------------


class Loop:
    """A loop of the machine code: its blocks' first instructions (numbers), its entry (the one that
    the back edges lead to), and the loops inside."""

    def __init__(self, header, blocks, parent):
        self.header, self.blocks, self.parent, self.children = header, blocks, parent, []
        self.depth = parent.depth + 1 if parent else 1


class Code:
    """The blocks of a kernel, by the number of their first instruction."""

    def __init__(self, instructions):
        self.instructions = instructions
        self.number = number = {i.at: k for k, i in enumerate(instructions)}
        leaders, roots = {0}, [0]
        for k, instruction in enumerate(instructions):
            if instruction.opcode == BRANCH:
                leaders |= {number[instruction.target], k + 1}
            elif instruction.opcode == CALL:
                leaders |= {number[instruction.target], k + 1}
                roots.append(number[instruction.target])
            elif instruction.opcode in (EXIT, RETURN, BRANCH_INDIRECT, JUMP_INDIRECT, KILL):
                leaders.add(k + 1)
        ordered = sorted(k for k in leaders if k < len(instructions))
        ends = ordered[1:] + [len(instructions)]
        self.ends = dict(zip(ordered, ends))
        self.successors = {begin: self._successors(end, number)
                           for begin, end in self.ends.items()}
        self.roots = sorted(set(roots))
        self.loops = []
        self._find_loops(self._reachable(), None)

    def _successors(self, end, number):
        last = self.instructions[end - 1]
        following = [end] if end < len(self.instructions) else []
        if last.opcode == BRANCH and last.guards != "never":
            target = number[last.target]
            return [target] + [k for k in following if last.conditional and k != target]
        if last.opcode in (EXIT, RETURN, KILL, BRANCH_INDIRECT, JUMP_INDIRECT):
            return following if last.conditional else []
        return following

    def _reachable(self):
        found, left = set(), list(self.roots)
        while left:
            block = left.pop()
            if block not in found:
                found.add(block)
                left += self.successors[block]
        return found

    def _find_loops(self, blocks, parent, without=None):
        """Strongly connected parts; a part's header is where it is entered first in the text. Inner
        loops are the parts that stay without the edges back to it."""
        for part in self._components(blocks, without):
            part_set = set(part)
            if len(part) == 1 and (part[0] == without or part[0] not in self.successors[part[0]]):
                continue
            outside = {s for b in self.successors if b not in part_set
                       for s in self.successors[b]} | set(self.roots)
            entries = sorted(b for b in part_set if b in outside)
            loop = Loop(entries[0] if entries else min(part), part_set, parent)
            (parent.children if parent else self.loops).append(loop)
            self._find_loops(part_set, loop, loop.header)

    def _components(self, blocks, without):
        """Tarjan's, without recursion; edges to `without` don't count."""
        index, low, stack, on, result = {}, {}, [], set(), []
        for root in sorted(blocks):
            if root in index:
                continue
            work = [(root, iter(()))]
            while work:
                block, rest = work[-1]
                if block not in index:
                    index[block] = low[block] = len(index)
                    stack.append(block)
                    on.add(block)
                    rest = iter([s for s in self.successors[block] if s in blocks and s != without])
                    work[-1] = (block, rest)
                following = next(rest, None)
                if following is not None:
                    if following not in index:
                        work.append((following, iter(())))
                    elif following in on:
                        low[block] = min(low[block], index[following])
                    continue
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[block])
                if low[block] == index[block]:
                    part = []
                    while not part or part[-1] != block:
                        part.append(stack.pop())
                        on.discard(part[-1])
                    result.append(part)
        return sorted(result, key=min)

    def body(self, loop):
        """The loop's own instructions, without those of loops inside."""
        inner = set().union(*(child.blocks for child in loop.children)) if loop.children else set()
        return [self.instructions[k] for begin in sorted(loop.blocks - inner)
                for k in range(begin, self.ends[begin])]

    def decisions(self, loop):
        """The instructions by which lanes leave the loop or begin its next iteration."""
        inner = set().union(*(child.blocks for child in loop.children)) if loop.children else set()
        result = []
        for begin in sorted(loop.blocks - inner):
            last = self.instructions[self.ends[begin] - 1]
            to = self.successors[begin]
            if any(s not in loop.blocks or s == loop.header for s in to) or \
                    last.opcode == EXIT and last.conditional:
                result.append(last)
        return result

    def all_loops(self):
        """Outer ones before inner ones."""
        left, result = list(self.loops), []
        while left:
            loop = left.pop(0)
            result.append(loop)
            left = loop.children + left
        return result
