"""Published findings of papers, from a file such as published.toml."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from crumple.lab.applications.case import StudyError
from crumple.lab.toml_table import nearest

# Words that assign a finding to a section of charts; the other findings belong to times.
SECTIONS = {
    "Energy and cost": re.compile(r"\benergy|\bWh\b|\bpower\b", re.I),
    "Messages": re.compile(r"message|MPI_|MPI profile|collective|Connections", re.I),
}


class FindingTable(BaseModel, extra="allow"):
    """A finding; all further keys are its figures."""

    what: str


class PaperTable(BaseModel, extra="allow"):
    """A paper as in the file."""

    title: str
    finding: list[FindingTable] = []


@dataclass(frozen=True)
class Paper:
    """A published study."""

    title: str
    findings: list[tuple[str, str]]  #: the finding, and its figure in words

    def of_section(self, section: str) -> list[tuple[str, str]]:
        """Findings for a section of charts."""
        if section == "Time":
            return [f for f in self.findings if not any(words.search(f[0]) for words in SECTIONS.values())]
        return [f for f in self.findings if section in SECTIONS and SECTIONS[section].search(f[0])]


def figure_of(finding: dict) -> str:
    """The figures of a finding as in the file, without "what"."""
    words = []
    for key, value in finding.items():
        values = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        unit = " %" if key.startswith(("reduction", "increase")) else ""
        words.append(f"{key.replace('_', ' ')} {values}{unit}")
    return "; ".join(words)


def read_paper(path: Path, name: str) -> Paper:
    """Read one paper of the file.

    Raises:
        StudyError: the file cannot be read, or has no such paper.
    """
    try:
        papers = tomllib.loads(path.read_text()).get("paper", {})
    except (OSError, ValueError, RecursionError) as error:
        raise StudyError(f"{path}: {error}") from None
    if not isinstance(papers, dict) or name not in papers:
        raise StudyError(f"{path} has no paper '{name}'{nearest(name, list(papers))}")
    try:
        paper = PaperTable.model_validate(papers[name])
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise StudyError(f"{path}: paper.{name}: {where}: {first['msg']}") from None
    return Paper(paper.title, [(f.what, figure_of(f.model_extra or {})) for f in paper.finding])
