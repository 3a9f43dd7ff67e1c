"""In which order the processes of a run take the tests: what is long or shares a service first, each part in one process.

The plugin that spreads tests gives each process an equal, contiguous part of the list, and a process without work takes
half of what another has left, from the end. So every part begins with its share of what takes long, and ends with quick
tests that need nothing: those are what changes hands, and the last minute of a run is not two long tests alone.
"""

from dataclasses import dataclass, field
from itertools import islice

import pytest

# Seconds of a run in four processes on two cores, roughly. A folder stands for what of it is not named; its tests share a
# service or a database, which each process that takes some of them would have to start.
SECONDS = {
    "tests/e2e/ui/": 150,
    "tests/e2e/": 150,
    "tests/control/": 140,
    "tests/cli/": 110,
    "tests/e2e/test_durability_counts.py": 55,
    "tests/e2e/test_kill_at_random.py": 50,
    "tests/demo/test_demo.py": 45,
    "tests/e2e/test_schema.py": 70,
    "tests/e2e/test_kill_run.py": 60,
    "tests/e2e/test_kill.py": 50,
    "tests/e2e/test_pipelines.py": 50,
    "tests/node/": 50,
    "tests/cli/test_up.py": 45,
    "tests/e2e/test_import_description.py": 45,
    "tests/e2e/test_wire_times.py": 45,
    "tests/node/processes/": 40,
    "tests/e2e/test_up_with_node.py": 35,
    "tests/cli/scan/test_init.py": 35,
    "tests/demo/": 25,
    "tests/e2e/test_privacy.py": 25,
    "tests/e2e/test_run_state_machine.py": 20,
}
# What the plugin for Django does around every test, by names in its files: a third of what a test of the core costs.
DJANGO = ("_dj", "_live_server", "_template_string_if_invalid")
PLAIN = ("tests/cases/", "tests/core/", "tests/formats/", "tests/wire/")


@dataclass
class Part:
    """What one process begins with."""

    seconds: int = 0
    items: list[pytest.Item] = field(default_factory=list)


def arranged(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests in such an order that each of so many equal parts begins with its share of what takes long."""
    units: dict[str, list[pytest.Item]] = {}
    for item in items:
        units.setdefault(_unit(item), []).append(item)
    quick = iter(units.pop("", []))
    parts = [Part() for _ in range(processes)]
    for unit in sorted(units, key=lambda name: -SECONDS[name]):
        part = min(parts, key=lambda part: part.seconds)
        part.seconds += SECONDS[unit]
        part.items += units[unit]
    order: list[pytest.Item] = []
    for number, part in enumerate(parts):
        order += part.items
        end = len(items) * (number + 1) // processes
        order += islice(quick, max(0, end - len(order)))
    return order + list(quick)


def without_django(items: list[pytest.Item]) -> None:
    """Take what the plugin for Django does around every test from those that never meet it."""
    for item in items:
        if (
            item.nodeid.startswith(PLAIN)
            and isinstance(item, pytest.Function)
            and not item.get_closest_marker("django_db")
        ):
            item.fixturenames[:] = [name for name in item.fixturenames if not name.startswith(DJANGO)]


def _unit(item: pytest.Item) -> str:
    """The longest name in the list that the test lies under, or nothing."""
    return max((name for name in SECONDS if item.nodeid.startswith(name)), key=len, default="")
