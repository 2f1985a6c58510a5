"""The command line, started by bin/crumple (by its path, isolated), by `start` and by `python -m crumple`.

Python searches for modules in the current folder, which may be a result folder from somebody else with a
json.py in it. Until this is switched off, only modules that Python itself has loaded are imported.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start_again_without_current_folder() -> None:
    """Start Python again if it would import modules from the current folder, by default or by PYTHONPATH."""
    from crumple.current_folder import absolute_entries

    given = os.environ.get("PYTHONPATH", "")
    kept = absolute_entries(given)
    if sys.flags.isolated or (sys.flags.safe_path and kept == given):
        return
    os.environ["PYTHONPATH"] = kept
    os.execv(
        sys.executable, [sys.executable, "-P", os.path.join(ROOT, "crumple", "__main__.py"), *sys.argv[1:]]
    )


def main() -> None:
    """Run a command."""
    from crumple.current_folder import keep_out_current_folder

    keep_out_current_folder()
    from crumple.cli import app

    app(prog_name="crumple")  # the name that users type


def start() -> None:
    """The command of an installed package."""
    start_again_without_current_folder()
    main()


if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    start_again_without_current_folder()
    main()
