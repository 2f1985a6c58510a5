"""The 150 MB Camry deck is checked in 15 s."""

import resource
import shutil
import time

from solver_run import run

SECONDS = 15.0


def test_camry_is_checked_in_time(real_deck, tmp_path):
    shutil.unpack_archive(real_deck("camry2012.tar.xz"), tmp_path)
    deck = next(tmp_path.rglob("main_frontal_bt.k"))
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = run(deck, tmp_path / "out", "--check")
    elapsed, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    # On a machine that does other things, processor time is what an idle one would take at most.
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.status == 0, done.said[-3000:]
    assert min(elapsed, processor) < SECONDS
