"""Starts the runs of the chosen problems; writes docs/verification.md where CRUMPLE_WRITE_DOCS=1."""

import os

import pytest

from verification.problems import PROBLEMS
from verification.report import PAGE, page
from verification.runs import Runs


@pytest.fixture(scope="session")
def runs(request, tmp_path_factory):
    """Results of the problems that this session's tests ask for."""
    wanted = {
        item.callspec.params["problem"].name
        for item in request.session.items
        if "problem" in getattr(getattr(item, "callspec", None), "params", {})
    }
    started = Runs([p for p in PROBLEMS if p.name in wanted], tmp_path_factory.mktemp("verification"))
    yield started
    if os.environ.get("CRUMPLE_WRITE_DOCS") == "1" and wanted == {p.name for p in PROBLEMS}:
        PAGE.write_text(page({p.name: started.figures(p, 1) for p in PROBLEMS}))
    started.close()
