from crumple.lab.advise.advice import Advice as Advice
from crumple.lab.advise.question import AdviceError as AdviceError
from crumple.lab.api.advise_deck import advise_deck as advise_deck
from crumple.lab.api.run_study import run_study as run_study
from crumple.lab.api.simulate_trace import simulate_trace as simulate_trace
from crumple.lab.api.trace_deck import trace_deck as trace_deck
from crumple.lab.applications.case import StudyError as StudyError
from crumple.lab.catalogue.cluster import read_cluster as read_cluster
from crumple.lab.catalogue.figure import CatalogueError as CatalogueError
from crumple.lab.catalogue.hardware import Cluster as Cluster
from crumple.lab.catalogue.platform_file import Platform as Platform
from crumple.lab.catalogue.platform_file import read_platform as read_platform
from crumple.lab.profile.launch import run_profiled as run_profiled
from crumple.lab.profile.profile import Profile as Profile
from crumple.lab.profile.profile import read_profile as read_profile
from crumple.lab.profile.rank_file import ProfileError as ProfileError
from crumple.lab.profile.trace.events import TraceError as TraceError
from crumple.lab.profile.trace.trace_folder import Trace as Trace
from crumple.lab.profile.trace.trace_folder import open_trace as open_trace
from crumple.lab.report.measurements import Measurements as Measurements
from crumple.lab.report.measurements import read_measurements as read_measurements
from crumple.lab.simulate.results import Simulation as Simulation
from crumple.lab.simulate.simulator_program import NoPlaceError as NoPlaceError
from crumple.lab.simulate.simulator_program import SimulationError as SimulationError

LAYERS: tuple[tuple[str, ...], ...]
