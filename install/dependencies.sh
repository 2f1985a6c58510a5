#!/usr/bin/env bash
# Installs the Debian packages listed in the files given, or prints exactly what is missing. Elsewhere it does nothing.
#
# usage: install/dependencies.sh install/debian-packages.txt [more lists]
set -eu

if ! command -v dpkg-query >/dev/null; then
  echo "not a Debian system: docs/install.md says what has to be there; CMake says what is missing" >&2
  exit 0
fi

missing=()
for package in $(grep -hv '^#' "$@"); do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  as_root=(sudo)
else
  echo "Crumple needs these Debian packages, which are not installed:" >&2
  printf '  %s\n' "${missing[@]}" >&2
  echo "Neither root nor sudo is at hand. Ask for:  apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "installing ${#missing[@]} Debian packages: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
