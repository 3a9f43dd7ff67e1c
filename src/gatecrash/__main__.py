"""`python -m gatecrash` is `gatecrash`."""

from gatecrash.cli.main import main
from gatecrash.node.garbage import collect_hardly


def run() -> None:
    """Run the command line in a process of its own."""
    collect_hardly()
    main(prog_name="gatecrash")


if __name__ == "__main__":
    run()
