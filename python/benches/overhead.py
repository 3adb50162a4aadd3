"""What a call costs beside the engine, and how fast many small models are decided: python python/benches/overhead.py

The library's own path is the batch on one thread, which reads and decides in a loop without Python. Install a release wheel first:
pip install ./python. Figures are the least of several rounds: other work on the machine only adds to them.
"""

from __future__ import annotations

import os
import time
from typing import Callable

import deslang as dl
from deslang import _native

MODEL = """system Small {
    states M, N, A, B; initial M, N; events a, b; anonymous events;
    M -a-> A; N -b-> B; A -a-> M;
    check strong infinite-step; check not natural current-state;
}
"""

ROUNDS = 7


def milliseconds(work: Callable[[], object], times: int) -> float:
    """The time of one piece of work, in the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in range(times):
            work()
        best = min(best, time.perf_counter() - started)
    return best / times * 1e3


def main(times: int = 200, many: int = 10_000) -> None:
    items = [("small.des", MODEL, [])] * times
    inside = milliseconds(lambda: _native.check_many(items, threads=1), 1) / times
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"library                                 {inside:.3f} ms")
    for name, threads in (("threads=1", 1), ("default", 0)):
        call = milliseconds(lambda: dl.parse(MODEL).check(threads=threads), times)
        print(f"dl.parse(text).check(), {name:<15} {call:.3f} ms: {call - inside:.3f} ms more")
    model = dl.parse(MODEL)
    print(f"model.check()                           {milliseconds(model.check, times):.3f} ms")
    started = time.perf_counter()
    dl.check_many([MODEL] * many)
    print(f"dl.check_many of {many:,} models         {time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main()
