"""The notebooks run, the magic works, colours are those of the compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

import deslang as dl
from conftest import PAIR, ROOT
from deslang import highlighting
from deslang.magic import des

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()


def test_the_magic_keeps_the_model_and_shows_it() -> None:
    namespace: dict[str, object] = {}
    model = des("pair N=2 timeout=5", PAIR, namespace)
    assert namespace["pair"] is model and model.system.size[0] == 3
    assert '<div class="desc-report"' in model._repr_html_()


def test_the_magic_shows_what_is_wrong_without_lines_of_this_package(capsys: pytest.CaptureFixture[str]) -> None:
    testing = pytest.importorskip("IPython.testing.globalipapp")
    shell = testing.start_ipython() or testing.get_ipython()
    shell.run_line_magic("load_ext", "deslang")
    shell.run_cell_magic("des", "door", "system Door { states open; initial opne; }")
    shown = capsys.readouterr().out
    assert "did you mean `open`?" in shown and "models.py" not in shown
    shell.run_cell_magic("des", "pair", PAIR)
    assert isinstance(shell.user_ns["pair"], dl.Model)


def test_colours_lose_no_character() -> None:
    pygments = pytest.importorskip("pygments")
    text = '/// Ä comment\nsystem S { states "a b", ö; check weak [?1]; }\n'
    assert "".join(piece for piece, _ in highlighting._pieces(text)) == text
    tokens = list(pygments.lex(text, highlighting.DesLexer()))
    assert "".join(value for _, value in tokens) == text
    assert '<span class="word">system</span>' in highlighting.to_html(text)
