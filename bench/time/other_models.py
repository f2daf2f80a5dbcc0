# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Published models of a kernel's time, from the facts of a report of divcost (docs/lab/time-models.md).

facts_of() reads the facts of one launch; each model takes them, and the machine's numbers, and
answers with a Prediction. Where items of each warp are alike, a warp issues so many instructions as
lanes are active in now, and makes as many requests, with 32 lanes each.
"""
import collections
import json
import math

LANES, SECTOR = 32, 32

# seconds as it is and where items are alike, None where a model has no time; s, the share lost;
# what decided, a word
Prediction = collections.namedtuple("Prediction", "seconds alike s why")

# Of an access, per warp: how many requests, with how many lanes; of a request how many transactions
# if it isn't coalesced, sectors at L1, sectors that L1 doesn't have; of these the share that L2
# doesn't have.
Request = collections.namedtuple("Request", "count lanes coalesced transactions sectors beyond_l1 beyond_l2")

Facts = collections.namedtuple("Facts", [
    "instructions", "instructions_alike",  # of a warp
    "cycles", "cycles_alike",              # in which it issues, without reconvergence
    "share",                               # of its cycles that are lost
    "blocks", "warps",                     # warps of a block
    "resident",                            # blocks that an SM holds
    "barriers",                            # that a warp comes to
    "requests", "time"])


def ends(figure):
    return (figure["low"], figure["high"]) if isinstance(figure, dict) else (figure, figure)


def low(figure):
    return ends(figure)[0]


def high(figure):
    return ends(figure)[1]


def middle(figure):
    return sum(ends(figure)) / 2


def machine_of(path):
    """The numbers of an architecture file's machine."""
    with open(path, encoding="utf-8") as file:
        machine = json.load(file)["machine"]
    return {name: entry["value"] for name, entry in machine.items() if isinstance(entry, dict)}


def lost(seconds, alike):
    return (seconds - alike) / max(seconds, alike)


def prediction(seconds, alike, why):
    return Prediction(seconds, alike, lost(seconds, alike), why)


# ---- facts --------------------------------------------------------------------------------------


def step_of(skeleton, node, loop):
    """What an iteration of the loop adds to an expression, or None."""
    op, _, _, immediate, *operands = skeleton["nodes"][node]
    if op == "iv":
        return 1 if immediate == loop else 0
    if op in ("zext", "sext", "trunc"):
        return step_of(skeleton, operands[0], loop)
    steps = [step_of(skeleton, operand, loop) for operand in operands]
    if None in steps:
        return None
    if not any(steps):
        return 0
    if op in ("add", "sub"):
        return steps[0] + (steps[1] if op == "add" else -steps[1])
    if op == "mul" and 0 in steps:
        by = constant(skeleton, operands[steps.index(0)])
        return None if by is None else by * (steps[0] or steps[1])
    return None


def constant(skeleton, node):
    op, _, _, immediate, *operands = skeleton["nodes"][node]
    if op == "const":
        return int(immediate)
    if op in ("zext", "sext", "trunc"):
        return constant(skeleton, operands[0])
    if op == "param" and len(skeleton["params"][immediate]) > 1:
        return int(skeleton["params"][immediate][1])
    return None


def array_of(skeleton, row):
    """The parameter that points to an access's array. Of one that isn't known, the largest that no
    other access goes to; None if there is none."""
    if row[7] >= 0:
        op, _, _, immediate, *_ = skeleton["nodes"][row[7]]
        return immediate if op == "param" else None
    taken = {array_of(skeleton, other) for other in skeleton["accesses"] if other[7] >= 0}
    others = [(size, param) for param, size in skeleton.get("extents", []) if param not in taken]
    return max(others)[1] if others else None


def sectors_of(access):
    """Of a request. Addresses that data decide are taken as far apart as they can be."""
    if access["class"] in ("gather", "walk"):
        return min(high(access["sectors"]), access["lanes"] * math.ceil(access["bytes"] / SECTOR))
    return middle(access["sectors"])


