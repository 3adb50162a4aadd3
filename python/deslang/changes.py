"""What differs between two versions of a model, or between two reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Optional, Union

from .models import Model
from .results import Check, Report


@dataclass(frozen=True)
class Change:
    """One check that differs: `old` or `new` is none if only the other version has it."""

    system: str
    check: str
    old: Optional[Check]
    new: Optional[Check]
    what: tuple[str, ...]
    """`verdict`, `max_k`, `witness`; or `added`, `removed`."""

    def __str__(self) -> str:
        if self.old is None or self.new is None:
            return f"{self.what[0]:<8} {self.system}: {self.check}"
        changes = []
        if "verdict" in self.what:
            changes.append(f"{self.old.verdict} -> {self.new.verdict}")
        if "max_k" in self.what:
            changes.append(f"maximal K {self.old.max_k:g} -> {self.new.max_k:g}")
        if "witness" in self.what:
            changes.append("another story")
        return f"changed  {self.system}: {self.check}: {', '.join(changes)}"


class Difference:
    """The checks that differ; empty: none does."""

    def __init__(self, changes: list[Change]) -> None:
        self.changes = changes

    @property
    def worse(self) -> list[Change]:
        """Checks that passed and do not pass any more."""
        return [change for change in self.changes if _passes(change.old) and not _passes(change.new) and change.new]

    @property
    def better(self) -> list[Change]:
        """Checks that did not pass and now do."""
        return [change for change in self.changes if _passes(change.new) and not _passes(change.old) and change.old]

    def to_pandas(self) -> Any:
        """A table with one row for each change (needs pandas)."""
        import pandas

        rows = [
            {
                "system": change.system, "check": change.check, "what": ", ".join(change.what),
                "old": change.old and str(change.old.verdict), "new": change.new and str(change.new.verdict),
                "old_max_k": change.old and change.old.max_k, "new_max_k": change.new and change.new.max_k,
            }
            for change in self.changes
        ]
        return pandas.DataFrame(rows, columns=["system", "check", "what", "old", "new", "old_max_k", "new_max_k"])

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __str__(self) -> str:
        return "\n".join(map(str, self.changes)) or "no check differs"

    def __repr__(self) -> str:
        return f"<Difference: {len(self)} changes>"


def diff(old: Union[Model, Report], new: Union[Model, Report], **limits: Any) -> Difference:
    """What changes from one version of a model to another. Models are decided within the limits of `Model.check`."""
    before, after = (_by_key(it if isinstance(it, Report) else it.check(**limits)) for it in (old, new))
    changes = []
    for key in dict.fromkeys([*before, *after]):
        first, second = before.get(key), after.get(key)
        what = _what(first, second)
        if what:
            changes.append(Change(key[0], key[1], first, second, what))
    return Difference(changes)


def _by_key(report: Report) -> dict[tuple[str, str, int], Check]:
    """Checks by system and name or text; the same text twice is told apart by its number."""
    checks: dict[tuple[str, str, int], Check] = {}
    for check in report:
        key, number = check.name or check.text, 0
        while (check.system, key, number) in checks:
            number += 1
        checks[check.system, key, number] = check
    return checks


def _what(old: Optional[Check], new: Optional[Check]) -> tuple[str, ...]:
    if old is None or new is None:
        return ("added",) if old is None else ("removed",)
    differs = {
        "verdict": (old.verdict, old.passed) != (new.verdict, new.passed) or old.actual != new.actual,
        # Not a number is not equal to itself.
        "max_k": repr(old.max_k) != repr(new.max_k),
        "witness": old.witness != new.witness,
    }
    return tuple(what for what, is_so in differs.items() if is_so)


def _passes(check: Optional[Check]) -> bool:
    return check is not None and check.passed
