"""The probe csrf, driven against the range's places over a real port."""

from urllib.parse import parse_qs

import orjson
import pytest
from tests.core.testing.driving import credentials_of, drive, record
from tests.core.testing.probes.at_range import WITHOUT_NAMES, AtRange, run_case
from tests.range.forgery import picture

from gatecrash.core.message import Request, Response
from gatecrash.core.testing.derive import plan
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.probes.csrf import PROBE
from gatecrash.core.testing.verdict import Outcome


class TestProbe(AtRange):
    name = "csrf"
    probe = PROBE


def asked(path: bytes, response: Response, *, kept_home: bool = False, body: bytes = b"q=tea") -> bool:
    """Whether anything is asked of a form that is signed in by a cookie."""
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", path, headers, body)
    recorded, found = record(lambda _: response, request), credentials_of(request)
    return bool(plan(recorded, WITHOUT_NAMES, found, (PROBE,), kept_home=found if kept_home else ()))


FOUND = Response(200, ((b"Content-Type", b"text/html"),), b"<p>3 found</p>")


@pytest.mark.parametrize("path", [b"/search", b"/orders/find/", b"/api/address-lookup", b"/preview.php"])
def test_what_only_looks_something_up_is_no_forgery(path: bytes) -> None:
    assert not asked(path, FOUND)


@pytest.mark.parametrize("path", [b"/find2", b"/net/look", b"/letter/preview2.php", b"/forgot/send", b"/forgotten.php"])
def test_lookups_by_shorter_names_and_what_visitors_ask_for_are_no_forgery(path: bytes) -> None:
    assert not asked(path, FOUND)


def listing(document: object) -> Response:
    return Response(200, ((b"Content-Type", b"application/json"),), orjson.dumps(document))


def test_a_list_of_objects_that_shows_nothing_of_what_was_sent_was_only_chosen_by_it() -> None:
    assert not asked(b"/parcels.php", listing({"parcels": [{"place": "Delft", "state": "open"}]}))
    assert not asked(b"/parcels.php", listing([{"place": "Delft", "state": "open"}]))


@pytest.mark.parametrize(
    ("path", "document"),
    [
        (b"/parcels.php", {"parcels": [{"place": "Delft"}, {"place": "green tea"}]}),
        (b"/parcels.php", {"parcels": []}),
        (b"/parcels.php", {"messages": [{"text": "Saved", "level": "success"}]}),
        (b"/parcels.php", {"state": "open", "place": {"name": "Delft"}}),
        (b"/parcels/add", {"parcels": [{"place": "Delft"}]}),
        (b"/wait-view", {"state": "open"}),
    ],
)
def test_what_else_is_answered_in_json_may_be_a_change(path: bytes, document: object) -> None:
    assert asked(path, listing(document))


def test_an_object_of_the_list_that_the_request_names_may_have_been_changed() -> None:
    document = {"letters": [{"id": 31, "state": "away"}]}
    assert asked(b"/letters.php", listing(document), body=b"action=archive&id=31")
    assert not asked(b"/letters.php", listing(document), body=b"clerk=anna&id=32")


def test_a_login_by_another_name_is_no_forgery() -> None:
    assert not asked(b"/desk/enter", FOUND, body=b"user=ann&pass=evening-tea")
    assert not asked(b"/desk/signon.php", FOUND, body=b"user=ann&pass=evening-tea")
    assert asked(b"/desk/enter", FOUND, body=b"room=blue")


@pytest.mark.parametrize(
    ("path", "body", "found"),
    [
        (b"/join.php", b"login=ann&pass=evening-tea&mail=ann%40x.example", False),
        (b"/register", b"username=ann&password=evening-tea", False),
        (b"/join.php", b"room=blue", True),
        (b"/admin/register", b"username=ann&password=evening-tea", True),
    ],
)
def test_a_visitors_registration_is_no_forgery(path: bytes, body: bytes, found: bool) -> None:
    """Who is signed in may be answered that there is such a user, below his own menu."""
    assert asked(path, FOUND, body=body) is found


@pytest.mark.parametrize(
    ("path", "response"),
    [
        (b"/transfer", FOUND),
        (b"/research", FOUND),
        (b"/search/saved", FOUND),
        (b"/filter", Response(302, ((b"Location", b"/mail"),))),
        (b"/find", Response(201, (), b"kept")),
    ],
)
def test_what_makes_something_or_leads_on_is_asked_whatever_its_name(path: bytes, response: Response) -> None:
    assert asked(path, response)


def test_nothing_is_asked_where_no_browser_brings_the_cookies() -> None:
    assert asked(b"/transfer", FOUND)
    assert not asked(b"/transfer", FOUND, kept_home=True)


