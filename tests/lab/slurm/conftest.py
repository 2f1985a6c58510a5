"""The Slurm of the tests in this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from jobs_in_folder import Jobs
from slurm_cluster import NoCluster, SlurmCluster
from small_decks import block

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    """The daemons; ended whatever happens."""
    try:
        started = SlurmCluster()
    except NoCluster as error:
        pytest.skip(str(error))
    yield started
    started.stop()


@pytest.fixture
def jobs(cluster, tmp_path, monkeypatch) -> Jobs:
    """A folder with a deck whose run takes longer than any job."""
    monkeypatch.setenv("SLURM_CONF", str(cluster.configuration))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (tmp_path / "deck.k").write_text(block(1e6, 5.0, cells=3))
    return Jobs(cluster, tmp_path)
