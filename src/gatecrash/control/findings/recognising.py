"""The recogniser of the current client: what counts as its credentials, and what else is masked where it is shown."""

from collections.abc import Iterable
from typing import Any

from gatecrash.control.inventory.queries import custom_parameters
from gatecrash.control.profiles.queries import masked_points
from gatecrash.control.testruns.models import TestRun
from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.point import Point


def current_recogniser(further: Iterable[Point] = ()) -> Recogniser:
    """Compile the defaults, the current client's own parameters and further ones; not to be shared between threads."""
    return compile_recogniser([*(Point(item.point) for item in custom_parameters()), *further])


def hidden_points(**runs: Any) -> tuple[Point, ...]:
    """What is masked beside what the recogniser knows: what profiles set, and headers that these runs found to let in."""
    listed = TestRun.objects.filter(**runs).exclude(credential_headers=[]).values_list("credential_headers", flat=True)
    found = (Point(("header", name)) for names in listed for name in names)
    return tuple(dict.fromkeys((*masked_points(), *found)))
