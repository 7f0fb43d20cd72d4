# SPDX-License-Identifier: BSL-1.0
"""A gate for what is timed: it waits until the machine is quiet, and says how quiet it stayed."""
import os
import resource
import time
from typing import Any, NamedTuple

CORES = os.cpu_count()
BUSY = 0.10  # of all cores, over INTERVAL seconds, before
INTERVAL = 0.7
FOREIGN, STEAL = 0.02, 0.01  # of all cores, meanwhile
PATIENCE = 60  # seconds
ATTEMPTS = 5


class Measured(NamedTuple):
    result: Any
    foreign: float  # share of all cores that others took meanwhile
    stolen: float
    repeats: int


class Inconclusive(Exception):
    """The machine was not quiet."""


def processor_seconds():
    """(busy, stolen by other machines) since the start of this one, summed over the cores."""
    with open("/proc/stat") as file:
        user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    tick = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) / tick, steal / tick


def own_seconds():
    """Of this process and all that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def wait_until_quiet():
    start = time.monotonic()
    while True:
        (before, _), begin = processor_seconds(), time.monotonic()
        time.sleep(INTERVAL)
        busy = (processor_seconds()[0] - before) / (CORES * (time.monotonic() - begin))
        if busy < BUSY:
            return
        if time.monotonic() - start > PATIENCE:
            raise Inconclusive(f"{100 * busy:.0f} % of {CORES} cores are busy with something else, after {PATIENCE} s")


def measure(run):
    """What run() returns, measured while the machine was quiet; None stands for a failure that only disturbance
    explains. Disturbed runs are repeated."""
    worst = []
    while len(worst) < ATTEMPTS:
        wait_until_quiet()
        (busy, steal), own, begin = processor_seconds(), own_seconds(), time.monotonic()
        result = run()
        (busy_after, steal_after), capacity = processor_seconds(), CORES * (time.monotonic() - begin)
        foreign = max(0.0, (busy_after - busy - (own_seconds() - own)) / capacity)
        stolen = (steal_after - steal) / capacity
        if result is not None and foreign <= FOREIGN and stolen <= STEAL:
            return Measured(result, foreign, stolen, len(worst))
        worst.append(f"{100 * foreign:.1f} % and {100 * stolen:.1f} %")
    raise Inconclusive(f"others took too much of {CORES} cores in each of {ATTEMPTS} launches (foreign and stolen: "
                       f"{'; '.join(worst)})")
