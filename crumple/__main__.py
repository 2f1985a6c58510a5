"""The command line: what bin/crumple and `python -m crumple` start.

Python looks for modules in the folder where one stands, and in what PYTHONPATH names. A folder of somebody
else's results may hold a json.py: so Python is started anew where it is not isolated from both (-I). Before
that nothing is imported but what Python has loaded itself.
"""

import os
import sys


def main() -> None:
    """Run a command."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from crumple.current_folder import keep_out_current_folder

    keep_out_current_folder()
    from crumple.cli import app

    app(prog_name="crumple")  # what users type, bin/crumple


if __name__ == "__main__":
    if not sys.flags.isolated:
        os.execv(sys.executable, [sys.executable, "-I", os.path.abspath(__file__), *sys.argv[1:]])
    main()
