"""Fixtures of the tests that run the whole program: where real decks are, and models built once."""

import os
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DECKS = ROOT.parent / "shared" / "decks"

os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
#: What Open MPI takes within a machine in any case; without it each run looks for networks first, for 0.2 s.
os.environ.setdefault("OMPI_MCA_pml", "ob1")

#: Element costs that the user measured (`crumple tune`) are not for the tests.
SETTINGS = tempfile.TemporaryDirectory(prefix="crumple-settings-")
os.environ["XDG_CONFIG_HOME"] = SETTINGS.name


@pytest.fixture(scope="session")
def real_deck():
    """A function from a path below ../shared/decks to the deck there; skips where it is absent."""

    def find(name: str) -> Path:
        path = DECKS / name
        if not path.exists():
            pytest.skip(f"no {path.relative_to(ROOT.parent)} beside the checkout")
        return path

    return find


@pytest.fixture(scope="session")
def three_vehicles(tmp_path_factory) -> Path:
    """The smallest three-vehicle model, with a short way to the first contact."""
    from crumple.models import Wishes, write_model

    path = tmp_path_factory.mktemp("three-vehicle") / "three-vehicle.k"
    write_model("three-vehicle", path, Wishes(3200, speed=40.0, end_time=2.0))
    return path
