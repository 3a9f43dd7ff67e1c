"""Whether what is answered without credentials should have asked for them."""

from random import Random

import msgspec
import pytest

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.core.point import Point
from gatecrash.core.testing.authorization.openness.exposure import Stake, is_at_stake, stake_of
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.policy import DEFAULT
from gatecrash.core.testing.probe import Situation

COOKIE, KEY = Point.of("header", "COOKIE", "cookie", "sid"), Point.of("header", "X-API-KEY")
XML = ((b"Content-Type", b"text/xml"),)
JSON, CSV = (b"Content-Type", b"application/json"), (b"Content-Type", b"text/csv")
PLAIN = b'{"open": "9 to 17"}'


def at_stake(
    target: bytes,
    body: bytes = PLAIN,
    credentials: tuple[Point, ...] = (COOKIE,),
    method: str = "GET",
    *,
    visited: bool = False,
    everywhere: bool = False,
    sent: Headers = (),
) -> bool:
    headers = (JSON, *sent) if method == "POST" else sent
    exchange = Exchange(Request(method, target, headers), Response(200, (CSV if b".csv" in target else JSON,), body))
    return is_at_stake(situation(exchange, credentials, visited=visited, everywhere=everywhere), exchange.response)


def situation(
    exchange: Exchange, credentials: tuple[Point, ...], *, visited: bool = False, everywhere: bool = False
) -> Situation:
    return Situation(
        baseline=Baseline("bl_1", exchange),
        point=Point(),
        value=b"",
        credentials=credentials,
        policy=DEFAULT,
        random=Random(1),
        visited=visited,
        everywhere=everywhere,
        identities=(Identity("recorded 1", known=("ann",)), Identity("recorded 2", known=("ben",))),
    )


@pytest.mark.parametrize(
    "target", [b"/admin/visits", b"/api/orders/31", b"/users/7/settings.json", b"/app/me", b"/internal-report"]
)
def test_addresses_say_whose_business_it_is(target):
    assert at_stake(target)


@pytest.mark.parametrize("target", b"/hours /search?q=admin /files/rules.txt /reorder /order-by /media/photo".split())
def test_what_everybody_may_see_says_nothing_of_the_kind(target):
    assert not at_stake(target)


@pytest.mark.parametrize(
    "target",
    b"/api/surveys/a7c3/results /forms/31/answers /forms/31/submissions /events/5/attendees /jobs/31/candidates".split(),
)
def test_what_many_have_told_somebody_is_kept_where_a_client_sends_its_token(target):
    assert at_stake(target, PLAIN, (KEY,), everywhere=True)
    assert not at_stake(target, PLAIN)
    assert not at_stake(target, PLAIN, (KEY,), visited=True)


@pytest.mark.parametrize(
    "target",
    [b"/polls/31/results", b"/matches/results", b"/surveys/31", b"/forms/answers", b"/elections/31/candidates"],
)
def test_results_of_other_kinds_are_shown_to_everybody(target):
    assert not at_stake(target, PLAIN, (KEY,), everywhere=True)


@pytest.mark.parametrize(
    ("said", "stakes"),
    [
        (b"public, max-age=60", False),
        (b"Public,s-maxage=5", False),
        (b"public, max-age=0", True),
        (b"private, max-age=60", True),
        (b"public, no-store, max-age=60", True),
        (b"max-age=60", True),
    ],
)
def test_what_every_cache_may_give_to_others_is_for_everybody(said, stakes):
    assert is_cached_at_stake(b"/load", PLAIN, said) is stakes
    assert is_cached_at_stake(b"/load", b'{"balance": 12}', said)
    assert is_cached_at_stake(b"/tickets/5", PLAIN, said)


def is_cached_at_stake(target: bytes, body: bytes, said: bytes) -> bool:
    exchange = Exchange(Request("GET", target), Response(200, (JSON, (b"Cache-Control", said)), body))
    return is_at_stake(situation(exchange, (KEY,)), exchange.response)


