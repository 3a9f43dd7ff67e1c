"""Forms that are guarded where they are posted, and taken from the address of a link, or not."""

import html

from gatecrash.core.message import Request, Response
from tests.range.place import Given, flaw, miss, page, posted, text, twin

SESSION = b"sessionid=3f9a0c77de114b02aa55"
FORM = b"application/x-www-form-urlencoded"
KEPT: dict[str, dict[str, str]] = {}


def form(path: str) -> Request:
    own = ((b"Cookie", SESSION), (b"Origin", b"http://127.0.0.1"))
    return posted(path, b"action=set_mail&mail=ann%40tea.example&csrf_token=9d2f77a1c0", FORM, own)


def guarded(given: Given, *, by_get: bool) -> Response:
    """A page with a form of its own, whose origin is looked at where it is posted; by_get: and where it is not, it is
    taken all the same.
    """
    if SESSION not in (given.request.first(b"Cookie") or b""):
        return text("", 302, (b"Location", b"/login"))
    kept, sent = KEPT.setdefault(given.request.path.decode(), {}), given.values.get("mail")
    is_posted = given.request.method == "POST"
    if is_posted and b".example" in (given.request.first(b"Origin") or b""):
        return page("<p>Your form has expired.</p>", 403)
    if sent is not None and not str(sent).endswith(".example"):
        return page("<p>There is no such domain.</p>")
    if sent is not None and given.values.get("action") == "set_mail" and (is_posted or by_get):
        kept["mail"] = str(sent)
        return page("<p>Your address was changed.</p>")
    return page(f"<form method=post><input name=mail value='{html.escape(kept.get('mail', ''))}'></form>")


@flaw("csrf", request=form)
def taken_by_get_as_well(given: Given) -> Response:
    return guarded(given, by_get=True)


@twin("csrf", request=form)
def taken_by_post_alone(given: Given) -> Response:
    return guarded(given, by_get=False)


@twin("csrf", request=form)
def filled_in_by_a_link(given: Given) -> Response:
    """What a link says is put into the form's fields, and kept once that is posted."""
    if given.request.method == "GET" and "mail" in given.values:
        return page(f"<form method=post><input name=mail value='{html.escape(str(given.values['mail']))}'></form>")
    return guarded(given, by_get=False)


@twin("csrf", request=form)
def token_asked_by_get_as_well(given: Given) -> Response:
    if given.values.get("mail") is not None and given.values.get("csrf_token") != "9d2f77a1c0":
        return page("<p>Your form has expired.</p>", 403)
    return guarded(given, by_get=True)


def choice(path: str) -> Request:
    own = ((b"Cookie", SESSION), (b"Origin", b"http://127.0.0.1"))
    return posted(path, b"action=set_plan&plan=monthly&csrf_token=9d2f77a1c0", FORM, own)


@miss("csrf", request=choice)
def chosen_by_get_as_well(given: Given) -> Response:
    """A choice from a list takes no other word."""
    if SESSION not in (given.request.first(b"Cookie") or b""):
        return text("", 302, (b"Location", b"/login"))
    if given.request.method == "POST" and b".example" in (given.request.first(b"Origin") or b""):
        return page("<p>Your form has expired.</p>", 403)
    if given.values.get("plan") in ("monthly", "weekly"):
        KEPT.setdefault("plan", {})["plan"] = str(given.values["plan"])
        return page("<p>Your plan was changed.</p>")
    return page(f"<p>You have the plan {KEPT.get('plan', {}).get('plan')}</p>")
