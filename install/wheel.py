"""Makes the wheel of Crumple: the solvers for both MPI libraries, with all that they need but MPI itself.

usage: python install/wheel.py OUT SOLVER [SOLVER-MPICH]

auditwheel copies libraries into the wheel, and says by the wheel's name for which systems it is. MPI is that
of the machine, since it fits the network: Open MPI 4 or 5 (libmpi.so.40), or by the second solver a library
with the ABI of MPICH (libmpi.so.12): MPICH, Intel MPI, MVAPICH. crumple/mpich_name.py says what Debian's
MPICH needs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = Path(sys.executable).parent  #: of the environment with requirements-package.txt
OF_MACHINE = (
    "libmpi.so.40 libmpi_mpifh.so.40 libmpi_usempif08.so.40 libopen-rte.so.40 libopen-pal.so.40 "
    "libopen-pal.so.80 libmpi.so.12 libmpifort.so.12 libmpich.so.12 libmpichfort.so.12"
).split()  #: MPI libraries, which are not copied


def run(*words: str | Path) -> None:
    """Run a command; its output is shown only if it fails.

    Raises:
        SystemExit: it fails.
    """
    path = f"{TOOLS}:{os.environ['PATH']}"  # auditwheel looks for patchelf there
    done = subprocess.run(
        [*map(str, words)],
        cwd=ROOT,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}")


def with_name_of_abi(solver: Path) -> None:
    """Let a solver built with Debian's MPICH ask for the name of its ABI."""
    run(TOOLS / "patchelf", "--replace-needed", "libmpich.so.12", "libmpi.so.12", solver)


def stand_in(folder: Path) -> Path:
    """An empty libmpi.so.12 that loads Debian's libmpich.so.12."""
    library = folder / "libmpi.so.12"
    run(
        *("gcc", "-shared", "-nostdlib", "-o", library, "-Wl,-soname,libmpi.so.12", "-Wl,--no-as-needed"),
        *("-x", "c", "/dev/null", "-lmpich"),
    )
    return library


def main(out: Path, solvers: list[Path]) -> None:
    """Write the wheel into a folder."""
    with tempfile.TemporaryDirectory(prefix="crumple-wheel-") as name:
        scratch = Path(name)
        copies = [Path(shutil.copy(solver.resolve(), scratch / solver.name)) for solver in solvers]
        defined = [f"-Ccmake.define.CRUMPLE_BUILT_SOLVERS={';'.join(map(str, copies))}"]
        for copy in copies:
            if copy.name.endswith("-mpich"):
                with_name_of_abi(copy)
                defined.append(f"-Ccmake.define.CRUMPLE_MPICH_STAND_IN={stand_in(scratch)}")
        build = ("-m", "build", "--wheel", "--no-isolation", "--skip-dependency-check", "-o", scratch)
        run(sys.executable, *build, f"-Cbuild-dir={scratch / 'build'}", *defined, ".")
        (wheel,) = scratch.glob("*.whl")
        excluded = [word for library in OF_MACHINE for word in ("--exclude", library)]
        run(TOOLS / "auditwheel", "repair", *excluded, "--strip", "-w", out, wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), [Path(word) for word in sys.argv[2:]])
