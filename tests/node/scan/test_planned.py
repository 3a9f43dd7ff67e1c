"""Exchanges become baselines, each once, with what will be tried; what is left out is counted by its reason."""

from collections.abc import Iterable

from tests.node.loop import run

from gatecrash.core.auth.recogniser import compile_recogniser
from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT, THOROUGH
from gatecrash.core.testing.probe import Answer
from gatecrash.core.testing.profiles.profile_document import read_profile
from gatecrash.node.scan.planned import Planner

OK = Response(200, body=b"{}")


def asked(target: bytes, method: str = "GET", token: bytes = b"", body: bytes = b"") -> Exchange:
    headers = ((b"Authorization", b"Bearer " + token),) if token else ()
    return Exchange(Request(method, target, headers, body, host="h"), OK)


def test_the_second_of_the_same_is_skipped_and_another_user_is_not_the_same() -> None:
    planner = Planner(DEFAULT, compile_recogniser())
    first, again, other = planner.plan(
        [
            asked(b"/a?q=1", token=b"one-token"),
            asked(b"/a?q=1", token=b"one-token"),
            asked(b"/a?q=1", token=b"two-token"),
        ]
    )
    assert (first.skip, again.skip, other.skip) == ("", "duplicate", "")
    assert (again.forecast, again.baseline.response) == (0, None)
    assert first.forecast == sum(check.forecast for check in first.checks) > 0


def test_of_the_same_the_visit_with_more_cookies_is_tested() -> None:
    def visit(*cookies: bytes, status: int = 200) -> Exchange:
        headers = tuple((b"Cookie", each) for each in cookies)
        return Exchange(Request("GET", b"/till", headers, host="h"), Response(status, body=b"{}"))

    def tested(*visits: Exchange) -> list[str]:
        return [one.skip for one in Planner(THOROUGH, compile_recogniser()).plan(visits)]

    assert tested(visit(), visit(b"admin=0"), visit(b"admin=1")) == ["duplicate", "", "duplicate"]
    assert tested(visit(b"lang=en"), visit(b"lang=en; admin=0")) == ["duplicate", ""]
    assert tested(visit(b"lang=en"), visit(b"admin=0")) == ["", "duplicate"]
    assert tested(visit(), visit(b"admin=0", status=500)) == ["", "duplicate"]


def test_a_page_that_was_read_again_keeps_what_it_says_anew() -> None:
    def read(said: bytes, method: str = "GET", status: int = 200) -> Exchange:
        return Exchange(Request(method, b"/threads/5", host="h"), Response(status, body=said))

    def kept(*exchanges: Exchange) -> list[bytes]:
        planned = Planner(DEFAULT, compile_recogniser()).plan(exchanges)
        assert [one.skip for one in planned] == ["", *["duplicate"] * (len(planned) - 1)]
        assert not any(one.checks for one in planned[1:])
        return [one.baseline.response.body for one in planned if one.baseline.response is not None]

    assert kept(read(b"[]"), read(b"[7]"), read(b"[7]"), read(b"[]")) == [b"[]", b"[7]"]
    assert kept(read(b"[]"), read(b"[8]", status=500)) == [b"[]"]
    assert kept(read(b"[]", "POST"), read(b"[9]", "POST")) == [b"[]"]
    assert len(kept(*(read(b"[%d]" % number) for number in range(20)))) == 5  # a page that always differs


def test_duplicates_are_tested_where_that_is_wanted() -> None:
    planner = Planner(DEFAULT, compile_recogniser(), skip_duplicates=False)
    assert [one.skip for one in planner.plan([asked(b"/a"), asked(b"/a")])] == ["", ""]


def test_extensions_are_left_out_and_what_cannot_be_sent_is_counted() -> None:
    planner = Planner(DEFAULT, compile_recogniser(), exclude_extensions="js|css")
    planned = planner.plan([asked(b"/app.js"), asked(b"/a"), Exchange(Request("POST", b"/b", host="h"))])
    assert [one.skip for one in planned] == ["extension", ""]
    assert planner.passed_over == {"unanswered": 1}


def test_what_is_asked_once_a_host_is_forecast_once() -> None:
    planned = Planner(THOROUGH, compile_recogniser()).plan([asked(b"/a"), asked(b"/b")])
    exposed = [sum(check.probe.name == "exposed" for check in one.checks) for one in planned]
    assert exposed == [1, 0]


def test_a_baseline_can_be_sent_as_it_is() -> None:
    (one,) = Planner(DEFAULT, compile_recogniser()).plan([asked(b"/a", "POST", body=b"{}")])
    assert dict(one.baseline.request.headers) == {b"Host": b"h", b"Content-Length": b"2"}


