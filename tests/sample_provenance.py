"""Where made-up runs of databases are from."""

PROVENANCE = {
    "machine": {"host": "here", "processor": "P", "cores": 2, "memory": 1, "kernel": "6", "system": "s"},
    "executable": {"path": "/bin/program", "sha256": "0"},
    "inputs": {},
    "mpi": "",
    "environment": {},
}
