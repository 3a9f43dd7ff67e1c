"""A site that browsers visit with the cookie of their session, whatever they ask it for."""

import base64
import json
import secrets
from collections.abc import Callable
from urllib.parse import quote

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, text, twin
from tests.range.tenants_store import SIGNED

COOKIE = (b"Cookie", b"sessionid=3f9a0c77de114b02aa55")


def visited(target: str) -> Callable[[str], Request]:
    """A browser's question, its session's cookie included."""
    return lambda path: Request("GET", (path + target).encode(), (COOKIE,))


def sent(target: str, body: bytes) -> Callable[[str], Request]:
    """What the site's script posts, with the token that it sends with everything."""
    headers = ((b"Content-Type", b"application/json"), (b"Authorization", b"Bearer 3f9a0c77de114b02aa55"))
    return lambda path: Request("POST", (path + target).encode(), headers, body)


def from_a_page(target: str, body: bytes) -> Callable[[str], Request]:
    """The same as a browser sends it."""
    headers = ((b"Sec-Fetch-Mode", b"cors"), *sent("", b"")("").headers)
    return lambda path: Request("POST", (path + target).encode(), headers, body)


def told(target: str) -> Callable[[str], Request]:
    """A question of a program that was told to send its token."""
    return lambda path: Request("GET", (path + target).encode(), ((b"Authorization", b"Bearer 3f9a0c77de114b02aa55"),))


def elsewhere(given: Given, path: str) -> bool:
    return not given.request.path.decode("latin-1").endswith(path)


@flaw("auth", request=visited("/admin/visits"))
def open_to_visitors(given: Given) -> Response:
    """An administrator's page that asks nobody who he is."""
    return page("<h1>Visits</h1><p>211 today</p>") if not elsewhere(given, "/admin/visits") else page("none", 404)


@flaw("auth", request=visited("/parcel.json?number=31"))
def a_parcel(given: Given) -> Response:
    """Whose parcel it is, and where it goes, for anybody."""
    if elsewhere(given, "/parcel.json"):
        return answer({"error": "not found"}, 404)
    return answer({"number": 31, "street": "Elm Street 5, leave at the back door", "phone": "+44 20 7946 0101"})


@twin("auth", request=visited("/users/501"))
def a_member_whom_others_follow(given: Given) -> Response:
    """What a gateway tells everybody of one who has readers."""
    if elsewhere(given, "/users/501"):
        return answer({"code": 404, "message": "no such address"})
    card = {"id": 501, "name": "Eva Stone", "city": "Graz", "followers": 3}
    return answer({"code": 0, "message": "ok", "data": card, "trace": secrets.token_hex(6)})


@twin("auth", request=visited("/opening-hours"))
def a_public_page(given: Given) -> Response:
    return (
        page("<h1>Opening hours</h1><p>From 9 to 17</p>") if not elsewhere(given, "/opening-hours") else page("", 404)
    )


@twin(
    "auth",
    request=sent(
        "/invoices/decode",
        b'{"data": "eyJvZiI6ICJBbm4gU3RvbmUiLCAic2VjcmV0IjogIjljMWY3NzAyYmUzMTRhIiwgImRlYnQiOiAxMn0="}',
    ),
)
def an_invoice_in_other_words(given: Given) -> Response:
    """What stands in a paper that the caller has, as whoever has it can read for himself."""
    if elsewhere(given, "/invoices/decode"):
        return answer({"error": "not found"}, 404)
    return answer(json.loads(base64.b64decode(json.loads(given.request.body)["data"])))


@twin("auth", request=sent("/chat/resume", b'{"conversation": "5f9a8a34-1f5e-4a0a-8f3c-7b9d8a1c2d3e"}'))
def a_conversation_in_a_cookie(given: Given) -> Response:
    """What the caller's browser is told to bring along from now on, and nothing besides."""
    if elsewhere(given, "/chat/resume"):
        return answer({"error": "not found"}, 404)
    kept = quote(json.loads(given.request.body)["conversation"], safe="")
    cookie = (b"Set-Cookie", f"conversation={kept}; HttpOnly; Path=/".encode())
    return Response(200, ((b"Content-Type", b"application/json"), cookie), b'{"message": "goes on"}')


@twin("auth", request=visited("/members/sign-in/metadata"))
def who_takes_part_in_a_sign_in(given: Given) -> Response:
    """What partners read to know where to send their users, and whom to ask."""
    if elsewhere(given, "/members/sign-in/metadata"):
        return answer({"error": "not found"}, 404)
    asked = "<md:GivenName>Ann</md:GivenName><md:EmailAddress>mailto:ann.stone@club.example</md:EmailAddress>"
    told = f'<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="club"><md:ContactPerson>{asked}</md:ContactPerson></md:EntityDescriptor>'
    return Response(200, ((b"Content-Type", b"application/samlmetadata+xml"),), told.encode())