def requests_of(kernel, warps, machine):
    """Of global memory. warps: of the launch.

    L1 has what a walk's iterations before have touched of a sector, and arrays that are no larger
    than it, which it takes once. L2 is warm and has the arrays that are asked for most, by their
    size, until it is full."""
    skeleton = kernel["skeleton"]
    extents = dict(skeleton.get("extents", []))
    found, traffic = [], collections.Counter()
    for access, row in zip(kernel["accesses"], skeleton["accesses"]):
        if access["space"] not in ("global", "generic") or not access.get("requests") or not access.get("lanes"):
            continue
        array, sectors, lanes = array_of(skeleton, row), sectors_of(access), access["lanes"]
        beyond = sectors
        if access["class"] == "walk" and "loop" in access:
            step = step_of(skeleton, row[5], access["loop"])
            if step is not None:
                beyond = min(sectors, lanes * max(abs(step), access["bytes"]) / SECTOR)
        size = extents.get(array)
        if access["kind"] == "load" and size and size <= machine["l1_bytes"]:
            beyond = min(beyond, size / SECTOR * machine["sms"] / (access["requests"] * warps))
        traffic[array] += access["requests"] * beyond
        coalesced = access["class"] in ("same", "row")
        found.append((array, Request(access["requests"], lanes, coalesced,
                                     1 if coalesced else max(1, min(lanes, sectors)), sectors, beyond, 0)))
    missing, room = {}, machine["l2_bytes"]
    for array in sorted(traffic, key=lambda array: -traffic[array] / extents.get(array, math.inf)):
        size = extents.get(array, 0)
        missing[array] = 1 - min(1, room / size) if size else 0
        room = max(0, room - size)
    return [request._replace(beyond_l2=missing[array]) for array, request in found]


def barriers_of(skeleton, loops):
    """That a warp comes to, of a block's; by mean trips. loops: the estimate's."""
    count = 0
    for block, _, _, _, of_warp, *_ in skeleton["barriers"]:
        loop = skeleton["blocks"][block][1]
        if not of_warp:
            count += 1 if loop < 0 else (middle(loops[loop].get("entries", 1))
                                         * middle(loops[loop].get("mean_trips", 1)))
    return count


def facts_of(report, machine):
    """Of the first estimate of a report's first kernel. Where it has intervals because lanes may
    decide alike at a branch or each for itself, items are alike at the one end, and not at the
    other."""
    kernel = report["kernels"][0]
    estimate = kernel["estimates"][0]
    blocks, threads = math.prod(estimate["grid"]), math.prod(estimate["block"])
    warps = math.ceil(threads / LANES)
    cycles, imbalance, waiting = (estimate["cycles"][name] for name in ("total", "imbalance", "reconvergence"))
    return Facts(
        high(estimate["instructions"]), high(estimate["instructions"]) * low(estimate["efficiency"]),
        high(cycles) - high(waiting), low(cycles) - low(waiting) - low(imbalance),
        middle(estimate["share"]), blocks, warps, middle(estimate["occupancy"]["blocks"]),
        barriers_of(kernel["skeleton"], estimate["loops"]), requests_of(kernel, blocks * warps, machine),
        estimate["time"])


def alike(requests):
    """The same lanes' requests, 32 lanes each."""
    result = []
    for request in requests:
        full = request.lanes / LANES
        result.append(request._replace(
            count=request.count * full, lanes=LANES, sectors=request.sectors / full, beyond_l1=request.beyond_l1 / full,
            transactions=request.transactions if request.coalesced else request.transactions / full))
    return result


# ---- nothing, slots, paths ----------------------------------------------------------------------


def zero(_facts, _machine):
    return Prediction(None, None, 0, "-")


def slots(facts, _machine):
    return Prediction(None, None, facts.share, "-")


