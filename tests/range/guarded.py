"""What is open on a site whose pages around it are kept for whoever is signed in, and what is open for everybody beside it."""

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, page, twin

SESSION = b"sessionid=5b1f0c2a9d7e4f63b8a1c0de"
PAPER = "<h1>Certificate</h1><p>Mia Lind has passed the examination with 93 points.</p>"


def posted(path: str) -> dict:
    headers = ((b"Cookie", SESSION), (b"User-Agent", b"Mozilla/5.0"), (b"Content-Type", b"application/json"))
    return {"request": lambda place: Request("POST", f"{place}{path}".encode(), headers, b"{}")}


def opened(path: str) -> dict:
    headers = ((b"Cookie", SESSION), (b"User-Agent", b"Mozilla/5.0"))
    return {"request": lambda place: Request("GET", f"{place}{path}".encode(), headers)}


def site(given: Given, open_: dict[str, Response], kept: dict[str, Response]) -> Response:
    """Answers at these ends of its addresses: to everybody, or to whoever is signed in."""
    path = given.request.path.decode("latin-1")
    known = given.request.first(b"Cookie") == SESSION
    for end, response in open_.items():
        if path.endswith(end):
            return response
    for end, response in kept.items():
        if path.endswith(end):
            return response if known else answer({"error": "sign in first"}, 401)
    return answer({"error": "not found"}, 404)


@flaw("auth", **posted("/pads/41/pin"))
def an_act_upon_what_is_kept(given: Given) -> Response:
    """The thing is read by its owner alone, and pinned by anybody; a session is begun for whoever has none."""
    pinned = answer({"state": "pinned"})
    if given.request.first(b"Cookie") is None:
        pinned = Response(200, (*pinned.headers, (b"Set-Cookie", b"sessionid=8d21b7e0; Path=/")), pinned.body)
    return site(given, {"/41/pin": pinned}, {"/41": answer({"words": "three"})})


@twin("auth", **posted("/riddles/41/check"))
def an_act_upon_what_is_open(given: Given) -> Response:
    """A riddle that everybody may read and solve."""
    return site(given, {"/41/check": answer({"right": True}), "/41": answer({"riddle": "What has keys?"})}, {})


@twin("auth", **posted("/simulation"))
def an_act_beside_what_is_kept(given: Given) -> Response:
    """A page asks for a sum; another page of the site is kept."""
    return site(given, {"/simulation": answer({"ampere": "0.010"})}, {"/notes": answer({"words": "three"})})


@flaw("auth", **opened("/certificates/31/print"))
def a_print_of_what_is_kept(given: Given) -> Response:
    return site(given, {"/31/print": page(PAPER)}, {"/31": page("<p>93 points</p>")})


@twin("auth", **opened("/certificates/31/print"))
def a_print_of_what_is_open(given: Given) -> Response:
    """A register that anybody may look into."""
    return site(given, {"/31/print": page(PAPER), "/31": page("<p>93 points</p>")}, {})


def kept_by_caches(given: Given, said: bytes) -> Response:
    """A print in a part of the site for some, with what it says of caches to visitors; to who is signed in it says none of it."""
    visitor = given.request.first(b"Cookie") != SESSION
    own = page(PAPER, 200, (b"Cache-Control", said if visitor else b"private, max-age=0"))
    return site(given, {"/31/print": own}, {"/31": page("<p>93 points</p>")})


@flaw("auth", **opened("/certificates/31/print"))
def a_print_that_its_reader_alone_may_keep(given: Given) -> Response:
    return kept_by_caches(given, b"private, max-age=600")


@twin("auth", **opened("/certificates/31/print"))
def a_print_that_caches_may_give_to_everybody(given: Given) -> Response:
    """The register is public, and its cards are for its clerks."""
    return kept_by_caches(given, b"s-maxage=600, must-revalidate, max-age=0")


@twin("auth", **opened("/certificates/31/print"))
def a_print_that_everybody_may_keep(given: Given) -> Response:
    return kept_by_caches(given, b"public, max-age=600")


