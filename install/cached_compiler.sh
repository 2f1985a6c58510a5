#!/bin/sh
# Runs a compiler through ccache: cached_compiler.sh CHECKOUT CCACHE COMPILER ARGUMENTS...
#
# A precompiled header is removed before it is made anew. The preprocessor would take the old one in place of the
# headers, and ccache would return whatever was once made from that, with other headers.
set -eu
checkout=$1
shift
case " $* " in
*" -x c++-header "*)
  made=
  previous=
  for argument; do
    [ "$previous" = -o ] && made=$argument
    previous=$argument
  done
  rm -f "$made"
  ;;
esac
# Paths are hashed relative to the checkout, so that another clone of it hits the cache.
CCACHE_BASEDIR=$checkout CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros exec "$@"