@pytest.mark.parametrize(
    ("place", "outcome"), [("picture-kept", Outcome.VULNERABLE), ("picture-measured", Outcome.SAFE)]
)
def test_an_upload_is_a_change_where_its_page_loads_the_file_from_where_it_lies(place: str, outcome: Outcome) -> None:
    (run,) = run_case(picture(f"/forgery/{place}"), PROBE)
    assert run.verdict.outcome is outcome


class LeadsBack:
    """A form that leads back to itself whatever was sent, and tells there once what came of it. token: which it wants; empty for none."""

    def __init__(self, token: str, told: tuple[str, str] = ("Saved.", "Your form has expired.")) -> None:
        self.token, self.told, self.said = token, told, ""

    def __call__(self, request: Request) -> Response:
        if b"sessionid=3f9a0c77de114b02aa55" not in (request.first(b"Cookie") or b""):
            return Response(302, ((b"Location", b"/login"),))
        if request.method == "POST":
            self.said = self.told[0 if f"csrf_token={self.token}".encode() in request.body or not self.token else 1]
            return Response(302, ((b"Location", b"/settings"),))
        said, self.said = self.said, ""
        body = f"<p>{said}</p><form method=post><input name=town></form>"
        return Response(200, ((b"Content-Type", b"text/html"),), body.encode())


class ListsWhatIsLeft(LeadsBack):
    """The same without a word; it shows all that was taken."""

    taken = 0

    def __call__(self, request: Request) -> Response:
        answer = super().__call__(request)
        if request.method == "POST":
            self.taken += self.said == self.told[0]
            return answer
        items = "".join(
            f"<li><a href=/orders/{number}>order of {'abcdefghijklmnop'[number]}</a>" for number in range(self.taken)
        )
        return Response(answer.status, answer.headers, b"<ul>" + items.encode() + b"</ul>")


class MadeWithItsForm(LeadsBack):
    """Its session has no token before its form was shown, and takes none for that until then."""

    shown = False

    def __call__(self, request: Request) -> Response:
        if request.method == "POST" and not self.shown and request.first(b"Cookie"):
            return Response(302, ((b"Location", b"/settings"),))
        self.shown = self.shown or request.method == "GET"
        answer = super().__call__(request)
        if self.said != self.told[1]:
            return answer
        self.said = ""
        return Response(419)


