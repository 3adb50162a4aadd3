"""The least that must change for the checks to hold: `desc repair`."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

from .errors import QuestionError
from .results import Check

if TYPE_CHECKING:
    from .models import Model


@dataclass(frozen=True)
class Loss:
    """A check that is violated, and how: what is seen, and what is known from it."""

    check: str
    line: int
    story: str

    @staticmethod
    def _read(data: Optional[dict[str, Any]]) -> Optional[Loss]:
        return None if data is None else Loss(data["check"], data["line"], data["story"])


@dataclass(frozen=True)
class Lever:
    """A change that the model allows."""

    kind: str
    """`hide`, `anonymise` or `disable`."""
    events: tuple[str, ...]
    label: Optional[str]
    """The label that anonymised events get; none: the plain group."""
    agent: Optional[str]
    """Who acts in anonymised events; none: each event is its own agent."""
    observer: Optional[str]
    """The observer for whom it changes; none: everyone."""
    cost: int
    line: Optional[int]
    """The line that offers it; none: the file does not."""
    without: Optional[Loss]
    """What goes wrong without it."""

    @staticmethod
    def _read(data: dict[str, Any]) -> Lever:
        return Lever(
            data["kind"], tuple(data["events"]), data["label"], data["agent"], data["from"], data["cost"],
            data["line"], Loss._read(data["without"]),
        )

    def __str__(self) -> str:
        clauses = ((" as ", self.label), (" by ", self.agent), (" from ", self.observer))
        return f"{self.kind} {', '.join(self.events)}" + "".join(word + name for word, name in clauses if name)


class Choice:
    """Levers that are enough, proved on the changed text."""

    def __init__(self, model: Model, system: str, data: dict[str, Any]) -> None:
        self._model = model
        self._data = data
        self.system = system
        self.cost: int = data["cost"]
        self.levers = [Lever._read(lever) for lever in data["levers"]]

    @property
    def checks(self) -> list[Check]:
        """The checks of the repaired system, decided on the changed text."""
        return [Check(check, self.system, None, None) for check in self._data["checks"]]

    @property
    def text(self) -> str:
        """The text of the model with the changes."""
        changed = self._model.source.data
        for edit in sorted(self._data["edits"], key=lambda edit: -edit["start"]):
            changed = changed[: edit["start"]] + edit["text"].encode() + changed[edit["end"]:]
        return changed.decode("utf-8", "replace")

    @property
    def model(self) -> Model:
        """The model with the changes."""
        return self._model._rewritten(self.text)

    def diff(self) -> str:
        """The lines that change."""
        return _diff(self._model, self.text)

    def __repr__(self) -> str:
        return f"<{'; '.join(map(str, self.levers)) or 'nothing'}: cost {self.cost}>"


class Repairs:
    """What it takes to repair one system."""

    def __init__(self, model: Model, data: dict[str, Any]) -> None:
        self.system: str = data["name"]
        self.outcome: str = data["outcome"]
        """`nothing` to repair, `repaired`, `impossible` or `undecided`."""
        self.choices = [Choice(model, self.system, choice) for choice in data["repairs"]]
        """Choices that are enough, the cheapest first."""
        self.lower_bound: Optional[int] = data["lower_bound"]
        """No choice that is enough costs less; none: no choice is enough."""
        self.goal: list[str] = data["goal"]
        """The checks that had to pass."""
        self.left_out: list[str] = data["left_out"]
        """The checks that state facts of the model as it is written."""
        self.survives = Loss._read(data["survives"])
        """If no choice is enough: what survives all levers."""
        self.would_help: Optional[str] = data["would_help"]
        """If no choice is enough: a line that would make a repair possible, if one is known."""
        self.further: Optional[dict[str, int]] = data["further"]
        """If no choice is enough, and no line is known that would help: how many `lines` that hide or merge one event there are,
        and how many were `decided` not to help. If that is all of them, none helps."""
        self.effort: dict[str, int] = data["effort"]
        """How many choices were visited, searched, refuted by a known run, implied by others."""

    def __repr__(self) -> str:
        return f"<Repairs of {self.system}: {self.outcome}, {len(self.choices)} choices>"


class RepairReport:
    """What it takes to repair the systems of a model. It prints as `desc repair` does."""

    def __init__(self, model: Model, document: str, told: str, changed: Optional[str]) -> None:
        self._model = model
        self._told = told
        self._document: dict[str, Any] = json.loads(document)
        self.text = model.text if changed is None else changed
        """The text of the model with the cheapest repair of every system."""
        self.systems = {data["name"]: Repairs(model, data) for data in self._document["systems"]}

    @property
    def system(self) -> Repairs:
        """What it takes to repair the only system."""
        if len(self.systems) == 1:
            return next(iter(self.systems.values()))
        raise QuestionError(f"there are {len(self.systems)} systems", "name one: `.systems[name]`")

    @property
    def outcome(self) -> str:
        """The worst of its systems: `nothing`, `repaired`, `impossible`, `undecided`."""
        order = ["nothing", "repaired", "impossible", "undecided"]
        return max((repairs.outcome for repairs in self), key=order.index, default="nothing")

    @property
    def cost(self) -> Optional[int]:
        """What the cheapest repairs cost together; none: a system is not repaired."""
        if self.outcome not in ("nothing", "repaired"):
            return None
        return sum(repairs.choices[0].cost for repairs in self if repairs.choices)

    @property
    def model(self) -> Model:
        """The repaired model."""
        return self._model._rewritten(self.text)

    def diff(self) -> str:
        """The lines that change."""
        return _diff(self._model, self.text)

    def to_dict(self) -> dict[str, Any]:
        """The document of `desc repair --message-format json`."""
        return self._document

    def __iter__(self) -> Iterator[Repairs]:
        return iter(self.systems.values())

    def __len__(self) -> int:
        return len(self.systems)

    def __str__(self) -> str:
        diff = self.diff()
        return self._told + (f"\n{diff}" if diff else "")

    def __repr__(self) -> str:
        cost = "" if self.cost is None else f", cost {self.cost}"
        return f"<RepairReport: {self.outcome}{cost}>"


def _diff(model: Model, text: str) -> str:
    old, new = (it.splitlines(keepends=True) for it in (model.text, text))
    return "".join(difflib.unified_diff(old, new, model.name, model.name))
