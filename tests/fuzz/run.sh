#!/usr/bin/env bash
# Runs each fuzzer for some time on a copy of its corpus; a crash ends it with the input kept in build/fuzz.
# The C++ readers have nine tenths of the time, those of Python the rest.
#
# usage: tests/fuzz/run.sh SECONDS
set -eu
cd "$(dirname "$0")/../.."
cmake --preset fuzz >/dev/null
cmake --build build/fuzz --target fuzz_deck fuzz_pfile
python3 tests/fuzz/make_dictionary.py >build/fuzz/deck.dict
share=$(($1 * 8 / 10))
cd build/fuzz
for name in deck pfile; do
  mkdir -p "found/$name"
  words=$([ $name = deck ] && echo "-dict=deck.dict" || true)
  bin/fuzz_$name $words -max_total_time=$share -timeout=20 -rss_limit_mb=3000 -max_len=4000 -print_final_stats=1 \
    -artifact_prefix="$name-" "found/$name" "../../tests/fuzz/corpus/$name" 2>&1 | tail -n 12
  [ "${PIPESTATUS[0]}" -eq 0 ] || { echo "fuzz_$name found something: build/fuzz/$name-*"; exit 1; }
  share=$(($1 / 10))
done
cd ../..
PYTHONPATH=. .venv/bin/python tests/fuzz/fuzz_readers.py "$share" ||
  { echo "fuzz_readers.py found something: build/fuzz/readers"; exit 1; }
