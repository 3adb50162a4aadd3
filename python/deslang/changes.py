"""What differs between two versions of a model, or between two reports: `desc diff`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _native
from .models import Model
from .results import Report

_MAX_K = {"infinite": math.inf, "none": -1.0, None: math.nan}


@dataclass(frozen=True)
class Outcome:
    """The result of a check or a measure."""

    verdict: str
    """`holds`, `violated`, `undecided`; `measured` for a measure."""
    passed: Optional[bool]
    """None for a measure."""
    exposure: Optional[int]
    max_k: float
    """`inf` for every K, -1 for none, `nan` if it was not computed."""

    @staticmethod
    def _read(data: Optional[dict[str, Any]]) -> Optional[Outcome]:
        if data is None:
            return None
        most = data["max_k"]
        number = _MAX_K[most] if most in _MAX_K else float(most)
        return Outcome(data["verdict"], data["passed"], data["exposure"], number)


@dataclass(frozen=True)
class Change:
    """One check or measure that differs: `old` or `new` is none if only the other version has it."""

    kind: str
    """`worse`, `better`, `other`, `story` (the same result with another story), `new` or `gone`."""
    system: str
    check: str
    line: int
    """In the newer version; of a check that is gone, in the older."""
    old: Optional[Outcome]
    new: Optional[Outcome]


class Difference:
    """The checks that differ; empty: none does. It prints as `desc diff` does."""

    def __init__(self, document: dict[str, Any], text: str) -> None:
        self._document = document
        self.text = text
        """What the terminal shows."""
        self.changes = [
            Change(
                data["kind"], data["system"], data["text"], data["line"], Outcome._read(data["before"]),
                Outcome._read(data["after"]),
            )
            for data in document["changes"]
        ]

    @property
    def same(self) -> bool:
        """Whether nothing differs, the sizes of the systems included."""
        return bool(self._document["same"])

    @property
    def worse(self) -> list[Change]:
        """The results that got worse."""
        return [change for change in self.changes if change.kind == "worse"]

    @property
    def better(self) -> list[Change]:
        """The results that got better."""
        return [change for change in self.changes if change.kind == "better"]

    def to_dict(self) -> dict[str, Any]:
        """The document of `desc diff --message-format json`."""
        return self._document

    def to_pandas(self) -> Any:
        """A table with one row for each change (needs pandas)."""
        import pandas

        rows = [
            {
                "system": change.system, "check": change.check, "kind": change.kind,
                "old": change.old and change.old.verdict, "new": change.new and change.new.verdict,
                "old_max_k": change.old and change.old.max_k, "new_max_k": change.new and change.new.max_k,
            }
            for change in self.changes
        ]
        return pandas.DataFrame(rows, columns=["system", "check", "kind", "old", "new", "old_max_k", "new_max_k"])

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Difference: {len(self)} changes>"


def diff(old: Union[Model, Report], new: Union[Model, Report], **limits: Any) -> Difference:
    """What changes from one version of a model to another. Models are decided within the limits of `Model.check`."""
    before, after = (it if isinstance(it, Report) else it.check(**limits) for it in (old, new))
    document, text = _native.difference(before.to_json(), after.to_json())
    return Difference(json.loads(document), text)
