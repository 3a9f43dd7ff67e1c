"""By which steps a recorded user is let in again."""

import json
from urllib.parse import urlencode

import msgspec
import pytest
from tests.core.testing.profiles.yard import FIRST, FORM, HOST, JSON, SECOND, asked, bearing, dead, posted

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.profiles.profile import AuthProfile
from gatecrash.core.testing.profiles.recorded import RecordedIdentities
from gatecrash.core.testing.profiles.recorded_steps import steps_behind

CLIENT = (b"Authorization", b"Basic eWFyZC1hcHA6YXBwLXMzY3JldC03Nw==")


def test_two_who_are_let_in_through_one_program_stay_two_and_the_program_is_named_again() -> None:
    def granted(name: str, token: str) -> tuple[Exchange, Exchange]:
        body = urlencode({"grant_type": "password", "username": name, "password": "sesame"})
        given = Response(200, body=f'{{"access_token": "{token}"}}'.encode())
        bearer = (b"Authorization", f"Bearer {token}".encode())
        return asked("/oauth/token", CLIENT, FORM, body=body, answer=given), asked("/me", bearer)

    profile = dead(*granted("ann", "at-111122223333"), *granted("ben", "at-444455556666"))
    assert [each.known for each in profile.identities] == [("ann",), ("ben",)]
    for identity in profile.identities:
        assert ("Authorization", CLIENT[1].decode()) in identity.login[0].headers
        assert [(each.point, each.value) for each in identity.values] == [
            (("header", "AUTHORIZATION"), "Bearer ${token}")
        ]


def steps(profile: AuthProfile) -> list[tuple[str, str]]:
    return [(step.url.removeprefix(f"http://{HOST}"), step.body or "") for step in profile.identities[0].login]


ENTERING = {"email": "ann@yard.example", "password": "sesame"}


def test_who_registered_first_comes_in_by_his_password_and_his_account_can_be_made_anew() -> None:
    made = posted("/register", ENTERING, {"user": {"email": "ann@yard.example"}})
    profile = dead(made, posted("/login", ENTERING, {"token": FIRST}), bearing(FIRST))
    assert steps(profile) == [("/login", json.dumps(ENTERING))], (
        "the name that is said again was not given by the first"
    )
    assert [step.body for step in profile.identities[0].registration] == [json.dumps(ENTERING)]


def test_a_registration_lets_in_where_nothing_else_does_and_a_login_behind_it_takes_its_place() -> None:
    made = posted("/register", ENTERING, {"token": FIRST})
    assert steps(dead(made, bearing(FIRST))) == [("/register", json.dumps(ENTERING))]
    entered = posted("/login", ENTERING, {"token": SECOND}, (b"Authorization", f"Bearer {FIRST}".encode()))
    profile = dead(made, bearing(FIRST), entered, bearing(SECOND))
    assert [path for path, _ in steps(profile)] == ["/login"]
    assert len(profile.identities) == 1


@pytest.mark.parametrize(
    "handed", [{"challenge": "ch-12345678"}, {"next": "code"}], ids=["by what it gave", "by a cookie"]
)
def test_a_code_behind_the_password_is_given_again(handed: dict[str, object]) -> None:
    cookie = {} if "challenge" in handed else {"Set-Cookie": "step=st-1234567890ab"}
    first = Response(200, (JSON, *((k.encode(), v.encode()) for k, v in cookie.items())), json.dumps(handed).encode())
    sent = ((b"Cookie", b"step=st-1234567890ab"),) if cookie else ()
    code = {**{name: value for name, value in handed.items() if name == "challenge"}, "code": "246810"}
    profile = dead(
        asked("/login", JSON, body=json.dumps(ENTERING), answer=first),
        posted("/login/code", code, {"token": FIRST}, *sent),
        bearing(FIRST),
    )
    assert [path for path, _ in steps(profile)] == ["/login", "/login/code"]
    assert ("ch-12345678" in str(steps(profile))) is False
    assert [each.value for each in profile.identities[0].values] == ["Bearer ${token}"]


