"""The lab: runs, profiles and compares MPI programs.

`LAYERS` has its folders from the lowest up. A folder imports from those below it and from the modules beside
this file, and those only from each other. tests/lab/test_structure.py holds all of the lab to it.
"""

LAYERS: tuple[tuple[str, ...], ...] = (
    ("energy", "page", "profile"),  # meters; parts of pages; the profiler, and the traces that it writes
    ("catalogue", "applications"),  # hardware as data; the programs that studies run
    ("calibrate", "simulate", "study"),  # what measures, predicts and compares runs
    ("traces", "tune"),  # traces of our solver on any number of ranks; costs of its elements
    ("advise", "published"),  # what is asked of all of these
    ("report",),  # of studies, with what is predicted beside what was measured
    ("commands",),  # the command line
)
