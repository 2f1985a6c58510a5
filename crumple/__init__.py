"""Crumple: run, view and study crash models.

    deck = crumple.Deck("crash.k")                      # docs/python.md
    results = crumple.run(deck, "results", ranks=4)

Names are imported when they are used, so that the command line does not wait for them. Their types are in
__init__.pyi.
"""

__version__ = "0.1.0"

#: names and their modules
NAMES = {
    "Deck": "crumple.deck.keyword_deck",
    "DeckBlock": "crumple.deck.deck_block",
    "DeckRecord": "crumple.deck.deck_block",
    "DeckEditError": "crumple.deck.schema_data",
    "run": "crumple.api.solver_run",
    "start": "crumple.api.solver_run",
    "SolverRun": "crumple.api.solver_run",
    "RunProgress": "crumple.api.run_progress",
    "check": "crumple.api.deck_check",
    "DeckCheck": "crumple.api.deck_check",
    "Results": "crumple.api.results_folder",
    "ElementResults": "crumple.api.results_folder",
    "StateArray": "crumple.results.state_array",
    "ParameterStudy": "crumple.api.parameter_study",
    "grid": "crumple.api.parameter_study",
    "RunFailed": "crumple.api.run_failed",
    "DeckRefused": "crumple.api.run_failed",
    "ComputationFailed": "crumple.api.run_failed",
    "SystemFailed": "crumple.api.run_failed",
    "SolverMessage": "crumple.api.run_failed",
    "RunError": "crumple.results.run_files",
    "DamagedFile": "crumple.results.damage",
}
__all__ = ["__version__", *NAMES]


def __getattr__(name: str) -> object:
    """Import a name when it is first used."""
    if name not in NAMES:
        raise AttributeError(f"module 'crumple' has no attribute '{name}'")
    from importlib import import_module

    found = getattr(import_module(NAMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """All names, also those not yet imported."""
    return sorted({*globals(), *NAMES})
