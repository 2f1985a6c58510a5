"""Programs that prepare a run: their seconds, and what is said where they fail or take too long."""

import pytest

from crumple.lab.applications.application import PreparationError
from crumple.lab.applications.preparation import prepare_with, seconds_of


def test_seconds_stay_beside_the_run(tmp_path):
    assert seconds_of("mesher", tmp_path) == {}
    said = prepare_with("mesher", ["sh", "-c", "sleep 0.3; echo $CELLS cells"], tmp_path, {"CELLS": "12"})
    assert said == "12 cells\n"
    assert 0.3 <= seconds_of("mesher", tmp_path)["mesher [s]"] < 60
    assert not (tmp_path / "log.txt").exists()


def test_failures(tmp_path):
    with pytest.raises(PreparationError, match="^mesher failed: exit status 3\nno cells"):
        prepare_with("mesher", ["sh", "-c", "echo no cells; exit 3"], tmp_path, {})
    with pytest.raises(PreparationError, match="mesher took more than 0.2 s"):
        prepare_with("mesher", ["sleep", "60"], tmp_path, {}, limit=0.2)