def test_a_token_that_a_request_behind_the_login_gave_is_asked_for_again_where_it_was_used() -> None:
    entered = asked(
        "/login",
        JSON,
        body=json.dumps(ENTERING),
        answer=Response(200, (JSON, (b"Set-Cookie", b"sid=sd-1234567890ab")), b'{"ok": true}'),
    )
    cookie = (b"Cookie", b"sid=sd-1234567890ab")
    made = posted("/keys", {"label": "till"}, {"key": FIRST}, cookie)
    bringing = asked("/orders", (b"X-Api-Key", FIRST.encode()), cookie)
    assert [path for path, _ in steps(dead(entered, made, bringing))] == ["/login", "/keys"]
    assert [path for path, _ in steps(dead(entered, made, asked("/orders", cookie)))] == ["/login"]


@pytest.mark.parametrize(
    ("answer", "member"),
    [
        ({"accessToken": SECOND, "idToken": FIRST}, '$["idToken"]'),
        ({"data": {"attributes": {"ticket": FIRST}}}, '$["data"]["attributes"]["ticket"]'),
    ],
    ids=["another one than is expected", "by a name of its own"],
)
def test_the_token_is_the_one_that_requests_carry(answer: dict[str, object], member: str) -> None:
    profile = dead(posted("/login", ENTERING, answer), bearing(FIRST))
    (step,) = profile.identities[0].login
    assert [take.expression for take in step.take] == [member]


def test_what_a_login_tells_of_the_tenant_is_no_token_where_a_header_names_the_tenant() -> None:
    tenant = "0f8fad5b-d9cb-469f-a165-70867728950e"
    profile = dead(
        posted("/login", ENTERING, {"token": FIRST, "tenant": tenant}),
        asked("/news", (b"X-Tenant-Id", tenant.encode())),
        bearing(FIRST),
    )
    assert [each.point for each in profile.identities[0].values] == [("header", "AUTHORIZATION")]


def test_a_token_of_a_service_apart_goes_where_it_was_sent_and_its_cookies_do_not() -> None:
    def at(host: str, exchange: Exchange) -> Exchange:
        request = msgspec.structs.replace(exchange.request, host=host)
        return Exchange(request, exchange.response)

    cookie = (b"Set-Cookie", b"sso=so-1234567890ab")
    given = Response(200, (JSON, cookie), json.dumps({"access_token": FIRST}).encode())
    login = at("id.example", asked("/token", JSON, body=json.dumps(ENTERING), answer=given))
    others = at("shop.example", asked("/me", (b"Cookie", b"sso=so-1234567890ab")))
    profile = dead(login, bearing(FIRST), others)
    assert [each.hosts for each in profile.identities] == [f"id.example:80,{HOST}:80"]


def test_who_is_asked_as_brings_the_applications_own_key_too_and_no_cookie_of_a_visit() -> None:
    key, visit = (b"X-Api-Key", b"sk-mobile-5be1c0a9f2d34e7f"), (b"Cookie", b"visit=vs-1234567890ab")
    record = []
    for name, token in (("ann", FIRST), ("ben", SECOND)):
        record.append(
            posted("/login", {"email": f"{name}@yard.example", "password": "sesame"}, {"token": token}, key, visit)
        )
        record.append(asked("/me", (b"X-User-Token", token.encode()), key, visit))
    identities = RecordedIdentities(compile_recogniser(), [(f"{HOST}:80", b"/login")])
    for exchange in record:
        identities.see(exchange)
    profile = identities.profile()
    assert profile is not None
    assert [{each.point: each.value for each in one.values} for one in profile.identities] == [
        {("header", "X-USER-TOKEN"): "${token}", ("header", "X-API-KEY"): key[1].decode()}
    ] * 2


def test_two_who_use_one_browser_one_after_the_other_stay_two() -> None:
    def came(name: str, before: str, after: str) -> tuple[Exchange, Exchange]:
        answer = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", f"sid={after}".encode())))
        body = urlencode({"email": name, "password": "sesame"})
        cookies = [(b"Cookie", f"_ga=GA1.1.1234567890.17; sid={each}".encode()) for each in (before, after)]
        return asked("/login", FORM, cookies[0], body=body, answer=answer), asked("/home", cookies[1])

    profile = dead(*came("ann", "", FIRST), *came("ben", FIRST, SECOND))
    assert [identity.known for identity in profile.identities] == [("ann",), ("ben",)]
    carried = {holder.identity: {each.value for each in holder.values} for holder in profile.holders}
    assert carried == {"recorded 1": {FIRST}, "recorded 2": {SECOND}}