def test_a_question_by_post_is_judged_as_what_reads():
    def asked(target: bytes, body: bytes = b'{"valid": true}', *, everywhere: bool = True) -> bool:
        return at_stake(target, body, (KEY,), method="POST", everywhere=everywhere)

    assert not asked(b"/api/check-email")
    assert asked(b"/api/check-email", everywhere=False)
    assert asked(b"/api/email")
    assert not asked(b"/api/email", b'{"domain": "known"}')
    assert asked(b"/orders/search")
    assert not asked(b"/cart/total", b'{"total": 49, "currency": "EUR"}')
    assert asked(b"/notes/search", b'{"found": [{"id": 7, "words": 3}]}')
    assert asked(b"/search", b'{"balance": 12}')


def test_what_a_visitor_was_seen_to_send_is_for_visitors_unless_its_address_says_otherwise():
    assert at_stake(b"/notes/a7c3", method="POST")
    assert not at_stake(b"/notes/a7c3", method="POST", visited=True)
    assert not at_stake(b"/notes/a7c3", credentials=(KEY,), method="POST", visited=True)
    assert at_stake(b"/orders", method="POST", visited=True)


def test_private_fields_and_the_callers_own_name_say_so():
    assert at_stake(b"/parcel", b'{"first_name": "Eva", "phone": "+44 20"}')
    assert at_stake(b"/parcel?number=31", b'{"street": "Elm Street 5", "phone": "+44 20"}')
    assert not at_stake(b"/branches", b'[{"city": "Delft", "phone": "+31 15"}, {"city": "Gouda", "phone": "+31 182"}]')
    assert [at_stake(b"/greeting", b'{"hello": "Ann"}', visited=open_) for open_ in (False, True)] == [True, False]
    assert not at_stake(b"/greeting", b'{"hello": "you"}')


def test_a_key_that_is_sent_with_everything_does_not_make_a_catalogue_private():
    assert not at_stake(b"/hours", PLAIN, (COOKIE, KEY))
    assert not at_stake(b"/v2/zones", b'{"zones": [{"code": "A", "days": 1}]}', (KEY,))


def test_a_program_sends_its_key_where_it_was_told_to():
    assert at_stake(b"/parts/5", PLAIN, (KEY,))
    assert not at_stake(b"/parts/5", PLAIN, (KEY,), visited=True)


@pytest.mark.parametrize("sign", [(b"User-Agent", b"Mozilla/5.0 (X11; Linux)"), (b"sec-fetch-mode", b"cors")])
def test_an_application_in_a_browser_sends_its_token_with_everything(sign):
    assert not at_stake(b"/parts/5", PLAIN, (KEY,), sent=(sign,))
    assert at_stake(b"/orders/5", PLAIN, (KEY,), sent=(sign,))


@pytest.mark.parametrize("target", [b"/board/notes", b"/metrics", b"/v1/devices", b"/files/2024"])
def test_with_a_key_more_addresses_are_somebodys(target):
    assert at_stake(target, PLAIN, (KEY,))
    assert not at_stake(target, PLAIN, (KEY,), visited=True)
    assert not at_stake(target, PLAIN, (COOKIE,))


def test_a_list_of_people_or_orders_is_somebodys_whatever_the_address():
    assert at_stake(b"/data", b'{"users": [{"nick": "a"}]}')
    assert not at_stake(b"/data", b'{"shelves": [{"user_rating": 3}]}')


def test_what_changes_something_with_a_key_is_somebodys():
    assert at_stake(b"/shelf", PLAIN, (KEY,), method="DELETE")


def test_doors_to_accounts_are_for_everybody():
    body = b'{"username": "ann", "password": "x-Pw-1"}'
    for path in (b"/api/login", b"/api/register"):
        exchange = Exchange(Request("POST", path, (JSON,), body), Response(200, (JSON,), b'{"token": "abcdefgh12"}'))
        assert not is_at_stake(situation(exchange, (KEY,)), exchange.response)


def test_a_key_for_a_password_is_for_everybody_wherever_it_is_given():
    body = b'{"name": "ann", "password": "x-Pw-1"}'
    given = Response(201, (JSON,), b'{"apiKey": "sk_5f0c1d7700aa"}')
    exchange = Exchange(Request("POST", b"/api/keys", (JSON,), body), given)
    assert not is_at_stake(situation(exchange, (KEY,)), given)
    made = Response(201, (JSON,), b'{"id": 7}')
    other = Exchange(exchange.request, made)
    assert is_at_stake(situation(other, (KEY,)), made), "something is made there"


