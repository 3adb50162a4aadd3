"""One model for many values of its constants, here or on many machines."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Optional, Union

from .errors import ModelError
from .models import Model, Source, source_of
from .results import Report

#: How often a question runs again whose worker was lost.
RETRIES = 3


@dataclass(frozen=True)
class Point:
    """One value of each constant, and what was found there."""

    values: dict[str, int]
    report: Optional[Report]
    """The results; none: the model has errors for these values."""
    error: Optional[str]
    time: float
    """The seconds from reading to the last verdict."""

    def rows(self) -> list[dict[str, Any]]:
        """One row for each check."""
        if self.report is None:
            return [{**self.values, "verdict": "error", "passed": False, "time": self.time, "error": self.error}]
        rows = [self._row(system) for system in self.report.to_dict()["systems"] if not system["checks"]]
        sizes = self.report.sizes
        for check in self.report:
            states, events, transitions = sizes[check.system]
            rows.append({
                **self.values, "system": check.system, "check": check.name or check.text, "verdict": str(check.verdict),
                "passed": check.passed, "max_k": check.max_k, "states": states, "events": events,
                "transitions": transitions, "pairs": check.pairs, "time": self.time if check.time is None else check.time,
            })
        if not rows:
            rows.append({**self.values, "verdict": "undecided", "passed": False, "time": self.time})
        return rows

    def _row(self, system: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **self.values, "system": system["name"], "states": system["states"], "events": system["events"],
            "transitions": system["transitions"], "time": self.time,
        }


class Sweep:
    """The points of a sweep, in the order of the values. Iterating waits for each point in turn."""

    def __init__(self, points: Iterator[Point]) -> None:
        self._points = points
        self._done: list[Point] = []

    @property
    def points(self) -> list[Point]:
        """Every point; waits for all."""
        self._done.extend(self._points)
        return self._done

    def rows(self) -> list[dict[str, Any]]:
        """One row for each check of each point."""
        return [row for point in self.points for row in point.rows()]

    def to_pandas(self) -> Any:
        """The rows as a table (needs pandas): values, verdicts, maximal K (`inf` for every K), sizes, times."""
        import pandas

        return pandas.DataFrame(self.rows())

    def __iter__(self) -> Iterator[Point]:
        yield from self._done
        for point in self._points:
            self._done.append(point)
            yield point

    def __len__(self) -> int:
        return len(self.points)

    def __repr__(self) -> str:
        return f"<Sweep: {len(self._done)} points so far>"


def sweep(
    model: Union[str, os.PathLike[str], Model],
    *,
    executor: Any = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_pairs: Optional[int] = None,
    threads: int = 0,
    **values: Union[int, Iterable[int]],
) -> Sweep:
    """Decides a model for each combination of values: `sweep("ballot.des", N=range(2, 7))`.

    Limits are those of one point: a model that explodes is undecided there, and the others go on. `executor` is anything with
    the interface of `concurrent.futures` (a process pool, a client of Dask): points are decided there and come back in order. A
    point whose worker is lost runs again, and Ctrl-C cancels those that have not begun.
    """
    source = model._travelling() if isinstance(model, Model) else _bundled(source_of(model))
    limits = {"timeout": timeout, "memory": memory, "max_pairs": max_pairs, "threads": threads}
    choices = [dict(zip(values, chosen)) for chosen in itertools.product(*map(_listed, values.values()))]
    sources = [(source.defining(chosen), chosen) for chosen in choices]
    if executor is None:
        return Sweep(decide(source, chosen, limits) for source, chosen in sources)
    return Sweep(_spread(executor, sources, limits))


def decide(source: Source, values: dict[str, int], limits: Mapping[str, Any]) -> Point:
    """Decides one point. It runs wherever the executor puts it."""
    started = time.perf_counter()
    read = {key: limits[key] for key in ("timeout", "memory")}
    try:
        model = Model(source, source.read(**read))
    except ModelError as error:
        message = "; ".join(f"{it.code}: {it.message}" for it in error.diagnostics if it.severity == "error")
        return Point(values, None, message, time.perf_counter() - started)
    left = dict(limits)
    if left["timeout"] is not None:
        left["timeout"] = max(0.0, left["timeout"] - (time.perf_counter() - started))
    report = model.check(**left)
    return Point(values, report, None, time.perf_counter() - started)


def _spread(
    executor: Any, sources: list[tuple[Source, dict[str, int]]], limits: Mapping[str, Any]
) -> Iterator[Point]:
    # WHY now and not when the first point is asked for: they run while the caller does something else.
    options = {"pure": False} if _is_dask(executor) else {}

    def submit(at: int) -> Any:
        source, values = sources[at]
        return executor.submit(decide, source, values, limits, **options)

    return _gathered([submit(at) for at in range(len(sources))], submit)


def _gathered(futures: list[Any], submit: Callable[[int], Any]) -> Iterator[Point]:
    try:
        for at in range(len(futures)):
            yield _answer(futures, submit, at)
    finally:
        # Ctrl-C, an error, or a caller who has seen enough: what has not begun does not begin.
        for future in futures:
            if not future.done():
                future.cancel()


def _answer(futures: list[Any], submit: Callable[[int], Any], at: int) -> Point:
    for _ in range(RETRIES):
        try:
            point: Point = futures[at].result()
            return point
        except Exception as error:
            if not _is_lost(error):
                raise
            futures[at] = submit(at)
    point = futures[at].result()
    return point


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, rather than the question wrong."""
    return type(error).__name__ in {"KilledWorker", "BrokenProcessPool", "CancelledError", "FutureCancelledError"}


def _is_dask(executor: Any) -> bool:
    return type(executor).__module__.partition(".")[0] == "distributed"


def _listed(value: Union[int, Iterable[int]]) -> list[int]:
    return [value] if isinstance(value, int) else list(value)


def _bundled(source: Source) -> Source:
    """The source with its imports, which do not depend on constants."""
    from dataclasses import replace

    return replace(source, root=None, bundle=tuple(source.read().imports()))
