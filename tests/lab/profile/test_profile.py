"""The profiler against programs that send exactly known messages; 2 to 4 ranks, both families of MPI."""

import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import crumple
from rich.console import Console

from crumple.lab.profile.profile import Profile, read_profile
from crumple.lab.profile.show_profile import classes, counters_line, show

PROGRAMS = Path(__file__).with_name("programs")
HEADER = PROGRAMS.parents[3] / "profiler"
FAMILIES = ("openmpi", "mpich")
COMPILERS = {".c": "mpicc", ".cpp": "mpicxx", ".f90": "mpifort"}
LANGUAGES = ("known_mpif", "known_module", "known_f08")
#: Seconds: for which another rank may have the core, and of a time that a program prints.
TIME_SLICE, RESOLUTION = 5e-3, 1e-6


@pytest.fixture(params=FAMILIES)
def family(request) -> str:
    """Each MPI library of this machine."""
    if not shutil.which(f"mpicc.{request.param}"):
        pytest.skip(f"mpicc.{request.param} is not installed")
    return request.param


def compiled(source: str, family: str, directory: Path) -> Path:
    """Build a program of the folder beside this file."""
    compiler = COMPILERS[Path(source).suffix] + f".{family}"
    if not shutil.which(compiler):
        pytest.skip(f"{compiler} is not installed")
    program = directory / Path(source).stem
    done = subprocess.run(
        [compiler, "-O1", "-w", f"-I{HEADER}", str(PROGRAMS / source), "-o", str(program), "-lpthread"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return program


def profiled(source: str, family: str, ranks: int, directory: Path, status: int = 0) -> tuple[Profile, str]:
    """Profile of a program, and what was printed."""
    program = compiled(source, family, directory)
    options = ["profile", "-n", str(ranks), "-o", "p.json", "--", str(program), "shared.dat"]
    done = crumple(*options, directory=directory)
    assert done.returncode == status, done.stdout + done.stderr
    return read_profile(directory / "p.json"), done.stdout


def calls(profile: Profile) -> dict[str, int]:
    """Calls by function, all ranks."""
    return {t.name: t.calls for t in profile.totals()}


def sent(profile: Profile) -> dict[str, int]:
    """Bytes out by function, where there are any."""
    return {t.name: t.bytes_out for t in profile.totals() if t.bytes_out}


@pytest.mark.parametrize("ranks", [2, 4])
def test_counts_are_exact(family, ranks, tmp_path):
    profile, _ = profiled("known.c", family, ranks, tmp_path)
    n = ranks
    assert calls(profile) == {
        "MPI_Comm_rank": 2 * n,
        "MPI_Comm_size": n,
        "MPI_Isend": 53 * n,
        "MPI_Recv": 53 * n + 1,
        "MPI_Wait": 53 * n,
        "MPI_Send_init": n,
        "MPI_Recv_init": n,
        "MPI_Startall": 20 * n,
        "MPI_Waitall": 20 * n,
        "MPI_Request_free": 2 * n,
        "MPI_Comm_split": n,
        "MPI_Comm_free": n,
        "MPI_Send": n + 1,
        "MPI_Allreduce": 11 * n,
        "MPI_Bcast": n,
        "MPI_Alltoallv": n,
        "MPI_Allgather": n,
        "MPI_Win_create": n,
        "MPI_Win_fence": 2 * n,
        "MPI_Win_free": n,
        "MPI_Put": n,
        "MPI_Reduce": n,
        "MPI_File_open": n,
        "MPI_File_write_at_all": n,
        "MPI_File_close": n,
    }
    assert sent(profile) == {
        "MPI_Isend": n * (50 * 1000 + 3 * 300_000),
        "MPI_Startall": n * 20 * 400,
        "MPI_Send": 24,
        "MPI_Allreduce": n * (10 * 32 + 8),
        "MPI_Bcast": 5000 * n,
        "MPI_Alltoallv": n * 10 * n,
        "MPI_Allgather": 16 * n,
        "MPI_Put": 8 * n,
        "MPI_Reduce": 8 * n,
        "MPI_File_write_at_all": 1000 * n,
    }
    received = {t.name: t.bytes_in for t in profile.totals() if t.bytes_in}
    assert received == {"MPI_Recv": n * 950_000 + 24, "MPI_Startall": n * 20 * 400}
    assert not profile.lost()


def test_messages_go_to_ranks_of_the_world(family, tmp_path):
    profile, _ = profiled("known.c", family, 3, tmp_path)
    ring = [50 + 3 + 20 + 1, 50_000 + 900_000 + 8000 + 8]
    peers = [{int(to): t for to, t in r["peers"].items()} for r in profile.ranks]
    assert peers[0] == {1: ring}
    assert peers[1] == {2: ring}
    # the last rank is the first of the reversed communicator, and its second is rank 1 of the world
    assert peers[2] == {0: ring, 1: [1, 24]}
    assert all(r["unknown_peers"] == [0, 0] for r in profile.ranks)


def test_sizes_fall_into_published_classes(family, tmp_path):
    profile, _ = profiled("known.c", family, 2, tmp_path)
    messages = {name: count for name, count, _ in classes(profile.histogram("point_to_point"))}
    assert messages == {"0-256 B": 1, "256 B-4 KB": 140, "4-64 KB": 0, "64 KB-1 MB": 6, "over 1 MB": 0}
    # bin 9 holds (256, 512], bin 10 (512, 1024]
    assert profile.histogram("point_to_point")[9] == (40, 16_000)
    assert profile.histogram("point_to_point")[10] == (100, 100_000)


def test_waiting_for_a_late_rank(family, tmp_path):
    """Rank 1 comes 0.2 s late to a reduction: the other ranks wait, it does not; clocks agree."""
    profile, said = profiled("known.c", family, 3, tmp_path)
    own = {int(r): float(s) for r, s in re.findall(r"rank (\d) reduce ([\d.]+)", said)}
    for rank in profile.ranks:
        reduce = rank["functions"]["MPI_Reduce"]
        # The program's own clock runs around the profiler's, and may be interrupted between the two.
        assert own[rank["rank"]] * 0.95 - TIME_SLICE <= reduce["time"] <= own[rank["rank"]] + RESOLUTION
        if rank["rank"] == 1:
            assert reduce["waiting"] < 0.1
        else:
            assert reduce["waiting"] > 0.15
    late = next(r for r in profile.ranks if r["rank"] == 1)
    assert late["application"] == pytest.approx(0.2, abs=0.1)


def test_files(family, tmp_path):
    profile, _ = profiled("known.c", family, 2, tmp_path)
    for rank in profile.ranks:
        assert rank["files"]["writes"]["bytes"] == 300_000
        assert rank["kernel_io"]["written"] >= 300_000
        assert rank["peak_memory"] > 1_000_000


@pytest.mark.parametrize("language", LANGUAGES)
def test_fortran(family, language, tmp_path):
    profile, _ = profiled(f"{language}.f90", family, 3, tmp_path)
    assert calls(profile) == {
        "MPI_Comm_rank": 3,
        "MPI_Comm_size": 3,
        "MPI_Sendrecv": 75,
        "MPI_Send_init": 3,
        "MPI_Recv_init": 3,
        "MPI_Startall": 15,
        "MPI_Waitall": 15,
        "MPI_Request_free": 6,
        "MPI_Allreduce": 3,
        "MPI_Allgather": 3,
        "MPI_Comm_set_name": 3,
    }
    assert sent(profile) == {
        "MPI_Sendrecv": 75 * 80,
        "MPI_Startall": 15 * 32,
        "MPI_Allreduce": 3 * 48,
        "MPI_Allgather": 3 * 16,
    }
    assert {t.name: t.bytes_in for t in profile.totals() if t.bytes_in} == {
        "MPI_Sendrecv": 75 * 80,
        "MPI_Startall": 15 * 32,
    }


def test_threads_at_once(family, tmp_path):
    profile, _ = profiled("threads.c", family, 2, tmp_path)
    assert calls(profile)["MPI_Sendrecv"] == 2 * 4 * 100
    assert profile.histogram("point_to_point") == {6: (800, 51_200)}
    for rank in profile.ranks:
        assert rank["phases"]["even"]["mpi_calls"] == rank["phases"]["odd"]["mpi_calls"] == 200
        assert rank["phases"]["even"]["entries"] == rank["phases"]["odd"]["entries"] == 2
        assert rank["application"] >= 0.0


def test_a_killed_rank_leaves_its_record(family, tmp_path):
    program = compiled("dies.c", family, tmp_path)
    done = crumple("profile", "-n", "2", "-o", "p.json", "--", str(program), directory=tmp_path)
    assert done.returncode != 0
    profile = read_profile(tmp_path / "p.json")
    killed = next(r for r in profile.ranks if r["rank"] == 1)
    assert killed["state"] == "running"
    assert killed["functions"]["MPI_Barrier"]["calls"] == 12
    assert "rank 1 ended without MPI_Finalize" in " ".join(done.stdout.split())


def test_recording_stops_and_goes_on(family, tmp_path):
    profile, _ = profiled("stops.c", family, 2, tmp_path)
    assert calls(profile)["MPI_Barrier"] == 2 * 2


#: What the table leaves out: local calls, what may come before MPI_Init, what program.c wraps,
#: and what MPI 3.0 has removed
NOT_IN_THE_TABLE = re.compile(
    r"MPI_(T_\w+|\w+_(c2f|f2c)|Wtime|Wtick|Aint_(add|diff)|Get_version|Get_library_version|Initialized|Finalized"
    r"|Init|Init_thread|Finalize|Abort|Pcontrol"
    r"|Address|Errhandler_(create|get|set)|Type_(extent|hindexed|hvector|lb|struct|ub))"
)


def test_the_table_is_the_whole_interface():
    headers = "/usr/lib/*/openmpi/include/mpi.h"
    found = sorted(Path("/").glob(headers.lstrip("/")))
    if not found:
        pytest.skip(f"no {headers}")
    declared = set(re.findall(r"\b(MPI_[A-Z][a-z]\w+|MPI_T_\w+)(?=\s*\()", found[0].read_text()))
    table = set(re.findall(r"^(MPI_\w+)\(", (HEADER / "mpi-3.1.txt").read_text(), re.M))
    assert len(declared) > 350
    assert {name for name in declared - table if not NOT_IN_THE_TABLE.fullmatch(name)} == set()


def test_counters_are_shown_or_said_to_be_missing():
    profile = read_profile(PROGRAMS.parents[2] / "fuzz" / "corpus" / "profile" / "profile.json")
    for rank in profile.ranks:
        rank["counters"] = None
    assert "not available here" in counters_line(profile)
    profile.ranks[0]["counters"] = {"instructions": 30, "cycles": 10, "cache_misses": 4}
    assert counters_line(profile) == (
        "hardware counters: 30 instructions, 10 cycles (3.00 a cycle), 4 cache misses"
    )


def test_solver_names_its_phases(small_solver_run):
    assert set(small_solver_run.ranks[0]["phases"]) >= {
        "elements",
        "contact",
        "exchange",
        "constraints",
        "output",
    }
    for rank in small_solver_run.ranks:
        inside = sum(p["time"] for p in rank["phases"].values())
        assert inside == pytest.approx(rank["elapsed"], rel=0.02)


@pytest.fixture
def small_solver_run(tmp_path) -> Profile:
    """The three vehicles' first cycles on 2 ranks."""
    assert (
        crumple("model", "three-vehicle", "--elements", "4000", "-o", "m.k", directory=tmp_path).returncode
        == 0
    )
    from crumple.solver import solver_path

    run = ["--", str(solver_path()), "i=m.k", "endtime=0.2"]
    done = crumple("profile", "-n", "2", "-o", "p.json", *run, directory=tmp_path)
    assert done.returncode == 0, done.stdout
    return read_profile(tmp_path / "p.json")


def test_by_hand_and_shown(tmp_path, family):
    """LD_PRELOAD without the command; the folder of records is shown."""
    profiled("known.c", family, 2, tmp_path)  # builds the profiler
    library = max(
        (HEADER.parent / "build" / "profiler").glob(f"{family}-*/*.so"), key=lambda p: p.stat().st_mtime
    )
    run = ["-n", "2", "env", f"LD_PRELOAD={library}", "CRUMPLE_PROFILE=mine", "./known", "by_hand.dat"]
    from crumple.mpi import environment

    subprocess.run(
        [f"mpirun.{family}", *run], cwd=tmp_path, env=environment(1, 2), check=True, capture_output=True
    )
    shown = crumple("profile", "show", "mine", directory=tmp_path)
    assert shown.returncode == 0
    assert re.search(r"MPI_Isend .* 106 ", shown.stdout)
    both = crumple("profile", "show", "mine", "--diff", "p.json", directory=tmp_path)
    assert both.returncode == 0
    assert re.search(r"MPI_Isend .* 106 +106 +1.00", both.stdout)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"not json", "is not a profile"),
        (b'{"format": "crumple-profile", "version": 99}', "version 99"),
        (b'{"format": "crumple-profile", "version": 1}', "is missing"),
        (b"[1]", "is not a profile"),
    ],
)
def test_damaged_profile_is_refused(content, says, tmp_path):
    path = tmp_path / "p.json"
    path.write_bytes(content)
    done = crumple("profile", "show", "p.json", directory=tmp_path)
    assert done.returncode == 2
    assert says in " ".join(done.stdout.split())
    assert path.read_bytes() == content


