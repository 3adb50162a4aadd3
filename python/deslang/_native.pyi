from os import PathLike
from typing import Any, Optional, Union, final

__version__: str

_Import = tuple[str, str, str, str, bytes]

@final
class Model:
    @property
    def is_faulty(self) -> bool: ...
    @property
    def stopped(self) -> Optional[str]: ...
    @property
    def is_partial(self) -> bool: ...
    def diagnostics(self) -> str: ...
    def explained(self) -> str: ...
    def systems(self) -> list[str]: ...
    def unbuilt(self) -> list[tuple[str, str]]: ...
    def system(self, name: str) -> System: ...
    def imports(self) -> list[_Import]: ...
    def verify(
        self,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
        method: str = "engine",
        certificates: bool = False,
    ) -> Report: ...
    def repair(
        self,
        *,
        system: Optional[str] = None,
        checks: Optional[list[str]] = None,
        may: Optional[list[str]] = None,
        most: int = 1,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
    ) -> tuple[str, str, Optional[str]]: ...
    def confirm(
        self, certificate: str, *, timeout: Optional[float] = None, memory: Optional[int] = None
    ) -> list[tuple[str, str, Optional[str]]]: ...

@final
class System:
    @property
    def name(self) -> str: ...
    def parts(self) -> str: ...
    def size(self) -> tuple[int, int, int]: ...
    def export(
        self, format: str, projection: str = "natural", observer: Optional[str] = None
    ) -> tuple[str, list[str]]: ...
    def estimate(
        self,
        projection: str,
        observer: Optional[str],
        observation: list[str],
        at: Optional[int] = None,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> list[list[str]]: ...
    def project(self, projection: str, observer: Optional[str], string: list[str]) -> list[str]: ...
    def measure(
        self,
        projection: str,
        observer: Optional[str],
        property: str,
        *,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
        max_pairs: Optional[int] = None,
        threads: int = 0,
    ) -> str: ...
    def picture(
        self,
        what: str,
        projection: str,
        observer: Optional[str] = None,
        property: str = "anonymity",
        *,
        max_pairs: int = 100000,
        timeout: Optional[float] = None,
        memory: Optional[int] = None,
    ) -> Picture: ...

@final
class Report:
    def json(self) -> str: ...
    def text(self) -> str: ...
    def html(self) -> str: ...
    def fragment(self, name: str) -> str: ...
    def times(self) -> list[list[Optional[float]]]: ...
    def story(self, system: int, check: int) -> Optional[str]: ...
    def certificate(self) -> str: ...

@final
class Picture:
    def json(self) -> str: ...
    def text(self) -> str: ...
    def svg(self, prefix: str = "", *, legend: bool = True) -> str: ...
    def tikz(self, width: Optional[str] = None) -> str: ...
    def dot(self) -> str: ...

def read(
    name: str,
    data: bytes,
    *,
    root: Optional[Union[str, PathLike[str]]] = None,
    bundle: Optional[list[_Import]] = None,
    defines: Optional[list[tuple[str, int]]] = None,
    format: Optional[str] = None,
    outside: Optional[dict[str, list[str]]] = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_states: Optional[int] = None,
    max_transitions: Optional[int] = None,
    whole: bool = False,
) -> Model: ...
def check_many(
    items: list[Any],
    *,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    max_pairs: Optional[int] = None,
    threads: int = 0,
    method: str = "engine",
) -> list[Report]: ...
def difference(old: str, new: str) -> tuple[str, str]: ...
def explain(code: str) -> str: ...
def format_text(name: str, text: str) -> str: ...
def formats() -> tuple[list[str], list[str]]: ...
def quoted(name: str) -> str: ...
def style() -> str: ...
def tokens(text: str) -> list[tuple[int, int, str]]: ...
