"""Which requests write at one address, and which baseline is begun beside those under test."""

import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.overwriting import Apart, written_at

JSON = ((b"Content-Type", b"application/json"),)
MUTATION = b'{"query": "mutation { %s(id: 1) { id } }"}'


def post(target: bytes, body: bytes = b"text=a", method: str = "POST") -> Request:
    return Request(method, target, JSON if body.startswith(b"{") else (), body, "http", "wiki.example", 80)


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        (post(b"/wiki/Harbour/edit"), post(b"/wiki/Harbour/edit", b"text=b&minor=on"), True),
        (post(b"/notes/7", b"{}", "PUT"), post(b"/notes/7", b'{"a": 1}', "PATCH"), True),
        (post(b"/index.php?page=edit"), post(b"/index.php?page=edit", b"text=b"), True),
        (post(b"/index.php?page=edit"), post(b"/index.php?page=talk"), False),
        (post(b"/wiki/Harbour/edit"), post(b"/wiki/Rules/edit"), False),
        (post(b"/graphql", MUTATION % b"rename"), post(b"/graphql", MUTATION % b"move"), False),
        (post(b"/graphql", MUTATION % b"rename"), post(b"/graphql", MUTATION % b"rename" + b" "), True),
    ],
)
def test_what_writes_at_one_address(first: Request, second: Request, is_same: bool) -> None:
    assert written_at(first) is not None
    assert (written_at(first) == written_at(second)) is is_same


@pytest.mark.parametrize(
    "request_", [post(b"/wiki", b"", "GET"), post(b"/graphql", b'{"query": "query { notes { id } }"}')]
)
def test_what_only_reads_writes_nowhere(request_: Request) -> None:
    assert written_at(request_) is None


def baseline(name: str, request: Request) -> Baseline:
    return Baseline(name, Exchange(request))


def test_who_writes_elsewhere_begins_first_and_nobody_waits_for_ever() -> None:
    edit, again, talk = (
        baseline(name, post(target)) for name, target in (("edit", b"/edit"), ("again", b"/edit"), ("talk", b"/talk"))
    )
    apart = Apart()
    assert apart.first([edit, again, talk]) is edit, "in their order, where none is under test"
    apart.began(edit)
    assert apart.first([again, talk]) is talk
    apart.began(talk)
    assert apart.first([again]) is again, "no worker idles: it is tested in turn with the other"
    apart.ended("edit")
    assert apart.first([again, baseline("more", post(b"/talk"))]) is again
    assert apart.first([]) is None
