"""The types that are promised are those that are there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]


def run(*command: str, folder: Path = PACKAGE) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr if done.returncode else ""


def test_mypy_has_nothing_to_say() -> None:
    pytest.importorskip("mypy")
    assert run("mypy", "--config-file", "pyproject.toml") == ""


def test_the_stub_matches_the_native_module(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    # In a folder of its own: beside the sources Python would find the package without its native module.
    config = str(PACKAGE / "pyproject.toml")
    command = ("mypy.stubtest", "deslang._native", "--ignore-missing-stub", "--mypy-config-file", config)
    assert run(*command, folder=tmp_path) == ""
