"""Downloads the Camry roof crush example of PyDYNA (MIT): meshes from its wheel, properties from its script.

The wheel of ansys-dyna-core has the meshes and titles of parts, and no properties. Thicknesses, spotwelds,
nodal rigid bodies, and which part is of what material are lists in the example's file `camry_rc_data.py`,
which only the source repository has.
"""

import ast
import hashlib
import struct
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

WHEEL = "ansys-dyna-core==0.9.1"
INSIDE = "ansys/dyna/core/pre/examples/implicit/camry_rc/"
COMMIT = "ff2c281c0f96cf1b7fafd1b1b7a686af1ab5ab6e"  # v0.9.1
PROPERTIES = f"https://raw.githubusercontent.com/ansys/pydyna/{COMMIT}/examples/Implicit/camry_rc_data.py"
SHA256 = "dc598ede79fea07c73b5dfa0c3daa0eef3e509ecca2f0c805b07307ce4ad1288"
#: what zipfile raises of a damaged archive: of zlib, of other methods, of huge lengths, encryption
BAD_WHEEL = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, KeyError, ValueError, EOFError, RuntimeError,
    MemoryError,
)  # fmt: skip
LICENCE_ENDS = ("licenses/LICENSE", "dist-info/LICENSE")


class FetchError(Exception):
    """A file could not be downloaded, or is not as expected."""


def download_wheel(folder: Path) -> Path:
    """Download the wheel with pip; returns its path."""
    line = [sys.executable, "-I", "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "-q"]
    done = subprocess.run([*line, "-d", str(folder), WHEEL], capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("ansys_dyna_core-*.whl"))
    if done.returncode or not wheels:
        raise FetchError(f"pip could not download {WHEEL}: {done.stderr.strip()[-300:]}")
    return wheels[-1]


def download_properties() -> str:
    """The text of camry_rc_data.py, of one commit and checked."""
    try:
        with urllib.request.urlopen(PROPERTIES, timeout=60) as answer:
            data = answer.read()
    except (OSError, urllib.error.URLError) as error:
        raise FetchError(
            f"{PROPERTIES} cannot be reached ({error}); get it elsewhere and name it with --properties"
        ) from None
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise FetchError(f"{PROPERTIES} is not what it was: its SHA-256 differs")
    return data.decode()


def read_wheel(path: Path, name: str) -> str:
    """A file of the example in the wheel."""
    try:
        with zipfile.ZipFile(path) as wheel:
            return wheel.read(INSIDE + name).decode("latin-1").replace("\r\n", "\n")
    except BAD_WHEEL as error:
        raise FetchError(f"{path} has no {INSIDE}{name}: {error}") from None


def read_licence(path: Path) -> str:
    """The wheel's licence, which goes with the deck."""
    try:
        with zipfile.ZipFile(path) as wheel:
            names = [name for name in wheel.namelist() if name.endswith(LICENCE_ENDS)]
            return wheel.read(names[0]).decode() if names else ""
    except BAD_WHEEL as error:
        raise FetchError(f"the licence in {path} cannot be read: {error}") from None


@dataclass(frozen=True)
class Properties:
    """The lists of camry_rc_data.py."""

    lists: dict[str, list]

    def __getitem__(self, name: str) -> list:
        """A list by its name there.

        Raises:
            FetchError: there is none.
        """
        if name not in self.lists:
            raise FetchError(f"the properties have no list '{name}'")
        return self.lists[name]


class _Formulations(ast.NodeTransformer):
    """Turns `ShellFormulation.FULLY_INTEGRATED` into its last name, so that lists are literals."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.Constant:
        """Replace a dotted name by a string."""
        return ast.Constant(node.attr)


def read_properties_file(path: Path) -> Properties:
    """Read the lists of a file like camry_rc_data.py.

    Raises:
        FetchError: it cannot be read.
    """
    try:
        return read_properties(path.read_text())
    except (OSError, UnicodeDecodeError, FetchError) as error:
        raise FetchError(f"{path}: {error}") from None


def read_properties(text: str) -> Properties:
    """Read the lists of camry_rc_data.py without running it."""
    lists = {}
    try:
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                lists[node.targets[0].id] = ast.literal_eval(_Formulations().visit(node.value))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise FetchError(f"the properties cannot be read: {error}") from None
    return Properties(lists)
