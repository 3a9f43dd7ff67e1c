"""How soon pause, resume and interrupt are seen at the target, and how long a node goes on that hears nobody.

The real service, one node, a run of five requests a second and a target that notes when they arrive, all on this machine.
The contract gives an action one second, and silence ten.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.e2e.counting_target import CountingTarget
from tests.e2e.test_wire_times import acted, silenced, under_test
from tests.e2e.town import Town, built

EFFECT_SECONDS = 1.0
SILENCE_SECONDS = 10.0

T = TypeVar("T")


def main() -> None:
    """Measure and print."""
    took = measured(acted)
    for action, seconds in took.items():
        print(f"{action}: {seconds:.2f} s (at most {EFFECT_SECONDS:.0f})")
    silence = measured(lambda town, target, _run: silenced(town, target))
    print(f"a service that says nothing: {silence:.1f} s of sending (at most {SILENCE_SECONDS:.0f})")


def measured(measure: Callable[[Town, CountingTarget, str], T]) -> T:
    """What a run under test in a town of its own shows."""
    with (
        tempfile.TemporaryDirectory(prefix="gatecrash-bench-") as home,
        built(Path(home), f"sqlite:///{home}/service.sqlite3") as town,
        CountingTarget() as target,
    ):
        return measure(town, target, under_test(town, target))


if __name__ == "__main__":
    main()