def test_changes_in_json_are_no_plain_forms():
    assert at_stake(b"/notes", method="POST")


@pytest.mark.parametrize(
    "target", [b"/lessons/3/check", b"/cart", b"/posts/7/like", b"/simulation", b"/api/device", b"/hide"]
)
def test_what_is_kept_for_guests_or_nothing_says_whose_it_is_may_be_at_stake_and_may_not(target):
    assert stake(target, (COOKIE,)) is Stake.PERHAPS
    assert stake(target, (KEY,), everywhere=True) is not Stake.NONE
    assert stake(target, (KEY,)) is Stake.SURE, "its program was told to send a key there"


@pytest.mark.parametrize(
    ("target", "sent", "told"),
    [
        (b"/shelf", b'{"user": "ann"}', PLAIN),
        (b"/shelf", b"{}", b'{"id": 31}'),
        (b"/account/shelf", b"{}", PLAIN),
        (b"/comments/4/hide", b"{}", PLAIN),
    ],
)
def test_a_change_of_what_is_somebodys_or_new_is_at_stake_whoever_sends_it(target, sent, told):
    assert stake(target, (COOKIE,), sent, told) is Stake.SURE


def stake(
    target: bytes, credentials: tuple[Point, ...], sent: bytes = b"{}", told: bytes = PLAIN, *, everywhere: bool = False
) -> Stake:
    exchange = Exchange(Request("POST", target, (JSON,), sent), Response(200, (JSON,), told))
    return stake_of(situation(exchange, credentials, everywhere=everywhere), exchange.response)


def test_one_word_that_sites_show_to_visitors_too_is_not_enough():
    assert not at_stake(b"/api/members/eva")
    assert not any(at_stake(each, b"kind,price\n") for each in (b"/export/glossary.csv", b"/stock/vehicles.csv"))
    assert at_stake(b"/api/members/eva", b'{"nick": "eva", "balance": 12}')
    assert all(at_stake(each, b"number,amount\n12,40\n") for each in (b"/members/export", b"/export/claims.csv"))


def test_a_caller_whom_the_address_names_is_said_again():
    assert not at_stake(b"/card/ann", b'{"nick": "Ann"}')
    assert at_stake(b"/card", b'{"nick": "Ann"}')
    assert not at_stake(b"/card?q=an&limit=10", b'[{"nick": "Ann"}]')
    # Who follows a shared link reads who made what it shows.
    assert not at_stake(b"/r/01e14f5f-91b7-4f8b-a20a-0f140db7c293", b'{"title": "Soup", "by": "ann"}')
    assert at_stake(b"/plates/01e14f5f-91b7-4f8b-a20a-0f140db7c293", b'{"title": "Soup", "by": "ann"}')


def test_what_visitors_are_answered_needs_another_sign_than_a_token():
    """Clients that sign in send their token with everything from then on."""
    assert not at_stake(b"/hours", PLAIN, (KEY,), visited=True)
    assert at_stake(b"/hours", b'{"balance": 12}', (KEY,), visited=True)
    assert at_stake(b"/admin/hours", PLAIN, (KEY,), visited=True)


def test_what_a_graphql_document_asks_for_is_judged_by_its_field():
    """All of it has one address, which says nothing."""

    def asked(query: str) -> bool:
        body = b'{"query": "%s"}' % query.encode()
        request = Request("POST", b"/graphql", (JSON,), body)
        exchange = Exchange(request, Response(200, (JSON,), b'{"data": {"list": [{"title": "Lamps"}]}}'))
        return is_at_stake(situation(exchange, (KEY,)), exchange.response)

    assert not asked("{ articles { title } }")
    assert asked("{ allUsers { title } }")
    assert asked("{ drafts { title } }")


def test_a_caller_who_is_one_author_among_others_makes_nothing_private():
    assert not at_stake(b"/articles", b'[{"by": "ann"}, {"by": "ben"}, {"by": "eva"}]', (KEY,))
    assert at_stake(b"/articles/by-mood", b'[{"by": "ann"}, {"by": "ann"}]', (KEY,))


