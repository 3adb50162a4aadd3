"""Models from and to the objects of other packages. Each is imported only when it is used."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from .errors import QuestionError

if TYPE_CHECKING:
    from .models import Model
    from .systems import System


def from_networkx(graph: Any, *, event: str = "event", **rest: Any) -> Model:
    """A model of one system from a directed graph of networkx.

    The event of an edge is its attribute `event`. A node with a true attribute `initial` or `secret` is so; an edge whose
    attribute `observable` is false has an unobservable event, one whose `anonymous` is true an anonymous one. Keywords of
    `System.build` say more, or say it instead: `from_networkx(g, initial=["A"], checks=["weak 2-step"])`.
    """
    edges = list(graph.edges(data=True))
    missing = [(source, target) for source, target, data in edges if event not in data]
    if missing:
        raise QuestionError(f"the edge {missing[0]} has no attribute `{event}`", "name the attribute: `event=`")
    said: dict[str, Any] = {
        "states": list(graph.nodes),
        "initial": [node for node, data in graph.nodes(data=True) if data.get("initial")],
        "secret": [node for node, data in graph.nodes(data=True) if data.get("secret")],
        "unobservable": _distinct(data[event] for _, _, data in edges if not data.get("observable", True)),
        "anonymous": _distinct(data[event] for _, _, data in edges if data.get("anonymous")),
        "transitions": [(source, data[event], target) for source, target, data in edges],
        "name": graph.name or "System",
    }
    return _build(said, rest)


def to_networkx(system: System) -> Any:
    """The system as a `networkx.MultiDiGraph` that `from_networkx` reads back."""
    import networkx

    graph = networkx.MultiDiGraph(name=system.name)
    initial, secret = set(system.initial), set(system.secret or ())
    observable, anonymous = set(system.observable), set(system.anonymous)
    for state in system.states:
        graph.add_node(state, initial=state in initial, secret=state in secret)
    for source, event, target in system.transitions:
        graph.add_edge(source, target, event=event, observable=event in observable, anonymous=event in anonymous)
    return graph


def from_pandas(table: Any, *, source: str = "source", event: str = "event", target: str = "target", **rest: Any) -> Model:
    """A model of one system from a table of transitions. Keywords of `System.build` say the rest; `initial` is needed."""
    for column in (source, event, target):
        if column not in table.columns:
            raise QuestionError(f"the table has no column `{column}`", f"it has {', '.join(map(str, table.columns))}")
    moves = list(zip(table[source], table[event], table[target]))
    return _build({"transitions": moves}, rest)


def from_automata(automaton: Any, **rest: Any) -> Model:
    """A model of one system from a DFA or an NFA of automata-lib. The empty word becomes an unobservable event `eps`."""
    moves: list[tuple[Any, str, Any]] = []
    for source, row in automaton.transitions.items():
        for letter, targets in row.items():
            ends: Iterable[Any] = targets if isinstance(targets, (set, frozenset)) else [targets]
            moves.extend((source, letter or "eps", target) for target in sorted(ends, key=str))
    said: dict[str, Any] = {
        "states": sorted(automaton.states, key=str),
        "events": sorted(map(str, automaton.input_symbols)),
        "initial": [automaton.initial_state],
        "unobservable": ["eps"] if any(event == "eps" for _, event, _ in moves) else [],
        "transitions": moves,
    }
    return _build(said, rest)


def to_automata(system: System) -> Any:
    """The system as an NFA of automata-lib with one more initial state, where there are several."""
    from automata.fa.nfa import NFA

    table: dict[str, dict[str, set[str]]] = {state: {} for state in system.states}
    for source, event, target in system.transitions:
        table[source].setdefault(event, set()).add(target)
    initial = system.initial
    first = initial[0]
    if len(initial) > 1:
        first = next(name for name in _fresh("start") if name not in table)
        table[first] = {"": set(initial)}
    return NFA(
        states=set(table), input_symbols=set(system.events), transitions=table, initial_state=first,
        final_states=set(table),
    )


def from_desops(automaton: Any, **rest: Any) -> Model:
    """A model of one system from an automaton of DESops (an `igraph` with `init`, `obs`, `secret` and `label` attributes)."""
    graph = getattr(automaton, "_graph", automaton)
    names = [_own_name(vertex) for vertex in graph.vs]
    edges = [(names[edge.source], _label(edge), names[edge.target], edge) for edge in graph.es]
    silent = {_label_text(event) for event in getattr(automaton, "Euo", ()) or ()}
    silent |= {event for _, event, _, edge in edges if _attribute(edge, "obs") is False}
    said: dict[str, Any] = {
        "states": names,
        "initial": [name for name, vertex in zip(names, graph.vs) if _attribute(vertex, "init")],
        "secret": [name for name, vertex in zip(names, graph.vs) if _attribute(vertex, "secret")],
        "unobservable": [event for event in _distinct(event for _, event, _, _ in edges) if event in silent],
        "transitions": [(source, event, target) for source, event, target, _ in edges],
    }
    return _build(said, rest)


def to_desops(system: System) -> Any:
    """The system as an `NFA` of DESops that `from_desops` reads back, but for anonymous events: they are lost with a warning."""
    import DESops

    if system.anonymous:
        warnings.warn("DESops cannot hold anonymous events: they are observable events here", stacklevel=3)
    states, transitions = system.states, system.transitions
    number = {state: at for at, state in enumerate(states)}
    initial, secret, silent = set(system.initial), set(system.secret or ()), set(system.unobservable)
    event = {name: DESops.Event(name) for name in system.events}
    automaton = DESops.NFA()
    automaton.add_vertices(len(states), states)
    automaton.vs["init"] = [state in initial for state in states]
    automaton.vs["marked"] = [True] * len(states)
    if system.secret is not None:
        automaton.vs["secret"] = [state in secret for state in states]
    if transitions:
        ends = [(number[source], number[target]) for source, _, target in transitions]
        automaton.add_edges(ends, [event[name] for _, name, _ in transitions], fill_out=True)
        automaton.es["obs"] = [name not in silent for _, name, _ in transitions]
    automaton.events.update(event.values())
    # WHY in place: its unobservable reach keeps the set that it was given.
    automaton.Euo.update(event[name] for name in silent)
    return automaton


def _build(said: dict[str, Any], rest: dict[str, Any]) -> Model:
    from .systems import System

    unknown = set(rest) - {
        "states", "initial", "events", "unobservable", "anonymous", "secret", "checks", "name", "transitions"
    }
    if unknown:
        raise TypeError(f"`System.build` has no keyword {sorted(unknown)[0]!r}")
    said = {**said, **rest}
    if not said.get("initial"):
        raise QuestionError("no state is initial", "say it: `initial=[...]`")
    return System.build(**said)


def _distinct(names: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(names))


def _fresh(stem: str) -> Iterable[str]:
    return itertools.chain([stem], (f"{stem}{number}" for number in itertools.count(1)))


def _attribute(item: Any, key: str) -> Any:
    attributes = item.attributes() if hasattr(item, "attributes") else {}
    return attributes.get(key)


def _own_name(vertex: Any) -> str:
    name = _attribute(vertex, "name")
    return str(vertex.index) if name is None else _label_text(name)


def _label(edge: Any) -> str:
    return _label_text(_attribute(edge, "label"))


def _label_text(label: Any) -> str:
    inner: Optional[Any] = getattr(label, "label", None)
    return str(label if inner is None else inner)
