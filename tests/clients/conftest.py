"""Runs write_samples once and hands its folders, with what was written, to the tests."""

import json
import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _program() -> Path:
    """The built write_samples: $CRUMPLE_WRITE_SAMPLES, or the newest under build/."""
    given = os.environ.get("CRUMPLE_WRITE_SAMPLES")
    if given:
        return Path(given)
    built = sorted(ROOT.glob("build/*/bin/write_samples"), key=lambda path: path.stat().st_mtime)
    if not built:
        pytest.fail("write_samples is not built: run `make build`, or set CRUMPLE_WRITE_SAMPLES")
    return built[-1]


@pytest.fixture(scope="session")
def write_samples() -> Path:
    """The program that writes the samples."""
    return _program()


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """A function from a sample's name to its folder (.path) and what went in (.expected)."""
    root = tmp_path_factory.mktemp("samples")
    subprocess.run([str(_program()), str(root)], check=True)

    def sample(name: str) -> SimpleNamespace:
        folder = root / name
        expected = json.loads((folder / "expected.json").read_text())
        return SimpleNamespace(path=folder, expected=expected)

    return sample
