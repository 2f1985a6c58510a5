"""The 150 MB Camry deck is read in 4 GiB, whole, and what is odd in it is listed by line."""

import re
import resource
import shutil

import pytest
from memory_held import compare
from solver_run import run

KILOBYTES = 4 << 20


@pytest.fixture(scope="module")
def camry(real_deck, tmp_path_factory):
    folder = tmp_path_factory.mktemp("camry")
    shutil.unpack_archive(real_deck("camry2012.tar.xz"), folder)
    return next(folder.rglob("main_frontal_bt.k"))


def test_check_reads_all_of_it(camry, tmp_path):
    done = run(camry, tmp_path, "--check")
    assert done.status == 0, done.said[-3000:]
    assert re.search(r"shells +953,680", done.stdout)
    assert re.search(r"nodes +984,252", done.stdout)
    said = [line for line in done.stdout.splitlines() if ": warning CR-" in line]
    assert all(re.match(r"\S+\.k:\d+", line) for line in said), said
    empty_parts = [line for line in said if "CR-E011" in line]
    assert len(empty_parts) == 28  # the engine's and others', which are not in the body
    assert any("1 of its 9555 nodes is not tied" in line for line in said)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < KILOBYTES


@pytest.mark.slow
def test_check_predicts_the_memory_of_two_ranks(camry, tmp_path):
    compare(camry, tmp_path, 2)
