"""`python -m gatecrash` is `gatecrash`."""

import gc

from gatecrash.cli.main import main
from gatecrash.node.test.collection import RARELY


def run() -> None:
    """Run the command line in a process of its own."""
    # What is imported stays: looking for garbage in it is a tenth of what a short command costs.
    gc.set_threshold(*RARELY)
    main(prog_name="gatecrash")


if __name__ == "__main__":
    run()
