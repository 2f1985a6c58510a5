#!/bin/sh
# The solver of the checkout, held to its baseline kernels: version B of versions.toml.
here=$(dirname "$(readlink -f "$0")")
exec "${CRUMPLE_SOLVER:-$here/../../bin/crumple-solver}" --isa baseline "$@"
