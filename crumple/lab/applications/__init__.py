"""Programs that studies run, one file each; every file registers its program."""

import importlib
import pkgutil

from crumple.lab.applications.application import APPLICATIONS, Application


def applications() -> dict[str, type[Application]]:
    """All applications by name."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return dict(APPLICATIONS)
