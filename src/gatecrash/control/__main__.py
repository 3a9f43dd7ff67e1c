"""`python -m gatecrash.control <command>`: Django's management commands with our settings."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gatecrash.control.settings")
    execute_from_command_line(["python -m gatecrash.control", *sys.argv[1:]])


if __name__ == "__main__":
    main()
