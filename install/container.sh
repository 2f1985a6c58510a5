#!/bin/bash
# Builds the image crumple by podman or buildah. CONTAINER_OPTIONS: more options of `build`, such as volumes.
#
# Where no image of Debian can be had from elsewhere, BASE=made makes one of Debian's packages, by mmdebstrap.
set -eu
root=$(readlink -f "$(dirname "$0")/..")
tool=$(command -v podman || command -v buildah) || { echo "neither podman nor buildah is installed" >&2; exit 1; }
base=${BASE:-debian:12}
if [ "$base" = made ]; then
  base=crumple-base
  made=$(mktemp -d)
  trap 'rm -rf "$made"' EXIT
  mmdebstrap --quiet --variant=minbase bookworm "$made/base.tar"
  if [ "${tool##*/}" = podman ]; then
    podman import -q "$made/base.tar" "$base" >/dev/null
  else
    container=$(buildah from scratch)
    buildah add -q "$container" "$made/base.tar" / >/dev/null
    buildah commit -q --rm "$container" "$base" >/dev/null
  fi
fi
# shellcheck disable=SC2086
"$tool" build ${CONTAINER_OPTIONS:-} --build-arg "BASE=$base" -t crumple -f "$root/install/Containerfile" "$root"
