"""The recogniser of the current client: what counts as its credentials."""

from gatecrash.control.inventory.queries import custom_parameters
from gatecrash.core.auth.recogniser import Recogniser, compile_recogniser
from gatecrash.core.point import Point


def current_recogniser() -> Recogniser:
    """Compile the defaults and the current client's own parameters; not to be shared between threads."""
    return compile_recogniser(Point(item.point) for item in custom_parameters())
