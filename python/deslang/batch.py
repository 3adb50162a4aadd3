"""Many small models on all cores, without Python threads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional, Union

from . import _native
from .errors import ModelError
from .models import Model
from .results import Report


def check_many(
    models: Iterable[Union[Model, str]],
    *,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_pairs: Optional[int] = None,
    threads: int = 0,
    method: str = "engine",
    strict: bool = True,
) -> list[Report]:
    """Decides every check of every model (or text of one that imports nothing) on all cores, in their order.

    Limits are those of one model. A text with errors raises `ModelError` when all are done; with `strict=False` its report has
    the errors, and no check.
    """
    items: list[Any] = [
        (f"model-{at}.des", model, []) if isinstance(model, str) else model._for(method) for at, model in enumerate(models)
    ]
    native = _native.check_many(
        items, timeout=timeout, memory=memory, max_pairs=max_pairs, threads=threads, method=method
    )
    reports = [Report(report) for report in native]
    for report in reports if strict else ():
        if report.errors:
            raise ModelError("\n".join(map(str, report.errors)), tuple(report.diagnostics))
    return reports
