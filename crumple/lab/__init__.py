"""The lab: runs, profiles and compares MPI programs; from Python, too (docs/python.md).

`LAYERS` lists its folders from the lowest up. A folder imports only from folders below it and from the
modules beside this file, which import only from each other. tests/lab/test_structure.py checks this. `NAMES`
are for those who import the lab: each is imported when it is used, so this file imports nothing itself.
"""

LAYERS: tuple[tuple[str, ...], ...] = (
    ("energy", "page", "profile"),  # meters; parts of pages; the profiler and its traces
    ("catalogue", "applications"),  # hardware as data; the programs that studies run
    ("calibrate", "simulate", "study"),  # measuring a machine; predicting runs; comparing runs
    ("traces", "tune"),  # traces of our solver on any number of ranks; costs of its elements
    ("advise", "published", "submit"),  # questions that need all of these; jobs
    ("report",),  # reports of studies, with predictions beside measurements
    ("api",),  # all of these as functions, for Python
    ("commands",),  # the command line
)

#: names and their modules, below this one
NAMES = {
    "run_profiled": "profile.launch",
    "read_profile": "profile.profile",
    "Profile": "profile.profile",
    "trace_deck": "api.trace_deck",
    "open_trace": "profile.trace.trace_folder",
    "Trace": "profile.trace.trace_folder",
    "read_cluster": "catalogue.cluster",
    "Cluster": "catalogue.hardware",
    "simulate_trace": "api.simulate_trace",
    "Simulation": "simulate.results",
    "advise_deck": "api.advise_deck",
    "Advice": "advise.advice",
    "run_study": "api.run_study",
    "read_measurements": "report.measurements",
    "Measurements": "report.measurements",
    "read_platform": "catalogue.platform_file",
    "Platform": "catalogue.platform_file",
    "calibrate_machine": "api.calibrate_machine",
    "measure_costs": "api.measure_costs",
    "Costs": "tune.costs_file",
    "submit_deck": "api.submit_deck",
    "SubmittedJob": "submit.slurm_job",
    "ProfileError": "profile.rank_file",
    "TraceError": "profile.trace.events",
    "CatalogueError": "catalogue.figure",
    "SimulationError": "simulate.simulator_program",
    "NoPlaceError": "simulate.simulator_program",
    "AdviceError": "advise.question",
    "StudyError": "applications.case",
    "CalibrationError": "catalogue.platform_file",
    "TuneError": "tune.measure",
    "SubmitError": "submit.advised",
}
__all__ = ["LAYERS", *NAMES]


def __getattr__(name: str) -> object:
    """Import a name when it is first used."""
    if name not in NAMES:
        raise AttributeError(f"module 'crumple.lab' has no attribute '{name}'")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{NAMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """All names, also those not yet imported."""
    return sorted({*globals(), *NAMES})
