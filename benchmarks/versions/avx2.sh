#!/bin/sh
# The solver of the checkout, held to its avx2 kernels: version B of versions.toml.
here=$(dirname "$(readlink -f "$0")")
exec "${CRUMPLE_SOLVER:-$here/../../bin/crumple-solver}" --isa avx2 "$@"
