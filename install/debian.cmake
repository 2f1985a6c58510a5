# Debian packages by `cpack -G DEB`: crumple-solver, crumple-solver-mpich, and crumple with the commands in Python.
#
# Debian's own Python packages are older than those that Crumple is tested with, so the package has its own, in
# /usr/lib/crumple/.venv (CRUMPLE_PYTHON_ENVIRONMENT). They fit one version of Python, which it depends on.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME crumple)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of Crumple <crumple@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL lab)
foreach(solver ${CRUMPLE_BUILT_SOLVERS})
  string(REGEX REPLACE ".*/crumple-" "" component ${solver})
  list(APPEND CPACK_COMPONENTS_ALL ${component})
endforeach()
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)  # xz takes a quarter of an hour
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)

# Where Debian wants the licence.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  install(FILES LICENSE DESTINATION share/doc/crumple RENAME copyright)
  install(FILES LICENSE DESTINATION share/doc/crumple-solver RENAME copyright COMPONENT solver)
  install(FILES LICENSE DESTINATION share/doc/crumple-solver-mpich RENAME copyright COMPONENT solver-mpich)
endif()

set(CPACK_DEBIAN_SOLVER_PACKAGE_NAME crumple-solver)
set(CPACK_DEBIAN_SOLVER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SOLVER_PACKAGE_DEPENDS "openmpi-bin, libopenblas0-openmp")
set(CPACK_COMPONENT_SOLVER_DESCRIPTION "parallel crash solver for LS-DYNA keyword decks, for Open MPI
Explicit and implicit finite elements on MPI ranks and OpenMP threads, with the same
 bits on any number of both.")

set(CPACK_DEBIAN_SOLVER-MPICH_PACKAGE_NAME crumple-solver-mpich)
set(CPACK_DEBIAN_SOLVER-MPICH_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_SOLVER-MPICH_PACKAGE_DEPENDS "mpich, libopenblas0-openmp")
set(CPACK_COMPONENT_SOLVER-MPICH_DESCRIPTION "parallel crash solver for LS-DYNA keyword decks, for MPICH
The solver of the package crumple-solver, built with MPICH and without MUMPS.")

# The version of Python that the environment is for.
file(GLOB python_folders RELATIVE ${CRUMPLE_PYTHON_ENVIRONMENT}/lib ${CRUMPLE_PYTHON_ENVIRONMENT}/lib/python3.*)
set(python_needed "python3 (>= 3.11)")
if(python_folders MATCHES "^python3\\.([0-9]+)$")
  math(EXPR next "${CMAKE_MATCH_1} + 1")
  set(python_needed "python3 (>= 3.${CMAKE_MATCH_1}), python3 (<< 3.${next})")
endif()
set(CPACK_DEBIAN_LAB_PACKAGE_NAME crumple)
set(CPACK_DEBIAN_LAB_PACKAGE_DEPENDS
    "crumple-solver (= ${PROJECT_VERSION}-1), ${python_needed}, libc6, libgl1, libosmesa6, libxrender1, ffmpeg")
set(CPACK_DEBIAN_LAB_PACKAGE_RECOMMENDS "gcc, g++, make, libopenmpi-dev, libsimgrid-dev, nlohmann-json3-dev")
set(CPACK_DEBIAN_LAB_PACKAGE_SUGGESTS crumple-solver-mpich)
set(CPACK_COMPONENT_LAB_DESCRIPTION "crash decks run, shown, compared and predicted
The command crumple: runs of LS-DYNA keyword decks, pictures, curves, reports, profiles of
 MPI programs, studies, and predictions of runs on clusters.")
include(CPack)
