"""Energy and money of simulated jobs: the power of nodes and switches over simulated time."""

from dataclasses import dataclass

from crumple.lab.catalogue.hardware import Cluster
from crumple.lab.simulate.fabric import switches_of
from crumple.lab.simulate.placement import Placement

JOULES = 3600.0  #: joules in a watt-hour


@dataclass(frozen=True)
class SimulatedEnergy:
    """Energy in Wh of all jobs side by side until they end; only `total` includes PUE."""

    busy: float  #: nodes in use
    idle: float  #: nodes that are not in use
    network: float  #: switches
    adapters: float  #: of all nodes; they are not in the power of the nodes
    total: float  #: sum of these, times PUE
    jobs: int
    money: float  #: nodes in use per hour, and the energy
    currency: str
    switches: int

    @property
    def a_job(self) -> float:
        """Wh of one job, all nodes and switches of the cluster."""
        return self.total / self.jobs

    @property
    def parts(self) -> dict[str, float]:
        """The parts of the Wh of one job."""
        rest = self.total - self.busy - self.idle - self.network - self.adapters
        whole = {
            "nodes in use": self.busy,
            "unused nodes": self.idle,
            "switches": self.network,
            "adapters": self.adapters,
            "building (PUE)": rest,
        }
        return {name: wh / self.jobs for name, wh in whole.items()}

    @property
    def money_a_job(self) -> float:
        """Money of one job."""
        return self.money / self.jobs


def energy_of(cluster: Cluster, placement: Placement, seconds: float) -> SimulatedEnergy | None:
    """Energy of a run of this duration; None if the power of the node is not known.

    A rank that waits in MPI polls, with the same power as one that computes (measured by Hackenberg et al.
    2015). So the power of a node depends only on its number of ranks; nodes without ranks use idle power.
    """
    node = cluster.node
    if not node.peak_watts:
        return None
    hours = seconds / 3600.0
    ranks: dict[int, int] = {}
    for job in placement.places:
        for n, _ in job:
            ranks[n] = ranks.get(n, 0) + 1
    shares = [min(1.0, r / node.cores) for r in ranks.values()]
    busy = hours * sum(node.idle_watts + share * (node.peak_watts - node.idle_watts) for share in shares)
    idle = hours * node.idle_watts * (cluster.nodes - len(ranks))
    switches = 0 if cluster.nodes == 1 else switches_of(cluster.topology, cluster.nodes)
    network = hours * cluster.switch_watts * switches
    rails = 0 if cluster.nodes == 1 else cluster.network.rails
    adapters = hours * cluster.network.adapter_watts * rails * cluster.nodes
    total = cluster.pue * (busy + idle + network + adapters)
    money = node.price_per_hour * hours * len(ranks) + cluster.price_per_kwh * total / 1000.0
    jobs = len(placement.places)
    return SimulatedEnergy(busy, idle, network, adapters, total, jobs, money, cluster.currency, switches)