def issue_seconds(facts, instructions, machine):
    """If nothing but issuing took time."""
    return (instructions * machine["issue"] * facts.blocks * facts.warps
            / (machine["sms"] * machine["schedulers"] * machine["clock"]))


def paths(facts, machine):
    """Paths one after the other, and meeting again is free."""
    seconds, s = issue_seconds(facts, facts.instructions, machine), lost(facts.cycles, facts.cycles_alike)
    return Prediction(seconds, seconds * (1 - s) if s >= 0 else seconds / (1 + s), s, "-")


# ---- roofline -----------------------------------------------------------------------------------


def sector_cycles(request, level, machine):
    """That an SM's share of a level takes for a sector: fewer where whole lines are read."""
    return machine["%s_line_sector" % level if request.coalesced else "%s_sector" % level]


def roofs(facts, instructions, machine):
    warps_of_sm = facts.blocks * facts.warps / machine["sms"]
    l2 = sum(r.count * r.beyond_l1 * sector_cycles(r, "l2", machine) for r in facts.requests)
    dram = sum(r.count * r.beyond_l1 * r.beyond_l2 * sector_cycles(r, "dram", machine) for r in facts.requests)
    return {"issue": issue_seconds(facts, instructions, machine), "l2": l2 * warps_of_sm / machine["clock"],
            "dram": dram * warps_of_sm / machine["clock"]}


def roofline(facts, machine):
    now, then = (roofs(facts, count, machine) for count in (facts.instructions, facts.instructions_alike))
    return prediction(max(now.values()), max(then.values()), max(now, key=now.get))


# ---- Hong and Kim -------------------------------------------------------------------------------

# Under the paper's names, in cycles, bytes and instructions of a warp. clock: per second, as is
# bandwidth.
HongKim = collections.namedtuple("HongKim", [
    "mem_ld", "departure_coalesced", "departure_uncoalesced", "issue_cycles", "bandwidth", "clock",
    "uncoalesced_per_warp", "load_bytes_per_warp", "computation", "coalesced", "uncoalesced", "synchronisations",
    "active_warps", "active_blocks", "active_sms", "repetitions"])


def hong_kim_cycles(p, by_computation=True):
    """Equations 5 to 24 and the cost of synchronisation; and by which of 22 to 24. by_computation:
    a warp whose computation takes longer than its memory goes by 23, as printed; else by MWP and CWP
    alone."""
    n, memory = p.active_warps, p.coalesced + p.uncoalesced
    comp_cycles = p.issue_cycles * (p.computation + memory)
    if memory == 0:
        return comp_cycles * n * p.repetitions, "24"
    weight_uncoalesced, weight_coalesced = p.uncoalesced / memory, p.coalesced / memory
    uncoalesced_latency = p.mem_ld + (p.uncoalesced_per_warp - 1) * p.departure_uncoalesced
    latency = uncoalesced_latency * weight_uncoalesced + p.mem_ld * weight_coalesced
    departure = (p.departure_uncoalesced * p.uncoalesced_per_warp * weight_uncoalesced
                 + p.departure_coalesced * weight_coalesced)
    peak = (p.bandwidth / (p.clock * p.load_bytes_per_warp / latency * p.active_sms) if p.load_bytes_per_warp > 0
            else math.inf)
    mwp = min(latency / departure, peak, n)
    mem_cycles = uncoalesced_latency * p.uncoalesced + p.mem_ld * p.coalesced
    cwp = min((mem_cycles + comp_cycles) / comp_cycles, n)
    period = comp_cycles / memory * (mwp - 1)
    if mwp == n and cwp == n:
        cycles, equation = mem_cycles + comp_cycles + period, "22"
    elif cwp >= mwp or (by_computation and comp_cycles > mem_cycles):
        cycles, equation = mem_cycles * n / mwp + period, "23"
    else:
        cycles, equation = latency + comp_cycles * n, "24"
    synchronisation = departure * (mwp - 1) * p.synchronisations * p.active_blocks
    return (cycles + synchronisation) * p.repetitions, equation


