"""The figures that are committed: what is read back, what a measurement is compared with."""

import json

import speed_record
from made_up_records import record
from speed_record import Kind, beside, committed, last_whole

RUN = {"plate/double/1x1": {"processor": 100.0}}
KERNEL = {"sum/exact": 4.0}


def test_a_record_is_read_as_it_was_written(tmp_path):
    old = record("old", 1, RUN, KERNEL)
    new = record("new", 2, RUN, KERNEL, {"shell 2": {"sums": 800.0}}, isa="AVX2")
    for one in (old, new):
        (tmp_path / f"{one.name}.json").write_text(json.dumps(one.as_json()))
    assert committed(tmp_path) == [new, old]
    assert str(new.kind) == "Zen 4, AVX2"


def test_all_committed_figures_can_be_read():
    records = committed()
    assert len(records) >= 12
    assert {record.kind for record in records} >= {Kind("Zen 4", "AVX-512"), Kind("Zen 5", "AVX-512")}
    assert [r.machine["measured"] for r in records] == sorted(
        (r.machine["measured"] for r in records), reverse=True
    )
    assert speed_record.FIGURES.name == "figures"


def test_a_measurement_is_compared_with_the_last_whole_one_of_its_kind():
    zen4 = record("zen4", 1, RUN, KERNEL)
    zen5 = record("zen5", 2, RUN, KERNEL, generation="Zen 5")
    kernels_alone = record("kernels", 3, {}, KERNEL)
    records = [kernels_alone, zen5, zen4]
    assert last_whole(records, zen4.kind) == zen4
    assert last_whole(records, Kind("Zen 4", "AVX2")) == zen5
    assert last_whole([kernels_alone], zen4.kind) is None


def test_what_was_measured_in_turn_is_of_the_same_time_and_processor():
    avx2, baseline = record("a", 1, isa="AVX2"), record("b", 1, isa="baseline")
    others = [record("c", 2, isa="baseline"), record("d", 1, isa="baseline", generation="Zen 5")]
    assert beside(avx2, "baseline", [*others, baseline]) == baseline
    assert beside(avx2, "baseline", others) is None
