"""Jobs for Slurm: one run of a deck, in as many jobs as it needs."""
