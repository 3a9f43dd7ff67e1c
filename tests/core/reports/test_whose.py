"""Whose credentials a side of a proof brings: the same letter for the same values, and no value anywhere."""

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Request
from gatecrash.core.reports.whose import whose

RECOGNISER = compile_recogniser()
ANN, BOB = (b"Authorization", b"Bearer anns-token-11"), (b"Authorization", b"Bearer bobs-token-22")


def sent(*headers: tuple[bytes, bytes], target: bytes = b"/orders/7") -> Request:
    return Request("GET", target, headers, host="shop.example")


def test_the_same_values_have_the_same_letter_and_others_another() -> None:
    assert whose([sent(ANN), sent(ANN), sent(BOB)], RECOGNISER) == ("A", "A", "B")
    assert whose([sent(ANN), sent(BOB), sent(ANN, target=b"/orders/8")], RECOGNISER) == ("A", "B", "A")


def test_nobody_and_empty_values_are_none_and_no_request_is_null() -> None:
    assert whose([sent(ANN), None, sent()], RECOGNISER) == ("A", None, "none")
    assert whose([sent((b"X-Token", b"abcdefgh")), sent((b"X-Token", b""))], RECOGNISER) == ("A", "none")
    assert whose([None, None], RECOGNISER) == (None, None)


def test_cookies_count_where_nothing_else_does() -> None:
    ann, bob = (b"Cookie", b"shop=1a; theme=x"), (b"Cookie", b"shop=2b; theme=x")
    assert whose([sent(ann), sent(bob), sent()], RECOGNISER) == ("A", "B", "none")
    assert whose([sent(ANN, ann), sent(ANN, bob)], RECOGNISER) == ("A", "A")


def test_what_an_auth_profile_sets_counts_too() -> None:
    point = ("header", "X-TENANT")
    requests = [sent((b"X-Tenant", b"red")), sent((b"X-Tenant", b"blue"))]
    assert whose(requests, RECOGNISER) == ("none", "none")
    assert whose(requests, RECOGNISER, [point]) == ("A", "B")


def test_signatures_are_new_with_each_request_and_tell_nothing() -> None:
    signed = (b"Authorization", b'Hawk id="a", ts="1", nonce="n", mac="m"')
    assert whose([sent(signed), sent(), sent(ANN)], RECOGNISER) == (None, None, None)
