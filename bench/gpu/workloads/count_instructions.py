#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many machine instructions an operation becomes: a kernel for each, with it and without.

  count_instructions.py --cuda-path DIR --tsv FILE [--clang PROGRAM]    counts them in the code
  count_instructions.py --program FILE     writes a program that runs these kernels, one warp of
                                           each, so that a profiler can count what they execute
  count_instructions.py --reduce CSV       what ncu counted of it (disassemble.sh), as text
  count_instructions.py --executed FILE --counted TSV [--json FILE]     that beside what was counted

--tsv: compiles one file of small kernels for sm_90 (clang -O2, ptxas) and counts the instructions of
the shortest way through each, with subroutines that are always called, and of the longest, without
subroutines. `instructions` is what a kernel has more than the one that only loads and stores the
operands. `all`: where lanes can part, by a conditional branch, all that the kernel has more, by clang's
or by nvcc's code, whichever is more; LOOPS (65535) where it loops; 0: they can't. Needs a CUDA Toolkit,
no GPU.
--executed: prints the operations of which not the shortest way is executed. --json: puts what is
executed, and what not all operands take (`slow`: all but the shortest way), into the counts that the
plugin takes (cost-models/data/sm_90.machine.json). Needs neither."""

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile

import machine_code

LOOPS = 65535
TYPES = {"i32": "int", "u32": "unsigned", "i64": "long long", "u64": "unsigned long long",
         "f32": "float", "f64": "double"}

# Operations by operand types: what the plugin calls it, and the expression.
INTEGER = {"add": "a + b", "sub": "a - b", "mul": "a * b", "and": "a & b", "xor": "a ^ b",
           "div": "a / b", "rem": "a % b", "shl": "a << (int)b", "shr": "a >> (int)b",
           "min": "a < b ? a : b", "compare and select": "a < b ? c : a",
           "add and add": "a + b + c", "mul and add": "a * b + c", "and and xor": "(a & b) ^ c",
           "shl by 3 and add": "(a << 3) + b", "div by 7": "a / 7", "rem by 7": "a % 7",
           "div by 8": "a / 8"}
FLOAT = {"add": "a + b", "mul": "a * b", "div": "a / b", "mul and add": "a * b + c",
         "neg and add": "-a + b", "compare and select": "a < b ? c : a", "reciprocal": "1 / a"}
BITS = {"popc": "__popc(a)", "clz": "__clz(a)", "brev": "__brev(a)", "ffs": "__ffs(a)",
        "abs": "abs(a)", "mulhi": "__mulhi(a, b)"}
CASTS = {"to f32": "(float)a", "to f64": "(double)a", "to i32": "(int)a", "to i64": "(long long)a"}
MATH = ("sqrt rsqrt cbrt exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh "
        "asin acos atan asinh acosh atanh erf erfc lgamma tgamma floor ceil trunc round rint fabs "
        "sinpi cospi rcbrt erfcx erfinv erfcinv normcdf normcdfinv")
TO_INTEGER = {"llround": "i64", "ilogb": "i32"}
MATH2 = "pow atan2 hypot fmod remainder fmin fmax copysign rhypot nextafter"
POWERS = {"powif": ("f32", "powif(__int_as_float(a), b)"),
          "powi": ("f64", "powi(__hiloint2double(a, a), b)")}  # operands without a conversion
FAST = {"__expf": "__expf(a)", "__logf": "__logf(a)", "__sinf": "__sinf(a)", "__cosf": "__cosf(a)",
        "__powf": "__powf(a, b)", "__fdividef": "__fdividef(a, b)", "__frcp_rn": "__frcp_rn(a)"}
ATOMIC = {"add": "atomicAdd(P, a)", "max": "atomicMax(P, a)", "exch": "atomicExch(P, a)",
          "cas": "atomicCAS(P, a, b)"}
WARP = {"shfl": "__shfl_xor_sync(~0u, a, 16)", "ballot": "__ballot_sync(~0u, a)",
        "any": "__any_sync(~0u, a)", "match": "__match_any_sync(~0u, a)",
        "reduce": "__reduce_add_sync(~0u, a)"}


def operations():
    """(name, operand type, result type, statements, expression)"""
    result = []
    for kind in ("i32", "u32", "i64", "u64"):
        result += [(f"{name} {kind}", kind, kind, "", text) for name, text in INTEGER.items()]
    for kind in ("f32", "f64"):
        result += [(f"{name} {kind}", kind, kind, "", text) for name, text in FLOAT.items()]
        suffix = "f" if kind == "f32" else ""
        result += [(name + suffix, kind, kind, "", f"{name}{suffix}(a)") for name in MATH.split()]
        result += [(name + suffix, kind, kind, "", f"{name}{suffix}(a, b)")
                   for name in MATH2.split()]
        result += [(name + suffix, kind, of, "", f"{name}{suffix}(a)") for name, of in TO_INTEGER.items()]
        result += [(name + suffix, kind, kind, f"{name}{suffix}(a, &b, &c);", "b * c")
                   for name in ("sincos", "sincospi")]
    result += [(name, "f32", "f32", "", text) for name, text in FAST.items()]
    result += [(name, "i32", of, "", text) for name, (of, text) in POWERS.items()]
    result += [(f"{name} i32", "i32", "i32", "", text) for name, text in BITS.items()]
    for kind in ("i32", "i64", "f32", "f64"):
        result += [(f"{kind} {name}", kind, name[3:], "", text) for name, text in CASTS.items()
                   if name[3:] != kind]
    for name, text in ATOMIC.items():
        result.append((f"atomic {name} global", "i32", "i32", "", text.replace("P", "q + 512")))
        result.append((f"atomic {name} shared", "i32", "i32", "__shared__ int s[64];",
                       text.replace("P", "s + threadIdx.x")))
    result.append(("atomic add global, unused", "i32", "i32", "atomicAdd(q + 512, a);", "b"))
    result.append(("atomic add f32 global", "f32", "f32", "", "atomicAdd(q + 512, a)"))
    result.append(("atomic add global, one place", "i32", "i32", "", "atomicAdd(p + 4096, a)"))
    result.append(("atomic add global, one place, unused", "i32", "i32", "atomicAdd(p + 4096, a);", "b"))
    result += [(f"{name} i32", "i32", "i32", "", text) for name, text in WARP.items()]
    result.append(("syncthreads", "i32", "i32", "__syncthreads();", "a"))
    result.append(("syncwarp", "i32", "i32", "__syncwarp();", "a"))
    result.append(("threadfence", "i32", "i32", "__threadfence();", "a"))
    result.append(("load at i32", "i32", "i32", "", "p[a]"))
    result.append(("load at i64", "i64", "i64", "", "p[a]"))
    result.append(("load beside", "i32", "i32", "", "q[7]"))
    result.append(("load shared at i32", "i32", "i32", "__shared__ int s[2048]; s[threadIdx.x] = b;",
                   "s[a]"))
    return result


def source():
    """All kernels; one that only moves its operands for each type, and one more for each pair of
    operand and result."""
    lines = []
    bases = {(t, r) for _, t, r, _, _ in operations()}
    everything = [(f"only {t} {r}", t, r, "", "a" if t == r else "r[threadIdx.x + 160]")
                  for t, r in sorted(bases)] + operations()
    for number, (_, kind, result, statements, text) in enumerate(everything):
        lines.append(
            f'extern "C" __global__ void k{number}({TYPES[kind]} *p, {TYPES[result]} *r) {{ '
            f"{TYPES[kind]} *q = p + threadIdx.x, a = q[32], b = q[64], c = q[96]; "
            f"q[256] = b; q[288] = c; {statements} r[threadIdx.x] = {text}; }}")
    return everything, "\n".join(lines) + "\n"


def shortest(code, begin, known):
    """Instructions from a block to the end of the kernel or subroutine, on the shortest way."""
    if begin in known:
        return known[begin]
    distance, left = {begin: 0}, {begin}
    while left:
        block = min(left, key=lambda b: distance[b])
        left.remove(block)
        end = code.ends[block]
        last = code.instructions[end - 1]
        here = distance[block] + end - block
        if last.opcode == machine_code.CALL:
            here += shortest(code, code.number[last.target], known)
        if last.opcode in (machine_code.EXIT, machine_code.RETURN) and not last.conditional:
            known[begin] = here
            return here
        for following in code.successors[block]:
            if here < distance.get(following, 1 << 30):
                distance[following] = here
                left.add(following)
    raise ValueError("no way out")


def longest(code, block, on=()):
    """On the longest way that comes to no block twice, without subroutines."""
    end = code.ends[block]
    here = end - block
    if code.instructions[end - 1].opcode in (machine_code.EXIT, machine_code.RETURN):
        return here
    return here + max((longest(code, following, on + (block,))
                       for following in code.successors[block]
                       if following not in on + (block,)), default=0)


PROGRAM = """
#include <cstdio>
#include <cstdlib>
static void check(cudaError_t error) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\\n", cudaGetErrorString(error));
    exit(1);
  }
}
template <typename T> static T *fill(double a, double b, double c) {
  static T values[8192];
  for (int k = 0; k < 8192; ++k)
    values[k] = (T)(k / 32 == 1 ? a : k / 32 == 2 ? b : c);
  T *memory;
  check(cudaMalloc(&memory, sizeof values));
  check(cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice));
  return memory;
}
// Ordinary operands: 1000, 3, 17, or 0.7, 0.3, 1.7; 1.7, 0.3, 0.7 for those from 1 on.
template <typename T, typename R> static void run(void (*kernel)(T *, R *), bool large) {
  bool real = T(0.5) != T(0);
  T *p = fill<T>(real ? (large ? 1.7 : 0.7) : 1000, real ? 0.3 : 3, real ? 1.7 : 17);
  kernel<<<1, 32>>>(p, fill<R>(0, 0, 0));
  check(cudaDeviceSynchronize());
}
"""


def write_program(path):
    everything, text = source()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + PROGRAM + "int main() {\n")
        for number, (name, *_) in enumerate(everything):
            file.write(f"  run(k{number}, {'true' if 'acosh' in name else 'false'}); // {name}\n")
        file.write("}\n")


def compile_kernels(command, text):
    """{name: instructions}"""
    with tempfile.TemporaryDirectory() as work:
        path, image = os.path.join(work, "operations.cu"), os.path.join(work, "operations.cubin")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([*command, "-o", image, path], check=True)
        return machine_code.read_kernels(image)


# What clang has of the device library and nvcc's headers don't.
OF_NVCC = """extern "C" __device__ float __nv_powif(float, int);
extern "C" __device__ double __nv_powi(double, int);
#define powif __nv_powif
#define powi __nv_powi
"""


def clang(options):
    return [options.clang, "-x", "cuda", "--cuda-device-only", "-c", "-O2", "-Wno-unknown-cuda-version",
            f"--cuda-path={options.cuda_path}", "--cuda-gpu-arch=sm_90"]


def nvcc(options):
    return [os.path.join(options.cuda_path, "bin", "nvcc"), "-arch=sm_90", "-O3", "-w", "-cubin"]


def version(options):
    done = subprocess.run([os.path.join(options.cuda_path, "bin", "ptxas"), "--version"],
                          capture_output=True, text=True, check=True)
    return re.search(r"V([\d.]+)", done.stdout).group(1)


def count(everything, kernels):
    """[(name, on the shortest way, on the longest)]"""
    base, result = {}, []
    for number, (name, kind, of, _, _) in enumerate(everything):
        code = machine_code.Code(kernels[f"k{number}"])
        length = shortest(code, 0, {})
        if name.startswith("only "):
            base[kind, of] = length
        else:
            result.append((name, length - base[kind, of], longest(code, 0) - base[kind, of]))
    return result


def size_of(instructions):
    """(all of them, whether a branch can part lanes, loops); the loop that code ends with is in all."""
    code = machine_code.Code(instructions)
    parts = any(i.conditional and i.opcode == machine_code.BRANCH for i in instructions)
    return sum(i.opcode != machine_code.NOP for i in instructions), parts, len(code.all_loops())


def count_all(everything, kernels):
    """{name: all that lanes may execute, together or apart}; 0 where they can't part."""
    base, result = {}, {}
    for number, (name, kind, of, _, _) in enumerate(everything):
        size, parts, loops = size_of(kernels[f"k{number}"])
        if name.startswith("only "):
            base[kind, of] = size, loops
        else:
            only, others = base[kind, of]
            result[name] = 0 if not parts else LOOPS if loops > others else size - only
    return result


