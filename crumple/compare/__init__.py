"""What differs between two runs: deck, version, options, histories, last states."""
