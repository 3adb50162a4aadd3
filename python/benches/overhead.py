"""What a call costs beside the engine, and how fast many small models are decided: python python/benches/overhead.py

The library's own path is the batch on one thread, which reads and decides in a loop without Python. Build with `--release` first.
"""

from __future__ import annotations

import time

import deslang as dl
from deslang import _native

MODEL = """system Small {
    states M, N, A, B; initial M, N; events a, b; anonymous events;
    M -a-> A; N -b-> B; A -a-> M;
    check strong infinite-step; check not natural current-state;
}
"""


def seconds(work, times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - started) / times


def main(times: int = 500, many: int = 10_000) -> None:
    items = [("small.des", MODEL, [])] * times
    inside = seconds(lambda: _native.check_many(items, threads=1), 1) / times
    call = seconds(lambda: dl.parse(MODEL).check(threads=1), times)
    print(f"library {inside * 1e3:.3f} ms, dl.parse(text).check() {call * 1e3:.3f} ms, overhead {(call - inside) * 1e3:.3f} ms a call")
    started = time.perf_counter()
    dl.check_many([MODEL] * many)
    print(f"{many} small models with check_many: {time.perf_counter() - started:.2f} s")


if __name__ == "__main__":
    main()
