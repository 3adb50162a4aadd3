"""One model for many values of its constants, here or on many machines."""

from __future__ import annotations

import itertools
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from .errors import ModelError
from .models import Model, Source, source_of
from .results import Report

_Model = Union[str, "os.PathLike[str]", Model]

#: How many workers a question may cost before it is undecided.
LIVES = 2


@dataclass(frozen=True)
class Point:
    """One value of each constant, and what was found there."""

    values: dict[str, int]
    report: Optional[Report]
    """The results; none: the model has errors for these values."""
    error: Optional[str]
    time: float
    """The seconds from reading to the last verdict."""
    model: Optional[str] = None
    """The name of its file, in a sweep of several models."""
    is_lost: bool = False
    """Whether it cost two workers their lives: then it is undecided."""

    def rows(self) -> list[dict[str, Any]]:
        """One row for each check. It has no number of states where the product was not built."""
        if self.report is None:
            verdict = "undecided" if self.is_lost else "error"
            return [{**self._where(), "verdict": verdict, "passed": False, "time": self.time, "error": self.error}]
        rows = [self._row(system) for system in self.report.to_dict()["systems"] if not system["checks"]]
        sizes = self.report.sizes
        for check in self.report:
            states, events, transitions = sizes[check.system]
            rows.append({
                **self._where(), "system": check.system, "check": check.name or check.text, "verdict": str(check.verdict),
                "passed": check.passed, "max_k": check.max_k, "states": states or None, "events": events,
                "transitions": transitions if states else None, "pairs": check.pairs, "time": self.time if check.time is None else check.time,
            })
        if not rows:
            rows.append({**self._where(), "verdict": "undecided", "passed": False, "time": self.time})
        return rows

    def _where(self) -> dict[str, Any]:
        return {**({} if self.model is None else {"model": self.model}), **self.values}

    def _row(self, system: Mapping[str, Any]) -> dict[str, Any]:
        return {
            **self._where(), "system": system["name"], "states": system["states"], "events": system["events"],
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
    model: Union[_Model, Iterable[_Model]],
    *,
    executor: Any = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_pairs: Optional[int] = None,
    threads: int = 0,
    **values: Union[int, Iterable[int]],
) -> Sweep:
    """Decides a model for each combination of values: `sweep("ballot.des", N=range(2, 7))`; or several models, one after the other.

    Limits are those of one point: a model that explodes is undecided there, and the others go on. `executor` is anything with
    the interface of `concurrent.futures` (a process pool, a client of Dask): points are decided there and come back in order. A
    point whose worker is lost runs again; one that costs two workers their lives is undecided. Ctrl-C cancels those that have not
    begun.
    """
    several = not isinstance(model, (str, os.PathLike, Model))
    models: Iterable[_Model] = model if several else [model]  # type: ignore[assignment, list-item]
    limits = {"timeout": timeout, "memory": memory, "max_pairs": max_pairs, "threads": threads}
    choices = [dict(zip(values, chosen)) for chosen in itertools.product(*map(_listed, values.values()))]
    questions = [
        Question(source.defining(chosen), chosen, limits, source.name if several else None)
        for source in map(_travelling, models) for chosen in choices
    ]
    if executor is None:
        return Sweep(map(decide, questions))
    return Sweep(_Spread(executor, questions).points())


@dataclass(frozen=True)
class Question:
    """What one point asks. It can travel."""

    source: Source
    values: dict[str, int]
    limits: Mapping[str, Any]
    model: Optional[str]


def decide(question: Question) -> Point:
    """Decides one point. It runs wherever the executor puts it."""
    started = time.perf_counter()
    values, limits = question.values, question.limits
    try:
        model = Model(question.source, question.source.read(limits["timeout"], limits["memory"]))
    except ModelError as error:
        message = "; ".join(f"{it.code}: {it.message}" for it in error.diagnostics if it.severity == "error")
        return Point(values, None, message, time.perf_counter() - started, question.model)
    left = dict(limits)
    if left["timeout"] is not None:
        left["timeout"] = max(0.0, left["timeout"] - (time.perf_counter() - started))
    report = model.check(**left)
    return Point(values, report, None, time.perf_counter() - started, question.model)


class _Spread:
    """The questions of a sweep on their way through an executor."""

    def __init__(self, executor: Any, questions: list[Question]) -> None:
        self._executor = executor
        self._options = {"pure": False} if _is_dask(executor) else {}
        self._apart: Optional[ThreadPoolExecutor] = None
        self._questions = questions
        self._lost = [0] * len(questions)
        # WHY now and not when the first point is asked for: they run while the caller does something else.
        self._futures = [self._submit(question) for question in questions]

    def points(self) -> Iterator[Point]:
        """The points, in the order of the questions."""
        try:
            for at in range(len(self._questions)):
                yield self._point(at)
        finally:
            # Ctrl-C, an error, or a caller who has seen enough: what has not begun does not begin.
            for future in self._futures:
                if not future.done():
                    future.cancel()
            if self._apart is not None:
                self._apart.shutdown(wait=False)

    def _point(self, at: int) -> Point:
        while True:
            try:
                point: Point = self._futures[at].result()
                return point
            except Exception as error:
                if not _is_lost(error):
                    raise
            self._renew(at)
            if self._lost[at] >= LIVES:
                question = self._questions[at]
                why = f"it cost {LIVES} workers their lives"
                return Point(question.values, None, why, math.nan, question.model, True)

    def _renew(self, first: int) -> None:
        """Asks again what was lost: a process pool loses everything that it was asked."""
        for at in range(first, len(self._futures)):
            if self._lost[at] < LIVES and _has_lost(self._futures[at]):
                self._lost[at] += 1
                if self._lost[at] < LIVES:
                    self._futures[at] = self._submit(self._questions[at])

    def _submit(self, question: Question) -> Any:
        try:
            return self._executor.submit(decide, question, **self._options)
        except BrokenExecutor:
            return self._submit_apart(question)

    def _submit_apart(self, question: Question) -> Any:
        """A process pool that lost a worker takes no more questions. Then each has a process of its own: none is lost for another."""
        if self._apart is None:
            self._apart = ThreadPoolExecutor(getattr(self._executor, "_max_workers", None) or os.cpu_count())
        return self._apart.submit(_decided_apart, question, getattr(self._executor, "_mp_context", None))


def _decided_apart(question: Question, context: Any) -> Point:
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(decide, question).result()


def _has_lost(future: Any) -> bool:
    """Whether a question has come back without an answer."""
    if not future.done():
        return False
    try:
        future.result()
    except Exception as error:
        return _is_lost(error)
    return False


def _is_lost(error: BaseException) -> bool:
    """Whether a worker was lost, rather than the question wrong."""
    names = {"KilledWorker", "CancelledError", "FutureCancelledError"}
    return isinstance(error, BrokenExecutor) or type(error).__name__ in names


def _is_dask(executor: Any) -> bool:
    return type(executor).__module__.partition(".")[0] == "distributed"


def _listed(value: Union[int, Iterable[int]]) -> list[int]:
    return [value] if isinstance(value, int) else list(value)


def _travelling(model: _Model) -> Source:
    """The source with its imports, which do not depend on constants."""
    if isinstance(model, Model):
        return model._travelling()
    source = source_of(model)
    return replace(source, root=None, bundle=tuple(source.read().imports()))
