"""Changing requests signed in by a cookie, from any site or from the own one only."""

import html
import json
from urllib.parse import parse_qsl

from gatecrash.core.message import Request, Response
from tests.range.place import Given, answer, flaw, miss, page, posted, text, twin

SESSION = b"sessionid=3f9a0c77de114b02aa55"
COOKIE = (b"Cookie", SESSION)
FORM = b"application/x-www-form-urlencoded"
STATE = "b1946ac92492d2347c6235b4d2611184"
SHORT = "f37137f3775078de"


def form(path: str) -> Request:
    return posted(path, b"amount=5&to=ben", FORM, (COOKIE, (b"Origin", b"http://127.0.0.1")))


def with_token(path: str) -> Request:
    return posted(path, b"amount=5&to=ben&csrf_token=9d2f77a1c0", FORM, (COOKIE, (b"Origin", b"http://127.0.0.1")))


def with_other_token(path: str) -> Request:
    """Called otherwise than tokens against this are."""
    return posted(path, b"amount=5&user_token=9d2f77a1c0&state=" + STATE.encode(), FORM, (COOKIE,))


def with_short_token(path: str) -> Request:
    """Eight random bytes, under a name that says nothing."""
    return posted(path, b"amount=5&to=ben&k=" + SHORT.encode(), FORM, (COOKIE,))


def as_json(path: str) -> Request:
    return posted(path, b'{"amount": 5}', b"application/json", (COOKIE,))


def signed_in(given: Given) -> bool:
    return SESSION in (given.request.first(b"Cookie") or b"")


def done() -> Response:
    return answer({"transferred": True})


def refused() -> Response:
    return answer({"error": "please sign in"}, 401)


@flaw("csrf", request=form)
def no_check(given: Given) -> Response:
    return done() if signed_in(given) else refused()


@flaw("csrf", request=with_token)
def token_ignored(given: Given) -> Response:
    return done() if signed_in(given) else refused()


@flaw("csrf", request=as_json)
def json_as_text(given: Given) -> Response:
    return answer({"transferred": json.loads(given.request.body)["amount"]}) if signed_in(given) else refused()


@flaw("csrf", request=form)
def redirects_after(given: Given) -> Response:
    return text("", 303, (b"Location", b"/done" if signed_in(given) else b"/login"))


def of_this_page(given: Given, said: str, offered: str = "") -> Response:
    """A page with a form that is sent to itself."""
    if not signed_in(given):
        return text("", 302, (b"Location", b"/login"))
    return page(f"<form method=post><input name=amount value='{offered}'><input name=to></form><p>{said}</p>")


def noted(path: str) -> Request:
    return posted(path, b"text=call+ben+at+ten", FORM, (COOKIE,))


NOTED: list[str] = []
NOTED_FROM_HERE: list[str] = []


@flaw("csrf", request=noted)
def noted_on_its_page(given: Given) -> Response:
    """It says nothing, and shows from then on what it was sent."""
    NOTED[:] = [given.values["text"]] if given.request.method == "POST" else NOTED
    return of_this_page(given, "".join(f"<li>{html.escape(each)}</li>" for each in NOTED))


@twin("csrf", request=lambda path: posted(path, b"text=call+ben+at+ten&csrf_token=9d2f77a1c0", FORM, (COOKIE,)))
def noted_from_here_alone(given: Given) -> Response:
    """It turns others down without a word, and shows in either case what is kept, which is what is sent again."""
    if given.request.method == "POST" and given.values.get("csrf_token") == "9d2f77a1c0":
        NOTED_FROM_HERE[:] = [str(given.values["text"])]
    return of_this_page(given, "".join(f"<li>{html.escape(each)}</li>" for each in NOTED_FROM_HERE))


@flaw("csrf", request=form)
def done_on_its_page(given: Given) -> Response:
    return of_this_page(given, "Your money was sent." if given.request.method == "POST" else "How much?")


@twin("csrf", request=form)
def looked_up_on_its_page(given: Given) -> Response:
    """Nothing is done: it tells what was asked, and its field offers that by itself."""
    told = f"{html.escape(given.values.get('amount', ''))} dollars are 4 euros"
    return of_this_page(given, told if given.request.method == "POST" else "", "5")


@twin("csrf", request=noted)
def found_on_its_page(given: Given) -> Response:
    found = f"No notes with {html.escape(given.values.get('text', ''))}. Notes can be saved above."
    return of_this_page(given, found if given.request.method == "POST" else "Notes can be saved above.")


@twin("csrf", request=with_other_token)
def other_token_checked(given: Given) -> Response:
    if given.values.get("user_token") != "9d2f77a1c0" and given.values.get("state") != STATE:
        return page("Your form has expired", 403)
    return done() if signed_in(given) else refused()


@twin("csrf", request=with_short_token)
def short_token_checked(given: Given) -> Response:
    """As many old applications do: everything is answered with 200."""
    if not signed_in(given):
        return page('Please <a href="/login">sign in</a>.')
    return page("Saved." if given.values.get("k") == SHORT else "This form was used already or is too old.")