@twin("auth", request=visited("/guide"))
def an_index_of_pages(given: Given) -> Response:
    """What it says of each page is no value of that name."""
    if elsewhere(given, "/guide"):
        return page("", 404)
    return page(
        '<h1>Guide</h1><ul><li><a href="/guide/salary"><strong>Salary</strong></a> - How yours is reckoned.</li>'
        '<li><a href="/guide/birth-certificates"><strong>Birth</strong></a> \N{EN DASH} Which papers you need.</li></ul>'
    )


@twin("auth", request=visited("/machines"))
def a_page_of_words_that_sound_alike(given: Given) -> Response:
    if elsewhere(given, "/machines"):
        return page("", 404)
    return page(
        "<h1>How it runs</h1><dl><dt>Load balancer</dt><dd>round robin</dd><dt>Tokenizer</dt><dd>by words</dd>"
        "<dt>Secretariat</dt><dd>room 12</dd><dt>Accreditation</dt><dd>until spring</dd></dl>"
    )


@twin("auth", request=visited("/files/rules.txt"))
def a_public_file(given: Given) -> Response:
    return text("No smoking in the hall.\n") if not elsewhere(given, "/rules.txt") else text("no such file", 404)


@twin("auth", request=visited("/go?to=hours"))
def a_redirect(given: Given) -> Response:
    """It says in a text where it leads, as many do."""
    if elsewhere(given, "/go"):
        return page("none", 404)
    return page('<p>See <a href="/opening-hours">the opening hours</a></p>', 302, (b"Location", b"/opening-hours"))


@flaw("auth", request=sent("/tariff/price", b'{"plan": "pro", "price": 50}'))
def a_price_that_is_set(given: Given) -> Response:
    """What a plan costs from now on, told by anybody."""
    return answer({"error": "not found"}, 404) if elsewhere(given, "/price") else answer({"plan": "pro", "price": 50})


@twin("auth", request=sent("/price", b'{"plan": "pro", "answers": 2500}'))
def a_price_that_is_asked_for(given: Given) -> Response:
    if elsewhere(given, "/price"):
        return answer({"error": "not found"}, 404)
    return answer({"plan": "pro", "answers": 2500, "price": 37.5})


@flaw("auth", request=sent("/keys", b'{"name": "laptop"}'))
def a_key_for_a_name(given: Given) -> Response:
    """Another key for somebody's program, made for anybody."""
    if elsewhere(given, "/keys"):
        return answer({"error": "not found"}, 404)
    return answer({"name": "laptop", "apiKey": secrets.token_hex(16)}, 201)


@twin("auth", request=sent("/keys", b'{"name": "ann", "password": "x-Pw-1"}'))
def a_key_for_a_password(given: Given) -> Response:
    """A program that has a key already signs in for the next one: its password is what lets it in."""
    if elsewhere(given, "/keys"):
        return answer({"error": "not found"}, 404)
    if json.loads(given.request.body).get("password") != "x-Pw-1":
        return answer({"error": "wrong name or password"}, 401)
    return answer({"name": "ann", "apiKey": secrets.token_hex(16)}, 201)


@twin("auth", request=told("/load"))
def a_figure_that_caches_keep(given: Given) -> Response:
    """A program asks with its token for what every cache on the way may keep for others."""
    if elsewhere(given, "/load"):
        return answer({"error": "not found"}, 404)
    return answer({"window": "hour", "load": "low"}, 200, (b"Cache-Control", b"public, max-age=20"))


@flaw("auth", request=told("/load"))
def a_figure_for_one_client(given: Given) -> Response:
    """The same for whoever has a token, or should be."""
    return (
        answer({"error": "not found"}, 404) if elsewhere(given, "/load") else answer({"window": "hour", "load": "low"})
    )


@twin("auth", request=sent("/report", b'{"page": "/hours", "text": "The button is too small"}'))
def what_is_said_of_a_page(given: Given) -> Response:
    """What visitors have to say of a page, and a receipt for it."""
    return answer({"error": "not found"}, 404) if elsewhere(given, "/report") else answer({"received": "a7c31f"}, 201)


