"""Proofs, and their verification by code that shares nothing with the search."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Optional, Union

if TYPE_CHECKING:
    from .models import Model


@dataclass(frozen=True)
class Confirmed:
    """What a certificate says about one check."""

    system: str
    check: str
    proved: Optional[str]
    """`holds` or `violated`; none: there is no proof, or it needs none (an estimate, a projection)."""


class Certificate:
    """The proofs of a model's verdicts, as `desc check --certificate` writes them."""

    def __init__(self, model: Model, text: str) -> None:
        self.model = model
        self.text = text

    @staticmethod
    def load(model: Model, path: Union[str, os.PathLike[str]]) -> Certificate:
        """Reads a certificate of a model."""
        return Certificate(model, Path(path).read_text(encoding="utf-8"))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        Path(path).write_text(self.text, encoding="utf-8")

    def verify(self, *, timeout: Optional[float] = None, memory: Optional[int] = None) -> list[Confirmed]:
        """Checks every proof. A proof that is wrong raises `CertificateError`."""
        confirmed = self.model._native.confirm(self.text, timeout=timeout, memory=memory)
        return [Confirmed(system, check, proved) for system, check, proved in confirmed]

    def __repr__(self) -> str:
        return f"<Certificate of {self.model.name}: {len(self.text)} characters>"
