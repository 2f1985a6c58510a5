"""Every collective algorithm of SimGrid's that the catalogue names runs in a small replay of SimGrid."""

import shutil
import subprocess

import pytest

from crumple.lab.catalogue.entries import entries_of
from crumple.lab.simulate.simulated_machine import TWO_LEVELS

RANKS = (3, 8)  #: a power of two, and none
PLATFORM = """<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="h" suffix="" radical="0-{last}" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>"""


def selections() -> list[dict[str, str]]:
    """Algorithms by operation, together all that any library of the catalogue chooses."""
    found = []
    for library in entries_of("mpi").values():
        for turn in range(max(len(choices) for choices in library.collectives.values())):
            chosen = {
                name: choices[min(turn, len(choices) - 1)].algorithm
                for name, choices in library.collectives.items()
                if choices[min(turn, len(choices) - 1)].algorithm != TWO_LEVELS
            }
            if chosen not in found:
                found.append(chosen)
    return found


def line(operation: str, ranks: int, size: int) -> str:
    """A line of a trace for replay; type 6 is a byte."""
    each, all_of_them = f"{size} {size}", " ".join([str(size)] * ranks)
    return {
        "allreduce": f"allreduce {size} 0 6",
        "bcast": f"bcast {size} 0 6",
        "reduce": f"reduce {size} 0 0 6",
        "barrier": "barrier",
        "allgather": f"allgather {each} 6 6",
        "allgatherv": f"allgatherv {size} {all_of_them} 6 6",
        "alltoall": f"alltoall {each} 6 6",
        "alltoallv": f"alltoallv {size * ranks} {all_of_them} {size * ranks} {all_of_them} 6 6",
        "gather": f"gather {each} 0 6 6",
        "scatter": f"scatter {each} 0 6 6",
        "reduce_scatter": f"reducescatter {all_of_them} 0 6",
    }[operation]


@pytest.mark.parametrize("chosen", selections(), ids=lambda chosen: f"allreduce-{chosen.get('allreduce')}")
@pytest.mark.parametrize("ranks", RANKS)
def test_algorithms_run(tmp_path, chosen, ranks):
    if not shutil.which("smpirun"):
        pytest.skip("SimGrid's smpirun is not installed (install/debian-packages-test.txt)")
    (tmp_path / "platform.xml").write_text(PLATFORM.format(last=ranks - 1))
    (tmp_path / "hosts").write_text("\n".join(f"h{i}" for i in range(ranks)))
    body = [line(operation, ranks, size) for operation in chosen for size in (8, 100_000)]
    for rank in range(ranks):
        lines = [f"{rank} {text}" for text in ("init", *body, "finalize")]
        (tmp_path / f"rank{rank}").write_text("\n".join(lines) + "\n")
    (tmp_path / "trace").write_text("\n".join(str(tmp_path / f"rank{i}") for i in range(ranks)))
    command = ["smpirun", "-replay", "trace", "-platform", "platform.xml", "-hostfile", "hosts"]
    command += ["-np", str(ranks), "--log=root.thres:error"]
    command += [f"--cfg=smpi/{operation}:{algorithm}" for operation, algorithm in chosen.items()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