def mean(weights, values):
    total = sum(weights)
    return sum(weight * value for weight, value in zip(weights, values)) / total if total else 0


def latency_of(request, machine):
    """Of a transaction, on average over those that find it in L1, in L2's two halves, and in DRAM."""
    l1, l2, dram = machine["l1"], (machine["l2"] + machine["l2_far"]) / 2, machine["dram"]
    missing = min(1, request.beyond_l1 / (request.sectors if request.coalesced else request.transactions))
    return l1 + missing * (l2 - l1 + request.beyond_l2 * (dram - l2))


def departure_of(request, machine):
    """Cycles of an SM from a request to the next: what it takes of L1, or its sectors beyond, at the
    rate at which all SMs together get these."""
    l2, dram = (sector_cycles(request, level, machine) for level in ("l2", "dram"))
    beyond = request.beyond_l1 * ((1 - request.beyond_l2) * l2 + request.beyond_l2 * dram)
    return max(machine["l1_request"] + request.transactions * machine["l1_line"], beyond)


def hong_kim_inputs(facts, instructions, requests, machine):
    together = [r for r in requests if r.coalesced]
    apart = [r for r in requests if not r.coalesced]
    counts = [r.count for r in requests]
    coalesced, uncoalesced = sum(r.count for r in together), sum(r.count for r in apart)
    per_warp = mean([r.count for r in apart], [r.transactions for r in apart])
    active_sms = min(facts.blocks, machine["sms"])
    active_blocks = min(facts.resident, math.ceil(facts.blocks / active_sms))
    return HongKim(
        mem_ld=mean(counts, [latency_of(r, machine) for r in requests]),
        departure_coalesced=mean([r.count for r in together], [departure_of(r, machine) for r in together]),
        departure_uncoalesced=(mean([r.count for r in apart], [departure_of(r, machine) for r in apart]) / per_warp
                               if apart else 0),
        issue_cycles=machine["issue"] / machine["schedulers"],
        bandwidth=machine["sms"] * SECTOR * machine["clock"] / machine["dram_line_sector"],
        clock=machine["clock"], uncoalesced_per_warp=per_warp,
        load_bytes_per_warp=mean(counts, [r.beyond_l1 * r.beyond_l2 * SECTOR for r in requests]),
        computation=max(0, instructions - coalesced - uncoalesced), coalesced=coalesced, uncoalesced=uncoalesced,
        synchronisations=facts.barriers, active_warps=active_blocks * facts.warps, active_blocks=active_blocks,
        active_sms=active_sms, repetitions=max(1, facts.blocks / (active_blocks * active_sms)))


def hong_kim(facts, machine, by_computation=True):
    now = hong_kim_inputs(facts, facts.instructions, facts.requests, machine)
    then = hong_kim_inputs(facts, facts.instructions_alike, alike(facts.requests), machine)
    (cycles, equation), (cycles_alike, _) = (hong_kim_cycles(inputs, by_computation) for inputs in (now, then))
    return prediction(cycles / machine["clock"], cycles_alike / machine["clock"], equation)


def hong_kim_by_cwp(facts, machine):
    return hong_kim(facts, machine, by_computation=False)


# ---- divcost ------------------------------------------------------------------------------------


def divcost(facts, _machine):
    """The middles of its intervals: of times, of their logarithms."""
    if "seconds" not in facts.time:
        return None
    seconds, same = (math.sqrt(low(facts.time[name]) * high(facts.time[name])) for name in ("seconds", "alike"))
    return Prediction(seconds, same, middle(facts.time["lost"]), facts.time["bound"])


MODELS = collections.OrderedDict([
    ("zero", zero), ("slots", slots), ("roofline", roofline), ("hong_kim", hong_kim),
    ("hong_kim_cwp", hong_kim_by_cwp), ("paths", paths), ("divcost", divcost)])
