from crumple.api.deck_check import DeckCheck as DeckCheck
from crumple.api.deck_check import check as check
from crumple.api.parameter_study import ParameterStudy as ParameterStudy
from crumple.api.parameter_study import grid as grid
from crumple.api.results_folder import ElementResults as ElementResults
from crumple.api.results_folder import Results as Results
from crumple.api.run_failed import ComputationFailed as ComputationFailed
from crumple.api.run_failed import DeckRefused as DeckRefused
from crumple.api.run_failed import RunFailed as RunFailed
from crumple.api.run_failed import SolverMessage as SolverMessage
from crumple.api.run_failed import SystemFailed as SystemFailed
from crumple.api.run_progress import RunProgress as RunProgress
from crumple.api.solver_run import SolverRun as SolverRun
from crumple.api.solver_run import run as run
from crumple.api.solver_run import start as start
from crumple.deck.deck_block import DeckBlock as DeckBlock
from crumple.deck.deck_block import DeckRecord as DeckRecord
from crumple.deck.keyword_deck import Deck as Deck
from crumple.deck.schema_data import DeckEditError as DeckEditError
from crumple.results.damage import DamagedFile as DamagedFile
from crumple.results.run_files import RunError as RunError
from crumple.results.state_array import StateArray as StateArray

__version__: str
