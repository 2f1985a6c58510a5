"""Advice: the best way to run a deck on a cluster, and the upgrade that pays most."""
