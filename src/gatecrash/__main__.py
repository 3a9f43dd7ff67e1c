"""`python -m gatecrash` is `gatecrash`."""

from gatecrash.cli.main import main

if __name__ == "__main__":
    main(prog_name="gatecrash")
