"""The results of a model: verdicts, witnesses, stories."""

from __future__ import annotations

import enum
import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Union

from .errors import Diagnostic

if TYPE_CHECKING:
    from . import _native

_names = itertools.count(1)


class Verdict(str, enum.Enum):
    """The verdict of a property, before `not` is applied. It is also the word: `check.verdict == "holds"`."""

    HOLDS = "holds"
    VIOLATED = "violated"
    UNDECIDED = "undecided"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Run:
    """A run of the system: one more state than events."""

    states: tuple[str, ...]
    events: tuple[str, ...]

    def __str__(self) -> str:
        steps = (f" -{event}-> {state}" for event, state in zip(self.events, self.states[1:]))
        return self.states[0] + "".join(steps) if self.states else ""


@dataclass(frozen=True)
class Witness:
    """An exposure: what the intruder saw, at which instant they are sure, and one run."""

    observation: tuple[str, ...]
    """αβ."""
    at: int
    """|α|: how much was seen before the exposed instant."""
    estimate: tuple[str, ...]
    """The delayed estimate at α given αβ."""
    run: Run


@dataclass(frozen=True)
class Step:
    """One symbol of the observation and its effect."""

    number: int
    sees: Optional[str]
    estimate: tuple[str, ...]
    """The possible current states."""
    looking_back: Optional[tuple[str, ...]]
    """From the exposed instant on: the states that are still possible there."""
    because: str
    """Why others were excluded."""


@dataclass(frozen=True)
class Story:
    """A counterexample, step by step. It prints as the terminal shows it."""

    headline: str
    text: str
    help: Optional[str]
    steps: tuple[Step, ...]

    @staticmethod
    def _read(data: dict[str, Any]) -> Story:
        def states(names: Optional[list[str]]) -> Optional[tuple[str, ...]]:
            return None if names is None else tuple(names)

        steps = tuple(
            Step(step["number"], step["sees"], tuple(step["estimate"]), states(step["looking_back"]), step["because"])
            for step in data["steps"]
        )
        return Story(data["headline"], data["text"], data["help"], steps)

    def __str__(self) -> str:
        return self.text


class Check:
    """One check and its verdict."""

    def __init__(self, data: dict[str, Any], system: str, time: Optional[float], story: Optional[Story]) -> None:
        self._data = data
        self._story = story
        self.system: str = system
        """The name of its system."""
        self.time: Optional[float] = time
        """The seconds of its search, which checks may share."""

    @property
    def name(self) -> Optional[str]:
        """The `name:` of the check."""
        return self._optional("name")

    @property
    def text(self) -> str:
        """Its text, with normalised white space."""
        return str(self._data["text"])

    @property
    def line(self) -> int:
        return int(self._data["line"])

    @property
    def kind(self) -> str:
        """`property`, `estimate` or `projection`."""
        return str(self._data["kind"])

    @property
    def projection(self) -> str:
        """`natural`, `strong` or `weak`."""
        return str(self._data["projection"])

    @property
    def observer(self) -> Optional[str]:
        """The observer after `against`."""
        return self._optional("observer")

    @property
    def horizon(self) -> Union[int, str, dict[str, int], None]:
        """A number of steps, `infinite`, `initial` or `{"exactly": K}`."""
        horizon: Union[int, str, dict[str, int], None] = self._data["horizon"]
        return horizon

    @property
    def negated(self) -> bool:
        """Whether the check has a `not`."""
        return bool(self._data["negated"])

    @property
    def verdict(self) -> Verdict:
        """Before `not` is applied."""
        return Verdict(self._data["verdict"])

    @property
    def passed(self) -> bool:
        return bool(self._data["passed"])

    @property
    def vacuous(self) -> Optional[str]:
        """Why the property holds whatever was meant, if it does."""
        return self._optional("vacuous")

    @property
    def exposure(self) -> Optional[int]:
        """The least K that violates the property; none if there is none, or if it was not computed."""
        exposure: Optional[int] = self._data["exposure"]
        return exposure

    @property
    def max_k(self) -> float:
        """The largest K for which the property holds: `inf` for every K, -1 for none, `nan` if it was not computed."""
        return _max_k(self._data)

    @property
    def holds_up_to(self) -> Optional[int]:
        """Of an undecided check: the K up to which the property is known to hold."""
        safe: Optional[int] = self._data.get("holds_up_to")
        return safe

    @property
    def limit(self) -> Optional[str]:
        """Of an undecided check: the limit that was reached (`timeout`, `memory`, `pairs`, `interrupted`)."""
        return self._optional("limit")

    @property
    def witness(self) -> Optional[Witness]:
        """An exposure, if there is one."""
        data = self._data.get("witness")
        if data is None:
            return None
        run = Run(tuple(data["run"]["states"]), tuple(data["run"]["events"]))
        return Witness(tuple(data["observation"]), data["at"], tuple(data["estimate"]), run)

    @property
    def story(self) -> Optional[Story]:
        """The exposure, step by step."""
        return self._story

    @property
    def expected(self) -> Optional[list[str]]:
        """What an estimate or a projection must be."""
        expected: Optional[list[str]] = self._data.get("expected")
        return expected

    @property
    def actual(self) -> Optional[list[str]]:
        """What it is."""
        actual: Optional[list[str]] = self._data.get("actual")
        return actual

    @property
    def pairs(self) -> Optional[int]:
        """How many pairs the search kept."""
        pairs: Optional[int] = self._data.get("pairs")
        return pairs

    @property
    def certified(self) -> bool:
        """Whether the proof was checked by code that shares nothing with the search."""
        return bool(self._data.get("certified"))

    # WHY last: it hides the decorator of the same name from what follows.
    @property
    def property(self) -> Optional[str]:
        """`anonymity`, `opacity`, ...; none for an estimate or a projection."""
        return self._optional("property")

    def to_dict(self) -> dict[str, Any]:
        """The check as in the JSON document of `desc check`."""
        return dict(self._data)

    def _optional(self, key: str) -> Optional[str]:
        value = self._data.get(key)
        return None if value is None else str(value)

    def __repr__(self) -> str:
        return f"<{self.text}: {self.verdict}{'' if self.passed else ', not passed'}>"


