"""Which headers are tried at a guard, and with which values."""

from gatecrash.core.message import Request
from gatecrash.core.testing.authorization.callers.trusted_headers import Word, number_of_groups, with_words, words_for

REQUEST = Request("GET", b"/staff", ((b"X-Real-IP", b"198.51.100.4"),), host="shop.example")


def values(*caller: str) -> dict[bytes, bytes]:
    return {word.name: word.value for word in words_for(REQUEST, frozenset(caller), thorough=False)[1]}


def test_who_is_asking_is_told_by_name_number_or_address_as_the_header_wants_it():
    told = values("ann", "ann@shop.example", "41")
    assert (told[b"X-Forwarded-User"], told[b"X-User-Id"], told[b"X-User-Email"]) == (
        b"ann",
        b"41",
        b"ann@shop.example",
    )


def test_what_is_not_known_is_told_by_what_is_and_nobody_as_an_administrator():
    assert set(values("ann").values()) == {b"ann"}
    assert values("41")[b"Remote-User"] == b"41"
    assert values("41")[b"X-User-Email"] == b"admin"
    assert set(values().values()) == {b"admin"}
    assert set(values("a\nb").values()) == {b"admin"}, "no value breaks a header"


def test_headers_that_the_request_has_are_its_own():
    names = [word.name for word in words_for(REQUEST, frozenset(), thorough=True)[0]]
    assert b"X-Real-IP" not in names
    assert b"X-Forwarded-For" in names


def test_where_nobody_was_let_in_another_page_of_the_application_is_harmless():
    def harmless(*, refused_all: bool) -> bytes:
        words = words_for(REQUEST, frozenset(), thorough=False, refused_all=refused_all)[0]
        (referer,) = (word for word in words if word.name == b"Referer")
        return referer.harmless

    assert harmless(refused_all=True) == REQUEST.origin.encode() + b"/"
    assert harmless(refused_all=False) == b"http://nobody.example/"


def test_more_kinds_are_tried_where_requests_may_be_spent():
    assert [len(words_for(REQUEST, frozenset(), thorough=each)) for each in (False, True)] == [2, 4]
    assert [number_of_groups(thorough=each) for each in (False, True)] == [2, 4]


def test_a_word_takes_the_place_of_a_header_of_its_name():
    sent = with_words(REQUEST, [Word(b"x-real-ip", b"127.0.0.1", b"")])
    assert sent.headers == ((b"x-real-ip", b"127.0.0.1"),)
