"""The fields that a picture can show. Light, for the command line's help."""

from enum import StrEnum


class Field(StrEnum):
    """What colours mean."""

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