@twin("csrf", request=with_token)
def token_checked(given: Given) -> Response:
    if given.values.get("csrf_token") != "9d2f77a1c0":
        return page("CSRF token missing", 403)
    return done() if signed_in(given) else refused()


@twin("csrf", request=with_token)
def refused_in_a_sentence(given: Given) -> Response:
    told = "Your review was kept." if b"csrf_token=9d2f77a1c0" in given.request.body else "This is not from our page."
    return answer({"status": "open", "message": told, "shown": None, "rev": "b"}) if signed_in(given) else refused()


@twin("csrf", request=form)
def origin_checked(given: Given) -> Response:
    if b".example" in (given.request.first(b"Origin") or b""):
        return answer({"error": "cross-site request"}, 400)
    return done() if signed_in(given) else refused()


@twin("csrf", request=form, also=("auth",))
def open_to_all(given: Given) -> Response:
    """A contact form: the cookie is not what lets it in."""
    return done()


@twin("csrf", request=as_json)
def json_type_only(given: Given) -> Response:
    if b"application/json" not in (given.request.first(b"Content-Type") or b""):
        return answer({"error": "unsupported media type"}, 415)
    return done() if signed_in(given) else refused()


@twin("csrf", request=form)
def refused_in_words(given: Given) -> Response:
    if b".example" in (given.request.first(b"Referer") or b""):
        return answer({"error": "request not permitted from this site"})
    return done() if signed_in(given) else answer({"error": "please log in"})


TAKEN: set[bytes] = set()


@flaw("csrf", request=form)
def redirects_with_a_number(given: Given) -> Response:
    """The place that it redirects to has another number each time."""
    TAKEN.add(given.request.body + str(len(TAKEN)).encode())
    return text("", 303, (b"Location", b"/transfers/%d" % len(TAKEN) if signed_in(given) else b"/login"))


DONE: set[bytes] = set()


@miss("csrf", request=form)
def done_once(given: Given) -> Response:
    """No check at all, but what was done once is not done again."""
    if not signed_in(given):
        return refused()
    again = given.request.body in DONE
    DONE.add(given.request.body)
    return answer({"error": "done already"}, 409) if again else done()


@flaw("csrf", request=lambda path: form(path + "/account/mail"))
def changes_the_account(given: Given) -> Response:
    """Where passwords are sent to."""
    return text("", 302, (b"Location", b"/account" if signed_in(given) else b"/login"))


@twin("csrf", request=lambda path: form(path + "/account/mail"))
def changes_the_account_with_care(given: Given) -> Response:
    """The stranger's request is answered by the same kind of redirect, to where it says why."""
    if b".example" in (given.request.first(b"Origin") or b""):
        return text("", 302, (b"Location", b"/account/mail"))
    return text("", 302, (b"Location", b"/account" if signed_in(given) else b"/login"))


PAY = "mutation Pay($amount: Int) { pay(amount: $amount) { paid } }"


def mutation(path: str) -> Request:
    return posted(path, json.dumps({"query": PAY, "variables": {"amount": 5}}).encode(), b"application/json", (COOKIE,))


def query(path: str) -> Request:
    return posted(path, b'{"query": "{ balance { amount } }"}', b"application/json", (COOKIE,))


def paid(given: Given, document: dict[str, str]) -> Response:
    """What a server says to an operation."""
    if not signed_in(given):
        return answer({"errors": [{"message": "not signed in"}]})
    if document.get("query", "").startswith("{"):
        return answer({"data": {"balance": {"amount": 77}}})
    amount = (
        json.loads(variables)["amount"] if isinstance(variables := document["variables"], str) else variables["amount"]
    )
    return answer({"data": {"pay": {"paid": amount}}})


def told(given: Given) -> dict[str, str]:
    """The operation in the body, in whatever form it is sent."""
    kind = given.request.first(b"Content-Type") or b""
    return dict(parse_qsl(given.request.body.decode())) if FORM in kind else json.loads(given.request.body)


def is_json(given: Given) -> bool:
    return b"application/json" in (given.request.first(b"Content-Type") or b"")


@flaw("csrf", request=mutation)
def mutations_by_a_form(given: Given) -> Response:
    """Neither plain text nor GET is read, and forms are."""
    is_form = FORM in (given.request.first(b"Content-Type") or b"")
    return paid(given, told(given)) if is_json(given) or is_form else answer({"errors": [{"message": "no query"}]}, 400)


@flaw("csrf", request=mutation)
def mutations_by_get(given: Given) -> Response:
    if given.request.method == "GET":
        return paid(given, dict(parse_qsl((given.request.query or b"").decode())))
    return paid(given, told(given)) if is_json(given) else answer({"errors": [{"message": "no query"}]}, 400)


@twin("csrf", request=mutation)
def queries_alone_by_get(given: Given) -> Response:
    """As the specification wants it: what is asked by GET changes nothing."""
    if given.request.method == "GET":
        return answer({"errors": [{"message": "Can only perform a mutation operation from a POST request."}]}, 405)
    return paid(given, told(given)) if is_json(given) else answer({"errors": [{"message": "no query"}]}, 415)


