#!/bin/sh
# The solver of the checkout, with the kernels that it chooses: version A of versions.toml.
here=$(dirname "$(readlink -f "$0")")
exec "${CRUMPLE_SOLVER:-$here/../../bin/crumple-solver}" "$@"
