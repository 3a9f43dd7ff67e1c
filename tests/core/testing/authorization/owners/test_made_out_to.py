"""What is made out to somebody by his name."""

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.objects.named import named_objects
from gatecrash.core.testing.authorization.owners.made_out_to import (
    is_held_by,
    is_made_out_to,
    is_named_in,
    speaks_of,
)

HTML, ANN = ((b"Content-Type", b"text/html"),), frozenset({"ann marsh", "7", "admin"})


@pytest.mark.parametrize(
    ("path", "text", "made_out"),
    [
        (b"/receipts/31", b"<p>For Ann Marsh, 12 lamps</p>", True),
        (b"/receipts/31", b"<p>For Ben Frost, 12 lamps</p>", False),
        (b"/receipts/31", b"<p>Ask the admin for 7 lamps</p>", False),
        (b"/articles/31", b"<p>By Ann Marsh</p>", False),
    ],
)
def test_a_paper_is_his_to_whom_it_is_made_out(path: bytes, text: bytes, made_out: bool) -> None:
    request = Request("GET", path)
    assert is_made_out_to(request, named_objects(request)[-1], Response(200, HTML, text), ANN) is made_out


def test_a_text_and_a_field_name_him_by_whole_words() -> None:
    letter = Response(200, HTML, b"Dear Ann Marsh, your lamp is ready")
    assert speaks_of(letter, ANN)
    assert not speaks_of(letter, frozenset({"ann mars", "lamps"}))
    told = Response(200, ((b"Content-Type", b"application/json"),), b'{"full_name": "Ann Marsh", "note": "Ben"}')
    assert is_named_in(told, frozenset({"marsh"}))
    assert not is_named_in(told, frozenset({"ben"}))
    called = Response(200, ((b"Content-Type", b"application/json"),), b'{"nick": "marsh9", "mail": "ben"}')
    assert is_named_in(called, frozenset({"marsh9"})), "as whoever chose a name to sign in with is called"
    assert not is_named_in(called, frozenset({"ben"}))


@pytest.mark.parametrize(
    ("body", "held"),
    [
        (b'{"keeper": "Ann@a.example"}', True),
        (b'{"keeper": "ann marsh"}', True),
        (b'{"keeper": "ask ann@a.example"}', False),
        (b'{"keeper": "ben@a.example"}', False),
        (b'{"keeper": "admin"}', False),
        (b'{"keeper": "100042"}', False),
        (b'{"author": "ann@a.example"}', False),
        (b'{"author": {"mail": "ann@a.example"}}', False),
        (b'{"updated_by": "ann@a.example"}', False),
        (b'{"writtenBy": "ann@a.example"}', False),
        (b'{"reader": "ann@a.example"}', False),
    ],
)
def test_a_field_of_any_word_holds_the_name_of_whose_it_is(body: bytes, held: bool) -> None:
    values = ANN | {"ann@a.example", "100042"}
    assert is_held_by(Response(200, ((b"Content-Type", b"application/json"),), body), values) is held