@twin("csrf", request=mutation)
def mutations_from_here(given: Given) -> Response:
    """In any form, and from this origin only."""
    if b".example" in (given.request.first(b"Origin") or b""):
        return answer({"errors": [{"message": "cross-site request refused"}]})
    by_get = given.request.method == "GET"
    return paid(given, dict(parse_qsl((given.request.query or b"").decode())) if by_get else told(given))


@twin("csrf", request=query)
def queries_in_any_form(given: Given) -> Response:
    """Nothing changes, whoever makes the browser ask."""
    by_get = given.request.method == "GET"
    return paid(given, dict(parse_qsl((given.request.query or b"").decode())) if by_get else told(given))


KEPT: dict[str, dict[str, str]] = {}


def by_link(path: str) -> Request:
    return Request("GET", path.encode() + b"/update?address=ann%40tea.example&plan=monthly", (COOKIE,))


def kept_by_link(given: Given, *, said: str = "Your address was changed.") -> Response:
    """A page that keeps what its own link says, for whoever is signed in, and shows it from then on."""
    if not signed_in(given):
        return text("", 302, (b"Location", b"/login"))
    kept = KEPT.setdefault(given.request.path.decode(), {})
    sent = given.values.get("address")
    if sent is not None and given.values.get("plan") in ("monthly", "weekly"):
        kept["address"] = str(sent)
        return page(f"<p>{said}</p>")
    if sent is not None:
        return page("<p>There is no such plan.</p>")
    return page(f"<form><input name=address value='{html.escape(kept.get('address', ''))}'></form>")


@flaw("csrf", request=by_link)
def changed_by_a_link(given: Given) -> Response:
    return kept_by_link(given)


@flaw(
    "csrf", request=lambda path: Request("GET", path.encode() + b"?address=ann%40tea.example&plan=monthly", (COOKIE,))
)
def changed_by_a_link_that_says_so(given: Given) -> Response:
    return kept_by_link(given)


@twin("csrf", request=lambda path: Request("GET", by_link(path).target + b"&csrf_token=9d2f77a1c0", (COOKIE,)))
def changed_by_a_link_with_a_token(given: Given) -> Response:
    if "address" in given.values and given.values.get("csrf_token") != "9d2f77a1c0":
        return page("<p>Your form has expired.</p>", 403)
    return kept_by_link(given)


@twin("csrf", request=by_link)
def linked_from_here(given: Given) -> Response:
    """What other sites link to is shown to be confirmed."""
    if b".example" in (given.request.first(b"Referer") or b""):
        return page("<form method=post><p>Change the address?</p><button>Yes</button></form>")
    return kept_by_link(given)


@twin("csrf", request=by_link)
def listed_as_asked(given: Given) -> Response:
    """Nothing is changed: the page lists what its user asked for lately, whatever that is."""
    if not signed_in(given):
        return text("", 302, (b"Location", b"/login"))
    asked = KEPT.setdefault("asked", {})
    if given.request.query:
        asked[given.request.query.decode("latin-1")] = ""
        return page("<p>Your update was recorded.</p>")
    return page("".join(f"<li>{html.escape(each)}</li>" for each in list(asked)[-9:]))


@twin("csrf", request=by_link)
def kept_of_anybody(given: Given) -> Response:
    """A guest book: the cookie is not what lets it in."""
    kept = KEPT.setdefault("book", {})
    if "address" in given.values:
        kept["last"] = str(given.values["address"])
        return page("<p>Your entry was added.</p>")
    return page(f"<p>{html.escape(kept.get('last', ''))}</p>")


@twin("csrf", request=by_link)
def updates_found(given: Given) -> Response:
    """An update is a thing as well; nothing is kept."""
    if not signed_in(given):
        return text("", 302, (b"Location", b"/login"))
    return page(f"<p>No updates were posted by {html.escape(str(given.values.get('address', 'anybody')))}.</p>")


@miss("csrf", request=lambda path: Request("GET", path.encode() + b"/update?plan=monthly", (COOKIE,)))
def chosen_by_a_link(given: Given) -> Response:
    """A choice from a list takes no other word."""
    if not signed_in(given):
        return text("", 302, (b"Location", b"/login"))
    if given.values.get("plan") in ("monthly", "weekly"):
        KEPT.setdefault("plan", {})["plan"] = str(given.values["plan"])
        return page("<p>Your plan was changed.</p>")
    return page(f"<p>You have the plan {KEPT.get('plan', {}).get('plan')}</p>")


def picture(path: str) -> Request:
    part = b'--x7\r\nContent-Disposition: form-data; name="pic"; filename="me.png"\r\nContent-Type: image/png\r\n\r\n0000\r\n--x7--\r\n'
    return posted(path, part, b"multipart/form-data; boundary=x7", (COOKIE,))


@flaw("csrf", request=picture)
def picture_kept(given: Given) -> Response:
    """It says nothing, and shows the picture from where it lies now."""
    return of_this_page(given, "<img src='/pictures/me.png'>" if given.request.method == "POST" else "")


@twin("csrf", request=picture)
def picture_measured(given: Given) -> Response:
    return of_this_page(given, "me.png: 4 bytes" if given.request.method == "POST" else "")
