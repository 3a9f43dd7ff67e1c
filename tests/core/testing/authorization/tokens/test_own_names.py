"""What an application calls itself, and the keys that whoever needs one in a hurry makes of it."""

import json

import pytest

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.authorization.tokens.jwt import compact, parse, with_hmac
from gatecrash.core.testing.authorization.tokens.jwt_secrets import weak_secret
from gatecrash.core.testing.authorization.tokens.own_names import (
    keys_of,
    names_described,
    names_known,
    names_of,
    names_told,
    remember_name,
)

HERE, THERE = "https://a.example", "https://b.example"


def token(key: bytes = b"b8f1c64de0a34f2bb1d7c09a7a0e52f2", **claims: object):
    return parse(compact({"alg": "HS256"}, claims, with_hmac("HS256", key)))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<!doctype html><title>Tea house</title>", ("Tea house",)),
        ("<title>Orders &ndash; Tea house</title>", ("Orders", "Tea house")),
        ("<title>Tea house | Order 4711</title>", ("Tea house", "Order")),
        ('<meta property="og:site_name" content="TeaHouse"><title>It</title>', ("TeaHouse",)),
        (json.dumps({"openapi": "3.1.0", "info": {"version": "1", "title": "Tea house API"}}), ("Tea house API",)),
        (json.dumps({"title": "A long letter", "text": "none"}), ()),
        ("<title>What everybody should know of tea before it is poured</title>", ()),
        ("<p>no title</p>", ()),
    ],
)
def test_pages_and_descriptions_tell_it(text, names):
    assert names_told(Response(200, body=text.encode())) == names


def test_a_description_tells_it_by_its_title_and_its_longer_words():
    assert names_described("Stitchbook - API", "Patterns of a knitting circle") == (
        "Stitchbook",
        "API",
        "Patterns",
        "knitting",
        "circle",
    )
    assert len(names_described("", " ".join(f"word{chr(97 + each)}" for each in range(26)))) == 20
    assert weak_secret(token(b"knitting-secret"), keys_of(("knitting",))) == b"knitting-secret"


def test_it_is_kept_by_origin_and_not_for_every_object():
    told: set[tuple[str, ...]] = {("something else", HERE, "tea")}
    for number in range(100):
        remember_name(told, HERE, f"Object {'x' * (number + 1)}")
    remember_name(told, THERE, "Tea house")
    assert len(names_known(told, HERE)) == 40
    assert names_known(told, THERE) == ("Tea house",)


def test_tokens_and_cookies_tell_it_too():
    request = Request(
        "GET", b"/", ((b"Host", b"127.0.0.1"), (b"Cookie", b"kettle_session=1; lang=en")), host="127.0.0.1"
    )
    mine = token(iss="https://api.tea-house.example/v1", aud=["TeaClients"], client_id=7)
    assert {"tea house", "Tea Clients", "kettle", "kettle session"} <= set(names_of(request, mine))
    assert not {"127", "0"} & set(names_of(request, mine))


@pytest.mark.parametrize(
    "key", [b"teahouse123", b"teahouse", b"tea-house-secret", b"Tea_House2024", b"TeaHouse!", b"Tea house"]
)
def test_a_key_made_of_it_is_known_again(key):
    assert weak_secret(token(key)) is None
    assert weak_secret(token(key), keys_of(("Tea House", "Tea house"))) == key


@pytest.mark.parametrize("key", [b"teahouse-secret", b"house2024", b"Tea_House_key"])
def test_a_key_made_of_a_part_of_it_is_known_again(key):
    assert weak_secret(token(key), keys_of(("Tea House API",))) == key


def test_a_random_key_is_not_and_the_trials_are_few():
    names = tuple(f"Tea house {'x' * (number + 1)}" for number in range(40))
    # The names, and the words of them, which are the same but for one.
    assert len(keys_of(names)) <= 40 * 12 * 26
    assert weak_secret(token(), keys_of(names)) is None


def test_hostile_answers_end():
    for text in (
        "<title>" * 60_000,
        "<meta " * 60_000,
        '"info":{' * 50_000,
        "<title " + "x" * 200_000,
        "<title>" + " - " * 60_000,
    ):
        names_told(Response(200, body=text.encode()))
