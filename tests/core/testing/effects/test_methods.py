"""Which methods ask for nothing but an answer."""

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe


def test_unknown_methods_are_not_safe():
    assert not is_safe(Request("PURGE", b"/"))


def test_a_mutation_by_get_is_not_safe():
    assert not is_safe(Request("GET", b"/graphql?query=mutation+%7B+addTea+%7B+id+%7D+%7D"))
    assert is_safe(Request("GET", b"/graphql?query=%7B+teas+%7B+id+%7D+%7D"))
    assert is_safe(Request("GET", b"/search?query=mutation"))
