"""The fields that a picture can show. This module imports nothing heavy, so that the help is fast."""

from enum import StrEnum


class Field(StrEnum):
    """The field shown by the colours."""

    plastic_strain = "plastic-strain"
    von_mises = "von-mises"
    displacement = "displacement"
    parts = "parts"

    @property
    def title(self) -> str:
        """Title of the colour bar."""
        titles = {
            Field.plastic_strain: "effective plastic strain",
            Field.von_mises: "von Mises stress",
            Field.displacement: "displacement",
            Field.parts: "",
        }
        return titles[self]
