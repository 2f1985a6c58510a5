"""Removes the current folder from the search paths of programs and libraries.

It may be a result folder from somebody else. In PATH and LD_LIBRARY_PATH an empty entry means the current
folder, and other relative entries mean folders in it.
"""

import os

LISTS = {"PATH": ":", "LD_LIBRARY_PATH": ":;"}  #: the lists, and the separators of their entries
UCX_SETTINGS = "ucx.conf"


def keep_out_current_folder() -> None:
    """Leave only absolute paths in the lists of this process, and so of all processes that it starts."""
    for name, separators in LISTS.items():
        if name not in os.environ:
            continue
        if kept := absolute_entries(os.environ[name], separators):
            os.environ[name] = kept
        else:
            del os.environ[name]  # empty, it would mean the current folder


def absolute_entries(entries: str, separators: str = ":") -> str:
    """A list such as PATH without its relative entries, separated by the first of the separators."""
    separator, *others = separators
    for other in others:
        entries = entries.replace(other, separator)
    return separator.join(entry for entry in entries.split(separator) if os.path.isabs(entry))


def settings_that_mpi_would_read() -> str:
    """Why no MPI program may be started here; "" if it may.

    UCX also reads settings in the current folder, and these can name libraries and programs.
    """
    if not os.path.lexists(UCX_SETTINGS):
        return ""
    return (
        f"MPI libraries would read {UCX_SETTINGS} of the current folder, which can name libraries to load: "
        "move it to your home folder, or to one that UCX_CONFIG_DIR names, or run elsewhere"
    )
