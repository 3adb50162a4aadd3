"""Models from files, text and names; what is wrong with them."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

import deslang as dl
from conftest import EXPLODING, PAIR, QUESTIONING


def test_a_file_is_loaded_and_its_constants_are_set(tmp_path: Path) -> None:
    path = tmp_path / "pair.des"
    path.write_text(PAIR)
    assert dl.load(path).system.size == (2, 2, 3)
    assert dl.load(path, N=3).system.size == (4, 2, 9)
    assert dl.load(path).define(N=3).system.size == (4, 2, 9)


def test_imports_are_found_beside_the_file_and_travel_with_the_model(tmp_path: Path) -> None:
    (tmp_path / "part.des").write_text("component Part { states A, B; initial A; events t; A -t-> B; }\n")
    path = tmp_path / "whole.des"
    path.write_text('import "part.des";\nsystem Whole { compose p = Part; check 0-step; }\n')
    packed = pickle.dumps(dl.load(path))
    (tmp_path / "part.des").unlink()
    path.unlink()
    assert pickle.loads(packed).system.size[0] == 2


def test_a_system_is_built_from_names() -> None:
    model = dl.System.build(
        states=["waiting room"], initial=["waiting room"], transitions=[("waiting room", "push", "hall"), ("hall", "push", 3)],
        anonymous=["push"], secret=["hall"], unobservable=[], checks=["not strong current-state"],
    )
    system = model.system
    assert system.states == ["waiting room", "hall", "3"]
    assert (system.initial, system.secret, system.anonymous) == (["waiting room"], ["hall"], ["push"])
    assert system.transitions[0] == ("waiting room", "push", "hall")
    assert model.check().passed


def test_an_error_carries_diagnostics_and_prints_as_the_terminal_shows_it() -> None:
    with pytest.raises(dl.ModelError) as caught:
        dl.parse("system Door { states open; initial opne; }")
    (fault,) = [it for it in caught.value.diagnostics if it.severity == "error"]
    assert (fault.code, fault.line, fault.column) == ("E0201", 1, 36)
    assert fault.help is not None and "did you mean `open`?" in fault.help
    assert "did you mean `open`?" in str(caught.value)
    assert "# E0201" in dl.explain(fault.code) or "E0201" in dl.explain(fault.code)
    assert pickle.loads(pickle.dumps(caught.value)).diagnostics == caught.value.diagnostics


def test_a_wrong_question_says_what_is_meant(questioning: dl.Model) -> None:
    with pytest.raises(dl.QuestionError, match="unknown view `stong`; did you mean `strong`?"):
        questioning.system.max_k("stong")
    with pytest.raises(dl.QuestionError, match="never shows"):
        questioning.system.estimate("weak", ["?"])
    with pytest.raises(FileNotFoundError):
        dl.load("no such file.des")
    with pytest.raises(TypeError):
        dl.load(QUESTIONING, N=1.5)  # type: ignore[arg-type]


def test_undecided_is_a_verdict() -> None:
    report = dl.parse(EXPLODING).check(timeout=0.3)
    (check,) = report
    assert check.verdict is dl.Verdict.UNDECIDED and check.limit == "timeout"
    assert not report.passed and report.undecided


def test_a_product_that_is_too_large_is_decided_on_its_parts() -> None:
    text = """
        const N = 40;
        component U(i) { states in, out; initial in; events go[i]; in -go[i]-> out; }
        system Big { compose u[i] = U(i) for i in 1..N; anonymous events; check strong current-state about u[1]; }
    """
    model = dl.parse(text)
    (check,) = model.check()
    assert check.verdict == "violated" and [it.proved for it in model.certificate().verify()] == ["violated"]
    assert dl.check_many([text, model])[0][0].verdict == dl.check_many([model])[0][0].verdict == "violated"
    assert dl.sweep(model, N=[2, 40]).rows()[1]["verdict"] == "violated"
    assert "u[1]" in model._repr_html_()
    for asked in (lambda: model.system, lambda: model.systems, model.repair, lambda: model.check(method="literal")):
        with pytest.raises(dl.ModelError, match="too many states"):
            asked()
    small = model.define(N=3)
    assert small.system.size[0] == 8 and small.check()[0].verdict == "violated"
    large = dl.parse(text.replace("in, out", "in, mid, out").replace("in -go[i]-> out", "in -go[i]-> mid -go[i]-> out"), N=12)
    assert large._native.is_partial and large.system.size[0] == 3**12 and large.check()[0].verdict == "violated"


def test_the_interpreter_goes_on_while_a_check_runs() -> None:
    model = dl.parse(EXPLODING)
    thread = threading.Thread(target=lambda: model.check(timeout=1.0))
    thread.start()
    ticks = 0
    while thread.is_alive():
        ticks += 1
        time.sleep(0.01)
    assert ticks > 20


def test_ctrl_c_interrupts_a_check() -> None:
    model = dl.parse(EXPLODING)
    # WHY: a process that a shell starts in the background ignores the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        model.check(timeout=60)
    assert time.perf_counter() - started < 20


def test_no_other_package_is_needed() -> None:
    text = """
        import sys
        sys.modules.update(dict.fromkeys(
            ["automata", "DESops", "distributed", "igraph", "IPython", "matplotlib", "networkx", "numpy", "pandas", "pygments"]))
        import deslang as dl
        model = dl.parse("system S { states A, B; initial A, B; events t; anonymous t; A -t-> B; may hide t; check strong 0-step; }")
        report = model.check()
        assert len(report) == 1 and report._repr_html_() and model.system._repr_svg_() and model.repair().outcome
        assert model.certificate().verify() and dl.sweep(model).rows() and dl.diff(report, report).same
        try:
            report.to_pandas()
        except ImportError as error:
            assert "pandas" in str(error)
        else:
            raise AssertionError("pandas was there")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_text_is_formatted() -> None:
    assert dl.format("system   S{states A;initial A;}") == dl.format(dl.format("system S { states A; initial A; }"))
