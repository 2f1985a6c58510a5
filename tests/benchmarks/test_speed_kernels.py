"""The kernels' program is asked for one family after another, each with every instruction set."""

from pathlib import Path

import pytest
import speed_kernels

PROGRAM = """#!/usr/bin/env python3
import json, re, sys
names = ["machine/triad/32 MiB/32", "element/shell 2/024/50000/double", "element/shell 2/001/10000/double",
         "element/solid -1/024/50000/double", "sum/exact"]
options = dict(word.lstrip("-").split("=", 1) for word in sys.argv[1:])
with open(sys.argv[0] + ".log", "a") as log:
    print(options.get("isa", "best"), options["benchmark_filter"], file=log)
if options.get("isa") == "baseline":
    sys.exit("--isa=baseline: there are no such kernels")
chosen = [name for name in names if re.search(options["benchmark_filter"], name)]
if "benchmark_list_tests" in options:
    print(*(name + "\\n" for name in chosen), sep="", end="")
    sys.exit()
runs = [{"run_type": "iteration", "run_name": name, "items_per_second": 1e9 / rate}
        for name in chosen for rate in range(1, 1 + int(options["benchmark_repetitions"]))]
runs += [{"run_type": "iteration", "run_name": "law/x", "error_occurred": True, "error_message": "fails"}]
context = {"isa": options["isa"], "compiler": "GNU", "date": "today"}
print(json.dumps({"context": context, "benchmarks": runs}))
"""


@pytest.fixture
def program(tmp_path, monkeypatch) -> Path:
    """Stands for bench_kernels; writes down what it is asked."""
    path = tmp_path / "bench_kernels"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    monkeypatch.setattr(speed_kernels, "PROGRAM", path)
    return path


def test_families_take_turns_with_instruction_sets(program):
    found = speed_kernels.measure("element|machine", 3, 0.1, ("avx2", "avx512"), lambda _: None)
    asked = program.with_name("bench_kernels.log").read_text().splitlines()[2:]  # after two lists
    assert asked == [
        "avx2 ^(machine/triad/32 MiB/32)$",
        "avx512 ^(machine/triad/32 MiB/32)$",
        "avx2 ^(element/shell 2/024/50000/double|element/shell 2/001/10000/double)$",
        "avx512 ^(element/shell 2/024/50000/double|element/shell 2/001/10000/double)$",
        "avx2 ^(element/solid -1/024/50000/double)$",
        "avx512 ^(element/solid -1/024/50000/double)$",
    ]
    avx2 = found["avx2"]
    assert avx2.context == {"isa": "avx2", "compiler": "GNU", "flags": ""}
    assert avx2.figures()["machine/triad/32 MiB"].median == pytest.approx(2.0)
    assert avx2.left_out == {"law/x (fails)"}


def test_what_is_not_there_is_an_error(program):
    with pytest.raises(RuntimeError, match="no such kernels"):
        speed_kernels.measure(".", 1, 0.1, ("baseline",), lambda _: None)
    with pytest.raises(RuntimeError, match="no kernel benchmark has a name that matches nothing"):
        speed_kernels.measure("nothing", 1, 0.1, ("avx2",), lambda _: None)
