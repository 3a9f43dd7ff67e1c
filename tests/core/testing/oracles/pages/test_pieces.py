"""What a page is made of, and how two readings of it are told apart."""

from gatecrash.core.message import Response
from gatecrash.core.testing.oracles.pages.pieces import Piece, pieces, told_apart


def page(text: str) -> Response:
    return Response(200, ((b"Content-Type", b"text/html"),), text.encode())


def said(text: str) -> dict[Piece, int]:
    return dict(pieces(page(text)))


def test_a_cell_is_known_by_its_column():
    assert said("<table><tr><td>Bea</td><td> is\n free</td></tr></table>") == {
        Piece("td 1", "Bea"): 1,
        Piece("td 2", "is free"): 1,
    }


def test_a_tag_is_a_piece_with_what_its_attributes_hold():
    assert Piece("<input>", "name='a' value='b'") in said("<input name=a value=b>")


def test_what_scripts_say_is_none():
    assert said("<script>now = 17</script><style>b { x: y }</style>") == {}


def test_other_answers_are_read_by_their_names():
    told = pieces(Response(200, ((b"Content-Type", b"application/json"),), b'{"a": {"b": "c"}}'))
    assert dict(told) == {Piece("a.b", "c"): 1}


def test_readings_are_told_apart_by_what_differs_in_all_of_them():
    locked = [pieces(page(f"<p>locked</p><i>{number}</i>")) for number in range(3)]
    free = [pieces(page(f"<p>free</p><i>{number}</i>")) for number in range(3, 6)]
    assert told_apart(locked, free) == [Piece("p", "free"), Piece("p", "locked")]


def test_a_piece_that_stands_there_more_often_tells_them_apart():
    one, two = (pieces(page("<li>locked</li>" * count)) for count in (1, 2))
    assert told_apart([one], [two]) == [Piece("li", "locked")]


def test_what_only_some_readings_have_tells_nothing():
    moving = [pieces(page(f"<p>{number % 2}</p>")) for number in range(4)]
    assert told_apart(moving[:2], moving[2:]) == []


def test_what_counts_on_tells_nothing_where_the_readings_take_turns():
    counted = [pieces(page(f"<li>{'x' * number}</li>")) for number in range(6)]
    assert told_apart(counted[::2], counted[1::2]) == []