# ---- what is executed ---------------------------------------------------------------------------


# What ncu counts, and what a column of executed.tsv and a member of the counts' file are called.
METRICS = {"smsp__inst_executed.sum": "instructions", "smsp__inst_executed_pipe_fp64.sum": "fp64",
           "smsp__inst_executed_pipe_xu.sum": "special"}


def reduce(path):
    """The lines of executed.tsv: of ncu's CSV, the instructions of each kernel, by operation, and those
    of the pipes for double precision and for special functions."""
    everything, _ = source()
    with open(path, encoding="utf-8") as file:
        rows = {(row["Kernel Name"], METRICS[row["Metric Name"]]): row["Metric Value"]
                for row in csv.DictReader(line for line in file if not line.startswith("=="))}
    columns = list(METRICS.values())
    return ["\t".join(["operation", *columns]) + "\n"] + \
           ["\t".join([name, *(rows[f"k{number}", column] for column in columns)]) + "\n"
            for number, (name, *_) in enumerate(everything)]


def read_table(path):
    """[a line's columns] without comments and the columns' names"""
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")][1:]


def read_counted(path):
    """{name: (on the shortest way, on the longest)} of operations.tsv"""
    return {name: (int(least), int(most)) for name, least, most, _ in read_table(path)}


def read_slow(path):
    """{name: all but the shortest way} of those of operations.tsv in which lanes can part"""
    sizes = {name: (int(least), int(size)) for name, least, _, size in read_table(path) if int(size)}
    return {name: size if size == LOOPS else max(1, size - least) for name, (least, size) in sizes.items()}


