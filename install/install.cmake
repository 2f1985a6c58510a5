# What is installed, and where: `cmake --install`, wheels and Debian packages. docs/install.md shows the folders.
#
# A wheel has everything inside its Python package. Elsewhere programs are in bin/, the Python package in lib/crumple/,
# and the package's own bin/ has links to the programs.
set(CRUMPLE_PYTHON_ENVIRONMENT "" CACHE PATH "virtual environment with the packages of requirements.txt, to install")
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME lab)
# The program is linked with the paths of its libraries that the installed one has. Otherwise CMake makes room for
# these in the built one by colons, and an empty entry is the current folder.
option(CMAKE_INSTALL_RPATH_USE_LINK_PATH "find libraries where they were at the build" ON)
option(CMAKE_BUILD_WITH_INSTALL_RPATH "link with these paths at once" ON)
set(package_place lib/crumple/crumple)
if(SKBUILD)
  set(package_place .)
endif()

# Installs the link in the package to a program in bin/.
function(crumple_install_link name component)
  if(NOT SKBUILD)
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links)
    file(CREATE_LINK ../../../../bin/${name} ${CMAKE_BINARY_DIR}/links/${name} SYMBOLIC)
    install(FILES ${CMAKE_BINARY_DIR}/links/${name} DESTINATION ${package_place}/bin COMPONENT ${component})
  endif()
endfunction()

foreach(solver ${CRUMPLE_BUILT_SOLVERS})
  get_filename_component(name ${solver} NAME)
  string(REGEX REPLACE "^crumple-" "" component ${name})  # solver, solver-mpich
  install(PROGRAMS ${solver} DESTINATION bin COMPONENT ${component})
  crumple_install_link(${name} ${component})
  if(CMAKE_SKIP_INSTALL_RPATH)
    install(CODE "file(RPATH_REMOVE FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/${name}\")"
            COMPONENT ${component})
  endif()
endforeach()

# For the solver for MPICH in a wheel: crumple/mpich_name.py.
set(CRUMPLE_MPICH_STAND_IN "" CACHE FILEPATH "an empty libmpi.so.12 that loads Debian's MPICH")
if(CRUMPLE_MPICH_STAND_IN)
  install(FILES ${CRUMPLE_MPICH_STAND_IN} DESTINATION ${package_place}/bin/debian-mpich)
endif()

# What commands read and build: the same folders as in the checkout.
install(DIRECTORY profiler simulator calibrate DESTINATION ${package_place}/share PATTERN "README.md" EXCLUDE)
install(DIRECTORY benchmarks/clusters DESTINATION ${package_place}/share/benchmarks)
install(DIRECTORY benchmarks/published/programs benchmarks/published/recordings
        DESTINATION ${package_place}/share/benchmarks/published)
install(CODE "
  execute_process(COMMAND \"${CMAKE_COMMAND}\" \"-DOUT=${CMAKE_BINARY_DIR}/revision\" \"-DSOURCE=${CMAKE_SOURCE_DIR}\"
                          -P \"${CMAKE_SOURCE_DIR}/install/write_revision.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT lab)
install(FILES ${CMAKE_BINARY_DIR}/revision DESTINATION ${package_place}/share)

# Debian's zsh reads another folder in /usr than zsh's own.
set(zsh_completions share/zsh/site-functions)
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(zsh_completions share/zsh/vendor-completions)
endif()

if(NOT SKBUILD)
  install(DIRECTORY crumple/ DESTINATION ${package_place} PATTERN "__pycache__" EXCLUDE)
  install(PROGRAMS install/crumple.sh DESTINATION bin RENAME crumple)
  install(FILES install/completion/crumple.bash DESTINATION share/bash-completion/completions RENAME crumple)
  install(FILES install/completion/crumple.fish DESTINATION share/fish/vendor_completions.d)
  install(FILES install/completion/crumple.zsh DESTINATION ${zsh_completions} RENAME _crumple)
  install(FILES install/requirements.txt DESTINATION lib/crumple)
  install(FILES README.md CHANGELOG.md LICENSE DESTINATION share/doc/crumple)
  install(FILES install/crumple.module DESTINATION share/modulefiles/crumple RENAME ${PROJECT_VERSION})
  if(CRUMPLE_PYTHON_ENVIRONMENT)
    install(DIRECTORY ${CRUMPLE_PYTHON_ENVIRONMENT}/ DESTINATION lib/crumple/.venv USE_SOURCE_PERMISSIONS)
  endif()
  include(install/debian.cmake)
endif()
