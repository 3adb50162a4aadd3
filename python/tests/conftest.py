"""Models that several tests use."""

from __future__ import annotations

from pathlib import Path

import pytest

import deslang as dl

ROOT = Path(__file__).resolve().parents[2]

QUESTIONING = ROOT / "examples" / "questioning.des"
FIGURE = ROOT / "examples" / "paper" / "figure_3_1.des"

PAIR = """
const N = 1;
system Pair {
    states A, B[1..N];
    initial A;
    events t, u;
    anonymous t, u;
    A -{t, u}-> B[1..N];
    B[1..N] -t-> A;
    check strong current-state;
    check weak: not strong infinite-step;
}
"""

# A rotation and an exchange reach every set of 15 of its 28 states, and no set is like another: the search ends at no time limit of a test.
EXPLODING = """
const N = 28;
system Explodes {
    states p[0..N-1]; initial p[0..N/2];
    events turn, swap;
    for i in 0..N-1 { p[i] -turn-> p[(i + 1) % N]; }
    p[0] -swap-> p[1]; p[1] -swap-> p[0];
    for i in 2..N-1 { p[i] -swap-> p[i]; }
    secret p[2 * i] for i in 0..N/2-1;
    check natural infinite-step opacity;
}
"""


@pytest.fixture
def questioning() -> dl.Model:
    return dl.load(QUESTIONING)


@pytest.fixture
def figure() -> dl.Model:
    return dl.load(FIGURE)
