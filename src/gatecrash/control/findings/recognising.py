"""The recogniser of the current client: what counts as its credentials."""

from collections.abc import Iterable

from gatecrash.control.inventory.queries import custom_parameters
from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.point import Point


def current_recogniser(further: Iterable[Point] = ()) -> Recogniser:
    """Compile the defaults, the current client's own parameters and further ones; not to be shared between threads."""
    return compile_recogniser([*(Point(item.point) for item in custom_parameters()), *further])
