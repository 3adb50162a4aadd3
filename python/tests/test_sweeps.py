"""Sweeps, here and on workers."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Iterator

import pytest

import deslang as dl
import deslang.sweeps as sweeps
from conftest import EXPLODING, PAIR, ROOT


def test_a_sweep_is_a_table(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    path = tmp_path / "pair.des"
    path.write_text(PAIR)
    table = dl.sweep(path, N=range(1, 4)).to_pandas()
    assert list(table["N"]) == [1, 1, 2, 2, 3, 3] and list(table["states"]) == [2, 2, 3, 3, 4, 4]
    assert table["max_k"].dtype == float and (table["time"] >= 0).all()


def test_one_value_that_explodes_is_undecided_and_the_others_go_on() -> None:
    points = dl.sweep(dl.parse(EXPLODING), N=[4, 28, 6], timeout=1.0).points
    assert [str(point.report[0].verdict) for point in points if point.report][1] == "undecided"
    assert [point.rows()[0]["verdict"] for point in points].count("undecided") == 1


def test_a_value_for_which_the_model_has_errors_is_said() -> None:
    (point,) = dl.sweep(dl.parse(PAIR), M=2).points
    assert point.error is not None and point.rows()[0]["verdict"] == "error"


def test_any_executor_will_do() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        spread = dl.sweep(dl.parse(PAIR), executor=pool, N=range(1, 5))
        assert [point.values["N"] for point in spread] == [1, 2, 3, 4]
    here = dl.sweep(dl.parse(PAIR), N=range(1, 5))
    same = [{k: v for k, v in row.items() if k != "time"} for row in spread.rows()]
    assert repr(same) == repr([{k: v for k, v in row.items() if k != "time"} for row in here.rows()])


def test_several_models_are_one_table(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.des", "two.des")]
    for path in paths:
        path.write_text(PAIR)
    rows = dl.sweep(paths, N=[1, 2]).rows()
    assert [(Path(row["model"]).name, row["N"]) for row in rows[::2]] == [("one.des", 1), ("one.des", 2), ("two.des", 1), ("two.des", 2)]
    alone = dl.sweep([dl.parse(PAIR, name="three.des")]).rows()
    assert alone[0]["model"] == "three.des" and "model" not in dl.sweep(dl.parse(PAIR)).rows()[0]


DECIDE = sweeps.decide


def deadly(question: sweeps.Question) -> dl.Point:
    """One value costs its worker its life."""
    if question.values["N"] == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return DECIDE(question)


def deadly_once(question: sweeps.Question) -> dl.Point:
    """One value costs its worker its life, the first time."""
    mark = Path(os.environ["DESLANG_MARK"])
    if question.values["N"] == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return DECIDE(question)


def verdicts_in_a_pool(executor: Any) -> list[str]:
    points = dl.sweep(dl.parse(PAIR), executor=executor, N=range(1, 7)).points
    assert [point.values["N"] for point in points] == list(range(1, 7))
    return [point.rows()[0]["verdict"] for point in points]


def test_a_point_that_costs_two_workers_their_lives_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = [point.rows()[0]["verdict"] for point in dl.sweep(dl.parse(PAIR), N=range(1, 7))]
    monkeypatch.setattr(sweeps, "decide", deadly)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert verdicts_in_a_pool(pool) == [*usual[:2], "undecided", *usual[3:]]
    assert "undecided" not in usual


def test_a_point_that_costs_one_worker_its_life_runs_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sweeps, "decide", deadly_once)
    monkeypatch.setenv("DESLANG_MARK", str(tmp_path / "mark"))
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert "undecided" not in verdicts_in_a_pool(pool)
    assert (tmp_path / "mark").exists()


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A real scheduler and two worker processes on loopback."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster, distributed.Client(cluster) as client:
        yield client


def test_dask_streams_points_back_in_order(client: Any) -> None:
    spread = dl.sweep(ROOT / "examples" / "protocols" / "voting.des", executor=client, timeout=20)
    assert len(spread.points) == 1 and spread.points[0].report is not None
    many = dl.sweep(dl.parse(PAIR), executor=client, N=range(1, 9))
    assert [point.values["N"] for point in many] == list(range(1, 9))
    assert all(point.report is not None and len(point.report) == 2 for point in many)


def test_a_worker_that_is_killed_loses_nothing(client: Any) -> None:
    workers = client.run(os.getpid)
    spread = dl.sweep(dl.parse(EXPLODING), executor=client, N=[28] * 6, timeout=0.7)
    time.sleep(0.3)
    os.kill(next(iter(workers.values())), signal.SIGKILL)
    points = spread.points
    assert len(points) == 6 and all(point.rows()[0]["verdict"] == "undecided" for point in points)


def test_a_point_that_costs_workers_of_dask_their_lives_is_undecided(monkeypatch: pytest.MonkeyPatch, client: Any) -> None:
    monkeypatch.setattr(sweeps, "decide", deadly)
    assert verdicts_in_a_pool(client)[2] == "undecided"


def test_ctrl_c_cancels_what_has_not_begun(client: Any) -> None:
    spread = dl.sweep(dl.parse(EXPLODING), executor=client, N=[28] * 40, timeout=1.0)
    threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT)).start()
    started = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        spread.points
    assert time.perf_counter() - started < 15


def test_the_maximal_k_of_every_k_is_infinite(questioning: dl.Model) -> None:
    assert math.inf in [row["max_k"] for row in dl.sweep(questioning).rows()]
