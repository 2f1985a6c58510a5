"""The histories of a run, from text files or binout, depending on BINARY in the deck."""

from collections.abc import Callable
from typing import TypeVar

import pandas as pd

from crumple.results import binout
from crumple.results.damage import DamagedFile
from crumple.results.forces import Forces, read_rcforc, read_rwforc, read_secforc
from crumple.results.glstat import read_glstat
from crumple.results.matsum import PartEnergies, read_matsum
from crumple.results.run_files import RunFiles

Table = TypeVar("Table")


class Histories:
    """Tables of a run's histories; the text counts if there are both. None: the run did not write it.

    All raise DamagedFile for a file that exists but cannot be read.
    """

    def __init__(self, files: RunFiles) -> None:
        self.files_ = files
        self.binout_: binout.Binout | None = None

    def glstat(self) -> pd.DataFrame | None:
        """Energies of the model."""
        return self.read("glstat", "glstat", read_glstat, binout.glstat_of)

    def matsum(self) -> PartEnergies | None:
        """Energies of parts."""
        return self.read("matsum", "matsum", read_matsum, binout.matsum_of)

    def rwforc(self) -> Forces | None:
        """Forces on rigid walls."""
        return self.read("rwforc", "rwforc/forces", read_rwforc, binout.rwforc_of)

    def rcforc(self) -> Forces | None:
        """Forces of contacts."""
        return self.read("rcforc", "rcforc", read_rcforc, binout.rcforc_of)

    def secforc(self) -> Forces | None:
        """Forces of cross sections."""
        return self.read("secforc", "secforc", read_secforc, binout.secforc_of)

    def read(
        self,
        name: str,
        branch: str,
        of_text: Callable[..., Table],
        of_binout: Callable[[binout.Binout], Table],
    ) -> Table | None:
        """The table from the text file, otherwise from the branch of binout."""
        if path := self.files_.find(name):
            return of_text(path)
        paths = binout.binout_files(self.files_.directory, self.files_.prefix)
        if not paths:
            return None
        self.binout_ = self.binout_ or binout.Binout(paths)
        if not self.binout_.has(branch):
            return None
        try:
            return of_binout(self.binout_)
        except DamagedFile:
            raise
        except (ValueError, LookupError, ArithmeticError) as error:
            raise DamagedFile(f"{paths[0]}: {name} is damaged: {str(error)[:200]}") from None
