"""REST takes what nobody else does."""

from gatecrash.core.inventory.protocols.call import Call
from gatecrash.core.inventory.protocols.rest import SPEAKER


def test_method_and_path_say_it_all():
    assert SPEAKER.operations(Call("GET", b"/", b"")) == ("",)
