"""One user with a token from one login, for an application's calls, and a cookie from another, for its pages."""

from urllib.parse import urlencode

from tests.core.testing.profiles.yard import FIRST, FORM, HOST, SECOND, asked, bearing, dead, posted

from gatecrash.core.message import Exchange, Response

ENTERING = {"email": "ann@yard.example", "password": "sesame"}
COOKIE = (b"Cookie", b"sid=sd-1234567890ab")
BY_TOKEN = (posted("/token", ENTERING, {"token": FIRST}), *[bearing(FIRST)] * 3)


def by_form(address: str = "/login", given: bytes = COOKIE[1], read: int = 1) -> list[Exchange]:
    portal = Response(302, ((b"Location", b"/home"), *([(b"Set-Cookie", given)] if given else ())))
    entered = asked(address, FORM, body=urlencode(ENTERING), answer=portal)
    return [entered, *[asked("/home", COOKIE)] * read]


def paths_of(*exchanges: Exchange) -> list[str]:
    (identity,) = dead(*exchanges).identities
    return [step.url.partition(HOST)[2] for step in identity.login]


def test_he_signs_in_by_both_the_one_for_the_token_first() -> None:
    for record in ((*BY_TOKEN, *by_form()), (*by_form(), *BY_TOKEN)):
        assert paths_of(*record) == ["/token", "/login"]


def test_where_the_form_lets_him_in_no_more_the_token_alone_serves() -> None:
    (identity,) = dead(*by_form(), *BY_TOKEN).identities
    assert [each.value for each in identity.values] == ["Bearer ${token}"]
    assert [[step.url.partition(HOST)[2] for step in way] for way in identity.otherwise] == [["/token"]]


def test_both_are_tried_with_another_password_that_he_was_recorded_with() -> None:
    earlier = posted("/token", {**ENTERING, "password": "sesame of then"}, {"token": SECOND})
    (identity,) = dead(earlier, bearing(SECOND), *by_form(), *BY_TOKEN).identities
    ways = [[step.body or str(step.form) for step in way] for way in identity.otherwise]
    assert [["sesame of then" in each for each in way] for way in ways] == [[True, True], [False]]


def test_one_way_is_enough_where_the_other_gave_nothing_was_not_used_or_made_the_account() -> None:
    assert paths_of(*by_form(given=b""), *BY_TOKEN) == ["/token"]
    assert paths_of(*by_form(read=0), *BY_TOKEN) == ["/token"]
    made = posted("/join", {**ENTERING, "name": "Ann"}, {"token": SECOND})
    assert paths_of(made, bearing(SECOND), *BY_TOKEN) == ["/token"]


def test_two_sessions_of_one_login_are_one_way() -> None:
    again = posted("/token", ENTERING, {"token": SECOND}, (b"Cookie", b"theme=dark"))
    assert paths_of(*BY_TOKEN, again) == ["/token"]