def test_a_tenants_key_that_goes_along_with_a_token_is_not_taken_for_it() -> None:
    tenant = "tn-5c0c6cc1d3a94f70"
    both = ((b"Authorization", f"Bearer {FIRST}".encode()), (b"X-Tenant-Key", tenant.encode()))
    given = {"user": {"tenantKey": tenant}, "token": FIRST}
    profile = dead(posted("/login", ENTERING, given), asked("/orders", *both))
    assert [(each.point, each.value) for each in profile.identities[0].values] == [
        (("header", "AUTHORIZATION"), "Bearer ${token}")
    ]


def test_a_key_that_the_logins_of_two_give_tells_nobody_apart() -> None:
    def entering(name: str, session: str) -> Exchange:
        answer = Response(
            200, (JSON, (b"Set-Cookie", f"sid={session}".encode())), b'{"mapsKey": "pk-9f8e7d6c5b4a3210"}'
        )
        return asked("/login", JSON, body=json.dumps({"user": name, "password": "sesame"}), answer=answer)

    def reading(target: str, session: str) -> Exchange:
        return asked(target, (b"Cookie", f"sid={session}".encode()), (b"X-Api-Key", b"pk-9f8e7d6c5b4a3210"))

    profile = dead(entering("ann", FIRST), reading("/me", FIRST), entering("ben", SECOND), reading("/orders", FIRST))
    assert [{each.value for each in holder.values} for holder in profile.holders] == [{FIRST}, {SECOND}]
    assert [identity.values for identity in profile.identities] == [(), ()]


def test_what_opens_a_link_is_not_asked_for_at_each_sign_in_where_a_cookie_lets_in() -> None:
    session = (b"Cookie", f"sid={FIRST}".encode())
    entered = Response(200, (JSON, (b"Set-Cookie", f"sid={FIRST}".encode())), b'{"ok": true}')
    shared = posted("/papers/5/links", {"days": 5}, {"token": SECOND}, session)
    opened = asked(f"/download?token={SECOND}", session)
    profile = dead(asked("/login", JSON, body=json.dumps(ENTERING), answer=entered), shared, opened)
    assert [url for url, _ in steps(profile)] == ["/login"]
    assert profile.identities[0].values == ()


def test_a_tenants_key_mixes_up_no_users_who_sign_in_before_either_asks() -> None:
    tenant = "tn-5c0c6cc1d3a94f70"

    def entering(name: str, token: str) -> Exchange:
        return posted("/login", {"user": name, "password": "sesame"}, {"tenantKey": tenant, "token": token})

    def reading(token: str) -> Exchange:
        return asked("/orders", (b"Authorization", f"Bearer {token}".encode()), (b"X-Tenant-Key", tenant.encode()))

    profile = dead(entering("ann", FIRST), entering("ben", SECOND), reading(FIRST), reading(SECOND))
    for identity in profile.identities:
        assert [(each.point[-1], each.value) for each in identity.values] == [("AUTHORIZATION", "Bearer ${token}")]
    owned = [{each.value.removeprefix("Bearer ") for each in holder.values} for holder in profile.holders]
    assert owned == [{FIRST}, {SECOND}]


@pytest.mark.parametrize("other", ["tn-5c0c6cc1d3a94f70", "tn-0000aaaa1111bbbb"], ids=["of both", "of one"])
def test_a_tenants_key_that_others_send_too_goes_with_whoever_is_asked_as(other: str) -> None:
    tenant, record = "tn-5c0c6cc1d3a94f70", []
    for name, token, key in (("ann", FIRST, tenant), ("ben", SECOND, other)):
        bearer = (b"Authorization", f"Bearer {token}".encode())
        record.append(posted("/login", {"user": name, "password": "sesame"}, {"tenantKey": key, "token": token}))
        record.append(asked("/orders", bearer, (b"X-Tenant-Key", key.encode())))
    identities = RecordedIdentities(compile_recogniser(), [(f"{HOST}:80", b"/login")])
    for exchange in record:
        identities.see(exchange)
    profile = identities.profile()
    assert profile is not None
    sent = [{each.point[-1]: each.value for each in one.values} for one in profile.identities]
    assert [each.get("X-TENANT-KEY") for each in sent] == [tenant if tenant == other else None] * 2


