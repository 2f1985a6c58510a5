"""The command line: what bin/crumple (by its path, isolated) and `python -m crumple` start.

Python looks for modules in the folder where one stands, which may be a folder of somebody else's results with
a json.py in it. Until that is out of the way nothing is imported but what Python has loaded itself.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def start_again_without_current_folder() -> None:
    """Start Python anew where it would take modules from the current folder, of itself or by PYTHONPATH."""
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

    app(prog_name="crumple")  # what users type, bin/crumple


if __name__ == "__main__":
    sys.path.insert(0, ROOT)
    start_again_without_current_folder()
    main()
