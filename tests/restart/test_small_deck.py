"""A small restart deck changes a run: end, intervals, curves, deleted parts and contacts, velocities."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from small_decks import tied_stack, torn_plate
from solver_run import Run, run

from crumple.results.forces import read_rcforc
from crumple.results.glstat import read_glstat
from crumple.results.matsum import read_matsum

CYCLE = 45  #: of the dump
END = 0.06
PLATE_2 = range(226, 326)  #: nodes
POINTS = "0.,0.\n0.02,1.\n0.045,1.\n0.06,1.\n"
CHANGED = "0.,0.\n0.02,1.\n0.045,1.\n0.06,3.\n"  #: differs after the dump only

Restart = Callable[..., Run]


def deck(end_time: float = END, curve: str = POINTS, more: str = "") -> str:
    """The torn plate; an edge of the second plate is pulled by curve 5."""
    edge = ",".join(map(str, PLATE_2[:8]))
    extra = (
        f"*SET_NODE_LIST\n20\n{edge}\n*SET_SHELL_LIST\n30\n1,2,3\n*DEFINE_CURVE\n5\n{curve}"
        f"*BOUNDARY_PRESCRIBED_MOTION_SET\n20,1,0,5,2.0\n{more}*END\n"
    )
    return torn_plate(end_time).replace("*END\n", extra)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a run that was stopped after a dump, with its deck."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "deck.k").write_text(deck())
    done = run(folder / "deck.k", folder / "out", f"ncycle={CYCLE}", "--dump-cycles", str(CYCLE))
    assert done.status == 0, done.said
    return folder


@pytest.fixture
def restart(first: Path, tmp_path: Path) -> Restart:
    """Goes on from the dump with the text of a restart deck, in a folder of its own."""

    def go_on(text: str, *arguments: str, ranks: int = 1, name: str = "") -> Run:
        folder = tmp_path / (name or f"ranks{ranks}")
        shutil.copytree(first / "out", folder)
        small = tmp_path / "restart.k"
        small.write_text(f"*KEYWORD\n{text}\n*END\n")
        return run(small, folder, f"r={folder}/runrsf", *arguments, ranks=ranks)

    return go_on


@pytest.fixture
def whole(tmp_path: Path) -> Callable[..., Run]:
    """A run from the start to the end."""

    def from_start(text: str) -> Run:
        (tmp_path / "whole.k").write_text(text)
        return run(tmp_path / "whole.k", tmp_path / "whole")

    return from_start


def at_restart(done: Run) -> float:
    """Time of the dump."""
    found = re.search(r"restart from .*: time (\S+), cycle", done.stdout)
    assert found, done.said
    return float(found[1])


def energies(done: Run) -> pd.DataFrame:
    """Rows of glstat from the restart on."""
    rows = read_glstat(done.directory / "glstat")
    return rows[rows["time"] > (1 - 1e-5) * at_restart(done)].reset_index(drop=True)


def parts_of(done: Run) -> pd.DataFrame:
    """Rows of matsum from the restart on."""
    rows = read_matsum(done.directory / "matsum").rows
    return rows[rows["time"] > (1 - 1e-5) * at_restart(done)]


def same_on_ranks(restart: Restart, text: str) -> Run:
    """The run on one rank; those on two and three end in the same state."""
    runs = [restart(text, ranks=ranks) for ranks in (1, 2, 3)]
    for done in runs:
        assert done.status == 0, done.said
    assert len({done.hash for done in runs}) == 1
    return runs[0]


def test_a_new_end_time_is_that_of_a_run_which_had_it(restart, whole):
    longer = restart("*CONTROL_TERMINATION\n0.08")
    assert longer.status == 0, longer.said
    assert "restart deck" in longer.stdout and " end time 0.08" in longer.stdout
    assert longer.hash == whole(deck(end_time=0.08)).hash


def test_a_new_last_cycle(restart):
    assert restart(f"*CONTROL_TERMINATION\n0.,{CYCLE + 7}").progress[-1].cycle == CYCLE + 7


def test_rows_of_a_new_interval_are_those_of_a_run_which_had_it(restart, whole):
    new = "*DATABASE_GLSTAT\n0.0013\n*DATABASE_SLEOUT\n0.003\n"
    changed = restart(new)
    assert changed.status == 0, changed.said
    start = at_restart(changed)
    text = deck(more=new).replace(f"*DATABASE_GLSTAT\n{END / 20}\n", "")
    reference = whole(text)
    assert reference.status == 0, reference.said
    columns = ["cycle", "time", "kinetic energy", "internal energy", "total energy"]
    ours, theirs = (read_glstat(d.directory / "glstat")[columns] for d in (changed, reference))
    ours, theirs = (rows[rows["time"] > (1 - 1e-5) * start].reset_index(drop=True) for rows in (ours, theirs))
    assert len(theirs) > 10
    pd.testing.assert_frame_equal(ours, theirs)
    new_file = (changed.directory / "sleout").read_text()  # the first part had none
    assert len(re.findall(r"time", new_file)) > 3


def test_an_interval_of_zero_ends_a_history(restart):
    done = restart("*DATABASE_GLSTAT\n0.")
    assert done.status == 0, done.said
    file = done.directory / "glstat"  # if it is there, of the first part
    assert not file.exists() or energies(done).empty


def test_a_curve_gets_new_points(restart, whole):
    changed = same_on_ranks(restart, f"*CHANGE_CURVE_DEFINITION\n5\n*DEFINE_CURVE\n5\n{CHANGED}")
    assert changed.hash == whole(deck(curve=CHANGED)).hash
    assert changed.hash != restart("*TITLE\nnothing is changed", name="unchanged").hash


def test_a_deleted_part_is_dead_and_its_energy_is_kept(restart):
    done = same_on_ranks(restart, "*DELETE_PART\n1\n*DATABASE_MATSUM\n0.002")
    assert "shell element 1 of part 1 was deleted" in (done.directory / "d3hsp").read_text()
    assert "by the deck of a restart" in (done.directory / "d3hsp").read_text()
    rows = energies(done)
    assert rows["eroded internal energy"].iloc[-1] > 10
    assert rows["total energy / initial energy"].sub(1).abs().max() < 0.02
    parts = parts_of(done)
    late = parts[(parts["part"] == 1) & (parts["time"] > at_restart(done) + 0.002)]
    assert not late.empty and (late["inten"] == 0).all()


@pytest.mark.parametrize("own", [True, False])
def test_deleted_elements_of_a_set(own, restart):
    number = 31 if own else 30
    sets = "*SET_SHELL_LIST\n31\n1,2,3\n" if own else ""
    done = same_on_ranks(restart, f"{sets}*DELETE_ELEMENT_SHELL\n{number}")
    deleted = re.findall(
        r"element (\d+) of part 1 was deleted.*restart", (done.directory / "d3hsp").read_text()
    )
    assert deleted == ["1", "2", "3"]


def test_a_deleted_contact_has_no_forces(restart):
    done = same_on_ranks(restart, "*DELETE_CONTACT\n1\n*DATABASE_RCFORC\n0.001")
    rows = read_rcforc(done.directory / "rcforc").rows
    late = rows[rows["time"] > at_restart(done) + 0.001]
    assert len(late) > 5 and (late["resultant"] == 0).all()
    with_contact = restart("*DATABASE_RCFORC\n0.001", name="with")
    rows = read_rcforc(with_contact.directory / "rcforc").rows
    assert (rows[rows["time"] > at_restart(done) + 0.001]["resultant"] > 0).any()


#: Contacts of the tied stack: number, and how its card 2 begins, up to DT.
CONTACTS = {"tie": (3, "2,1,3,3\n0.", ",,,,,,,"), "contact": (4, "9,0,2,0\n0.2,0.1", ",,,,,,")}


@pytest.mark.parametrize("kind", CONTACTS)
def test_a_deleted_contact_is_one_that_dies_at_the_dump(kind, tmp_path):
    number, card, blanks = CONTACTS[kind]
    (tmp_path / "deck.k").write_text(tied_stack())
    run(tmp_path / "deck.k", tmp_path / "out", "ncycle=30", "--dump-cycles", "30")
    shutil.copytree(tmp_path / "out", tmp_path / "out3")
    (tmp_path / "small.k").write_text(f"*KEYWORD\n*DELETE_CONTACT\n{number}\n*END\n")
    runs = [
        run(tmp_path / "small.k", tmp_path / out, f"r={tmp_path}/{out}/runrsf", ranks=ranks)
        for out, ranks in (("out", 1), ("out3", 3))
    ]
    assert runs[0].status == 0, runs[0].said
    assert energies(runs[0])["total energy / initial energy"].sub(1).abs().max() < 0.01
    death = (1 - 1e-5) * at_restart(runs[0])  # after the cycle before the dump
    assert tied_stack().count(card) == 1
    (tmp_path / "whole.k").write_text(tied_stack().replace(card, f"{card}{blanks}{death}"))
    whole = run(tmp_path / "whole.k", tmp_path / "whole")
    assert {done.hash for done in runs} == {whole.hash}
    assert whole.hash != run(tmp_path / "deck.k", tmp_path / "without").hash


def test_velocities_become_zero(restart):
    done = same_on_ranks(restart, "*CHANGE_VELOCITY_ZERO\n*DATABASE_GLSTAT\n0.0001")
    rows = energies(done)
    before = energies(restart("*DATABASE_GLSTAT\n0.0001", name="before"))
    assert rows["kinetic energy"].iloc[0] < 0.02 * before["kinetic energy"].iloc[0]
    work = rows["external work"].iloc[0] - before["external work"].iloc[0]
    lost = before["kinetic energy"].iloc[0] - rows["kinetic energy"].iloc[0]
    assert work == pytest.approx(-lost, rel=0.02)  # what the change took
    # Stresses and contacts are of the motion so far, and the balance keeps its error.
    for column in ("internal energy", "sliding interface energy"):
        assert rows[column].iloc[0] == pytest.approx(before[column].iloc[0], rel=1e-5)
    error, error_before = (r["total energy"].iloc[0] - r["external work"].iloc[0] for r in (rows, before))
    assert error == pytest.approx(error_before, rel=1e-4)


def test_all_nodes_get_a_velocity(restart):
    done = same_on_ranks(restart, "*CHANGE_VELOCITY\n0\n0.,0.,-50.\n*DATABASE_GLSTAT\n0.0001")
    assert energies(done)["global z velocity"].iloc[0] == pytest.approx(-50, rel=0.03)


def test_one_rigid_body_gets_a_velocity(restart):
    done = same_on_ranks(restart, "*CHANGE_VELOCITY_RIGID_BODY\n3,40.,0.,0.\n*DATABASE_MATSUM\n0.0001")
    now = parts_of(done).groupby("part").first()
    assert now.loc[3, "x-rbv"] == pytest.approx(40, rel=0.02)
    assert abs(now.loc[3, "z-rbv"]) < 2
    assert now.loc[2, "kinen"] > 1  # others keep their velocities


def test_parts_turn_and_others_rest(restart):
    turn = "*SET_PART_LIST\n3\n3\n*CHANGE_VELOCITY_GENERATION\n3,1,2.0\n0.,0.,0.,0.,0.,1."
    done = same_on_ranks(restart, f"{turn}\n*DATABASE_MATSUM\n0.0001")
    now = parts_of(done).groupby("part").first()
    assert now.loc[3, "kinen"] > 0.1 and now.loc[2, "kinen"] < 0.1


def test_a_node_has_priority_and_others_may_keep_their_velocities(restart):
    node = PLATE_2[50]
    only = same_on_ranks(restart, f"*CHANGE_VELOCITY_NODE_ONLY\n{node},0.,0.,500.\n*DATABASE_GLSTAT\n0.0001")
    before = energies(restart("*DATABASE_GLSTAT\n0.0001", name="before"))
    gained = energies(only)["kinetic energy"].iloc[0] - before["kinetic energy"].iloc[0]
    assert gained > 1
    both = f"*CHANGE_VELOCITY_NODE\n{node},0.,0.,500.\n*CHANGE_VELOCITY\n0\n0.,0.,0."
    rows = energies(restart(f"{both}\n*DATABASE_GLSTAT\n0.0001", name="both"))
    assert 0.2 * gained < rows["kinetic energy"].iloc[0] < before["kinetic energy"].iloc[0]


def test_changes_are_kept_by_the_next_restart(restart, tmp_path):
    text = (
        "*CONTROL_TERMINATION\n0.07\n*DELETE_CONTACT\n1\n*DELETE_PART\n1\n*DATABASE_GLSTAT\n0.0013\n"
        "*CHANGE_VELOCITY_RIGID_BODY\n3,40."
    )
    whole = restart(text, name="whole")
    cut = CYCLE + 10
    stopped = restart(text, f"ncycle={cut}", "--dump-cycles", str(cut), name="stopped")
    assert whole.status == stopped.status == 0, stopped.said
    dump = f"r={stopped.directory}/runrsf"
    again = run(None, stopped.directory, dump, ranks=2)
    assert again.status == 0, again.said
    assert again.hash == whole.hash
    end = energies(again)
    assert end["time"].iloc[-1] == energies(whole)["time"].iloc[-1]

    once_more = run(tmp_path / "restart.k", stopped.directory, dump)  # not applied twice
    assert once_more.hash == whole.hash and "changes:" not in once_more.stdout

    small = tmp_path / "more.k"
    small.write_text("*KEYWORD\n*CONTROL_TERMINATION\n0.08\n*END\n")
    more = run(small, stopped.directory, dump)
    assert more.status == 0 and more.hash != whole.hash
    rows = read_rcforc(stopped.directory / "rcforc").rows
    assert (rows[rows["time"] > at_restart(more)]["resultant"] == 0).all()

    (tmp_path / "restart.k").write_text("*KEYWORD\n*END\n")
    refused = run(None, stopped.directory, dump)
    assert refused.status == 2 and "CR-T030" in refused.stderr and "restart.k" in refused.stderr


def test_the_deck_of_the_run_in_another_folder_is_no_restart_deck(first, tmp_path):
    shutil.copytree(first / "out", tmp_path / "out")
    shutil.copy(first / "deck.k", tmp_path / "moved.k")
    done = run(tmp_path / "moved.k", tmp_path / "out", f"r={tmp_path}/out/runrsf")
    assert done.status == 0, done.said
    assert "restart deck" not in done.stdout


REFUSED = {
    "a material": ("*MAT_ELASTIC\n1,1.,1.,0.3\n", "error CR-D102: *MAT_ELASTIC", "full restart"),
    "a full restart": (
        "*STRESS_INITIALIZATION\n",
        "restart.k:2: error CR-D102",
        "full restart is not supported",
    ),
    "rigid to deformable": (
        "*RIGID_DEFORMABLE_R2D\n1\n",
        "restart.k:2: error CR-D102",
        "rigid and deformable",
    ),
    "a wall": ("*CHANGE_RIGIDWALL_PLANAR\n1\n", "restart.k:2: error CR-D102", "rigid walls stay"),
    "a misspelt keyword": ("*DELETE_PARTS\n1\n", "error CR-D101", "did you mean *DELETE_PART?"),
    "mass scaling": ("*CONTROL_TIMESTEP\n0.,0.,0,0.,-1e-6\n", "restart.k:3", "DT2MS"),
    "an end before the dump": ("*CONTROL_TERMINATION\n0.001\n", "restart.k:3", "CR-T032"),
    "a last cycle before the dump": ("*CONTROL_TERMINATION\n0.,3\n", "restart.k:3", "CR-T032"),
    "a curve of other length": ("*DEFINE_CURVE\n5\n0.,0.\n1.,1.\n", "restart.k:3", "CR-T031"),
    "an unknown curve": ("*DEFINE_CURVE\n6\n0.,0.\n1.,1.\n", "restart.k:3", "CR-D304"),
    "a curve without points": ("*CHANGE_CURVE_DEFINITION\n5\n", "restart.k:3", "CR-D304"),
    "an unknown part": ("*DELETE_PART\n1,99\n", "restart.k:3", "CR-D302: part 99"),
    "a rigid part": ("*DELETE_PART\n3\n", "restart.k:3", "CR-T033"),
    "an unknown contact": ("*DELETE_CONTACT\n9\n", "restart.k:3", "CR-D302: contact 9"),
    "an unknown set": ("*DELETE_ELEMENT_SHELL\n99\n", "restart.k:3", "CR-D305"),
    "an unknown node": ("*CHANGE_VELOCITY_NODE\n99999,1.\n", "restart.k:3", "CR-D303"),
    "a deformable body": ("*CHANGE_VELOCITY_RIGID_BODY\n1,1.\n", "restart.k:3", "CR-D302"),
    "an axis without direction": (
        "*CHANGE_VELOCITY_GENERATION\n0,1,5.\n0.,0.,0.\n",
        "restart.k:4",
        "CR-D310",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_changed_is_refused_with_its_place(case, restart):
    text, place, words = REFUSED[case]
    done = restart(text)
    assert done.status == 2, done.said
    assert place in done.stdout and words in done.stdout, done.said
    assert "CR-K002" in done.stderr and "restart deck" in done.stderr


def test_a_model_makes_it_another_deck(restart):
    done = restart("*NODE\n1,0.,0.,0.\n")
    assert done.status == 2, done.said
    assert (
        "error CR-T007" in done.stderr and "as it has *NODE" in done.stderr and "restart.k:2)" in done.stderr
    )
