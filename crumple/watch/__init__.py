"""Watches a run in the browser while it writes its results: `crumple watch`."""