PROFILE = read_profile(
    {
        "values": [{"point": ["header", "Authorization"], "value": "Bearer ${t}"}],
        "variables": {"t": "0123456789abcdef"},
        "once": [{"values": [{"point": ["get", "nonce"], "value": "${hex}"}]}],
        "identities": [{"name": "alice"}, {"name": "bob"}],
    },
    "p",
)


def test_with_a_profile_the_plan_is_that_of_the_signed_in_request_and_the_baseline_stays_as_recorded() -> None:
    (bare,) = Planner(DEFAULT, compile_recogniser()).plan([asked(b"/a?nonce=1&q=2")])
    (one,) = Planner(DEFAULT, compile_recogniser(), profile=PROFILE).plan([asked(b"/a?nonce=1&q=2")])
    assert one.baseline.request.first(b"Authorization") is None
    assert {check.probe.type for check in one.checks} - {check.probe.type for check in bare.checks} >= {"auth"}
    assert {check.planned.identities for check in one.checks} == {(Identity("alice"), Identity("bob"))}
    assert ("get", "q") in {check.point for check in one.checks}
    assert ("get", "nonce") not in {check.point for check in one.checks}, "it is filled anew for each request"


def test_users_of_the_record_are_identities_and_each_baseline_keeps_its_own() -> None:
    planner = Planner(DEFAULT, compile_recogniser())
    tokens = (b"alice-0123456789", b"bob-0123456789ab", b"alice-0123456789")
    planned = planner.plan([asked(b"/a?q=%d" % place, token=token) for place, token in enumerate(tokens)])
    assert planner.profile is not None
    assert planner.profile.recorded
    own = [one.checks[0].planned.identities[0].name for one in planned]
    assert own == ["recorded 1", "recorded 2", "recorded 1"]
    alone = Planner(DEFAULT, compile_recogniser())
    alone.plan([asked(b"/a?q=1", token=tokens[0])])
    assert alone.profile is None


@run
async def test_who_only_wrote_signs_in_again_where_what_he_wrote_is_refused_and_who_read_is_asked_for() -> None:
    kind = ((b"Content-Type", b"application/json"),)
    body, given = b'{"user": "ann", "password": "sesame"}', Response(200, kind, b'{"token": "tk-71354a2dfb0a"}')
    login = Exchange(Request("POST", b"/login", kind, body, host="h"), given)
    wrote, read = (asked(b"/notes", method, token=b"tk-71354a2dfb0a", body=b"a=1") for method in ("POST", "GET"))

    async def alive(request: Request) -> Answer:
        return Answer(Exchange(request, OK))

    for record, signs_in in (((login, wrote), True), ((login, read, wrote), False)):
        planner = Planner(DEFAULT, compile_recogniser())
        planner.plan(record)
        profile = await planner.signed_in_again(alive, wrote)
        assert (profile is not None and not profile.recorded) is signs_in


@run
async def test_who_signs_in_again_already_is_not_asked_for_in_the_session_that_was_recorded() -> None:
    kind = ((b"Content-Type", b"application/json"),)
    given = Response(200, kind, b'{"token": "tk-71354a2dfb0a"}')
    login = Exchange(Request("POST", b"/login", kind, b'{"user": "ann", "password": "sesame"}', host="h"), given)
    read = asked(b"/notes", token=b"tk-71354a2dfb0a")

    async def refuse(request: Request) -> Answer:
        return Answer(Exchange(request, Response(401)))

    for dead in ((), (("h:80", b"/login"),)):
        planner = Planner(DEFAULT, compile_recogniser(), dead=dead)
        planner.plan((login, read))
        assert (await planner.signed_in_again(refuse, read) is None) is bool(dead)


def test_users_who_signed_out_are_asked_for_nothing_in_their_recorded_sessions() -> None:
    kind = ((b"Content-Type", b"application/json"),)

    def of(name: bytes, *, ends: bool) -> list[Exchange]:
        given = Response(200, kind, b'{"token": "tk-71354a2dfb0a-%s"}' % name)
        login = Request("POST", b"/login", kind, b'{"user": "%s", "password": "sesame"}' % name, host="h")
        token = b"tk-71354a2dfb0a-" + name
        page = Exchange(asked(b"/notes/of", token=token).request, Response(200, kind, b'{"notes": []}'))
        own = Exchange(asked(b"/" + name, token=token).request, Response(200, kind, b'{"a": 1}'))
        return [Exchange(login, given), page, own, *([asked(b"/logout", "POST", token)] if ends else [])]

    for ends in (True, False):
        questions: list[bytes] = []

        def ask(requests: Iterable[Request], questions: list[bytes] = questions) -> Iterable[Exchange]:
            questions.extend(one.target for one in requests)
            return ()

        Planner(DEFAULT, compile_recogniser(), ask=ask).plan([*of(b"ann", ends=ends), *of(b"bob", ends=ends)])
        assert bool(questions) is not ends
