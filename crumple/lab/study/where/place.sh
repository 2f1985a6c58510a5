#!/bin/bash
# Binds a rank to the cores of its job on its node.
# usage: place.sh packed|scattered|socket JOB JOBS CORES-A-JOB program arguments
binding=$1 job=$2 jobs=$3 wanted=$4
shift 4

declare -A met
lines=()
allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
for span in ${allowed//,/ }; do
  for ((core = ${span%-*}; core <= ${span#*-}; core++)); do
    socket=$(cat "/sys/devices/system/cpu/cpu$core/topology/physical_package_id" 2>/dev/null || echo 0)
    lines+=("$socket ${met[$socket]:-0} $core")
    met[$socket]=$((${met[$socket]:-0} + 1))
  done
done

sorted() { printf '%s\n' "${lines[@]}" | sort -n "$@" | cut -d' ' -f3; }
case $binding in
  packed) mapfile -t cores < <(sorted -k1,1 -k2,2 | tail -n +$((job * wanted + 1))) ;;
  scattered) mapfile -t cores < <(sorted -k2,2 -k1,1 | awk "NR % $jobs == ($job + 1) % $jobs") ;;
  socket) mapfile -t cores < <(printf '%s\n' "${lines[@]}" | sort -n -k1,1 -k2,2 |
    awk -v job="$job" '$1 != last { n++; last = $1 } n == job + 1 { print $3 }') ;;
esac
if ((${#cores[@]} < wanted)); then
  echo "place.sh: job $job needs $wanted cores on $(uname -n), binding $binding, and may use: $allowed" >&2
  exit 1
fi
list=$(IFS=,; echo "${cores[*]:0:wanted}")
exec taskset -c "$list" "$@"
