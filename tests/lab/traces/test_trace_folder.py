"""A trace's folder: what is read back, and every way in which it can be broken; without MPI."""

import json

import pytest

from crumple.lab.profile.trace.convert import FORMAT
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.profile.trace.trace_folder import open_trace
from crumple.lab.profile.trace.trace_writer import rank_name, rank_writer, write_summary
from crumple.lab.traces.contents import contents_of
from crumple.lab.traces.show_trace import slowed_in_words

LINES = ["init", "compute 1540", "allreduce 8 0 6", "finalize"]
MARKED = ["{r} init", "# cycle 200", "# phase contact", "{r} compute 1500", "# phase -", "{r} compute 40"]
MARKED += ["{r} allreduce 8 0 6", "{r} finalize"]
META = {
    "format": FORMAT,
    "version": 1,
    "ranks": 2,
    "operations_per_second": 1e9,
    "window": "200:400",
    "cut": "",
    "job_cycles": 5000,
    "reference": {"machine": "a processor", "element_rate": 2.5e6},
}


def written(folder, **changes):
    """A whole trace of two ranks, compressed."""
    folder.mkdir()
    for rank in range(2):
        with rank_writer(folder, rank) as text:
            text.writelines(line.format(r=rank) + "\n" for line in MARKED)
    write_summary(folder, [rank_name(r) for r in range(2)], META | changes)
    return folder


def plain(folder):
    """The same as `crumple profile --trace` writes it: neither compressed nor hashed."""
    trace = open_trace(written(folder.with_name("compressed")))
    trace.unpack(folder)
    (folder / "trace.json").write_text(json.dumps(META))
    return folder


@pytest.mark.parametrize("make", [written, plain])
def test_what_is_read_back(make, tmp_path):
    trace = open_trace(make(tmp_path / "trace"))
    assert (trace.ranks, trace.cycles, trace.job_cycles) == (2, (200, 400), 5000)
    assert (trace.machine, trace.element_rate) == ("a processor", 2.5e6)
    for rank in range(2):
        assert list(trace.lines(rank)) == [f"{rank} {line}" for line in LINES]
    assert list(
        open_trace(tmp_path / "compressed").marked_lines(1) if make is plain else trace.marked_lines(1)
    ) == [line.format(r=1) for line in MARKED]


@pytest.mark.parametrize(
    "line", [f"isend 1 7 1{'0' * 400} 6", f"allreduce 1{'0' * 400} 0 6", f"compute 1{'0' * 400}"]
)
def test_an_amount_without_end_is_refused(line, tmp_path):
    folder = tmp_path / "trace"
    folder.mkdir()
    for rank in range(2):
        with rank_writer(folder, rank) as text:
            text.write(f"{rank} init\n{rank} {line}\n{rank} finalize\n")
    write_summary(folder, [rank_name(r) for r in range(2)], META)
    with pytest.raises(TraceError, match=r"rank\.0\.txt\.zst.*(damaged|not a line of a trace)"):
        contents_of(open_trace(folder))


@pytest.mark.parametrize(
    ("slower", "work", "said"), [(7.8, "cpu", True), (1.3, "cpu", False), (7.8, "counts", False)]
)
def test_processor_time_of_shared_cores_is_said(slower, work, said, tmp_path):
    words = slowed_in_words(open_trace(written(tmp_path / "trace", slowed=slower, work=work)))
    assert words.startswith("the element computations take 7.8 times") if said else not words


def test_the_digest_is_of_the_content_alone(tmp_path):
    first, second = (open_trace(written(tmp_path / name)) for name in "ab")
    assert first.digest == second.digest
    assert open_trace(written(tmp_path / "c", job_cycles=4000)).digest != first.digest


def cut_file(folder):
    path = folder / rank_name(1)
    path.write_bytes(path.read_bytes()[:-9])


def change_file(folder):
    path = folder / rank_name(1)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def change(**keys):
    """A change of trace.json."""

    def apply(folder):
        path = folder / "trace.json"
        meta = json.loads(path.read_text()) | keys
        path.write_text(json.dumps({k: v for k, v in meta.items() if v is not None}))

    return apply


def index(*names):
    return lambda folder: (folder / "trace.txt").write_text("".join(f"{n}\n" for n in names))


BROKEN = [
    (cut_file, r"rank\.1\.txt\.zst: \d+ bytes, and \d+ were written"),
    (change_file, r"rank\.1\.txt\.zst: its SHA-256"),
    (lambda f: (f / rank_name(0)).unlink(), r"trace\.txt:1: rank 0: there is no file"),
    (lambda f: (f / "trace.json").unlink(), "it has no trace.json; record one"),
    (lambda f: (f / "trace.txt").unlink(), "trace.txt: No such file"),
    (lambda f: (f / "trace.json").write_text('{\n "ranks": 2,'), r"trace\.json:2: not whole"),
    (change(cut="rank 1 ended early"), r"trace\.json: cut: .*rank 1 ended early"),
    (change(ranks=3), r"trace\.txt: 2 ranks, and .*trace\.json says 3"),
    (change(ranks="2"), r"trace\.json: ranks: '2'"),
    (change(ranks=0), r"trace\.json: ranks: 0 is not positive"),
    (change(operations_per_second=None), r"trace\.json: operations_per_second: it is missing"),
    (change(version=9), r"trace\.json: version: 9; this program reads version 1"),
    (change(format="crumple-profile"), r"trace\.json: format: this is not a trace"),
    (change(window="400:200"), r"trace\.json: window: .*ends before it begins"),
    (index(rank_name(0)), r"trace\.txt: 1 ranks, and"),
    (index(rank_name(1), rank_name(0)), r"rank\.1\.txt\.zst:1: '1 init', and rank 0 begins"),
    (index("../trace/" + rank_name(0), rank_name(1)), r"trace\.txt:1: .* is not the name of a file in"),
]


@pytest.mark.parametrize(("spoil", "says"), BROKEN)
def test_a_broken_trace_is_refused(spoil, says, tmp_path):
    folder = written(tmp_path / "trace")
    spoil(folder)
    with pytest.raises(TraceError, match=says):
        open_trace(folder)


def test_an_old_trace_that_was_cut_is_refused(tmp_path):
    folder = plain(tmp_path / "trace")
    path = folder / "rank.1.txt"
    path.write_text(path.read_text().replace("1 finalize\n", ""))
    with pytest.raises(TraceError, match=r"rank\.1\.txt: cut off"):
        open_trace(folder)


def test_a_compressed_file_without_hash_is_found_cut_while_it_is_read(tmp_path):
    folder = written(tmp_path / "trace")
    change(files=None)(folder)
    cut_file(folder)
    with pytest.raises(TraceError, match=r"rank\.1\.txt\.zst: (cut off|damaged)"):
        list(open_trace(folder).lines(1))


def test_a_damaged_line_is_found_while_it_is_read(tmp_path):
    folder = plain(tmp_path / "trace")
    path = folder / "rank.1.txt"
    path.write_text(path.read_text().replace("compute 1540", "compute 15x0"))
    with pytest.raises(TraceError, match=r"rank\.1\.txt: damaged: no number in '1 compute 15x0'"):
        list(open_trace(folder).lines(1))


@pytest.mark.parametrize("value", [10**400, -1.0, float("nan"), "fast", None, True])
def test_figures_that_are_none_are_refused(value, tmp_path):
    folder = written(tmp_path / "trace", operations_per_second=value)
    with pytest.raises(TraceError, match=r"trace\.json: .*operations_per_second"):
        open_trace(folder)
