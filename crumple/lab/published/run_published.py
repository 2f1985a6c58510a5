"""`crumple study run` for files of published studies."""

from pathlib import Path

from rich.console import Console
from rich.table import Table

from crumple.lab.applications.case import StudyError
from crumple.lab.catalogue.cluster import CatalogueError
from crumple.lab.profile.trace.events import TraceError
from crumple.lab.progress import watched
from crumple.lab.published.predict_findings import PublishedOutcome, predict_all
from crumple.lab.published.published_page import cells, head, rows_of, stand_in_words, summary, write_page
from crumple.lab.simulate.simulator_program import SimulationError
from crumple.printed_table import print_folded


def show(outcome: PublishedOutcome, console: Console) -> None:
    """Print all rows."""
    for study in outcome.studies:
        found = Table(
            title=study.file.published.title,
            title_justify="left",
            box=None,
            header_style="bold",
            pad_edge=False,
        )
        for name in head(outcome)[:-1]:
            found.add_column(name)
        for row in rows_of(outcome, study):
            found.add_row(*cells(outcome, row)[:-1])
        print_folded(found, console)
        console.print()
    for line in (*summary(outcome), stand_in_words(outcome)):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def run_published(files: list[Path], pages: list[Path], console: Console, cycles: int = 0) -> None:
    """Predict all findings of the files, print them, and write the pages.

    Args:
        cycles: number of cycles of each case to simulate as well; 0: none

    Raises:
        StudyError: there is a mistake in a file, or in a file that it names.
    """
    progress = Console(stderr=True)
    try:
        with watched("predicting findings") as watch:

            def say(line: str) -> None:
                watch.stage(line)
                if watch.terminal:
                    progress.print(line, highlight=False, markup=False)

            outcome = predict_all(files, say, cycles)
        show(outcome, console)
        for page in pages:
            write_page(outcome, page)
            console.print(str(page), highlight=False, markup=False)
    except (CatalogueError, SimulationError, TraceError, OSError) as error:
        raise StudyError(str(error)) from None
