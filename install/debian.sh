#!/bin/bash
# Makes the Debian packages of solvers that are built, and of the commands in Python with the packages that they need.
#
# usage: install/debian.sh OUT SOLVER [SOLVER-MPICH]
set -eu
out=$(mkdir -p "$1" && readlink -f "$1")
shift
root=$(readlink -f "$(dirname "$0")/..")
scratch=$out/debian
rm -rf "$scratch" && mkdir -p "$scratch/solvers"

# Python of the system, since the package depends on it. Only what runs stays in the environment.
/usr/bin/python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" --disable-pip-version-check -q install --no-compile -r "$root/install/requirements.txt"
"$scratch/venv/bin/pip" --disable-pip-version-check -q uninstall -y pip setuptools
find "$scratch/venv/bin" -type f -delete
find "$scratch/venv" -name __pycache__ -prune -exec rm -rf {} +
rm -rf "$scratch"/venv/lib/python3.*/site-packages/imageio_ffmpeg/binaries/ffmpeg-*  # the system has one
rm -rf "$scratch/venv/lib64" "$scratch/venv/include"
sed -i '/^\(command\|executable\)/d' "$scratch/venv/pyvenv.cfg"

built=
for solver in "$@"; do
  strip -o "$scratch/solvers/$(basename "$solver")" "$solver"
  built="$built;$scratch/solvers/$(basename "$solver")"
done
cmake -S "$root" -B "$scratch/build" -G Ninja -DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_SKIP_INSTALL_RPATH=ON \
  "-DCRUMPLE_BUILT_SOLVERS=${built#;}" "-DCRUMPLE_PYTHON_ENVIRONMENT=$scratch/venv" >/dev/null
(cd "$scratch/build" && cpack -G DEB >cpack.log) || { cat "$scratch/build/cpack.log" >&2; exit 1; }
rm -f "$out"/*.deb
mv "$scratch"/build/*.deb "$out/"
rm -rf "$scratch"
ls "$out"/*.deb
