"""Objects of other packages go in and come out."""

from __future__ import annotations

import sys
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import deslang as dl

ROOT = Path(__file__).resolve().parents[2]


def verdicts(model: dl.Model, checks: list[str]) -> list[str]:
    system = model.system
    again = dl.System.build(
        states=system.states, initial=system.initial, transitions=system.transitions, events=system.events,
        unobservable=system.unobservable, anonymous=system.anonymous, secret=system.secret or [], checks=checks,
    )
    return [str(check.verdict) for check in again.check()]


CHECKS = ["weak 0-step", "weak 1-step", "strong infinite-step", "natural current-state"]


def test_networkx_there_and_back(figure: dl.Model) -> None:
    networkx = pytest.importorskip("networkx")
    graph = figure.system.to_networkx()
    assert isinstance(graph, networkx.MultiDiGraph)
    back = dl.from_networkx(graph)
    assert set(back.system.transitions) == set(figure.system.transitions)
    assert verdicts(back, CHECKS) == verdicts(figure, CHECKS)
    plain = networkx.DiGraph()
    plain.add_edge("A", "B", event="t")
    assert dl.from_networkx(plain, initial=["A"], checks=["0-step"]).check()[0].verdict == "violated"
    with pytest.raises(dl.QuestionError, match="no state is initial"):
        dl.from_networkx(plain)
    assert figure.system.observer("strong").to_networkx().number_of_nodes() == len(figure.system.observer("strong"))


def test_pandas_there_and_back(figure: dl.Model) -> None:
    pytest.importorskip("pandas")
    table = figure.system.to_pandas()
    system = figure.system
    back = dl.from_pandas(
        table, initial=system.initial, anonymous=system.anonymous, unobservable=system.unobservable
    )
    assert verdicts(back, CHECKS) == verdicts(figure, CHECKS)
    assert set(figure.check().to_pandas()["verdict"]) <= {"holds", "violated"}
    with pytest.raises(dl.QuestionError, match="no column"):
        dl.from_pandas(table, event="label", initial=["0"])


def test_automata_lib_there_and_back(figure: dl.Model) -> None:
    pytest.importorskip("automata")
    nfa = figure.system.to_automata()
    one = figure.system.transitions[0]
    assert nfa.accepts_input([one[1]]) or one[0] not in figure.system.initial
    back = dl.from_automata(nfa)
    assert set(figure.system.transitions) <= set(back.system.transitions)


def igraph(vertices: list[dict[str, Any]], edges: list[tuple[int, int, dict[str, Any]]]) -> Any:
    """What DESops keeps: an igraph with attributes."""
    vs = [SimpleNamespace(index=at, attributes=lambda it=it: it) for at, it in enumerate(vertices)]
    es = [SimpleNamespace(source=a, target=b, attributes=lambda it=it: it) for a, b, it in edges]
    return SimpleNamespace(_graph=SimpleNamespace(vs=vs, es=es), Euo=[SimpleNamespace(label="u")])


def test_an_object_of_desops() -> None:
    graph = igraph(
        [{"name": "0", "init": True}, {"name": "1", "init": False, "secret": True}, {"name": "2", "init": False}],
        [(0, 1, {"label": SimpleNamespace(label="a")}), (0, 2, {"label": "u", "obs": False}), (2, 2, {"label": "a"})],
    )
    model = dl.from_desops(graph, checks=["current-state opacity"])
    assert model.system.unobservable == ["u"] and model.system.secret == ["1"]
    assert model.check()[0].verdict == "holds"


class Attributes(list[Any]):
    """A sequence of igraph: attributes are set for all at once."""

    def __setitem__(self, key: Any, values: Any) -> None:
        for item, value in zip(self, values):
            item.attributes()[key] = value


class Nfa:
    """As much of an automaton of DESops as is used."""

    def __init__(self) -> None:
        self.vs, self.es, self.events, self.Euo = Attributes(), Attributes(), set(), set()  # type: ignore[var-annotated]
        self._graph = self

    def add_vertices(self, number: int, names: list[str]) -> None:
        self.vs.extend(igraph([{"name": name} for name in names], [])._graph.vs)

    def add_edges(self, ends: list[tuple[int, int]], labels: list[Any], fill_out: bool) -> None:
        assert fill_out
        self.es.extend(igraph([], [(a, b, {"label": label}) for (a, b), label in zip(ends, labels)])._graph.es)


def test_desops_there_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    event = namedtuple("event", ["label"])
    monkeypatch.setitem(sys.modules, "DESops", SimpleNamespace(NFA=Nfa, Event=event))
    there = dl.System.build(
        transitions=[("A", "t", "B"), ("A", "u", "C"), ("C", "t", "A")], initial=["A", "C"], unobservable=["u"], secret=["B"],
    )
    automaton = there.system.to_desops()
    assert automaton.Euo == {event("u")} and automaton.events == {event("t"), event("u")}
    back = dl.from_desops(automaton)
    checks = ["current-state opacity", "infinite-step opacity"]
    assert back.system.initial == ["A", "C"] and back.system.secret == ["B"] and back.system.unobservable == ["u"]
    assert set(back.system.transitions) == set(there.system.transitions) and verdicts(back, checks) == verdicts(there, checks)
    with pytest.warns(UserWarning, match="anonymous events"):
        dl.System.build(transitions=[("A", "t", "A")], initial=["A"], anonymous=["t"]).system.to_desops()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_file_of_desops_and_every_format(tmp_path: Path) -> None:
    door = tmp_path / "door.fsm"
    door.write_text("2\n\nopen\t0\t1\npush\tshut\tc\to\n\nshut\t0\t1\nslam\topen\tc\tuo\n")
    model = dl.load(door, secret=["shut"], checks=["current-state opacity"])
    assert model.system.states == ["open", "shut"] and len(model.check()) == 1
    pair = dl.System.build(transitions=[("A", "t", "B"), ("B", "u", "A")], initial=["A"], anonymous=["t", "u"], checks=["0-step"])
    formats = ("fsm", "veip", "gen", "aut", "wmod", "supremica", "cif", "json")
    assert {*formats, "des"} == set(dl._native.formats()[0])
    for format in formats:
        with pytest.warns(UserWarning, match="cannot hold checks"):
            text = pair.system.export(format)
        back = dl.load(_file(tmp_path, format, text), format=format)
        assert back.system.size == pair.system.size
    assert dl.parse(pair.system.export("des")).check()[0].text == "check 0-step"


def _file(folder: Path, format: str, text: str) -> Path:
    path = folder / f"model.{'xml' if format == 'supremica' else format}"
    path.write_text(text)
    return path