def test_the_form_of_a_code_has_a_token_of_its_own_which_is_fetched_before_it() -> None:
    def page(target: str, token: str, *cookie: tuple[bytes, bytes]) -> Exchange:
        shown = f'<form method="post"><input type="hidden" name="_csrf" value="{token}"></form>'
        return asked(target, *cookie, answer=Response(200, ((b"Content-Type", b"text/html"),), shown.encode()))

    step = (b"Cookie", b"sid=st-1234567890ab")
    led = Response(302, ((b"Location", b"/login/code"), (b"Set-Cookie", step[1])))
    home = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", f"sid={FIRST}".encode())))
    form = urlencode({**ENTERING, "_csrf": "aa+1234567890/="})
    profile = dead(
        page("/login", "aa+1234567890/="),
        asked("/login", FORM, body=form, answer=led),
        page("/login/code", "bb+1234567890/=", step),
        asked("/login/code", FORM, step, body=urlencode({"_csrf": "bb+1234567890/=", "code": "246810"}), answer=home),
        asked("/home", (b"Cookie", f"sid={FIRST}".encode())),
    )
    (identity,) = profile.identities
    assert [each.url.removeprefix(f"http://{HOST}") for each in identity.login] == [
        "/login", "/login", "/login/code", "/login/code",
    ]  # fmt: skip
    assert identity.login[2].take[0].source == "pattern"
    assert dict(identity.login[3].form) == {"_csrf": f"${{{identity.login[2].take[0].variable}}}", "code": "246810"}


def test_the_form_of_a_code_says_again_what_the_login_gave_beside_its_own_token() -> None:
    shown = b'<form method="post"><input type="hidden" name="_csrf" value="bb1234567890cc"></form>'
    home = Response(302, ((b"Location", b"/home"), (b"Set-Cookie", f"sid={FIRST}".encode())))
    form = {"flow": "fl-77778888aaaa", "code": "246810", "_csrf": "bb1234567890cc"}
    profile = dead(
        posted("/login", ENTERING, {"flow": form["flow"]}),
        asked("/login/code", answer=Response(200, ((b"Content-Type", b"text/html"),), shown)),
        asked("/login/code", FORM, body=urlencode(form), answer=home),
        asked("/home", (b"Cookie", f"sid={FIRST}".encode())),
    )
    first, page, code = profile.identities[0].login
    assert dict(code.form) == {
        "flow": f"${{{first.take[0].variable}}}", "code": "246810", "_csrf": f"${{{page.take[0].variable}}}",
    }  # fmt: skip


def test_a_guard_that_the_login_hands_out_goes_along_with_the_token() -> None:
    guard = (b"X-CSRF-Token", b"gd-5c0c6cc1d3a94f70")
    token = (b"X-Session-Token", FIRST.encode())
    given = {"sessionToken": FIRST, "csrfToken": guard[1].decode(), "trace": "tr-5c0c6cc1d3a94f70"}
    trace = (b"X-Trace", b"tr-5c0c6cc1d3a94f70")
    profile = dead(
        posted("/login", ENTERING, given), asked("/me", token, trace), posted("/orders", {"n": 1}, {}, token, guard)
    )
    (identity,) = profile.identities
    sent = {each.point[-1]: each.value for each in identity.values}
    assert sent == {"X-SESSION-TOKEN": "${token}", "X-CSRF-TOKEN": "${along0}"}
    assert {each.variable: each.expression for each in identity.login[0].take} == {
        "token": '$["sessionToken"]', "along0": '$["csrfToken"]',
    }  # fmt: skip


def test_a_token_in_the_first_objects_of_a_list_is_found_by_being_carried() -> None:
    given = {"result": {"grants": [{"kind": "web", "ka": FIRST}]}}
    profile = dead(posted("/login", ENTERING, given), asked("/me", (b"X-Yard-Pass", FIRST.encode())))
    (step,) = profile.identities[0].login
    assert [take.expression for take in step.take] == ['$["result"]["grants"][0]["ka"]']


def test_who_chose_his_tenant_before_he_signed_in_does_so_again() -> None:
    pre, sid = (f"{name}=71354a2dfb0ab172a69d70{number}" for number, name in enumerate(("pre", "sid"), 10))

    def gives(cookie: str) -> Response:
        return Response(200, ((b"Set-Cookie", f"{cookie}; Path=/".encode()),))

    profile = dead(
        asked("/tenant", FORM, body="name=acme", answer=gives(pre)),
        asked("/cart", FORM, (b"Cookie", pre.encode()), body="item=7", answer=gives("cart=0b6a340d188355597f2a1eae")),
        asked("/login", FORM, (b"Cookie", pre.encode()), body="user=ann&password=sesame", answer=gives(sid)),
        asked("/me", (b"Cookie", f"{pre}; {sid}".encode())),
    )
    assert [step.url.removeprefix(f"http://{HOST}") for step in profile.identities[0].login] == ["/tenant", "/login"]


