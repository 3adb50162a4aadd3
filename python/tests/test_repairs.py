"""The cheapest repair, as an object."""

from __future__ import annotations

import pytest

import deslang as dl

CLINIC = """
const COST = 3;
system Clinic {
    states Home, Ward, Lab, Done;
    initial Home;
    events walk, log, test;
    secret Lab;
    Home -walk-> Ward; Home -walk-> Lab;
    Ward -log-> Done; Lab -test-> Done;
    may hide log;
    may hide test;
    may anonymise log, test cost COST;
    check private: infinite-step opacity;
    check not current-state anonymity;
}
"""

TWO = CLINIC.replace("may anonymise log, test cost COST", "may disable test cost COST")


def test_the_cheapest_choice_is_found_and_the_changed_model_passes() -> None:
    model = dl.parse(CLINIC)
    assert model.check()["private"].verdict == "violated"
    report = model.repair()
    assert report.outcome == "repaired" and report.system.outcome == "repaired"
    best = report.system.choices[0]
    assert report.cost == best.cost == report.system.lower_bound
    assert report.system.goal == ["check private: infinite-step opacity"]
    assert report.system.left_out == ["check not current-state anonymity"]
    assert all(lever.line and lever.without and "is sure" in lever.without.story for lever in best.levers)
    assert report.model.check()["private"].verdict == best.checks[0].verdict == "holds"
    assert best.text == report.text and best.model.text == report.text != model.text
    assert report.diff().startswith("--- model.des\n+++ model.des\n") and report.diff() in str(report)


def test_every_minimal_choice_and_the_values_of_constants() -> None:
    def choices(cost: int) -> list[tuple[int, list[str]]]:
        report = dl.parse(TWO, COST=cost).repair(all=True)
        return [(choice.cost, [str(lever) for lever in choice.levers]) for choice in report.system.choices]

    assert choices(3) == [(1, ["hide test"]), (3, ["disable test"])]
    assert choices(7) == [(1, ["hide test"]), (7, ["disable test"])]


def test_nothing_impossible_and_undecided_are_outcomes() -> None:
    good = dl.parse("system S { states A, B; initial A, B; events t; A -t-> A; B -t-> B; check current-state; }")
    assert good.repair().outcome == "nothing" and good.repair().cost == 0 and good.repair().diff() == ""
    alone = dl.parse("system S { states A; initial A; events t; A -t-> A; may hide t; check current-state; }")
    report = alone.repair()
    assert report.outcome == "impossible" and report.cost is None and report.system.lower_bound is None
    assert report.system.survives and report.system.survives.check == "check current-state"
    assert dl.parse(CLINIC).repair(timeout=0).outcome == "undecided"


def test_levers_from_outside_and_wrong_questions() -> None:
    model = dl.parse(CLINIC)
    dear = model.repair(may=["disable log cost 50"]).cost
    assert dear == model.repair().cost
    with pytest.raises(dl.QuestionError, match="`may`, in system `Clinic`"):
        model.repair(may=["hide nobody"])
    with pytest.raises(dl.QuestionError, match="privat"):
        model.repair(checks=["privat"])
    with pytest.raises(dl.QuestionError, match="Clinc"):
        model.repair(system="Clinc")
