"""Models: from a file, from text, from objects; decided, compared, repaired, proved."""

from __future__ import annotations

import builtins
import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _native
from .certificates import Certificate
from .errors import Diagnostic, ModelError, QuestionError
from .repairs import RepairReport
from .results import Report
from .systems import System

if TYPE_CHECKING:
    from .changes import Difference

_Names = Union[str, Iterable[str], None]

#: How long a notebook waits for the verdicts of a model that it displays, in seconds.
DISPLAY_TIMEOUT = 10.0


@dataclass(frozen=True)
class Source:
    """Everything that a model is read from. It can travel to another process."""

    name: str
    data: bytes
    defines: tuple[tuple[str, int], ...] = ()
    root: Optional[str] = None
    bundle: tuple[tuple[str, str, str, str, bytes], ...] = ()
    format: Optional[str] = None
    outside: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sizes: tuple[Optional[int], Optional[int]] = (None, None)

    def read(
        self, timeout: Optional[float] = None, memory: Optional[int] = None, whole: bool = False
    ) -> _native.Model:
        """Reads it. The product of a system that is too large is built only if the `whole` is wanted: checks are decided on its parts."""
        return _native.read(
            self.name, self.data, root=self.root, bundle=list(self.bundle), defines=list(self.defines),
            format=self.format, outside={key: list(names) for key, names in self.outside}, timeout=timeout,
            memory=memory, max_states=self.sizes[0], max_transitions=self.sizes[1], whole=whole,
        )

    def defining(self, values: Mapping[str, int]) -> Source:
        """The same with other values of constants."""
        return replace(self, defines=tuple({**dict(self.defines), **values}.items()))


