"""Makes `python -m crumple` the command line."""

from crumple.cli import app

app(prog_name="crumple")  # what users type, bin/crumple
