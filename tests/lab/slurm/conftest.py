"""The Slurm of the tests in this folder."""

from collections.abc import Iterator

import pytest
from slurm_cluster import NoCluster, SlurmCluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[SlurmCluster]:
    """The daemons; ended whatever happens."""
    try:
        started = SlurmCluster()
    except NoCluster as error:
        pytest.skip(str(error))
    yield started
    started.stop()
