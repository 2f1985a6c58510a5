"""Spack recipe of Crumple; docs/install.md says how to use it."""

from spack.package import *
from spack_repo.builtin.build_systems.python import PythonPackage


class Crumple(PythonPackage):
    """Parallel crash solver for LS-DYNA keyword decks, and a lab that measures how it runs."""

    license("Apache-2.0")

    # Of a checkout: spack develop --path CHECKOUT crumple@develop
    version("develop")

    variant("mumps", default=True, description="MUMPS as a further linear solver")

    depends_on("c", type="build")
    depends_on("cxx", type="build")

    with default_args(type="build"):
        depends_on("cmake@3.22:")
        depends_on("ninja")
        depends_on("pkgconfig")
        depends_on("py-scikit-build-core@0.11:")
        depends_on("cli11@2.3:")
        depends_on("nlohmann-json@3.11:")

    # What commands compile in the user's cache: the profiler, the micro-benchmarks, the simulator.
    with default_args(type=("build", "run")):
        depends_on("python@3.11:")
        depends_on("py-imageio-ffmpeg@0.4.5:0")
        depends_on("py-matplotlib@3.10:3")
        depends_on("py-numpy@2.1:2")
        depends_on("py-pandas@2.2:2")
        depends_on("py-pillow@11:")
        depends_on("py-plotly@5.20:5")
        depends_on("py-psutil@5.9:")
        depends_on("py-pyarrow@18:")
        depends_on("py-pydantic@2.9:2")
        depends_on("py-pyvista@0.44:0")
        depends_on("py-xarray@2024.9:")
        depends_on("py-rich@13")
        depends_on("py-tomli-w@1.0:1")
        depends_on("py-typer@0.15:0")
        depends_on("py-zstandard@0.23:0")
        depends_on("vtk@9.3:9+python")

    depends_on("mpi")
    depends_on("fmt@9:")
    depends_on("hdf5+mpi")
    depends_on("metis@5.1:")
    depends_on("openblas threads=openmp")
    depends_on("zlib-api")
    depends_on("mumps+mpi+float+double", when="+mumps")

    conflicts("%gcc@:11", msg="C++20 as GCC 12 has it is needed")

    def config_settings(self, spec, prefix):
        """Options of CMake."""
        return {"cmake.define.CRUMPLE_MUMPS": "ON" if spec.satisfies("+mumps") else "OFF"}

    def setup_build_environment(self, env):
        """The compilers of the MPI library."""
        env.set("MPI_HOME", self.spec["mpi"].prefix)
        env.set("METIS_ROOT", self.spec["metis"].prefix)
        env.set("HDF5_ROOT", self.spec["hdf5"].prefix)