def read_executed(path, column="instructions"):
    """{name: instructions} of executed.tsv, more than what only moves the operands."""
    at = 1 + list(METRICS.values()).index(column)
    whole = {row[0]: int(row[at]) for row in read_table(path)}
    return {name: whole[name] - whole[f"only {kind} {of}"] for name, kind, of, _, _ in operations()}


def not_shortest(executed, counted):
    """[(name, executed, (shortest, longest))], in order"""
    return [(name, number, counted[name]) for name, number in executed.items()
            if number != counted[name][0]]


def with_counts(text, executed, member):
    """The text of a file of machine code, with these counts."""
    begin = text.index(f'"{member}": {{') + len(f'"{member}": {{')
    counts = ",".join(f'\n      "{name}": {number}' for name, number in sorted(executed.items()))
    return text[:begin] + counts + text[text.index("\n    }", begin):]


def compare(options):
    executed = read_executed(options.executed)
    found = not_shortest(executed, read_counted(options.counted))
    print("operation\texecuted\tinstructions\tmost")
    for name, number, (least, most) in found:
        print(f"{name}\t{number}\t{least}\t{most}")
    print(f"{len(executed) - len(found)} of {len(executed)}: the shortest way")
    if options.json:
        with open(options.json, encoding="utf-8") as file:
            text = with_counts(file.read(), executed, "counts")
        for member in ("fp64", "special"):
            some = {name: number for name, number in read_executed(options.executed, member).items() if number}
            text = with_counts(text, some, member)
        text = with_counts(text, read_slow(options.counted), "slow")
        with open(options.json, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--cuda-path", "--tsv", "--program", "--reduce", "--executed", "--counted"):
        parser.add_argument(name, metavar="DIR" if name == "--cuda-path" else "FILE")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    if options.program:
        write_program(options.program)
    elif options.reduce:
        sys.stdout.writelines(reduce(options.reduce))
    elif options.executed and options.counted:
        compare(options)
    elif options.cuda_path and options.tsv:
        everything, text = source()
        kernels = compile_kernels(clang(options), text)
        sizes = [count_all(everything, made) for made in (kernels, compile_kernels(nvcc(options), OF_NVCC + text))]
        with open(options.tsv, "w", encoding="utf-8") as file:
            file.write("# ptxas " + version(options) + "\n")
            file.write("operation\tinstructions\tmost\tall\n")
            for name, least, most in count(everything, kernels):
                file.write(f"{name}\t{least}\t{most}\t{max(size[name] for size in sizes)}\n")
    else:
        parser.error("needed: --cuda-path and --tsv, --executed and --counted, --program, or --reduce")


if __name__ == "__main__":
    main()
