"""Anonymity and opacity of discrete-event systems: the compiler and the engine of `.des`.

    import deslang as dl

    m = dl.load("ballot.des", N=4)          # or dl.parse(text), dl.System.build(...)
    r = m.check(timeout=30)                 # verdicts; undecided is one of them
    r["weak infinite-step"].verdict
    dl.sweep("ballot.des", N=range(2, 7)).to_pandas()

Every long call releases the interpreter lock and ends soon after Ctrl-C.
"""

from __future__ import annotations

from ._native import __version__, explain
from .batch import check_many
from .certificates import Certificate, Confirmed
from .changes import Change, Difference, Outcome, diff
from .convert import from_automata, from_desops, from_networkx, from_pandas
from .errors import CertificateError, DeslangError, Diagnostic, LimitReached, ModelError, QuestionError
from .magic import load_ipython_extension
from .models import Model, format, load, parse
from .repairs import Choice, Lever, Loss, RepairReport, Repairs
from .results import Check, Measure, Report, Run, Step, Story, Verdict, Witness
from .structures import Structure
from .sweeps import Point, Sweep, sweep
from .systems import Maximum, System

__all__ = [
    "CertificateError",
    "Certificate",
    "Change",
    "Check",
    "Choice",
    "Confirmed",
    "DeslangError",
    "Diagnostic",
    "Difference",
    "Lever",
    "LimitReached",
    "Loss",
    "Maximum",
    "Measure",
    "Model",
    "ModelError",
    "Outcome",
    "Point",
    "QuestionError",
    "RepairReport",
    "Repairs",
    "Report",
    "Run",
    "Step",
    "Story",
    "Structure",
    "Sweep",
    "System",
    "Verdict",
    "Witness",
    "__version__",
    "check_many",
    "diff",
    "explain",
    "format",
    "from_automata",
    "from_desops",
    "from_networkx",
    "from_pandas",
    "load",
    "load_ipython_extension",
    "parse",
    "sweep",
]
