"""`python -m gatecrash` is `gatecrash`."""

from gatecrash.cli.main import main
from gatecrash.node.garbage import collect_hardly


def run() -> None:
    """Run the command line in a process of its own."""
    collect_hardly()
    try:
        main(prog_name="gatecrash")
    finally:
        # An interrupt that passed through an `exec` (an import that makes a dataclass holds one) is remembered by CPython, caught or
        # not: `python -m gatecrash` would die of the signal instead of ending with our exit code. The next `exec` forgets it.
        exec("")  # noqa: S102 - it runs nothing


if __name__ == "__main__":
    run()
