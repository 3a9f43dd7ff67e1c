"""Security schemes say where a credential stands."""

from typing import Any

import pytest

from gatecrash.formats.descriptions.document import References
from gatecrash.formats.descriptions.security import places_of


def places(scheme: Any, **document: Any) -> list[tuple[str, tuple[str, ...], str]]:
    whole = {"components": {"securitySchemes": {"one": scheme}}, **document}
    return [(one.scheme, tuple(one.point), one.word) for one in places_of(["one"], whole, References(whole))]


@pytest.mark.parametrize(
    ("scheme", "place"),
    [
        ({"type": "http", "scheme": "Bearer"}, ("bearer", ("header", "AUTHORIZATION"), "Bearer ")),
        ({"type": "oauth2", "flows": {}}, ("bearer", ("header", "AUTHORIZATION"), "Bearer ")),
        ({"type": "http", "scheme": "basic"}, ("basic", ("header", "AUTHORIZATION"), "Basic ")),
        ({"type": "apiKey", "in": "header", "name": "x-token"}, ("api_key", ("header", "X-TOKEN"), "")),
        ({"type": "apiKey", "in": "query", "name": "key"}, ("api_key", ("get", "key"), "")),
        ({"type": "apiKey", "in": "cookie", "name": "sid"}, ("api_key", ("header", "COOKIE", "cookie", "sid"), "")),
    ],
)
def test_a_scheme_has_a_place(scheme: Any, place: Any) -> None:
    assert places(scheme) == [place]


def test_a_key_in_authorization_is_a_token_behind_the_word_that_its_description_names() -> None:
    key = {"type": "apiKey", "in": "header", "name": "Authorization"}
    assert places({**key, "description": 'with the required prefix "Token"'})[0][2] == "Token "
    assert places(key)[0][2] == "Bearer "
    assert [is_guessed({**key, "description": told}) for told in ('the prefix "Token"', "")] == [False, True]


def is_guessed(scheme: Any) -> bool:
    whole = {"securityDefinitions": {"one": scheme}}
    return places_of(["one"], whole, References(whole))[0].guessed


def test_definitions_of_swagger_hold_as_well() -> None:
    assert places({}, securityDefinitions={"one": {"type": "basic"}}, components={})[0][0] == "basic"


@pytest.mark.parametrize(
    "scheme", [{}, {"type": "mutualTLS"}, {"$ref": "#/nowhere"}, {"type": "apiKey", "in": "header"}]
)
def test_what_says_nothing_has_no_place(scheme: Any) -> None:
    assert places(scheme) == []
