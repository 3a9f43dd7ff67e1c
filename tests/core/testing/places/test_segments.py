"""Which points hold values."""

from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.places.segments import holds_a_value, is_name, is_word, names_a_kept_file
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation


def at(target: bytes, point: tuple[str, ...], request: Request | None = None) -> Situation:
    request = request or Request("GET", target)
    return Situation(
        baseline=Baseline("bl_1", Exchange(request)),
        point=Point(point),
        value=read(request, Point(point)) or b"",
        credentials=(),
        policy=DEFAULT,
        random=Random(1),
    )


@pytest.mark.parametrize(
    ("target", "point", "expected"),
    [
        (b"/users/7", ("path", "1"), True),
        (b"/users/7/orders", ("path", "1"), True),
        (b"/users/ann", ("path", "1"), True),
        (b"/users/ann", ("path", "0"), False),
        (b"/odata/Orders(7)", ("path", "1"), False),
        (b"/odata/Orders(7)", ("path", "1", "key"), True),
        (b"/visits/7:cancel", ("path", "1"), False),
        (b"/visits/7:cancel", ("path", "1", "key"), True),
        (b"/documents:runQuery", ("path", "0", "key"), False),
        (b"/proxy/build.local:8080/a?q=a", ("path", "1", "host"), True),
        (b"/users/me", ("path", "1"), False),
        (b"/users/_debug", ("path", "1"), False),
        (b"/users/melanie", ("path", "1"), True),
        (b"/users", ("path", "0"), False),
        (b"/users/list?q=a", ("path", "1"), False),
        (b"/users/ann/orders", ("path", "1"), True),
        (b"/users/v1/ann/orders", ("path", "2"), True),
        (b"/users/ann?verbose=1", ("path", "1"), True),
        (b"/users/ann/orders", ("path", "2"), True),
        (b"/users/ann/orders?q=a", ("path", "2"), False),
        (b"/users/search?q=a", ("path", "1"), False),
        (b"/users/orders/open?q=a", ("path", "1"), False),
        (b"/address/ann?q=a", ("path", "1"), False),
        (b"/users/v2/ann?q=a", ("path", "1"), False),
        (b"/user/ann/profile", ("path", "1"), True),
        (b"/user/profile/edit?q=a", ("path", "2"), False),
        (b"/user/search/all?q=a", ("path", "1"), False),
        (b"/categories/book/items", ("path", "1"), True),
        (b"/users?q=a", ("get", "q"), True),
        (b"/users?q=" + b"a" * 600, ("get", "q"), False),
        (b"/users?q=a", ("uri",), False),
        (b"/users.json", ("action_ext",), False),
        (b"/invoices/7.pdf", ("action_name",), True),
        (b"/invoices/spring.pdf", ("action_name",), True),
        (b"/spring.pdf", ("action_name",), False),
        (b"/images/logo.png", ("action_name",), False),
        (b"/invoices/7", ("action_name",), False),
        (b"/invoices/7.html", ("action_name",), False),
        (b"/goods;color=red", ("path", "0", "matrix", "color"), True),
    ],
)
def test_values_are_told_from_names_of_places(target, point, expected):
    assert holds_a_value(at(target, point)) is expected


@pytest.mark.parametrize(
    ("method", "target", "body", "point", "expected"),
    [
        ("PUT", b"/team/notes.txt", b"hello", ("action_name",), True),
        ("PUT", b"/team/notes.txt", b"hello", ("path", "1"), False),
        ("PUT", b"/team/notes", b"hello", ("path", "1"), True),
        ("PUT", b"/team/notes", b"hello", ("path", "0"), False),
        ("PUT", b"/team/notes", b"hello", ("action_name",), False),
        ("PUT", b"/team/notes.txt", b"", ("action_name",), False),
        ("PUT", b"/team/notes", b'{"a": 1}', ("path", "1"), False),
        ("PUT", b"/team/notes", b"a=1", ("path", "1"), False),
        ("POST", b"/team/notes.txt", b"hello", ("action_name",), False),
    ],
)
def test_the_name_of_a_file_is_what_a_put_keeps_its_body_under(method, target, body, point, expected):
    assert names_a_kept_file(at(target, point, Request(method, target, (), body))) is expected


@pytest.mark.parametrize(
    ("point", "name"),
    [
        (Point(("get", "q", "name")), True),
        (Point(("post", "json_doc", "json_obj", "q", "name")), True),
        (Point(("get", "name")), False),
        (Point(("post", "json_doc", "json_obj", "name")), False),
        (Point(("header", "COOKIE", "cookie", "name")), False),
        (Point(("get", "q")), False),
    ],
    ids=str,
)
def test_a_name_is_told_from_a_parameter_that_is_called_name(point, name):
    assert is_name(point) is name


@pytest.mark.parametrize(
    ("target", "point", "word"),
    [
        (b"/users/ann", ("path", "1"), True),
        (b"/users/7", ("path", "1"), False),
        (b"/users?name=ann", ("get", "name"), False),
    ],
)
def test_a_word_of_the_path_is_no_identifier(target, point, word):
    assert is_word(at(target, point)) is word


def posted(body: bytes, kind: bytes | None = b"text/plain;charset=UTF-8") -> Situation:
    headers = ((b"Content-Type", kind),) if kind is not None else ()
    return at(b"/words", ("post",), Request("POST", b"/words", headers, body))


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (posted(b"green tea"), True),
        (posted("Tee, gr\u00fcn\n".encode(), None), True),
        (posted(b'{"word": "tea"}'), False),
        (posted(b"word=tea"), False),
        (posted(b"<word>tea</word>"), False),
        (posted(b"word: tea", b"application/yaml"), False),
        (posted(b"BEGIN:VCARD", b"text/vcard"), False),
        (posted(b"\x00\x01tea"), False),
        (posted(b"tea " * 200), False),
        (msgspec.structs.replace(posted(b"0123456789abcdef"), credentials=(Point(("post",)),)), False),
    ],
    ids=lambda value: repr(value.value) if isinstance(value, Situation) else "",
)
def test_a_body_is_a_value_where_it_is_a_text_and_nothing_else(situation: Situation, *, expected: bool) -> None:
    assert holds_a_value(situation) is expected