def test_a_session_that_was_shown_no_form_yet_tells_nothing() -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/settings", headers, b"town=Bern&csrf_token=9d2f77a1c0")
    (check,) = plan(record(MadeWithItsForm("x"), request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, MadeWithItsForm("9d2f77a1c0", ("", "expired"))).verdict.outcome is not Outcome.VULNERABLE


@pytest.mark.parametrize(
    ("site", "outcome"),
    [
        (ListsWhatIsLeft("9d2f77a1c0"), Outcome.SAFE),
        (ListsWhatIsLeft(""), Outcome.VULNERABLE),
        (LeadsBack("9d2f77a1c0"), Outcome.SAFE),
        (LeadsBack(""), Outcome.VULNERABLE),
        (LeadsBack("", ("", "")), Outcome.VULNERABLE),
    ],
    ids=[
        "nothing is left without the token",
        "all is left",
        "a token that is checked",
        "none is",
        "none is, and nothing is said",
    ],
)
def test_what_the_page_says_that_a_redirect_leads_to_tells_whether_the_form_was_taken(site, outcome) -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/settings", headers, b"town=Bern&csrf_token=9d2f77a1c0")
    (check,) = plan(record(site, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    site(Request("GET", b"/settings", headers[1:]))
    assert drive(check, site).verdict.outcome is outcome


class ToldToAnother(LeadsBack):
    """Of what the page tells once every other message is told to another test that reads it first."""

    def __init__(self, token: str) -> None:
        super().__init__(token, ("Saved.", "The form key is not right"))
        self.refusals = 0

    def __call__(self, request: Request) -> Response:
        answer = super().__call__(request)
        if request.method == "POST" and self.said == self.told[1]:
            self.refusals += 1
            self.said = self.said if self.refusals % 2 else ""
        return answer


def test_a_refusal_that_one_of_two_was_told_is_one() -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/settings", headers, b"town=Bern&csrf_token=9d2f77a1c0")
    (check,) = plan(record(ToldToAnother("9d2f77a1c0"), request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, ToldToAnother("9d2f77a1c0")).verdict.outcome is not Outcome.VULNERABLE


class Contact:
    """A form that visitors send as well; each page greets whoever is signed in. members: whether it takes nothing from visitors."""

    def __init__(self, *, members: bool) -> None:
        self.members = members

    def __call__(self, request: Request) -> Response:
        known = b"sessionid=3f9a0c77de114b02aa55" in (request.first(b"Cookie") or b"")
        done = b"<p>Your mail was sent.</p>" if request.method == "POST" and (known or not self.members) else b""
        menu = (
            b"<a href=/inbox>Inbox</a><p>Signed in as ann</p><p>3 letters</p>" if known else b"<a href=/in>Visitor</a>"
        )
        return Response(
            200, ((b"Content-Type", b"text/html"),), menu + done + b"<form method=post><input name=text></form>"
        )


@pytest.mark.parametrize("members", [False, True])
def test_what_visitors_are_told_is_done_for_them_is_done_in_nobodys_name(members: bool) -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request, site = Request("POST", b"/contact", headers, b"text=hello there"), Contact(members=members)
    (check,) = plan(record(site, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert (drive(check, site).verdict.outcome is Outcome.VULNERABLE) is members


@pytest.mark.parametrize(
    ("told", "outcome"),
    [("The form key is not right", Outcome.SAFE), ("All your settings saved", Outcome.VULNERABLE)],
    ids=["nobody knows whether it was taken", "it was taken"],
)
def test_what_the_forms_own_is_told_must_say_that_it_was_done_where_a_token_was_left_out(told, outcome) -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/settings", headers, b"town=Bern&csrf_token=9d2f77a1c0")
    (check,) = plan(record(LeadsBack(""), request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, LeadsBack("", (told, told))).verdict.outcome is outcome


@pytest.mark.parametrize(("known", "changes"), [(("ann lee",), False), ((), True)], ids=["his name", "no name"])
def test_a_page_that_calls_its_user_by_his_name_shows_nothing_of_what_he_sent(known: tuple[str, ...], changes) -> None:
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request, kept = Request("POST", b"/hero", headers, b"who=Ann+Lee"), [b"Ann Lee"]

    def site(sent: Request) -> Response:
        signed_in = b"Cookie" in dict(sent.headers)
        if signed_in and sent.method == "POST":
            kept[0] = sent.body.partition(b"who=")[2].replace(b"+", b" ")
        page = b"<p>You are " + kept[0] + b"</p><p>Nothing to see</p>" if signed_in else b"<a href=/in>Visitor</a>"
        return Response(200, ((b"Content-Type", b"text/html"),), page + b"<form method=post><input name=who></form>")

    recorded, users = record(site, request), (Identity("ann", 0, known),)
    (check,) = plan(recorded, WITHOUT_NAMES, credentials_of(request), (PROBE,), identities=users)
    assert (drive(check, site).verdict.outcome is Outcome.VULNERABLE) is changes


@pytest.mark.parametrize(("checks", "outcome"), [(True, Outcome.SAFE), (False, Outcome.VULNERABLE)])
def test_a_session_that_its_cookie_holds_knows_its_token_once_the_form_was_shown(checks: bool, outcome) -> None:
    headers = (
        (b"Content-Type", b"application/x-www-form-urlencoded"),
        (b"Cookie", b"session=ann.3f9a0c77de114b02aa55"),
    )
    request = Request("POST", b"/settings", headers, b"town=Bern&csrf_token=9d2f77a1c0")

    def site(sent: Request) -> Response:
        cookie, html_ = sent.first(b"Cookie") or b"", (b"Content-Type", b"text/html")
        if b"session=ann" not in cookie:
            return Response(302, ((b"Location", b"/login"),))
        if sent.method == "GET":
            given = (b"Set-Cookie", b"session=ann.with-9d2f77a1c0; Path=/")
            return Response(200, (html_, given), b"<form method=post><input name=town></form>")
        if checks and b"with-" in cookie and b"csrf_token=9d2f77a1c0" not in sent.body:
            return Response(403, (html_,), b"<p>Bad token</p>")
        return Response(200, (html_,), b"<p>Your town was changed.</p><form method=post><input name=town></form>")

    (check,) = plan(record(site, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert drive(check, site).verdict.outcome is outcome


@pytest.mark.parametrize("checks", [True, False])
def test_a_form_that_is_turned_down_without_a_word_shows_what_was_kept_before(checks: bool) -> None:
    """The request repeats what it set when it was recorded, so that its own page says the same whether it was taken or not."""
    headers = ((b"Content-Type", b"application/x-www-form-urlencoded"), (b"Cookie", b"sessionid=3f9a0c77de114b02aa55"))
    request = Request("POST", b"/me", headers, b"about=likes+hills&csrf_token=9d2f77a1c0")
    kept = ["likes hills"]

    def site(sent: Request) -> Response:
        if b"Cookie" not in dict(sent.headers):
            return Response(302, ((b"Location", b"/login"),))
        told = parse_qs(sent.body.decode())
        if "about" in told and (not checks or told.get("csrf_token") == ["9d2f77a1c0"]):
            kept[0] = told["about"][0]
        form = "<form method=post><input name=about><input type=hidden name=csrf_token value=9d2f77a1c0></form>"
        return Response(200, ((b"Content-Type", b"text/html"),), f"<td>{kept[0]}</td>{form}".encode())

    (check,) = plan(record(site, request), WITHOUT_NAMES, credentials_of(request), (PROBE,))
    assert (drive(check, site).verdict.outcome is Outcome.VULNERABLE) is not checks
    assert kept == ["likes hills"]