class Model:
    """A model that was read, without errors. In a notebook it shows its drawing, verdicts and stories."""

    def __init__(self, source: Source, native: Optional[_native.Model] = None) -> None:
        self.source = source
        self._native = source.read() if native is None else native
        self._built: Optional[_native.Model] = None
        self._shown: Optional[Report] = None
        _refuse_faults(self._native)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Model, (self._travelling(),))

    def _travelling(self) -> Source:
        """The source with its imports, for a machine that has no such files."""
        return replace(self.source, root=None, bundle=tuple(self._native.imports()))

    def _whole(self) -> _native.Model:
        """The model with every product built: what is asked of a system itself needs it."""
        if not self._native.is_partial:
            return self._native
        if self._built is None:
            built = self._travelling().read(whole=True)
            _refuse_faults(built)
            self._built = built
        return self._built

    def _for(self, method: str) -> _native.Model:
        """What a method decides: only the engine can do without a product."""
        return self._native if method == "engine" else self._whole()

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.source.name

    @property
    def text(self) -> str:
        """Its text."""
        return self.source.data.decode("utf-8", "replace")

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Warnings."""
        return _diagnostics(self._native)

    @property
    def systems(self) -> dict[str, System]:
        """Its systems, by name. Where a product is too large to be built, that is a `ModelError`; `check` decides it on its parts."""
        return {name: System(self, self._whole().system(name)) for name in self._native.systems()}

    @property
    def system(self) -> System:
        """Its only system."""
        names = [*self._native.systems(), *(name for name, _ in self._native.unbuilt())]
        if len(names) == 1:
            return System(self, self._whole().system(names[0]))
        if not names:
            raise QuestionError("the model has no system")
        raise QuestionError("the model has more than one system", f"name one: `model.systems[{names[0]!r}]`")

    def check(
        self,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
        method: str = "engine",
        certificates: bool = False,
    ) -> Report:
        """Decides every check, without the interpreter lock; Ctrl-C interrupts it.

        Limits: `timeout` in seconds, `memory` in bytes, `max_pairs` in pairs of one search. A check that is not decided within
        them is undecided; that is a verdict and no exception. `threads=0` takes one for each core; `method="literal"` is the
        paper's construction.
        """
        return Report(
            self._for(method).verify(
                timeout=timeout, memory=memory, max_pairs=max_pairs, threads=threads, method=method,
                certificates=certificates,
            )
        )

    def certificate(
        self, *, timeout: Optional[float] = None, memory: Optional[int] = None, threads: int = 0
    ) -> Certificate:
        """Decides every check, and gives the proofs: `model.certificate().verify()` checks them with separate code."""
        report = self._native.verify(timeout=timeout, memory=memory, threads=threads, certificates=True)
        return Certificate(self, report.certificate())

    def repair(
        self,
        *,
        system: Optional[str] = None,
        checks: Iterable[str] = (),
        may: Iterable[str] = (),
        all: bool = False,
        most: int = 1,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
    ) -> RepairReport:
        """The cheapest changes under which every check passes, among those that the model allows by `may`.

        `may=["hide log cost 3"]` allows more; `checks` narrows the goal to these names; `all=True` gives every minimal choice,
        `most=3` the three cheapest. What is found is proved on the changed text: `model.repair().model.check().passed`.
        """
        found = self._whole().repair(
            system=system, checks=list(checks), may=list(may), most=sys.maxsize if all else most, timeout=timeout,
            memory=memory, max_pairs=max_pairs, threads=threads,
        )
        return RepairReport(self, *found)

    def _rewritten(self, text: str) -> Model:
        """The same model with another text."""
        return Model(replace(self._travelling(), data=text.encode()))

    def diff(self, other: Model, **limits: Any) -> Difference:
        """What another version of the model changes: `deslang.diff(self, other)`."""
        from .changes import diff

        return diff(self, other, **limits)

    def define(self, **values: int) -> Model:
        """The same model with other values of its constants."""
        return Model(self._travelling().defining(values))

    def to_des(self) -> str:
        """Its text as a `.des` file; a model of another tool is written out, one system after the other."""
        if self.source.format in (None, "des") and not _is_foreign(self.source.name):
            return self.text
        return "\n".join(system.export("des") for system in self.systems.values())

    def __repr__(self) -> str:
        names = ", ".join(self._native.systems()) or "no system"
        values = "".join(f", {name}={value}" for name, value in self.source.defines)
        return f"<Model {self.name}{values}: {names}>"

    def _repr_html_(self) -> str:
        if self._shown is None:
            self._shown = self.check(timeout=DISPLAY_TIMEOUT)
        return self._shown._repr_html_()


def load(
    path: Union[str, os.PathLike[str]],
    *,
    format: Optional[str] = None,
    import_root: Union[str, os.PathLike[str], None] = None,
    initial: _Names = None,
    secret: _Names = None,
    observable: _Names = None,
    unobservable: _Names = None,
    anonymous: _Names = None,
    checks: _Names = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_states: Optional[int] = None,
    max_transitions: Optional[int] = None,
    **constants: int,
) -> Model:
    """Reads a model from a file: `.des`, or any format that `desc import` reads. Keywords set constants: `load("x.des", N=4)`.

    What the file of another tool does not say is said by `initial`, `secret`, `observable`, `unobservable`, `anonymous` and
    `checks`. A model with errors raises `ModelError`.
    """
    said = _said(initial, secret, observable, unobservable, anonymous, checks)
    source = source_of(path, format, import_root, said, constants, (max_states, max_transitions))
    return Model(source, source.read(timeout, memory))


def source_of(
    path: Union[str, os.PathLike[str]],
    format: Optional[str] = None,
    import_root: Union[str, os.PathLike[str], None] = None,
    said: tuple[tuple[str, tuple[str, ...]], ...] = (),
    constants: Optional[Mapping[str, int]] = None,
    sizes: tuple[Optional[int], Optional[int]] = (None, None),
) -> Source:
    """The source of a file."""
    name = os.fspath(path)
    root = os.fspath(import_root) if import_root is not None else str(Path(name).parent)
    data = Path(name).read_bytes()
    return Source(name, data, _defines(constants or {}), root, (), format, said, sizes)


def parse(
    text: str,
    *,
    name: str = "model.des",
    format: Optional[str] = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    **constants: int,
) -> Model:
    """Reads a model from text. Keywords set constants. A model with errors raises `ModelError`."""
    source = Source(name, text.encode(), _defines(constants), format=format)
    return Model(source, source.read(timeout, memory))


def format(text: str) -> str:
    """The text of a model, formatted."""
    return _native.format_text("model.des", text)


def _refuse_faults(native: _native.Model) -> None:
    if native.is_faulty:
        raise ModelError(native.explained(), tuple(_diagnostics(native)))


def _diagnostics(native: _native.Model) -> builtins.list[Diagnostic]:
    return [Diagnostic._read(data) for data in json.loads(native.diagnostics())]


def _is_foreign(name: str) -> bool:
    read, _ = _native.formats()
    return name.rpartition(".")[2].lower() in {*read, "xml"} - {"des"}


def _defines(constants: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    for name, value in constants.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"the constant {name} is an integer, not {value!r}")
    return tuple(constants.items())


def _said(
    initial: _Names, secret: _Names, observable: _Names, unobservable: _Names, anonymous: _Names, checks: _Names
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    said: dict[str, _Names] = {
        "initial": initial, "secret": secret, "observable": observable, "unobservable": unobservable,
        "anonymous": anonymous, "checks": checks,
    }
    named: builtins.list[tuple[str, tuple[str, ...]]] = []
    for key, names in said.items():
        if names is not None:
            named.append((key, (names,) if isinstance(names, str) else tuple(map(str, names))))
    return tuple(named)
