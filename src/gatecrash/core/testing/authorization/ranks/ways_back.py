"""What takes back what a function of those who manage did, as a page beside it offers it: the same form with another
choice, or the form whose word says the contrary (`/users/7/unlock` of `/users/7/lock`).

for asked in ways_back(request, page):      the likeliest first; the page's own address is that of its request
    ...
has_contrary(request)                       whether its word has one, so that doing it once more does no more than before
"""

import re
from urllib.parse import urlencode, urljoin, urlsplit

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request, with_header, without_header
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import remove, rewrite
from gatecrash.core.testing.authorization.fields.choices import has_no_way_back
from gatecrash.core.testing.forms.tokens import is_called_token, is_form_token
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.pages.forms import PageForm, forms_on
from gatecrash.core.testing.places.walked_points import walked

_MOST = 3
_FORM = b"application/x-www-form-urlencoded"
_PAIRS = (
    ("promote", "demote"), ("activate", "deactivate"), ("enable", "disable"), ("suspend", "reinstate"), ("suspend", "resume"),
    ("suspend", "reactivate"), ("deactivate", "reactivate"), ("deactivate", "restore"), ("hide", "show"), ("archive", "restore"),
    ("grant", "revoke"), ("open", "close"), ("close", "reopen"), ("on", "off"), ("freeze", "thaw"), ("lock", "release"),
    ("show", "conceal"), ("allow", "forbid"), ("block", "allow"), ("mute", "voice"), ("raise", "lower"),
    ("pause", "resume"), ("pause", "continue"), ("stop", "start"), ("suspend", "continue"), ("hold", "release"),
)  # fmt: skip
# Of these alone it is known that doing them once more takes them back.
_TURNS = re.compile(r"(?:toggle|switch|flip|invert)(?:[-_]\w{1,30})?|\w{1,30}[-_](?:toggle|switch)")
_UN = re.compile(r"(?:un|de|dis)[-_]?")
# Words whose contrary begins so.
_UNDONE = frozenset(
    {
        "lock",
        "ban",
        "block",
        "mute",
        "pin",
        "publish",
        "hide",
        "verify",
        "flag",
        "star",
        "freeze",
        "suspend",
        "feature",
        "archive",
        "assign",
    }
)
_LEAST = 3
_UNSAID = frozenset({"", "0", "no", "off", "false", "none"})


def ways_back(request: Request, page: Exchange) -> list[Request]:
    """What takes it back, as a page offers it; at most a few."""
    if page.response is None:
        return []
    own = request.path.decode("latin-1")
    found: list[Request] = []
    for form in forms_on(text_of(page.response)):
        parts = urlsplit(_joined(page.request, form.action))
        if form.method != "POST":
            continue
        if parts.path == own and parts.query == (request.query or b"").decode("latin-1"):
            found += _chosen_otherwise(request, form)
        elif _is_contrary(own, parts.path) or (parts.path == own and _says_contrary(request, parts.query)):
            found.append(_as_form(request, parts.path + (f"?{parts.query}" if parts.query else ""), form))
    if _turns(request):
        found.append(request)
    return [each for number, each in enumerate(found) if each not in found[:number]][:_MOST]


def has_contrary(request: Request) -> bool:
    """Whether the last word of its path is one that some other takes back."""
    last = _last(request.path.decode("latin-1"))
    return any(last in pair for pair in _PAIRS) or re.sub("^un[-_]?", "", last) in _UNDONE


def _joined(page: Request, action: str) -> str:
    try:
        return urljoin(page.target.decode("latin-1"), action)
    except ValueError:
        return ""


def _is_contrary(own: str, other: str) -> bool:
    """Whether two paths differ in their last word alone, and this word is the other's contrary."""
    above, beside = own.rstrip("/").rpartition("/")[0], other.rstrip("/").rpartition("/")[0]
    return above == beside and _are_contrary(_last(own), _last(other))


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lower().rpartition(".")[0] or path.rstrip("/").rpartition("/")[2].lower()


def _are_contrary(one: str, other: str) -> bool:
    if (one, other) in _PAIRS or (other, one) in _PAIRS:
        return True
    for first, second in ((one, other), (other, one)):
        if len(second) >= _LEAST and first != second and _UN.sub("", first, count=1) == second and _UN.match(first):
            return True
    return False


def _says_contrary(request: Request, query: str) -> bool:
    """`?do=ban&id=7` and `?do=unban&id=7`: the queries differ in one word, which is the other's contrary."""
    own = (request.query or b"").decode("latin-1").split("&")
    other = query.split("&")
    differing = [pair for pair in zip(own, other, strict=False) if pair[0] != pair[1]]
    if len(own) != len(other) or len(differing) != 1:
        return False
    (name, _, value), (same, _, contrary) = (each.partition("=") for each in differing[0])
    return name == same and _are_contrary(value.lower(), contrary.lower())


def _chosen_otherwise(request: Request, form: PageForm) -> list[Request]:
    """The same form with another value where it offers a choice or says the contrary; each such value leaves the others as they are."""
    found: list[Request] = []
    points = {each.point[-1]: each for each in walked(request) if each.point[0] == "post" and not each.container}
    for name, each in points.items():
        value = each.value.decode("utf-8", "replace")
        if is_form_token(each.point):
            continue
        offered = [*([form.fields[name]] if name in form.fields else []), *form.choices.get(name, [])]
        fit = [other for other in offered if other != value and _may_stand(value, other, name in form.choices)]
        # What the page has chosen now is what stood there before.
        found += [_with(request, each.point, other) for other in dict.fromkeys(fit)]
    return found


def _may_stand(value: str, other: str, is_choice: bool) -> bool:
    if _are_contrary(value.lower(), other.lower()) or {value.lower(), other.lower()} <= _UNSAID | {
        "1",
        "yes",
        "on",
        "true",
    }:
        return True
    return is_choice and not has_no_way_back(other)


def _with(request: Request, point: Point, value: str) -> Request:
    try:
        return rewrite(request, point, value.encode()) if value else remove(request, point)
    except UserError:
        return request


def _as_form(request: Request, target: str, form: PageForm) -> Request:
    """Another form of the page, as it stands there; a token that the request has in a header goes along."""
    recorded = {
        each.point[-1]: each.value.decode("utf-8", "replace")
        for each in walked(request)
        if each.point[:2] == ("post", "form_urlencoded") and not each.container
    }
    shared = {name: value for name, value in recorded.items() if name in form.fields and not is_called_token(name)}
    body = urlencode({**form.fields, **shared}).encode()
    headers = with_header(without_header(request.headers, b"Content-Length"), b"Content-Type", _FORM)
    changed: Request = msgspec.structs.replace(
        request,
        target=target.encode("latin-1", "replace"),
        headers=with_header(headers, b"Content-Length", str(len(body)).encode()),
        body=body,
    )
    return changed


def _turns(request: Request) -> bool:
    return _TURNS.fullmatch(_last(request.path.decode("latin-1"))) is not None
