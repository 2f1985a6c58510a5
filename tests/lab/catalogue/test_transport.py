"""Connections of an endpoint, against the published example."""

import tomllib
from pathlib import Path

import pytest

from crumple.lab.catalogue.cluster import read_cluster
from crumple.lab.catalogue.transport import connection_memory, connections

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT.parent / "shared/reference/published.toml"


def test_each_transport():
    assert [connections(kind, 8, 24) for kind in ("RC", "XRC", "DCT")] == [1536, 192, 8]


def test_published_example():
    if not PUBLISHED.exists():
        pytest.skip(f"{PUBLISHED} is missing")
    findings = tomllib.loads(PUBLISHED.read_text())["paper"]["connectib"]["finding"]
    published = next(found["connections"] for found in findings if "connections" in found)
    assert {kind: connections(kind, 16, 256) for kind in published} == published


def test_memory():
    cluster = read_cluster(ROOT / "benchmarks/clusters/e5-2680-infiniband-fdr.toml")
    assert connection_memory(cluster, 16) == 16 * 16 * 32 * cluster.network.connection_bytes
