"""What more material laws cost: processor time of the build and size of the solver, with copies of a law.

`python benchmarks/growth_of_laws.py --laws 0 40 --sets avx2` copies the checkout to a temporary folder,
measures it there, adds 40 copies of the J2 law (MAT_024) under other names and measures again. `--revision`
takes a commit in place of the checkout, also one in which laws were compiled with elements. Only what depends
on laws is built without the compiler's cache and counts: kernels and laws. The size is that of the linked
program.
"""

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIRST_NUMBER = 9001
#: Those of j2_plasticity.hpp that are not the interface of laws.
FUNCTIONS = (
    *(
        "strain_norm",
        "at_a_rate",
        "where_it_yields",
        "rotate",
        "load_history",
        "store_history",
        "fail_points",
    ),
    *("set_stress", "return_solid", "return_shell", "return_beam", "radial_increment_beyond", "return_once"),
    *("return_plain_solid", "return_plain_shell", "return_by_iteration", "is_plain"),
)


@dataclass(frozen=True)
class Growth:
    """One build."""

    laws: int  #: copies
    sets: str  #: instruction sets
    seconds: float  #: of processors, for kernels and laws
    objects: int  #: of kernels and laws
    text: int  #: bytes of code and constants of the program
    file: int  #: bytes of the program, without symbols


def copy_of(engine: str, n: int) -> str:
    """The J2 law's functions under other names, for parameters of their own."""
    body = engine[
        engine.index("inline namespace CRUMPLE_ISA {") : engine.rindex("}  // namespace crumple::materials")
    ]
    shared = "/// What laws call of J2Law"  # each copy is compiled in its own file alone
    if shared in body:
        body = body[: body.index(shared)] + "}  // namespace CRUMPLE_ISA\n"
    name = f"Copy{n}Law"
    for function in FUNCTIONS:
        if not re.search(rf"^(?! )[^;\n]*\b{function}\(", body, re.MULTILINE):
            continue
        body = re.sub(rf"\b{function}\b(?=[(<])", f"{function}_{n}", body)
    return f"struct {name} : J2Law {{}};\n\n" + re.sub(r"\bJ2Law\b", name, body)


def add_law(solver: Path, n: int) -> None:
    """A copy as a file and a row, as CONTRIBUTING says; before, a file, a line and an include."""
    materials = solver / "materials"
    new = (materials / "register.hpp").exists()
    engine = materials / ("plasticity/j2_plasticity.hpp" if new else "j2_plasticity.hpp")
    prepare = "prepare_piecewise_linear" if new else "prepare_piecewise_linear_plasticity"
    fields = (
        f"inline Prepared prepare_copy_{n}(const model::Model& model, const model::Material& material) {{\n"
        f"  Prepared prepared = {prepare}(model, material);\n"
        f"  auto law = std::make_shared<Copy{n}Law>();\n"
        "  static_cast<J2Law&>(*law) = *static_cast<const J2Law*>(prepared.parameters.get());\n"
        "  prepared.parameters = law;\n"
        "  return prepared;\n}\n"
    )
    law = copy_of(engine.read_text(), n)
    if new:
        text = (
            '#pragma once\n#include "materials/plasticity/j2_plasticity.hpp"\n'
            f"namespace crumple::materials {{\n{law}}}\n"
            '#ifdef CRUMPLE_PREPARES_LAWS\n#include "materials/plasticity/piecewise_linear_fields.hpp"\n'
            f"namespace crumple::materials {{\n{fields}}}\n#endif\n"
            f'CRUMPLE_LAW(Copy{n}Law, {{.number = {FIRST_NUMBER + n}, .keyword = "MAT_COPY_{n}", '
            f".supports = {{.solid = true, .shell = true, .beam = true}}, .prepare = prepare_copy_{n}}})\n"
        )
        (materials / f"metal/copy_{n}.hpp").write_text(text)
        return
    text = (
        '#pragma once\n#include "materials/j2_plasticity.hpp"\n'
        '#include "materials/piecewise_linear_plasticity.hpp"\n'
        f"namespace crumple::materials {{\n{law}{fields}}}\n"
    )
    (materials / f"copy_{n}.hpp").write_text(text)
    with (materials / "laws.def").open("a") as rows:
        rows.write(f"CRUMPLE_LAW({FIRST_NUMBER + n}, Copy{n}Law, prepare_copy_{n})\n")
    update = materials / "update.hpp"
    update.write_text(
        update.read_text().replace("#pragma once\n", f'#pragma once\n#include "materials/copy_{n}.hpp"\n')
    )


def checkout(revision: str, to: Path) -> None:
    """The files of a commit, or of this checkout."""
    if revision:
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "x"], cwd=to, input=archive.stdout, check=True)
        return
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    for name in filter(lambda name: (ROOT / name).is_file(), names.splitlines()):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, to / name)


def processor_seconds() -> float:
    """Of all programs that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(tree: Path, laws: int, sets: str, cold: str, jobs: int) -> Growth:
    """Build kernels and laws without the cache, then the rest, and look at the program."""
    build = tree / "build/dev"  # as deep as others are, so that the cache knows the rest
    subprocess.run(["rm", "-rf", build], check=True)
    names = "baseline;avx2;avx512" if sets == "all" else sets
    configure = ["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    subprocess.run(
        [*configure, f"-DCMAKE_CXX_FLAGS_RELEASE={cold}", "-DCRUMPLE_TESTS=OFF", f"-DCRUMPLE_ISAS={names}"],
        **quiet,
    )
    targets = ["crumple_materials", *(f"crumple_kernels_{name}" for name in names.split(";"))]
    if (tree / "solver/materials/register.hpp").exists():
        targets += ["crumple_laws", *(f"crumple_laws_{name}" for name in names.split(";"))]
    before = processor_seconds()
    command = ["cmake", "--build", build, f"-j{jobs}", "--target"]
    subprocess.run([*command, *targets], env={**os.environ, "CCACHE_DISABLE": "1"}, **quiet)
    seconds = processor_seconds() - before
    objects = sum(len(list((build / f"CMakeFiles/{target}.dir").rglob("*.o"))) for target in targets)
    subprocess.run([*command, "crumple-solver"], **quiet)
    program = build / "bin/crumple-solver"
    text = subprocess.run(
        ["size", program], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.splitlines()[1]
    subprocess.run(["strip", program], check=True)
    return Growth(laws, sets, round(seconds, 1), objects, int(text.split()[0]), program.stat().st_size)


def main() -> None:
    """Print one line of JSON for each build."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--laws", type=int, nargs="+", default=[0, 40], help="copies of the law, ascending")
    parser.add_argument("--sets", nargs="+", default=["avx2", "all"], help="an instruction set, or all")
    parser.add_argument("--revision", default="", help="a commit; the checkout without")
    parser.add_argument(
        "--cold", default="-O3", help="how files are optimised that are neither kernels nor laws"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        checkout(given.revision, tree)
        there = 0
        for laws in given.laws:
            for n in range(there, laws):
                add_law(tree / "solver", n)
            there = laws
            for sets in given.sets:
                print(json.dumps(asdict(measure(tree, laws, sets, given.cold, given.jobs))), flush=True)


if __name__ == "__main__":
    main()
