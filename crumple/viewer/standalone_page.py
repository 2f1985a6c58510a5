"""A page with all states in one file, for browsers without a server; simplified until it is small enough."""

import base64
import gzip
import json
from pathlib import Path

import numpy as np

from crumple.view.plot_file import ResultError
from crumple.viewer.element_values import NONE
from crumple.viewer.feature_edges import feature_edges
from crumple.viewer.fewer_faces import fewer_faces
from crumple.viewer.inlined_page import inlined_page
from crumple.viewer.model_faces import KINDS, ModelFaces, lines_of
from crumple.viewer.packed_arrays import packed_arrays
from crumple.viewer.shown_run import ShownRun
from crumple.whole_file import write_whole

#: fields that are in the page, those that the run has
FIELDS = ("plastic_strain", "stress/von_mises", "displacement", "velocity")
MISSING = 65535  #: instead of a value
FULL = 65534.0  #: stands for the largest value
PACKED = 0.5  #: of the bytes, as a first guess
LEAST = 50  #: triangles below which a page is not simplified further
MEGABYTE = 1e6


class PageModel:
    """The nodes, faces and elements of a run that are in a page."""

    def __init__(self, run: ShownRun, faces: ModelFaces) -> None:
        self.run, self.faces = run, faces
        self.beams, lines = lines_of(run.family)
        self.nodes, places = np.unique(
            np.concatenate((faces.nodes.ravel(), self.beams.ravel())), return_inverse=True
        )
        self.face_nodes, self.beam_nodes = places[: faces.nodes.size], places[faces.nodes.size :]
        inner = faces.owners[:, 1] < 0xFFFFFFFF
        owners = np.concatenate((faces.owners[:, 0], faces.owners[inner, 1], lines))
        self.elements, places = np.unique(owners, return_inverse=True)
        self.owners = np.full((len(faces), 2), 0xFFFFFFFF)
        self.owners[:, 0] = places[: len(faces)]
        self.owners[inner, 1] = places[len(faces) : len(faces) + inner.sum()]
        self.beam_owners = places[len(places) - len(self.beams) :]

    def bytes_of_state(self, fields: int) -> int:
        """Bytes of a state before it is packed."""
        return 6 * len(self.nodes) + fields * 2 * max(len(self.elements), len(self.nodes))


def scaled(values: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """Values as 16-bit numbers, and their range."""
    there = values > NONE / 2
    low, high = (float(values[there].min()), float(values[there].max())) if there.any() else (0.0, 0.0)
    numbers = np.round(FULL * (np.where(there, values, low) - low) / max(high - low, 1e-30))
    return np.where(there, numbers, MISSING).astype("<u2"), [low, high]


def packed_page(model: PageModel, simplified: str) -> bytes:
    """All that the page shows, packed."""
    run, family = model.run, model.run.family
    fields = [field for name in FIELDS if (field := run.values.fields.get(name))]
    about = run.about() | {
        "fields": [vars(field) | {"layers": 0} for field in fields],
        "simplified": simplified,
    }
    about["nodes"] = len(model.nodes)
    of_kind = np.searchsorted(
        np.cumsum([len(family.elements[kind].ids) for kind in KINDS]), model.elements, "right"
    )
    about["kinds"] = [[kind, int((of_kind == k).sum())] for k, kind in enumerate(KINDS)]
    edges, edge_faces = feature_edges(model.faces, family.coordinates)
    ids = np.concatenate([family.elements[kind].ids for kind in KINDS])[model.elements]
    parts = np.concatenate([family.elements[kind].parts for kind in KINDS])[model.elements]
    arrays = {
        "faces": (model.face_nodes, "u4"),
        "owners": (model.owners, "u4"),
        "parts": (model.faces.parts, "u4"),
        "beams": (model.beam_nodes, "u4"),
        "beam_owners": (model.beam_owners, "u4"),
        "element_parts": (parts, "u4"),
        "element_ids": (ids, "u4"),
        "node_ids": (family.node_ids[model.nodes], "u4"),
        "edges": (np.searchsorted(model.nodes, edges), "u4"),
        "edge_faces": (edge_faces, "u4"),
    }
    boxes, ranges = [], [[] for _ in fields]
    for state in range(len(family.states)):
        x = np.asarray(run.positions(state), dtype=float)[model.nodes]
        low, size = x.min(axis=0), np.maximum(np.ptp(x, axis=0), 1e-30)
        boxes.append({"low": low.tolist(), "size": size.tolist()})
        arrays[f"positions{state}"] = (np.round(65535.0 * (x - low) / size).T, "u2")
        gone = run.gone(state)[model.elements]
        arrays[f"gone{state}"] = (gone if gone.any() else gone[:0], "u1")
        for k, field in enumerate(fields):
            at = model.nodes if field.of == "node" else model.elements
            numbers, limits = scaled(run.values.values(field.name, 0, state)[at])
            arrays[f"values{k}_{state}"] = (numbers, "u2")
            ranges[k].append(limits)
    shapes = run.shapes()
    return packed_arrays({"about": about, "boxes": boxes, "ranges": ranges, "shapes": shapes}, **arrays)


def write_standalone(run: ShownRun, path: Path, start: dict[str, object], megabytes: float = 50.0) -> str:
    """Write the page; returns what is in it, in words.

    Args:
        megabytes: most that it may take

    Raises:
        ResultError: even a model of a few triangles is too large with all its states.
    """
    faces, whole, limit = run.faces, 2 * len(run.faces), 2 * len(run.faces)
    fields = sum(name in run.values.fields for name in FIELDS)
    states = len(run.family.states)
    while True:
        shown = faces if limit >= whole else fewer_faces(faces, run.family.coordinates, limit)
        model = PageModel(run, shown)
        guess = PACKED * states * model.bytes_of_state(fields) * 4 / 3
        if guess <= 1.6 * megabytes * MEGABYTE:
            simplified = ""
            if limit < whole:
                simplified = f"simplified from {len(faces):,} faces to {len(shown):,} triangles"
            content = gzip.compress(packed_page(model, simplified), 6, mtime=0)
            text = inlined_page(base64.b64encode(content).decode(), json.dumps(start))
            guess = len(text.encode())
            if guess <= megabytes * MEGABYTE:
                write_whole(path, text)
                return f"{states} states, {guess / MEGABYTE:.1f} MB" + (
                    f", {simplified}" if simplified else ""
                )
        if limit <= LEAST:
            raise ResultError(
                f"{states} states do not fit into {megabytes:g} MB: write fewer states, or allow more"
            )
        limit = max(LEAST, int(limit * min(0.8, 0.9 * megabytes * MEGABYTE / guess)))
