"""Makes `python -m crumple` the command line."""

from crumple.cli import app

app()
