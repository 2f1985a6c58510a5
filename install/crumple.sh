#!/bin/sh
# Runs the crumple command of this checkout (copied to bin/crumple by make build), or of an installation, whose Python
# package is in lib/crumple. With -I Python imports no modules from the current folder and from PYTHONPATH; programs
# that the command starts get PYTHONPATH unchanged.
root=$(PATH=/usr/bin:/bin && cd "$(dirname "$(readlink -f "$0")")/.." && pwd -P)
[ -d "$root/lib/crumple" ] && root=$root/lib/crumple
exec "$root/.venv/bin/python" -I "$root/crumple/__main__.py" "$@"
