"""What can go wrong. Undecided is not among it: it is a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional


@dataclass(frozen=True)
class Diagnostic:
    """One fault of a model, or one warning."""

    code: str
    """Which fault this is: `E0201`; `deslang.explain(code)` has a page on it."""
    severity: str
    """`error` or `warning`."""
    message: str
    file: str
    start: int
    """The first byte of its place."""
    end: int
    line: int
    column: int
    help: Optional[str]
    """The next act."""

    @staticmethod
    def _read(data: dict[str, Any]) -> Diagnostic:
        span = data["span"]
        return Diagnostic(
            data["code"], data["severity"], data["message"], data["file"],
            span["start"], span["end"], span["line"], span["column"], data["help"],
        )

    def __str__(self) -> str:
        help = f" (help: {self.help})" if self.help else ""
        return f"{self.file}:{self.line}:{self.column}: {self.severity}[{self.code}]: {self.message}{help}"


class DeslangError(Exception):
    """The base of all errors of this package."""


class ModelError(DeslangError):
    """A model with errors. It prints as the terminal shows them."""

    def __init__(self, explained: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(explained, diagnostics)
        self.explained = explained
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n" + self.explained


class QuestionError(DeslangError, ValueError):
    """A question that cannot be asked of this model: an unknown name, say."""

    def __init__(self, message: str, help: Optional[str] = None) -> None:
        super().__init__(message, help)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return f"{self.message}; {self.help}" if self.help else self.message


class LimitReached(QuestionError):
    """Something that has no verdict (a drawing, an estimate) was not computed within its limits."""


class CertificateError(QuestionError):
    """A certificate that is refused."""