def test_the_author_of_what_is_published_is_told_to_everybody():
    assert not at_stake(b"/articles/7", b'{"by": "ann"}', (KEY,))
    assert not at_stake(b"/articles/old-mule-track-9ccac4", b'{"by": "ann"}', (KEY,))
    assert not at_stake(b"/articles", b'[{"by": "ann"}, {"by": "ann"}]', (KEY,))
    assert at_stake(b"/articles/7/drawer", b'{"by": "ann"}', (KEY,))


@pytest.mark.parametrize(
    "target",
    [b"/actuator/health", b"/actuator/health/liveness", b"/system/healthz", b"/internal/ping", b"/v1/__heartbeat__"],
)
def test_what_monitoring_asks_for_is_everybodys(target):
    assert not at_stake(target, b'{"status": "UP"}', (KEY,))
    assert at_stake(target, b'{"status": "UP", "db_password": "x7"}', (KEY,))
    assert at_stake(target + b"/members", b'{"status": "UP"}', (KEY,))


def test_a_program_that_sends_its_key_to_what_is_published_sends_it_everywhere():
    assert not at_stake(b"/parts/5", PLAIN, (KEY,), everywhere=True)
    assert at_stake(b"/orders/5", PLAIN, (KEY,), everywhere=True)
    assert at_stake(b"/parts/5", b'{"salary": 12}', (KEY,), everywhere=True)
    assert at_stake(b"/parts/5", PLAIN, (KEY,), method="DELETE", everywhere=True)


def test_what_visitors_send_is_for_everybody():
    assert not at_stake(b"/api/feedback", PLAIN, (KEY,), method="POST")
    assert not at_stake(b"/csp-report", PLAIN, method="POST")
    assert at_stake(b"/api/orders/31/feedback", PLAIN, (KEY,), method="POST")
    assert at_stake(b"/api/feedback", b'{"token": "x7"}', (KEY,), method="POST")


def test_those_who_publish_something_may_be_reached():
    post = b'{"title": "Lamps", "author_name": "eva", "author_email": "eva@club.example"}'
    assert not at_stake(b"/posts/7", post, (KEY,))
    assert at_stake(b"/hotels/7/guests/3", post)
    assert at_stake(b"/posts/7", b'{"title": "Lamps", "salary": 12}', (KEY,))


def test_what_a_page_reads_first_is_no_secret_unless_it_holds_one():
    assert not at_stake(b"/api/config", PLAIN, (KEY,), everywhere=True)
    assert not at_stake(b"/api/settings", PLAIN)
    assert at_stake(b"/api/config", b'{"api_key": "x7"}')
    assert at_stake(b"/users/7/settings", PLAIN)


def test_what_a_login_asks_for_before_anybody_is_known_is_no_secret_unless_it_holds_one():
    def shown(target: bytes, body: bytes = b'{"question": {"id": 1, "text": "Your first pet?"}}') -> bool:
        return at_stake(target, body, (KEY,), everywhere=True)

    assert not shown(b"/accounts/security-question?mail=ann@a.example")
    assert not shown(b"/accounts/captcha")
    assert not shown(b"/api/accounts/checkEmail?mail=x")
    assert shown(b"/accounts/security-question?mail=x", b'{"question": "Pet?", "password": "x7sdk2"}')
    assert shown(b"/users/7/security-questions")
    assert shown(b"/users/security")


def test_a_page_about_a_member_is_for_visitors_unless_it_tells_what_people_keep():
    def shown(target: bytes, page: bytes, sent: Point = COOKIE) -> bool:
        answer = Response(200, ((b"Content-Type", b"text/html; charset=utf-8"),), page)
        return is_at_stake(situation(Exchange(Request("GET", target), answer), (sent,), everywhere=True), answer)

    card = b"<h1>Ann</h1><p>rows, and likes tea</p>"
    assert not any(shown(target, card) for target in (b"/members/7", b"/profile/ann"))
    assert shown(b"/members/7", card + b"<table><tr><th>Phone</th><td>+44 20 7946</td></tr></table>")
    assert all(shown(target, card) for target in (b"/admin/users/7", b"/users/me", b"/members/7/orders"))
    assert not shown(b"/recipes/pie/card", b"<h1>Pie</h1>", KEY)
    assert at_stake(b"/members/7", b'{"nick": "ann", "balance": 12}')


