#!/usr/bin/env bash
# Runs the crumple command of this checkout (copied to bin/crumple by make build).
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
export PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"
exec "$root/.venv/bin/python" -m crumple "$@"
