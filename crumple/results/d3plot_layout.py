"""The words of a d3plot family: what its control block says, and where the blocks of a state are.

Format: LSTC, "LS-DYNA database binary output files"; numbers of words in the names here are its disk
addresses. Read are solids, thick shells, beams and shells with unpacked connectivity, and smooth particles.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from crumple.results.damage import DamagedFile

CONTROL = 64
TYPES = (1, 3, 4, 5, 11)  #: FILETYPE of d3plot, d3part and the like
END_MARK = -999999.0
NODE_IDS_HEAD, SHORT_HEAD = 16, 10  #: words before the lists of ids
TITLE = 72  #: bytes of a part's title
PART_TITLES = 90001
PARTICLE_FLAGS = 11  #: words of ISPHFG, or one less

#: disk addresses
FILETYPE, NDIM, NUMNP, NGLBV, IT, IU, IV, IA = 11, 15, 16, 18, 19, 20, 21, 22
NEL8, NV3D, NEL2, NV1D, NEL4, NV2D = 23, 27, 28, 30, 31, 33
NEIPH, NEIPS, MAXINT, NMSPH, NGPSPH, NARBS = 34, 35, 36, 37, 38, 39
NELT, NV3DT, IOSHL, IALEMAT, NMMAT, NPEFG, IDTDT, EXTRA = 40, 42, 43, 47, 51, 54, 56, 57


@dataclass
class PlotLayout:
    """Counts of a family, and how many words each block of a state has."""

    word: str  #: of the file, as NumPy names it: "<f4", "<f8", ...
    title: str
    words: tuple[int, ...]  #: of the control block
    header: int  #: words before the geometry
    rigid_types: list[int] = field(default_factory=list)  #: of parts, where rigid shells have no rows
    rigid_shells: int = 0
    particle_items: tuple[int, ...] = ()  #: words of each item of a smooth particle (ISPHFG 2, ...)

    def __getitem__(self, address: int) -> int:
        return self.words[address]

    @property
    def integer(self) -> str:
        """The type of integers in the file."""
        return self.word.replace("f", "i")

    @property
    def size(self) -> int:
        """Bytes of a word."""
        return int(self.word[2:])

    @property
    def deletion(self) -> int:
        """MDLOPT: 2 for flags of elements, 1 for flags of nodes, 0 for none."""
        maxint = self[MAXINT]
        return 0 if maxint >= 0 else 2 if maxint < -10000 else 1

    @property
    def layers(self) -> int:
        """Integration points through a shell that are in the file."""
        maxint = abs(self[MAXINT])
        return maxint - 10000 if self.deletion == 2 else maxint

    @property
    def particle_words(self) -> int:
        """Words of a smooth particle in a state; first the part's number, negative for a deleted one."""
        return 1 + sum(self.particle_items) if self[NMSPH] else 0

    def flag(self, k: int, solids: bool = False) -> bool:
        """IOSHL(k), from 1: stress, plastic strain, resultants, thickness; 999 is of solids only."""
        value = self[IOSHL + k - 1]
        return value == 1000 or (solids and value == 999)

    @property
    def strains(self) -> bool:
        """Whether elements have strains."""
        if self[IDTDT] >= 100:
            return self[IDTDT] // 10000 % 10 == 1
        shell = self.layers * self.shell_point + 8 * self.flag(3) + 4 * self.flag(4)
        return self[NEL4] > 0 and self[NV2D] - shell >= 12

    @property
    def shell_point(self) -> int:
        """Words of an integration point of a shell."""
        return 6 * self.flag(1) + self.flag(2) + self[NEIPS]

    @property
    def shell_words(self) -> int:
        """Words of a shell's row that its quantities need."""
        points = self.layers * self.shell_point
        return points + 8 * self.flag(3) + 4 * self.flag(4) + 12 * self.strains

    @property
    def solid_point(self) -> int:
        """Words of an integration point of a solid; its history has the strains last."""
        return 6 * self.flag(1, True) + self.flag(2, True) + self[NEIPH]

    @property
    def node_scalars(self) -> int:
        """Words of a node between position and velocity: temperatures, fluxes, added mass."""
        thermal = {0: 0, 1: 1, 2: 4, 3: 6}.get(self[IT] % 10, 0)
        return thermal + (self[IT] // 10 % 10 == 1)

    @property
    def shell_rows(self) -> int:
        """Shells that have rows in a state."""
        return self[NEL4] - self.rigid_shells

    def places(self) -> dict[str, tuple[int, tuple[int, ...]]]:
        """Where each block of a state begins, in words from its time, and its shape; "end": its size."""
        at, found = 1, {}

        def block(name: str, *shape: int) -> None:
            nonlocal at
            found[name] = (at, shape)
            at += int(np.prod(shape))

        nodes = self[NUMNP]
        block("globals", self[NGLBV])
        if self[IU]:
            block("x", nodes, 3)
        block("node_scalars", nodes, self.node_scalars)
        if self[IV]:
            block("v", nodes, 3)
        if self[IA]:
            block("a", nodes, 3)
        block("solid", self[NEL8], self[NV3D])
        block("thick_shell", self[NELT], self[NV3DT])
        block("beam", self[NEL2], self[NV1D])
        block("shell", self.shell_rows, self[NV2D])
        if self.deletion == 2:
            for kind, count in (("solid", NEL8), ("thick_shell", NELT), ("shell", NEL4), ("beam", NEL2)):
                block(f"{kind}_flags", self[count])
        elif self.deletion == 1:
            block("node_flags", nodes)
        block("particle", self[NMSPH], self.particle_words)
        found["end"] = (at, ())
        return found


def read_layout(path: Path, head: bytes) -> PlotLayout:
    """The layout in the first bytes of a d3plot.

    Raises:
        DamagedFile: it is no d3plot, or of a kind that is not read here.
    """
    for word in ("<f4", "<f8", ">f4", ">f8"):
        size = int(word[2:])
        if len(head) < CONTROL * size:
            continue
        words = np.frombuffer(head[: CONTROL * size], word.replace("f", "i"))
        if words[FILETYPE] % 1000 in TYPES and 2 <= words[NDIM] <= 9:
            title = head[: 10 * size].decode("latin-1").strip(" \0")
            layout = PlotLayout(word, title, tuple(int(w) for w in words), CONTROL)
            check(path, layout)
            return with_types(path, layout, head)
    raise DamagedFile(f"{path} is no d3plot file")


def check(path: Path, layout: PlotLayout) -> None:
    """Refuse counts that no file has, and what is not read here."""
    counts = (
        *(NUMNP, NGLBV, NEL8, NV3D, NEL2, NV1D, NV2D),
        *(NEIPH, NEIPS, NMSPH, NARBS, NELT, NV3DT, NMMAT, EXTRA),
    )
    if any(layout[k] < 0 for k in counts):
        raise DamagedFile(f"{path} is damaged: a count in it is negative")
    if layout[NDIM] not in (4, 5, 7):
        raise DamagedFile(f"{path} has packed connectivity (NDIM = {layout[NDIM]}), which is not read")
    if layout[NEL4] > 0 and layout.shell_words > layout[NV2D]:
        raise DamagedFile(f"{path} is damaged: the row of a shell is too short for what it announces")
    if layout[NPEFG] or layout[NEL4] < 0 or layout[IALEMAT] > 0:
        raise DamagedFile(
            f"{path} has particles of airbags, ten-node solids' partners or fluids, which are not read"
        )


def with_types(path: Path, layout: PlotLayout, head: bytes) -> PlotLayout:
    """The layout with what is behind the control block: more of it, and the types of parts."""
    layout.header += layout[EXTRA]
    if layout[NDIM] in (5, 7):
        start = layout.header * layout.size
        counts = np.frombuffer(head[start : start + 2 * layout.size], layout.integer)
        if len(counts) < 2:
            raise DamagedFile(f"{path} is cut off")
        rigid, parts = int(counts[0]), int(counts[1])
        types = head[start + 2 * layout.size :][: parts * layout.size]
        if not 0 <= rigid <= layout[NEL4] or parts < 0 or len(types) < parts * layout.size:
            raise DamagedFile(f"{path} is damaged: its list of parts is cut off")
        layout.rigid_shells = rigid
        layout.rigid_types = np.frombuffer(types, layout.integer).tolist()
        layout.header += 2 + parts
    if layout[NMSPH]:
        read_particle_flags(path, layout, head)
    return layout


def read_particle_flags(path: Path, layout: PlotLayout, head: bytes) -> None:
    """ISPHFG: how many words each item of a smooth particle has."""
    start = layout.header * layout.size
    flags = np.frombuffer(head[start : start + PARTICLE_FLAGS * layout.size], layout.integer)
    if len(flags) < PARTICLE_FLAGS or not PARTICLE_FLAGS - 1 <= flags[0] <= PARTICLE_FLAGS:
        raise DamagedFile(f"{path} is damaged: its list of what particles have is not there")
    items = flags[1 : int(flags[0])].astype(np.int64)
    layout.particle_items = tuple(np.abs(items).tolist())
    layout.header += int(flags[0])


Reader = Callable[[int, int], np.ndarray]  #: of words: first, count