def test_a_client_of_graphql_sends_its_token_with_all_that_it_asks():
    """Even a program's: one address has no place at which to leave it out."""

    def asked(body: bytes, told: bytes) -> bool:
        exchange = Exchange(Request("POST", b"/graphql", (JSON,), body), Response(200, (JSON,), told))
        return is_at_stake(situation(exchange, (KEY,)), exchange.response)

    assert not asked(b'{"query": "{ greet(name: \\"ann\\") }"}', b'{"data": {"greet": "Hello"}}')
    assert not asked(b'{"query": "{ systemHealth }"}', b'{"data": {"systemHealth": "fine"}}')
    assert asked(b'{"query": "{ pins { title code } }"}', b'{"data": {"pins": [{"title": "x", "password": "a-b-1"}]}}')
    assert asked(b'{"query": "mutation { addPin(title: \\"x\\") { id } }"}', b'{"data": {"addPin": {"id": 5}}}')


def test_visitors_who_sign_in_by_graphql_say_nothing_of_its_other_mutations():
    body = b'{"query": "mutation { addPin(title: \\"x\\") { title } }"}'
    told = Response(200, (JSON,), b'{"data": {"addPin": {"title": "x"}}}')
    exchange = Exchange(Request("POST", b"/graphql", (JSON,), body), told)
    assert is_at_stake(situation(exchange, (KEY,), visited=True), told)
    as_rest = Exchange(Request("POST", b"/pins", (JSON,), b'{"title": "x"}'), Response(200, (JSON,), b'{"title": "x"}'))
    assert not is_at_stake(situation(as_rest, (KEY,), visited=True), as_rest.response)


@pytest.mark.parametrize(
    ("query", "stake"),
    [
        ("query A($u: String, $p: String) { report(username: $u, password: $p) }", False),
        ("query A($u: String, $p: String) { report(user: $u, page: $p) }", True),
        ("mutation A($u: String, $p: String) { setReport(username: $u, password: $p) }", True),
    ],
)
def test_what_reads_with_a_password_of_its_own_has_asked_who_is_there(query, stake):
    body = b'{"query": "%s", "variables": {"u": "ann", "p": "x-Pw-1"}}' % query.encode()
    told = Response(200, (JSON,), b'{"data": {"report": "3 days"}}')
    assert is_at_stake(situation(Exchange(Request("POST", b"/graphql", (JSON,), body), told), (KEY,)), told) is stake


@pytest.mark.parametrize(("name", "at_stake_"), [("annmarsh", True), ("admin", False), ("guest", False)])
def test_a_name_that_says_a_role_as_often_as_somebody_says_nothing(name, at_stake_):
    body = b'{"hello": "%s"}' % name.encode()
    exchange = Exchange(Request("GET", b"/greeting", ()), Response(200, (JSON,), body))
    known = msgspec.structs.replace(situation(exchange, (COOKIE,)), identities=(Identity("recorded 1", known=(name,)),))
    assert is_at_stake(known, exchange.response) is at_stake_


@pytest.mark.parametrize(("called", "expected"), [("admin.stats", True), ("clock.stats", False), ("clock.get", False)])
def test_what_a_procedure_is_called_says_whose_business_it_is(called: str, expected: bool):
    body = f"<methodCall><methodName>{called}</methodName><params/></methodCall>".encode()
    headers = XML if called == "clock.get" else (*XML, (b"User-Agent", b"Mozilla/5.0 (X11; Linux)"))
    answered = Response(200, XML, b"<methodResponse>3</methodResponse>")
    exchange = Exchange(Request("POST", b"/RPC2", headers, body), answered)
    assert is_at_stake(situation(exchange, (KEY,)), answered) is expected


def test_a_client_of_a_service_sends_what_it_has_with_every_call_but_no_argument():
    told, envelope = Response(200, (JSON,), PLAIN), b"<e:Envelope><e:Body><ListKinds/></e:Body></e:Envelope>"
    assert not at_stake(b"/zoo.v1.Animals/ListKinds", credentials=(KEY,), method="POST")
    called = Exchange(Request("POST", b"/soap", XML, envelope), told)
    for part, expected in (("e:Header", False), ("e:Body", True)):
        within = Point(("post", "xml", "xml_tag", "e:Envelope", "xml_tag", part, "xml_tag", "Session"))
        assert is_at_stake(situation(called, (within,)), told) is expected