def test_what_cannot_be_written_is_said_before_the_run(tmp_path):
    for output in (".", "no-such-folder/p.json"):
        done = crumple("profile", "-o", output, "--", "touch", "ran", directory=tmp_path)
        assert done.returncode == 2
        assert "cannot be written: nothing was run" in done.stdout
        assert not (tmp_path / "ran").exists()


def test_tables_lose_no_digits_and_names_are_as_they_are():
    corpus = PROGRAMS.parents[2] / "fuzz" / "corpus" / "profile" / "profile.json"
    profile = read_profile(corpus)
    profile.ranks[0]["functions"]["[/bold]"] = profile.ranks[0]["functions"]["MPI_Isend"]
    out = io.StringIO()
    show(profile, Console(file=out, width=40, markup=False))
    assert "\u2026" not in out.getvalue()  # an ellipsis
    assert re.search(r"^\[/bold\] ", out.getvalue(), re.M)


def test_damaged_record_is_refused(tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "rank.0").write_bytes(b"CRUPROF1" + bytes(100))
    done = crumple("profile", "show", "r", directory=tmp_path)
    assert done.returncode == 2
    assert "is not a rank's profile" in " ".join(done.stdout.split())


def test_missing_program_and_program_without_mpi(tmp_path):
    done = crumple("profile", "-n", "2", "--", "no-such-program", directory=tmp_path)
    assert done.returncode == 2
    assert "no program 'no-such-program'" in done.stdout
    done = crumple("profile", "-n", "2", "--", sys.executable, "-c", "pass", directory=tmp_path)
    assert done.returncode == 2
    assert "no rank left a record" in " ".join(done.stdout.split())
