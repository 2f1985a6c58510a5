"""A job of several recorded windows: their cycles one after the other, between one beginning and one end."""

import pytest

from crumple.lab.published.patterns import contents, lines_of, makers_of, recordings_of
from crumple.lab.published.published_file import DECKS
from crumple.lab.traces.decomposition import FILE, read_decomposition

WINDOWS = recordings_of("three-vehicle")
STATES = [read_decomposition(window.trace.folder / FILE) for window in WINDOWS]


@pytest.mark.parametrize("model", DECKS)
def test_windows_are_in_the_crash_in_the_middle_of_thirds_of_the_job(model):
    windows = recordings_of(model)
    job = windows[0].trace.meta["job_cycles"]
    for k, window in enumerate(windows):
        if model != "car2car":  # its step falls
            assert abs(window.trace.cycles[0] / job - (k + 0.5) / len(windows)) < 0.01
        assert window.displacements is not None
        state = read_decomposition(window.trace.folder / FILE)
        assert sum(sum(share.within_reach) for share in state.shares) > 0
        assert sum(share.deformed for share in state.shares) > 0


@pytest.mark.parametrize("model", DECKS)
def test_no_window_writes(model):
    """A cycle that writes a state or a row has 15 collectives or more, one that sorts contacts 8."""
    kinds = [cycle.kind for window in recordings_of(model) for cycle in window.pattern]
    assert max(kind.count(",") + 1 for kind in kinds) <= 8


def test_costs_are_of_all_windows_at_the_speed_of_the_fastest():
    assert len({id(window.costs) for window in WINDOWS}) == 1
    assert len({window.trace.element_rate for window in WINDOWS}) == 1
    kinds = {cycle.kind for window in WINDOWS for cycle in window.pattern}
    assert kinds == {kind for kind, _ in WINDOWS[0].costs}


def test_lines_begin_and_end_once():
    both = list(lines_of(makers_of(WINDOWS, STATES, 4), 3))
    assert [line for line in both if line in ("3 init", "3 finalize")] == [both[0], both[-1]]
    alone = [list(lines_of(makers_of(WINDOWS[k : k + 1], STATES[k : k + 1], 4), 3)) for k in range(3)]
    sent = [line for of in alone for line in of if " isend " in line]
    assert sent and [line for line in both if " isend " in line] == sent
    work = sum(int(line.split()[2]) for of in alone for line in of if " compute " in line)
    assert sum(int(line.split()[2]) for line in both if " compute " in line) == work


def test_a_job_is_the_sum_of_its_windows():
    whole = contents(WINDOWS, STATES)
    parts = [contents([window], [state]) for window, state in zip(WINDOWS, STATES, strict=True)]
    assert whole.volume.compute.sum() == sum(part.volume.compute.sum() for part in parts)
    assert sum(whole.sizes.values()) == sum(sum(part.sizes.values()) for part in parts)


def test_contacts_of_later_windows_are_more():
    reach = [sum(sum(share.within_reach) for share in state.shares) for state in STATES]
    assert reach == sorted(reach)
