#!/bin/bash
# The wheel and the Debian packages of `make test-packages`, installed and run by a user without rights in folders
# that are mounted read-only. Needs root.
#
# usage: tests/install/packages.sh FOLDER-WITH-PACKAGES
set -eu
packages=$(readlink -f "$1")
root=$(readlink -f "$(dirname "$0")/../..")
[ "$(id -u)" -eq 0 ] || { echo "needs root: it starts another user and a system of its own" >&2; exit 1; }
if [ -z "${CRUMPLE_OWN_MOUNTS:-}" ]; then
  CRUMPLE_OWN_MOUNTS=1 exec unshare -m "$0" "$@"
fi
scratch=$(mktemp -d -p "$packages")
chmod 755 "$scratch"
trap 'umount -R "$scratch"/system/{proc,dev} 2>/dev/null || true; rm -rf "$scratch" 2>/dev/null || true' EXIT
mpis=openmpi
ls "$packages"/crumple-solver-mpich_*.deb >/dev/null 2>&1 && mpis="openmpi mpich"
failed=0
passed=0

check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    passed=$((passed + 1)) && echo "ok: $name"
  else
    failed=$((failed + 1)) && echo "FAILED: $name" && cat "$scratch/log"
  fi
}

# ---- what is done with each: runs on both libraries, one hash, and the profiler built in the cache ----------------
cat >"$scratch/session.sh" <<'END'
set -eu
cd "$HOME"
run() { crumple run deck.k -n 2 "$@" | grep -o 'state hash: .*'; }
first=$(run -d openmpi)
[ -n "$first" ]
for mpi in $MPIS; do [ "$(run -d "with-$mpi" --mpi "$mpi")" = "$first" ]; done
[ "$(crumple-solver i=deck.k -d alone | grep -o 'state hash: .*')" = "$first" ]
crumple view openmpi -o view.png >/dev/null
crumple profile -n 2 -- "$SOLVER" i=deck.k --directory profiled >/dev/null
ls .cache/crumple/build/profiler/*/libcrumple-profiler.so >/dev/null
! touch "$READ_ONLY/written" 2>/dev/null
END
deck() { # FOLDER
  PYTHONPATH=$root/tests "$root/.venv/bin/python" -c \
    'import sys; from small_decks import block; print(block(0.02, 0.01), file=open(sys.argv[1], "w"))' "$1/deck.k"
}

# ---- the wheel, in an environment of its own -----------------------------------------------------------------------
check "the wheel is for machines with glibc 2.35" ls "$packages"/crumple-*-manylinux_2_35_x86_64.whl
check "the wheel has no MPI library" sh -c \
  "! unzip -l '$packages'/crumple-*.whl | grep -E 'crumple.libs/lib(mpi|mpich|open-(rte|pal))[.-]'"
environment=$scratch/environment
/usr/bin/python3 -m venv "$environment"
check "pip installs it" "$environment/bin/pip" -q install "$packages"/crumple-*.whl -c "$root/install/requirements.txt"
home=$scratch/home
mkdir "$home" && deck "$home" && chown -R nobody "$home"
mount --bind "$environment" "$environment" && mount -o remount,bind,ro "$environment"
solver=$(echo "$environment"/lib/python3.*/site-packages/crumple/bin/crumple-solver)
check "it runs for a user without rights, with $mpis" \
  setpriv --reuid=nobody --regid=nogroup --clear-groups env -i "HOME=$home" "READ_ONLY=$environment" \
  "MPIS=$mpis" "SOLVER=$solver" "PATH=$environment/bin:/usr/local/bin:/usr/bin:/bin" bash "$scratch/session.sh"
umount "$environment" || true

# ---- the Debian packages, in a system of their own -----------------------------------------------------------------
system=$scratch/system
mmdebstrap --quiet --variant=minbase --include=ca-certificates "$(. /etc/os-release && echo "$VERSION_CODENAME")" "$system"
cp /etc/resolv.conf "$system/etc/"
mount -t proc proc "$system/proc" && mount --rbind /dev "$system/dev"
cp "$packages"/*.deb "$system/tmp/"
check "apt installs them, with what they need" chroot "$system" sh -c \
  'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/*.deb \
   gcc make libopenmpi-dev'
check "completion is where Debian's shells look" ls "$system/usr/share/bash-completion/completions/crumple" \
  "$system/usr/share/zsh/vendor-completions/_crumple" "$system/usr/share/fish/vendor_completions.d/crumple.fish"
chroot "$system" useradd --create-home eve
deck "$system/home/eve"
mount --bind "$system/usr/lib/crumple" "$system/usr/lib/crumple" && mount -o remount,bind,ro "$system/usr/lib/crumple"
cp "$scratch/session.sh" "$system/home/eve/"
check "they run for a user without rights, with $mpis" chroot "$system" setpriv --reuid=eve --regid=eve \
  --clear-groups env -i HOME=/home/eve READ_ONLY=/usr/lib/crumple "MPIS=$mpis" SOLVER=/usr/bin/crumple-solver \
  PATH=/usr/bin:/bin bash /home/eve/session.sh
umount "$system/usr/lib/crumple"
check "apt removes them" chroot "$system" sh -c \
  'apt-get purge -y -qq $(dpkg-query -W -f "\${Package} " "crumple*")'
check "nothing is left" sh -c "! ls -d '$system'/usr/lib/crumple '$system'/usr/bin/crumple* 2>/dev/null"
umount -R "$system/proc" "$system/dev"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