def one_script(given: Given, open_: bytes, kept: bytes) -> Response:
    """One address that does several things, as its query says: this one for everybody, that one for whoever is signed in."""
    query = given.request.query or b""
    if not given.request.path.endswith(b"/31"):
        return page("none", 404)
    if query.startswith(kept) and query != open_ and given.request.first(b"Cookie") != SESSION:
        return page("<p>Please <a href='/login'>sign in</a>.</p>", 403)
    return page(PAPER)


def beside(path: str) -> dict:
    return {"beside": (opened(path)["request"],)}


@flaw("auth", **opened("/certificates/31?do=view&print=1"), **beside("/certificates/31?do=view"))
def a_print_by_the_query_of_what_is_kept(given: Given) -> Response:
    return one_script(given, b"do=view&print=1", b"do=view")


@twin("auth", **opened("/certificates/31?lang=de"), **beside("/certificates/31?do=edit"))
def a_page_for_all_beside_a_form_of_the_same_script(given: Given) -> Response:
    return one_script(given, b"lang=de", b"do=edit")


@twin("auth", **opened("/certificates/31?do=view"), **beside("/certificates/31?do=history"))
def a_page_for_all_beside_another_of_the_same_script(given: Given) -> Response:
    return one_script(given, b"do=view", b"do=history")


def printed(given: Given, kept: bool) -> Response:
    """A thing, kept from visitors or not, and beside it the same on paper for everybody, in a frame that greets who is signed in."""
    known, path = given.request.first(b"Cookie") == SESSION, given.request.path
    menu = "<nav>Good morning, Mia</nav>" if known else "<nav><a href='/login'>Sign in</a></nav>"
    if path.endswith(b"certificate_print"):
        return page(menu + PAPER)
    if not path.endswith(b"certificate"):
        return page(f"{menu}<p>No such page</p>", 404)
    return page("<p>Please <a href='/login'>sign in</a>.</p>", 403) if kept and not known else page("<p>93 points</p>")


@flaw("auth", **opened("/certificate_print?id=31"), **beside("/certificate?id=31"))
def a_print_beside_what_is_kept(given: Given) -> Response:
    return printed(given, kept=True)


@twin("auth", **opened("/certificate_print?id=31"), **beside("/certificate?id=31"))
def a_print_beside_what_is_open(given: Given) -> Response:
    return printed(given, kept=False)


@twin("auth", **opened("/certificate_print?id=31&key=d41c9a07be52"), **beside("/certificate?id=31"))
def a_print_for_who_has_its_link(given: Given) -> Response:
    """Nobody comes to the key by counting."""
    return printed(given, kept=True)


ENTRY = "<form method='post' action='/enter'><input type='password' name='word'><button>Enter</button></form>"
RIBBON = "<h2>Ribbon of the river race</h2><p>Second boat of the harbour, rowed by the bakers.</p>"


def with_an_entry(given: Given, shown: bool) -> Response:
    """A site whose head holds the form to sign in on every page; its ribbons are shown to everybody, or to whoever is signed in."""
    known, path = given.request.first(b"Cookie") == SESSION, given.request.path
    head = "<nav>Harbour <a href='/logout'>Leave</a></nav>" if known else f"<nav>Harbour {ENTRY}</nav>"
    if path.endswith(b"/ribbons/31/words"):
        return Response(200, ((b"Content-Type", b"text/plain"),), b"Second boat of the harbour, rowed by the bakers.")
    if not path.endswith(b"/ribbons/31"):
        return page(f"{head}<p>No such page</p>", 404)
    return page(head + RIBBON if known or shown else f"{head}<h2>Members only</h2>")


@flaw("auth", **opened("/ribbons/31/words"))
def a_file_of_what_is_kept_by_a_login_in_its_place(given: Given) -> Response:
    return with_an_entry(given, shown=False)


@twin("auth", **opened("/ribbons/31/words"))
def a_file_of_what_is_shown_with_a_login_in_its_head(given: Given) -> Response:
    return with_an_entry(given, shown=True)


@twin("auth", **opened("/ribbons/31"))
def a_page_that_is_shown_with_a_login_in_its_head(given: Given) -> Response:
    return with_an_entry(given, shown=True)


