"""What a description says of its host is kept where it can be meant, and its own address stands for the rest."""

import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.formats.draft import Draft
from gatecrash.node.observe.route import Origin
from gatecrash.node.scan.at_home import at_home

HOME = Origin("http", "127.0.0.1", 3000)


def asked(host: str, port: int = 80) -> Request:
    return Request("GET", b"/items", ((b"Host", b"x"),), host=host, port=port)


@pytest.mark.parametrize(
    ("host", "port", "reached"),
    [
        ("", 80, ("127.0.0.1", 3000)),
        ("localhost", 8080, ("127.0.0.1", 3000)),
        ("127.0.0.1", 3000, ("127.0.0.1", 3000)),
        ("api.example", 80, ("api.example", 80)),
    ],
)
def test_a_request_goes_to_where_its_description_came_from_unless_it_names_another_machine(
    host: str, port: int, reached: tuple[str, int]
) -> None:
    sent = at_home(Exchange(asked(host, port), drafted=True), HOME).request
    assert (sent.host, sent.port) == reached


def test_a_drafts_request_without_what_is_optional_goes_there_too() -> None:
    moved = at_home(Draft(request=asked(""), drafted=True, spare=asked("")), HOME)
    assert isinstance(moved, Draft)
    assert moved.spare is not None
    assert (moved.spare.host, moved.spare.first(b"Host")) == ("127.0.0.1", b"127.0.0.1:3000")
