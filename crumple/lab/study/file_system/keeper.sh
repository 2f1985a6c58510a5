#!/bin/sh
# Cleans up after a study that was killed: ends all processes of its mount namespace, removes its folder.
# usage: keeper.sh FOLDER OUTSIDE    OUTSIDE is the mount namespace that the study has left. The end of the
# standard input says that it was killed; a line, that it lives and needs the folder no longer.
folder=$1 outside=$2
alive=
read -r alive

# The processes in this mount namespace, without this shell.
others() {
  own=$(readlink /proc/$$/ns/mnt)
  [ "$own" != "$outside" ] || return
  for process in /proc/[0-9]*; do
    [ "${process#/proc/}" = $$ ] || [ "$(readlink "$process/ns/mnt")" != "$own" ] || echo "${process#/proc/}"
  done
}

if [ -z "$alive" ]; then
  for _ in 1 2 3 4 5; do # a process may start another one while it is killed
    # shellcheck disable=SC2046
    kill -KILL $(others)
    sleep 0.2
  done
fi
grep -F " $folder/" /proc/self/mounts | cut -d' ' -f2 | sort -r | while read -r mounted; do
  umount --lazy "$mounted"
done
rm -rf --one-file-system "$folder"