@dataclass(frozen=True)
class Measure:
    """The result of a `measure`."""

    system: str
    text: str
    projection: str
    property: str
    max_k: float
    exposure: Optional[int]
    saturation: Optional[int]
    bound: str


def _max_k(data: dict[str, Any]) -> float:
    if data.get("max_k_infinite"):
        return math.inf
    number = data.get("max_k_number")
    return math.nan if number is None else float(number)


class Report:
    """The results of a model. A check is found by its text or name, or by its number: `report["weak 2-step"]`."""

    def __init__(self, native: _native.Report) -> None:
        self._native: Optional[_native.Report] = native
        self._kept: dict[str, str] = {}
        self._document: dict[str, Any] = json.loads(native.json())
        self._times: list[list[Optional[float]]] = native.times()
        self._stories: dict[tuple[int, int], Optional[Story]] = {}

    def __getstate__(self) -> dict[str, Any]:
        # What crosses to another process: the results and what they look like, without the model.
        for system, check in self._places():
            self._story(system, check)
        kept = {"text": self.text, "html": self.to_html(), "fragment": self._fragment("REPORT")}
        return {"document": self._document, "times": self._times, "stories": self._stories, "kept": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._native = None
        self._document, self._times = state["document"], state["times"]
        self._stories, self._kept = state["stories"], state["kept"]

    def _places(self) -> Iterator[tuple[int, int]]:
        for system, data in enumerate(self._document["systems"]):
            for check in range(len(data["checks"])):
                yield system, check

    def _story(self, system: int, check: int) -> Optional[Story]:
        place = (system, check)
        if place not in self._stories:
            told = None if self._native is None else self._native.story(system, check)
            self._stories[place] = None if told is None else Story._read(json.loads(told))
        return self._stories[place]

    def _check(self, system: int, check: int) -> Check:
        data = self._document["systems"][system]
        story = self._story(system, check) if data["checks"][check].get("witness") else None
        return Check(data["checks"][check], data["name"], self._times[system][check], story)

    @property
    def checks(self) -> list[Check]:
        """Every check of every system, in the order of the text."""
        return [self._check(*place) for place in self._places()]

    @property
    def measures(self) -> list[Measure]:
        """Every measure of every system."""
        return [
            Measure(
                system["name"], data["text"], data["projection"], data["property"], _max_k(data),
                data["exposure"], data["saturation"], data["bound"],
            )
            for system in self._document["systems"]
            for data in system["measures"]
        ]

    @property
    def violations(self) -> list[Check]:
        """The checks whose property is violated, each with a witness and a story; those that did not pass come first."""
        violated = [check for check in self.checks if check.verdict is Verdict.VIOLATED]
        return sorted(violated, key=lambda check: check.passed)

    @property
    def failures(self) -> list[Check]:
        """The checks that did not pass, undecided ones included."""
        return [check for check in self.checks if not check.passed]

    @property
    def undecided(self) -> list[Check]:
        """The checks that were not decided within the limits."""
        return [check for check in self.checks if check.verdict is Verdict.UNDECIDED]

    @property
    def passed(self) -> bool:
        """Whether every check passed, and everything was read."""
        return not self.errors and all(check.passed for check in self.checks) and not self._is_cut_off()

    def _is_cut_off(self) -> bool:
        return any(diagnostic.code == "W0902" for diagnostic in self.diagnostics)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Errors and warnings."""
        return [Diagnostic._read(data) for data in self._document["diagnostics"]]

    @property
    def errors(self) -> list[Diagnostic]:
        """Errors: only `check_many(..., strict=False)` has reports with any."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]

    @property
    def sizes(self) -> dict[str, tuple[int, int, int]]:
        """States, events and transitions of each system."""
        return {data["name"]: (data["states"], data["events"], data["transitions"]) for data in self._document["systems"]}

    @property
    def text(self) -> str:
        """Verdicts and stories as the terminal shows them."""
        return self._native.text() if self._native else self._kept["text"]

    def to_dict(self) -> dict[str, Any]:
        """The document of `desc check --message-format json`."""
        return self._document

    def to_json(self) -> str:
        """The document of `desc check --message-format json`, as text."""
        return json.dumps(self._document, indent=2, ensure_ascii=False) + "\n"

    def to_html(self) -> str:
        """The page of `desc report`."""
        return self._native.html() if self._native else self._kept["html"]

    def to_pandas(self) -> Any:
        """A table with one row for each check (needs pandas)."""
        import pandas

        return pandas.DataFrame([_row(check) for check in self.checks])

    def __getitem__(self, key: Union[int, str]) -> Check:
        if isinstance(key, int):
            return self.checks[key]
        found = _found(self.checks, key)
        if len(found) == 1:
            return found[0]
        known = ", ".join(f"`{check.name or check.text}`" for check in (found or self.checks))
        what = "more than one check" if found else "no check"
        raise KeyError(f"{what} is `{key}`: there is {known}")

    def __iter__(self) -> Iterator[Check]:
        return iter(self.checks)

    def __len__(self) -> int:
        return sum(1 for _ in self._places())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        failures = len(self.failures)
        return f"<Report: {len(self)} checks, {failures} not passed>"

    def _fragment(self, name: str) -> str:
        return self._native.fragment(name) if self._native else self._kept["fragment"].replace("REPORT", name)

    def _repr_html_(self) -> str:
        return self._fragment(f"desc-{next(_names)}")


def _row(check: Check) -> dict[str, Any]:
    return {
        "system": check.system, "check": check.name or check.text, "projection": check.projection,
        "property": check.property, "verdict": str(check.verdict), "passed": check.passed, "max_k": check.max_k,
        "pairs": check.pairs, "time": check.time,
    }


def _found(checks: list[Check], key: str) -> list[Check]:
    """The checks that a key means: a name; else a whole text; else a text without `check`, or without `not` too."""
    wanted = " ".join(key.split())

    ways = (
        lambda check: check.name == key,
        lambda check: check.text == wanted,
        lambda check: _bare(check, False) == wanted,
        lambda check: _bare(check, True) == wanted,
    )
    for way in ways:
        found = [check for check in checks if way(check)]
        if found:
            return found
    return []


def _bare(check: Check, without_not: bool) -> str:
    text = check.text
    for word in ("check ", f"{check.name}: " if check.name else "", "not " if without_not else ""):
        if word and text.startswith(word):
            text = text[len(word):]
    return text
