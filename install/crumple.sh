#!/bin/sh
# Runs the crumple command of this checkout (copied to bin/crumple by make build). -I: Python takes no module from
# the folder where one stands, nor from what PYTHONPATH names; the programs that are run see PYTHONPATH as it is.
root=$(PATH=/usr/bin:/bin && cd "$(dirname "$(readlink -f "$0")")/.." && pwd -P)
exec "$root/.venv/bin/python" -I "$root/crumple/__main__.py" "$@"