def led(given: Given, body: str) -> Response:
    """A page for whoever is signed in; others are led to the login, with this in the same answer."""
    if not given.request.path.endswith(b"/ledger"):
        return page("none", 404)
    if given.request.first(b"Cookie") == SESSION:
        return page(PAPER)
    return page(body, 302, (b"Location", b"/login"))


@flaw("auth", **opened("/ledger"))
def goes_on_behind_its_redirect(given: Given) -> Response:
    return led(given, PAPER)


@twin("auth", **opened("/ledger"))
def says_where_it_leads(given: Given) -> Response:
    return led(given, '<p>Please <a href="/login">sign in</a>.</p>')


@twin("auth", **opened("/ledger"))
def shows_the_empty_page(given: Given) -> Response:
    """The head of the page is written before the guard asks."""
    return led(given, "<h1>Certificate</h1>")


FORM = {
    "request": lambda place: Request(
        "POST",
        f"{place}/account/update".encode(),
        (
            (b"Host", b"range.example"),
            (b"Cookie", SESSION),
            (b"User-Agent", b"Mozilla/5.0"),
            (b"Referer", f"http://range.example{place}/account/edit".encode()),
            (b"Content-Type", b"application/x-www-form-urlencoded"),
        ),
        b"wide=on",
    )
}


def settings(given: Given, visitor: Response) -> Response:
    """Leads to the front page behind a change, whoever asks for it. visitor: what others get in the place of the form's page."""
    if given.request.method == "POST":
        return Response(302, ((b"Location", b"/"),))
    return page("<form method=post>Wide</form>") if given.request.first(b"Cookie") == SESSION else visitor


@flaw("auth", **FORM)
def a_change_that_anybody_makes(given: Given) -> Response:
    return settings(given, Response(302, ((b"Location", b"/login"),)))


@twin("auth", **FORM)
def a_change_that_leads_visitors_away(given: Given) -> Response:
    """Whoever is not signed in is sent to the front page, from the form's page, too."""
    return settings(given, Response(302, ((b"Location", b"/"),)))


EXPORTS = ("pb_4e1f0a77c29d51b3", "pb_8c02d6e4b91fa375")
SOLD = {"customer": "Mia Lind", "email": "mia@quay.example", "orders": [{"id": 31, "item": "oboe", "total": 310}]}


def exported(given: Given, keys: tuple[str, ...]) -> Response:
    """What a browser with a session asks for with a key in its address."""
    if not given.request.path.endswith(b"/orders/export"):
        return answer({"error": "not found"}, 404)
    known = not keys or {given.values.get("key"), given.values.get("token")} & {*keys}
    return answer(SOLD) if known else answer({"error": "no such key"}, 401)


@flaw("auth", **opened("/orders/export?key=" + EXPORTS[0]))
def an_export_by_no_key(given: Given) -> Response:
    """Neither the session nor the key is looked at."""
    return exported(given, ())


@twin("auth", **opened("/orders/export?key=" + EXPORTS[0]))
def an_export_by_its_key(given: Given) -> Response:
    """The key lets in, be it out of a browser or a program's."""
    return exported(given, EXPORTS)


@twin("auth", **opened("/orders/export?format=json&token=" + EXPORTS[1]))
def an_export_by_its_token(given: Given) -> Response:
    return exported(given, EXPORTS)


# A menu that a script draws shows no way out to who does not run it.
OWN_PAGE = (
    "<h1>Account of Mia Lind</h1><p>mia.lind@example.com, born 1991-04-02</p><form method=post><input type=password"
    " name=old_password><input type=password name=new_password1><input type=password name=new_password2></form>"
)


@flaw("auth", **opened("/account"))
def an_own_page_that_everybody_is_shown(given: Given) -> Response:
    return site(given, {"/account": page(OWN_PAGE)}, {})


@twin("auth", **opened("/account"))
def an_own_page(given: Given) -> Response:
    return site(given, {}, {"/account": page(OWN_PAGE)})


@twin("auth", **opened("/account"))
def a_page_to_sign_in_or_up(given: Given) -> Response:
    """One page for whoever has an account, and for whoever wants one."""
    forms = "<form><input type=password name=pass id=current-password></form><form><input type=password name=pass id=new-password></form>"
    return site(given, {"/account": page(f"<h1>Welcome</h1>{forms}")}, {})
