"""The 150 MB Camry deck is read in 15 s and 4 GiB, and everything it needs that is not there is listed."""

import os
import re
import resource
import tarfile
import time

import pytest
from solver_run import run

SECONDS, KILOBYTES = 15.0, 4 << 20


@pytest.fixture(scope="module")
def camry(real_deck, tmp_path_factory):
    folder = tmp_path_factory.mktemp("camry")
    with tarfile.open(real_deck("camry2012.tar.xz")) as archive:
        archive.extractall(folder, filter="data")
    return next(folder.rglob("main_frontal_bt.k"))


def test_check_lists_everything_missing(camry, tmp_path):
    load = os.getloadavg()[0]
    start = time.monotonic()
    done = run(camry, tmp_path, "--check")
    seconds = time.monotonic() - start
    assert done.status == 2, done.said[-3000:]
    assert re.search(r"shells +953,680", done.stdout)
    assert re.search(r"nodes +984,252", done.stdout)
    problems = [line for line in done.stdout.splitlines() if ": error CR-" in line]
    for physics in ("*CONSTRAINED_SPOTWELD", "*CONTACT_TIED", "DT2MS", "ELFORM"):
        assert any(physics in line for line in problems), physics
    assert all(re.match(r"\S+\.k:\d+", line) for line in problems), problems
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < KILOBYTES
    if load < 2 * (os.cpu_count() or 1):  # on a machine that does other things, time says nothing
        assert seconds < SECONDS
