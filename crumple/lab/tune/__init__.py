"""What elements cost on this machine, so that ranks get equal work."""
