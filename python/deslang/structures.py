"""Drawings of systems and of the paper's constructions."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING, Any, Optional

from .errors import LimitReached, QuestionError

if TYPE_CHECKING:
    from . import _native

_names = itertools.count(1)


class Structure:
    """A system, or one of the paper's constructions: a graph, or the table of adjoint sets. A notebook draws it."""

    def __init__(self, native: _native.Picture) -> None:
        self._native = native
        self._data: dict[str, Any] = json.loads(native.json())

    @property
    def title(self) -> str:
        return str(self._data.get("title", ""))

    def to_dict(self) -> dict[str, Any]:
        """Nodes and edges, or the rows of the table, as in `desc show --format json`."""
        return self._data

    def to_networkx(self) -> Any:
        """A `networkx.MultiDiGraph`: its nodes are the labels, with `states`, `initial`, `secret`; each edge has an `event`."""
        import networkx

        graph = networkx.MultiDiGraph(title=self.title)
        nodes = self._nodes()
        labels = [node["label"] for node in nodes]
        for node in nodes:
            graph.add_node(
                node["label"], states=tuple(node["state_names"]), initial=node["initial"], secret=node["secret"],
                exposed=node["empty"],
            )
        for edge in self._data["edges"]:
            for label in edge["labels"]:
                graph.add_edge(labels[edge["source"]], labels[edge["target"]], event=label["text"], kind=label["kind"])
        return graph

    def _nodes(self) -> list[dict[str, Any]]:
        if "nodes" not in self._data:
            raise QuestionError("the adjoint sets are a table, not a graph", "use `to_dict()`")
        nodes: list[dict[str, Any]] = self._data["nodes"]
        return nodes

    def to_svg(self, *, legend: bool = True) -> str:
        return self._native.svg(f"d{next(_names)}-", legend=legend)

    def to_tikz(self, width: Optional[str] = None) -> str:
        """TikZ that compiles alone or inside an article; `width` is a length of LaTeX."""
        return self._native.tikz(width)

    def to_dot(self) -> str:
        """A graph for Graphviz."""
        return self._native.dot()

    def __len__(self) -> int:
        return len(self._data.get("nodes", self._data.get("rows", [])))

    def __str__(self) -> str:
        return self._native.text()

    def __repr__(self) -> str:
        return f"<Structure: {self.title or 'adjoint sets'}>"

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.to_svg()
        except (LimitReached, QuestionError):
            return None