@twin("auth", request=from_a_page("/check-address", b'{"address": "Main Street 5"}'))
def a_question_of_the_page(given: Given) -> Response:
    """The page sends its token with all that it asks."""
    if elsewhere(given, "/check-address"):
        return answer({"error": "not found"}, 404)
    return answer({"address": "Main Street 5", "valid": True})


@twin("auth", request=from_a_page("/postcard", b'{"template": "Dear {{name}}"}'))
def a_preview_with_a_number_of_its_own(given: Given) -> Response:
    """Every answer has a number, by which it is found in the logs."""
    if elsewhere(given, "/postcard"):
        return answer({"error": "not found"}, 404)
    number = secrets.token_hex(8)
    return answer({"text": "Dear Ann", "meta": {"id": number}})


@flaw("auth", request=from_a_page("/members/search", b'{"query": "eva"}'))
def a_question_for_members(given: Given) -> Response:
    """The same kind of question, about somebody."""
    if elsewhere(given, "/search"):
        return answer({"error": "not found"}, 404)
    return answer({"found": [{"first_name": "Eva", "phone": "+44 20 7946 0101"}]})


def known_by_a_token(path: str) -> Request:
    headers = ((b"Authorization", SIGNED["ann"].encode()), (b"Sec-Fetch-Mode", b"cors"))
    return Request("GET", f"{path}/stalls".encode(), headers)


@twin("auth", request=known_by_a_token)
def stalls_and_whose_each_is(given: Given) -> Response:
    """The caller is one keeper among others, at a market for everybody."""
    if elsewhere(given, "/stalls"):
        return answer({"error": "not found"}, 404)
    return answer([{"id": 4, "owner": "ann@example.com"}, {"id": 5, "owner": "ben@example.com"}])


CLINICS = [{"id": 1, "name": "Clinic North", "city": "Kiel"}, {"id": 2, "name": "Clinic South", "city": "Ulm"}]


@twin("auth", request=told("/clinics"))
def a_list_of_clinics(given: Given) -> Response:
    """What they are called and where they are; its client sends the token with everything."""
    return answer(CLINICS) if not elsewhere(given, "/clinics") else answer({"error": "not found"}, 404)


@twin("auth", request=told("/clinics/2"))
def one_of_the_clinics(given: Given) -> Response:
    return answer(CLINICS[1]) if not elsewhere(given, "/clinics/2") else answer({"error": "not found"}, 404)


METADATA = "/.well-known/oauth-authorization-server"


@twin("auth", request=told(METADATA))
def what_a_standard_has_servers_publish(given: Given) -> Response:
    """Where tokens are had is no token."""
    if elsewhere(given, METADATA):
        return answer({"error": "not found"}, 404)
    return answer({"issuer": "https://id.example", "token_endpoint": "https://id.example/token"})


# On a host of its own: where another place tells that tokens are sent with everything, this one alone is no evidence.
@flaw("auth", request=told("/clinics/2/shifts"), apart=True)
def the_shifts_of_a_clinic(given: Given) -> Response:
    """Who works when is no part of a catalogue."""
    if elsewhere(given, "/clinics/2/shifts"):
        return answer({"error": "not found"}, 404)
    return answer([{"id": 9, "name": "Night", "nurse": "Ida Holt", "date": "2026-05-04"}])


def unasked(target: str) -> Callable[[str], Request]:
    """A question that nobody's credentials come along with."""
    return lambda path: Request("GET", (path + target).encode())


def people(**own: tuple[str, str]) -> list[dict[str, str]]:
    """Two people, how to reach them, and what else is told of each."""
    names = ("Ann Marsh", "Bert Holm")
    return [
        {
            "name": name,
            "email": f"{name[:3].lower()}@post.example",
            **{field: told[place] for field, told in own.items()},
        }
        for place, name in enumerate(names)
    ]


BORN = ("1981-03-02", "1979-11-20")


@flaw("auth", request=unasked("/export"))
def an_export_for_anybody(given: Given) -> Response:
    """Customers with their dates of birth, and nobody is asked who he is."""
    if elsewhere(given, "/export"):
        return answer({"error": "not found"}, 404)
    return answer({"customers": people(birth_date=BORN)})


@twin("auth", request=unasked("/authors"))
def authors(given: Given) -> Response:
    return answer({"authors": people(birth_date=BORN)}, 404 if elsewhere(given, "/authors") else 200)


@twin("auth", request=unasked("/references"))
def customers_who_recommend(given: Given) -> Response:
    told = people(company=("Marsh Ltd", "Holm AB"), since=("2019", "2021"))
    return answer({"customers": told}, 404 if elsewhere(given, "/references") else 200)