BASIC = (b"Authorization", b"Basic c3RhZ2luZzpkb29yLWtleQ==")
VISITOR = b"sid=aa11bb22cc33dd44ee55"


@pytest.mark.parametrize("sent", [FORM, JSON], ids=["form", "JSON"])
@pytest.mark.parametrize(
    ("had", "given", "brought", "visits"),
    [
        (b"", VISITOR, VISITOR, True),
        (VISITOR, b"", VISITOR, True),
        # The browser of another session, or of none.
        (b"", VISITOR, b"sid=0000111122223333ffff", False),
        (b"", VISITOR, b"", False),
        (b"", b"_ga=GA1.2.1111111.22222222", b"_ga=GA1.2.1111111.22222222", False),
    ],
)
def test_who_came_in_his_visitors_session_is_given_one_by_the_page_of_the_form_first(
    sent: tuple[bytes, bytes], had: bytes, given: bytes, brought: bytes, visits: bool
) -> None:
    html = (b"Content-Type", b"text/html")
    form = b"<form method=post><input name=email><input type=password name=password></form>"
    page = asked(
        "/login",
        *([(b"Cookie", had)] if had else []),
        answer=Response(200, (html, *([(b"Set-Cookie", given)] if given else [])), form),
    )
    entered = asked(
        "/login",
        sent,
        BASIC,
        *([(b"Cookie", brought)] if brought else []),
        body=urlencode(ENTERING) if sent == FORM else json.dumps(ENTERING),
        answer=Response(302, ((b"Location", b"/"), (b"Set-Cookie", b"sid=99887766554433221100"))),
    )
    login = dead(page, entered, asked("/mine", (b"Cookie", b"sid=99887766554433221100"))).identities[0].login
    assert [step.method for step in login] == (["GET", "POST"] if visits else ["POST"])
    assert [step.visit for step in login] == [True, False][-len(login) :]
    assert all(("Authorization", BASIC[1].decode()) in step.headers for step in login), "what lets any browser in"


def test_a_form_is_sent_behind_its_page_with_what_that_has_filled_in() -> None:
    html = ((b"Content-Type", b"text/html"),)
    shown = b"<form method=post><input type=hidden name=_token value=abcdefgh12><input name=user></form>"
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sid=1"))
    page = Exchange(Request("GET", b"/login", host="a.example"), Response(200, html, shown))
    login = Request("POST", b"/login", headers, b"_token=abcdefgh12&user=anna&word=x%2By", host="a.example")
    visited, entered = steps_behind(page, Exchange(login, Response(302, (), b"")), None)
    assert (visited.method, visited.url, visited.visit) == ("GET", "http://a.example/login", False)
    assert [take.variable for take in visited.take] == ["field0"]
    assert entered.form == (("_token", "${field0}"), ("user", "anna"), ("word", "x+y"))
    assert not any(name.lower() == "cookie" for name, _ in entered.headers)


def test_what_a_visitor_was_given_is_a_step_of_the_login_that_carries_it_and_what_a_user_was_is_none_of_the_next_ones() -> (
    None
):
    school = "c86b4efe6520fbc0975d7855970ff879"
    chosen = posted("/choose", {"called": "Hill School"}, {"facility": school})
    anns, bens = (posted("/login", {"email": name, "password": "sesame", "facility": school}, {"token": token})
                  for name, token in (("ann@yard.example", FIRST), ("ben@yard.example", SECOND)))  # fmt: skip
    changed = posted(
        "/users/7", {"name": "Ann X"}, {"facility": school}, (b"Authorization", f"Bearer {FIRST}".encode())
    )
    profile = dead(chosen, anns, bearing(FIRST), changed, bens, bearing(SECOND))
    paths = [[step.url.removeprefix(f"http://{HOST}") for step in each.login] for each in profile.identities]
    assert paths == [["/choose", "/login"], ["/choose", "/login"]]
    profile = dead(anns, bearing(FIRST), changed, bens, bearing(SECOND))
    assert [len(each.login) for each in profile.identities] == [1, 1]
