"""What the paper says of its examples, through this package."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import pytest

import deslang as dl
from conftest import PAIR


BALLOT = """
const N = 2;
system Ballot {
    states start, cast[1..N], counted; initial start, cast[1..N];
    events vote[1..N], count; anonymous vote[1..N];
    for i in 1..N { start -vote[i]-> cast[i] -vote[i]-> cast[i] -count-> counted; }
    check weak infinite-step;
    check secret-ballot: strong current-state among N;
    may hide count;
}
"""


def test_the_lines_that_a_stranger_tries_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ballot.des").write_text(BALLOT.replace("secret-ballot", "secret_ballot"))
    m = dl.load("ballot.des", N=4)
    r = m.check()
    assert r["weak infinite-step"].verdict == "violated"
    story, witness = r.violations[0].story, r.violations[0].witness
    assert story is not None and str(story) and witness is not None and str(witness.run).endswith("counted")
    assert m.system.estimate("weak", ["?1", "?1"]) == {f"cast[{i}]" for i in range(1, 5)}
    most = m.system.max_k("strong")
    assert isinstance(most, float) and most == -1
    assert m.system.observer("strong").to_networkx().number_of_nodes() > 1
    table = dl.sweep("ballot.des", N=range(2, 7)).to_pandas()
    assert list(table["N"]) == [n for n in range(2, 7) for _ in range(2)] and table["max_k"].dtype == float
    old, new = m, m.define(N=5)
    assert dl.diff(old, new).changes is not None
    assert m.repair().outcome in ("repaired", "impossible")
    assert all(it.proved for it in m.certificate().verify())
    assert "stepThrough" in m._repr_html_() and "<svg" in m._repr_html_()


def test_systems_and_constructions_show_themselves(figure: dl.Model) -> None:
    for shown in (figure.system, figure.system.observer("strong"), figure.system.composition("weak")):
        svg = shown._repr_svg_()
        assert svg is not None and svg.startswith("<svg")
    assert "desc-graph" in figure.check()._repr_html_()


def test_checks_are_found_by_text_name_or_number(questioning: dl.Model) -> None:
    report = questioning.check()
    assert report["weak infinite-step"].verdict == "holds"
    assert report["check  weak  infinite-step"].text == report["weak infinite-step"].text
    assert report[0].text == report.checks[0].text
    assert dl.parse(PAIR).check()["weak"].negated
    with pytest.raises(KeyError, match="no check is `weak 9-step`"):
        report["weak 9-step"]


def test_a_violation_has_a_witness_and_a_story(figure: dl.Model) -> None:
    violation = figure.check().violations[0]
    assert violation.witness is not None and violation.story is not None
    run = violation.witness.run
    assert len(run.states) == len(run.events) + 1
    assert set(zip(run.states, run.events, run.states[1:])) <= set(figure.system.transitions)
    assert violation.story.steps[0].sees is None
    assert [step.sees for step in violation.story.steps[1:]] == list(violation.witness.observation)
    assert violation.text in str(violation.story)


def test_estimates_and_projections_are_those_of_the_definition(figure: dl.Model) -> None:
    system = figure.system
    assert system.project("weak", ["b", "b"]) == ["?1", "?1"]
    assert system.estimate("weak", []) == set(system.initial)
    seen = system.estimates("weak", ["?1", "?1"])
    assert len(seen) == 3 and seen[-1] == system.estimate("weak", ["?1", "?1"])
    assert system.estimate("weak", ["?1", "?1"], at=0) <= seen[0]


def test_the_maximal_k_is_a_number(questioning: dl.Model) -> None:
    assert questioning.system.max_k("strong") == math.inf
    assert questioning.system.max_k("natural") == -1
    maximum = questioning.system.max_k("strong")
    assert maximum.bound and maximum.exposure is None and maximum.pairs > 0


def test_the_constructions_of_the_paper_can_be_walked(questioning: dl.Model) -> None:
    observer = questioning.system.observer("strong")
    assert len(observer) > 1 and "<svg" in observer.to_svg()
    assert "tikzpicture" in observer.to_tikz() and "digraph" in observer.to_dot()
    assert str(questioning.system.adjoint()) and questioning.system.adjoint()._repr_svg_() is None
    with pytest.raises(dl.QuestionError):
        questioning.system.structure("augmented", "strong")


def test_certificates_are_verified_and_refused(questioning: dl.Model) -> None:
    certificate = questioning.certificate()
    assert {it.proved for it in certificate.verify()} <= {"holds", "violated"}
    with pytest.raises(dl.CertificateError):
        dl.Certificate(dl.parse(PAIR), certificate.text).verify()


def test_a_difference_names_what_changed() -> None:
    text = "system S { states A, B; initial A, B; events t, u; A -t-> A; B -t-> B; check now: current-state; check 1-step; }"
    old, new = dl.parse(text), dl.parse(text.replace("B -t-> B", "B -u-> B").replace("check 1-step;", "check 2-step;"))
    assert not dl.diff(old, old.check()).changes
    changed = dl.diff(old, new)
    assert [(change.check, change.kind) for change in changed] == [
        ("check now: current-state", "worse"), ("check 2-step", "new"), ("check 1-step", "gone"),
    ]
    [worse] = changed.worse
    assert worse.old and worse.new and (worse.old.verdict, worse.new.verdict) == ("holds", "violated")
    assert (worse.old.max_k, worse.new.max_k) != (worse.new.max_k, worse.old.max_k)
    assert not changed.better and not changed.same and dl.diff(old, old).same
    assert "1 worse, 1 new, 1 gone" in str(changed) and len(changed.to_pandas()) == 3


def test_a_report_travels(figure: dl.Model) -> None:
    report = figure.check()
    copy = pickle.loads(pickle.dumps(report))
    assert copy.to_dict() == report.to_dict() and copy.text == report.text
    assert str(copy.violations[0].story) == str(report.violations[0].story)
    assert "stepThrough" in copy._repr_html_()


def test_ten_reports_share_no_id(figure: dl.Model) -> None:
    pages = [figure._repr_html_() for _ in range(10)]
    ids = [part.split('"')[0] for page in pages for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids)) > 50


def test_many_models_are_decided_together() -> None:
    texts = [PAIR.replace("const N = 1", f"const N = {n % 5 + 1}") for n in range(60)]
    reports = dl.check_many([*texts, dl.parse(PAIR)])
    assert [report.to_dict()["systems"][0]["states"] for report in reports[:5]] == [2, 3, 4, 5, 6]
    alone = [dl.parse(text).check() for text in texts[:5]]
    assert [[str(it.verdict) for it in report] for report in reports[:5]] == [[str(it.verdict) for it in r] for r in alone]
    with pytest.raises(dl.ModelError):
        dl.check_many([PAIR, "system"])
    assert dl.check_many([PAIR, "system"], strict=False)[1].errors
