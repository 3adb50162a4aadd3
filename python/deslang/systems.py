"""One system: its sets, and questions about it."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from . import _native
from .structures import Structure

if TYPE_CHECKING:
    from .models import Model


class Maximum(float):
    """The largest K for which a property holds: `inf` for every K, -1 for none, `nan` if a limit was reached."""

    exposure: Optional[int]
    """The least K that violates the property."""
    holds_up_to: Optional[int]
    """Where a limit was reached: the K up to which it is known to hold."""
    saturation: Optional[int]
    """The depth at which nothing new appears."""
    bound: str
    """The paper's bound."""
    pairs: int
    time: float

    @staticmethod
    def _read(data: dict[str, Any]) -> Maximum:
        if data["infinite"]:
            most = math.inf
        else:
            most = math.nan if data["exposure"] is None else data["exposure"] - 1
        read = Maximum(most)
        for name in ("exposure", "holds_up_to", "saturation", "bound", "pairs", "time"):
            setattr(read, name, data[name])
        return read


class System:
    """One system of a model."""

    def __init__(self, model: Model, native: _native.System) -> None:
        self.model = model
        self._native = native
        self._parts: Optional[dict[str, Any]] = None

    @staticmethod
    def build(
        *,
        transitions: Iterable[tuple[str, str, str]],
        initial: Iterable[str],
        states: Iterable[str] = (),
        events: Iterable[str] = (),
        unobservable: Iterable[str] = (),
        anonymous: Iterable[str] = (),
        secret: Iterable[str] = (),
        checks: Iterable[str] = (),
        name: str = "System",
    ) -> Model:
        """A model of one system, from names. States and events of transitions need no declaration.

        Names are any text; numbers are taken as text. A check is written as in the language: `weak 2-step`.
        """
        from .models import parse

        return parse(written(name, transitions, initial, states, events, unobservable, anonymous, secret, checks))

    @property
    def name(self) -> str:
        return self._native.name

    @property
    def size(self) -> tuple[int, int, int]:
        """How many states, events and transitions there are."""
        return self._native.size()

    def _part(self, key: str) -> Any:
        if self._parts is None:
            self._parts = json.loads(self._native.parts())
        return self._parts[key]

    @property
    def states(self) -> list[str]:
        return list(self._part("states"))

    @property
    def initial(self) -> list[str]:
        return list(self._part("initial"))

    @property
    def events(self) -> list[str]:
        return list(self._part("events"))

    @property
    def observable(self) -> list[str]:
        return list(self._part("observable"))

    @property
    def unobservable(self) -> list[str]:
        seen = set(self._part("observable"))
        return [event for event in self._part("events") if event not in seen]

    @property
    def anonymous(self) -> list[str]:
        return list(self._part("anonymous"))

    @property
    def secret(self) -> Optional[list[str]]:
        """The secret states; none: the system declares none."""
        secret = self._part("secret")
        return None if secret is None else list(secret)

    @property
    def transitions(self) -> list[tuple[str, str, str]]:
        """Source, event, target."""
        return [(source, event, target) for source, event, target in self._part("transitions")]

    @property
    def observers(self) -> list[str]:
        """The names of the declared observers, beside the system's own."""
        return list(self._part("observers"))

    @property
    def docs(self) -> str:
        return "\n".join(self._part("docs"))

    def estimate(
        self,
        view: str,
        observation: Iterable[str],
        at: Optional[int] = None,
        *,
        against: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> set[str]:
        """The states that are possible after an observation; with `at`, those that were possible at that instant.

        `view` is `natural`, `strong` or `weak`; `at` counts symbols: `estimate("weak", ["?1", "?1"], at=1)`.
        """
        return self.estimates(view, observation, at, against=against, timeout=timeout, memory=memory)[-1]

    def estimates(
        self,
        view: str,
        observation: Iterable[str],
        at: Optional[int] = None,
        *,
        against: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> list[set[str]]:
        """The estimate before the first symbol and after each; with `at`, the delayed ones of that instant, from it on."""
        found = self._native.estimate(view, against, list(observation), at, timeout=timeout, memory=memory)
        return [set(states) for states in found]

    def project(self, view: str, string: Iterable[str], *, against: Optional[str] = None) -> list[str]:
        """What an intruder sees of a string of events."""
        return self._native.project(view, against, list(string))

    def max_k(
        self,
        view: str,
        property: str = "anonymity",
        *,
        against: Optional[str] = None,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
    ) -> Maximum:
        """The largest K for which K-step anonymity (or `opacity`) holds: `inf`, -1 for none, `nan` if a limit was reached.

        It is a float that also has the bound, the depth at which nothing new appears, and the cost of the search.
        """
        text = self._native.measure(
            view, against, property, timeout=timeout, memory=memory, max_pairs=max_pairs, threads=threads
        )
        return Maximum._read(json.loads(text))

    def graph(self, view: str = "strong", **rest: Any) -> Structure:
        """G: the system itself, as an intruder sees it."""
        return self.structure("system", view, **rest)

    def observer(self, view: str = "strong", **rest: Any) -> Structure:
        """Obs(G): the estimates."""
        return self.structure("observer", view, **rest)

    def augmented(self, **rest: Any) -> Structure:
        """Ĝ: the system with the order of first appearance of the anonymous events."""
        return self.structure("augmented", "weak", **rest)

    def adjoint(self, view: str = "strong", **rest: Any) -> Structure:
        """The table of adjoint state sets."""
        return self.structure("adjoint", view, **rest)

    def modified_observer(self, view: str = "strong", **rest: Any) -> Structure:
        """Obs_m(G), or Obs_w(Ĝ)."""
        return self.structure("modified-observer", view, **rest)

    def composition(self, view: str = "strong", **rest: Any) -> Structure:
        """Cc(G_m, Obs_m(G)), or its weak form."""
        return self.structure("composition", view, **rest)

    def structure(
        self,
        what: str,
        view: str = "strong",
        *,
        against: Optional[str] = None,
        property: str = "anonymity",
        max_pairs: int = 100_000,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> Structure:
        """One of the paper's constructions, by the word that `desc show` has for it."""
        picture = self._native.picture(
            what, view, against, property, max_pairs=max_pairs, timeout=timeout, memory=memory
        )
        return Structure(picture)

    def export(self, format: str, view: str = "natural", *, against: Optional[str] = None) -> str:
        """The system in another format (`fsm`, `json`, `des`, `hoa`, ...); what the format cannot say is a warning."""
        text, lost = self._native.export(format, view, against)
        for message in lost:
            warnings.warn(message, stacklevel=2)
        return text

    def to_networkx(self) -> Any:
        """A `networkx.MultiDiGraph` with the states as nodes; `from_networkx` reads it back."""
        from .convert import to_networkx

        return to_networkx(self)

    def to_pandas(self) -> Any:
        """The transitions as a table with the columns `source`, `event`, `target` (needs pandas)."""
        import pandas

        return pandas.DataFrame(self.transitions, columns=["source", "event", "target"])

    def to_automata(self) -> Any:
        """An NFA of automata-lib whose states all accept: its language is that of the system."""
        from .convert import to_automata

        return to_automata(self)

    def to_desops(self) -> Any:
        """An `NFA` of DESops; `from_desops` reads it back, without anonymous events."""
        from .convert import to_desops

        return to_desops(self)

    def __repr__(self) -> str:
        states, events, transitions = self.size
        return f"<System {self.name}: {states} states, {events} events, {transitions} transitions>"

    def _repr_svg_(self) -> Optional[str]:
        return self.graph()._repr_svg_()


def written(
    name: str,
    transitions: Iterable[tuple[str, str, str]],
    initial: Iterable[str],
    states: Iterable[str],
    events: Iterable[str],
    unobservable: Iterable[str],
    anonymous: Iterable[str],
    secret: Iterable[str],
    checks: Iterable[str],
) -> str:
    """The system as a `.des` file."""
    moves = [(_text(source), _text(event), _text(target)) for source, event, target in transitions]
    first = [_text(state) for state in initial]
    all_states = dict.fromkeys([*map(_text, states), *first])
    all_states.update(dict.fromkeys(end for source, _, target in moves for end in (source, target)))
    all_events = dict.fromkeys([*map(_text, events), *(event for _, event, _ in moves)])
    lines = [f"system {_native.quoted(name)} {{"]
    sets: list[tuple[str, Iterable[str]]] = [
        ("states", all_states), ("initial", first), ("events", all_events), ("unobservable", unobservable),
        ("anonymous", anonymous), ("secret", secret),
    ]
    for keyword, members in sets:
        names = [_native.quoted(_text(member)) for member in members]
        if names:
            lines.append(f"    {keyword} {', '.join(names)};")
    for source, event, target in moves:
        lines.append(f"    {_native.quoted(source)} -{_native.quoted(event)}-> {_native.quoted(target)};")
    lines.extend(f"    check {check.rstrip('; ')};" for check in checks)
    return "\n".join([*lines, "}", ""])


def _text(name: object) -> str:
    return name if isinstance(name, str) else str(name)
