"""The order in which baselines are tested: safe methods first, and last what destroys what the tests stand on.

A scanner that changes its own account's role, or signs itself out, half way, reports the rest as clean.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from gatecrash.core.inventory.identifiers import look_in_path
from gatecrash.core.message import Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.alike import each_kind_first
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.made_from import layers
from gatecrash.core.testing.meant_method import meant_method
from gatecrash.core.testing.one_script import page_asked, spoken_path
from gatecrash.core.testing.operations import MUTATES, address_of, only_queries, operation_of, words_of
from gatecrash.core.testing.questions import called, is_question, named_in_query
from gatecrash.core.testing.said_deletions import is_told_what_it_deleted, says_to_delete
from gatecrash.core.testing.wholesale import is_about_all, says_to_empty_all
from gatecrash.core.words.deeds import OVERWRITES
from gatecrash.core.words.english import in_english
from gatecrash.core.words.named import Words
from gatecrash.core.words.pieces import pieces_of

# RFC 9110 section 9.2.1: these ask for nothing but an answer.
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_SAFE, _CHANGING, DESTRUCTIVE, _RIGHTS, _SESSION = range(5)
# A dozen probes ask the same of one request, in a row.
_MOST_KEPT = 16

# "/catalog-offers" is none.
_ENDS_SESSION = Words(
    r"(?i:(?:log|sign)[-_]?(?:out|off)(?:all)?)(?![a-z])|(?i:revoke|invalidate|end[-_]?session|kill[-_]?session)"
    r"|(?i:/(?:auth|session)/(?:end|exit|quit))(?![a-z])"
)
_SIGNS_OUT = Words(r"(?i:(?:log|sign)[-_]?out(?:all)?)(?![a-z])")
# One address for all, and a member that says what is done: `index.php?action=logout`, `?route=account/logout`, a button's name.
_SAID = r"(?:^|&)(?:action|act|do|op|cmd|command|mode|page|p|a|m|r|route|task|view|func|event|section|method|what|go)="
_SAYS_SIGN_OUT = Words(rf"{_SAID}(?:[\w.-]+(?:/|%2f))*(?:do_?)?(?:log|sign)[-_]?(?:out|off)(?=&|$)", re.IGNORECASE)
_SAYS_OUT = re.compile(rf"{_SAID}out(?=&|$)", re.IGNORECASE)
# A page that is sent back to itself names the control that was used, behind those it stands in: `ctl00$Head$lnkLogout`.
_BEHIND = r"(?:\$|%24)"
_CONTROL = (
    r"(?:(?:lnk|lbtn|lb|btn|link|button|ib|hl|cmd)?_?(?:log|sign)_?(?:out|off)(?:all|link|button|lnk|btn)?\d*"
    rf"|(?:lnk|lbtn|link)_?out|LoginStatus\d*{_BEHIND}ctl0[01])"
)
_POSTS_SIGN_OUT = Words(
    rf"(?:^|&)__EVENTTARGET=(?:\w++{_BEHIND})*?{_CONTROL}(?=&|$)|{_BEHIND}{_CONTROL}(?:\.x)?(?==)", re.IGNORECASE
)
# Pages that tell of a sign-out are called with such a name, too (`/login?logout`): what goes last, and nothing more.
_NAMES_SIGN_OUT = Words(r"(?:^|&)(?:do_?)?(?:log|sign)[-_]?(?:out|off)(?=[=&]|$)", re.IGNORECASE)
# Where sessions are things, one is ended by deleting it.
_ONES_SESSION = Words(r"/(?:session|login|auth|sessions/(?:current|me|self|mine))/?$", re.IGNORECASE)
_CHANGES_ACCOUNT = Words(r"\bprofile|\baccount", re.IGNORECASE)
# What is made below one of several accounts leaves the account as it is: `/accounts/7/transfers`, and not `/accounts/7/settings`.
_BELOW_AN_ACCOUNT = re.compile(
    r"(?:profiles|accounts)/[^/\d]*+\d[^/]*+/(?=(?!settings|preferences|details|credentials|status|address|limits|options)[a-z_-]+s(?:/|$))",
    re.IGNORECASE,
)
_CHANGES_RIGHTS = Words(
    r"passw(?:or)?d|passcode|\brole|permission|privilege|deactivate|suspend|disable|\bmfa\b|\b2fa\b|totp"
    r"|\bunsubscribe|rotate|\bban\b|(?:change|update|set|edit)[-_](?:(?:my|user)[-_])?(?:(?:e[-_]?)?mail|user[-_]?name|login)(?![a-z])",
    re.IGNORECASE,
)
# A theme, a language or an address that the application cannot use may spoil all its pages for whatever is tested afterwards.
_SETTINGS = Words(
    r"(?<![a-z])(?:settings|configure|configuration|config|preferences|prefs|options)(?![a-z])|settings(?![a-z])",
    re.IGNORECASE,
)
# What a link writes, whatever its method should mean: `/settings/save?theme=dark`.
_WRITES = Words(
    r"(?:^|[/._-])(?:save|set|store|update|apply|switch|toggle|change|enable|disable)(?:[._-][a-z]+)?/?$", re.IGNORECASE
)
# The language among them is one's own where the address says no more: `POST /me`.
_OF_ONESELF = Words(r"/(?:me|self|myself)/?$", re.IGNORECASE)
_ONESELF = Words(r"/(?:me|self|myself|my[-_]?(?:account|profile)|(?:user/)?(?:account|profile))/?$", re.IGNORECASE)
_ENDS_ACCOUNT = Words(
    r"/(?:me|self|myself|my[-_]?account|account|profile)/(?:delete|remove|close|deactivate|terminate|destroy|erase)/?$"
    r"|/(?:delete|remove|close|deactivate|terminate|destroy|erase)[-_]?(?:(?:my|own)[-_]?)?(?:account|profile|me|myself|self)/?$",
    re.IGNORECASE,
)
ENDS_SESSION = "ends the session"
DELETES = "deletes"
_OVERWRITES = OVERWRITES | {"rename"}
# What one thing has one of: `/users/7/role`.
_ATTRIBUTES = frozenset(
    {
        b"role",
        b"status",
        b"state",
        b"plan",
        b"quota",
        b"limit",
        b"owner",
        b"assignee",
        b"priority",
        b"name",
        b"title",
        b"phone",
    }
    | {b"visibility", b"privacy", b"language", b"locale", b"timezone", b"theme", b"password"}
)
_OWN = frozenset({b"me", b"self", b"myself", b"my", b"account", b"profile"})
_RIGHTS_CHANGE = "changes who may sign in, or what they may do"
# To send it again as it was recorded changes nothing more.
CHANGES_ACCOUNT = "changes the account"
SIGNS_IN = Words(r"log[-_]?[io]n|sign[-_]?in|logon|/auth(?:enticate)?\b|/sessions?\b|/tokens?\b", re.IGNORECASE)
# Of what may be a session's or a token's own address, only the whole of it: what stands below one changes it.
_LETS_IN = Words(
    r"(?<!cata)(?<!ana)(?<!dia)(?<!b)(?:log[-_]?in|sign[-_]?in|logon)(?![a-z])"
    r"|/(?:(?:access|api|auth|oauth2?|user|admin|jwt|bearer|id)[-_]?)?(?:auth(?:enticate|orize)?|sessions?|tokens?)"
    r"(?:/(?:local|basic|credentials|ldap|db|callback|new|create))*(?:\.\w{1,5})?/?$",
    re.IGNORECASE,
)
# What is found by a token, a code or a name is changed: `/auth/verify-email`, `/unsubscribe`.
_CHANGES_ONE = Words(
    r"verif|confirm|activat|refresh|renew|exten[ds]|unlock|regist|sign[-_]?up|updat|(?<!ex)chang|(?<!cr)edit|renam|accept|reject|approv|link|attach"
    r"|clos|cancel|forgot|recover|redeem|invit",
    re.IGNORECASE,
)
_HOLDS_PASSWORD = re.compile(
    rb"pass|pwd|(?<![a-z])(?:pw|pin(?:-?code)?)(?![a-z])|" + b"|".join(map(re.escape, pieces_of("password"))),
    re.IGNORECASE,
)
_SIGN_IN_NAME = Words(
    r"(?:new[-_]?)?(?:user[-_]?)?(?:e[-_]?mail(?:[-_]?address)?|login)|(?:new[-_]?)?user[-_]?name", re.IGNORECASE
)
_FORM_BYTES = 4096
_REMOVED = r"delete|destroy|remove|erase|purge|wipe|drop|truncate|unlink|(?<![a-z])rm(?:dir|tree)?(?![a-z])"
_REMOVES = Words(_REMOVED, re.IGNORECASE)
_DELETES = Words(rf"{_REMOVED}|reset|shutdown|restart", re.IGNORECASE)


def is_safe(request: Request) -> bool:
    """Whether the request's method is safe, so that it may be repeated without asking; a GraphQL mutation by GET is not."""
    if request.method not in SAFE_METHODS and request.method.upper() not in SAFE_METHODS:
        return False
    # Asked several times of every request: the target says at once that it has no query of GraphQL.
    operation = operation_of(request) if b"query=" in request.target else None
    return operation is None or operation.type != MUTATES


@lru_cache(_MOST_KEPT)
def destroys(request: Request) -> str | None:
    """Why a request can destroy the session or the data that tests stand on; None where nothing says so."""
    path = _address(request)
    if _ENDS_SESSION.search(path) or signs_out(request) or _NAMES_SIGN_OUT.search(_said(request)):
        return ENDS_SESSION
    if meant_method(request) == "DELETE" or resets_all(request):
        return DELETES
    if is_safe(request) or is_question(request):
        return None
    if _CHANGES_RIGHTS.search(path):
        return _RIGHTS_CHANGE
    if _DELETES.search(path) or is_told_what_it_deleted(request):
        return DELETES
    return CHANGES_ACCOUNT if _CHANGES_ACCOUNT.search(_BELOW_AN_ACCOUNT.sub("", path)) else None


@lru_cache(_MOST_KEPT)
def deletes(request: Request) -> bool:
    """Whether a request deletes something, by its method or by what its address or its members say, a link's too: without
    the value that names it, that may be everything.
    """
    if meant_method(request) == "DELETE" or _REMOVES.search(_address(request)) is not None:
        return True
    if is_told_what_it_deleted(request):
        return True
    is_json = b"json" in (request.first(b"Content-Type") or b"")
    return says_to_delete(request.body[:_FORM_BYTES].decode("latin-1") if is_json else _said(request))


@lru_cache(_MOST_KEPT)
def resets_all(request: Request) -> bool:
    """Whether a request says by its address, or by a form's button, that it sets up anew, or empties, all there is, a
    link's too: none of its values tells of what.
    """
    return is_about_all(request, _address(request)) or says_to_empty_all(_said(request))


@lru_cache(_MOST_KEPT)
def signs_out(request: Request) -> bool:
    """Whether a request ends the caller's own session: who is not signed in may send it as well, and nothing is missing."""
    deletes_it = meant_method(request) == "DELETE" and _ONES_SESSION.search(request.path.decode("latin-1")) is not None
    return deletes_it or _SIGNS_OUT.search(_address(request)) is not None or _says_sign_out(request)


def _says_sign_out(request: Request) -> bool:
    said = _said(request)
    if _SAYS_SIGN_OUT.search(said) is not None:
        return True
    if "__EVENTTARGET" in said and _POSTS_SIGN_OUT.search(said) is not None:
        return True
    return _SAYS_OUT.search(said) is not None and SIGNS_IN.search(request.path.decode("latin-1")) is not None


def _said(request: Request) -> str:
    """The members of the query and of a form, as written."""
    form = (request.first(b"Content-Type") or b"").lower().startswith(b"application/x-www-form-urlencoded")
    # What a page keeps of itself stands in the middle, before the button that was used.
    last = request.body[_FORM_BYTES:][-_FORM_BYTES:].partition(b"&")[2] if form else b""
    parts = (request.query or b"", request.body[:_FORM_BYTES] if form else b"", last)
    return "&".join(part.decode("latin-1") for part in parts if part)


@lru_cache(_MOST_KEPT)
def _address(request: Request) -> str:
    """The path, of a site's one script with the page; of a GraphQL mutation its field, and of a call the function,
    which say what is done.
    """
    if only_queries(request):
        return request.path.decode("ascii", "backslashreplace")
    # `/api?method=parcel.remove`: all functions at one address.
    in_query = named_in_query(request) if request.method.upper() == "POST" else ""
    in_query = in_query or in_english(page_asked(request))
    return address_of(request) + (f"/{in_query}" if in_query else "")


def rank(request: Request) -> int:
    """0 for safe requests, GraphQL queries and calls that only read, 1 for those that change something, DESTRUCTIVE and
    more for those that can destroy or lock an account.

    The session goes last, and before it what may end it: what else is destroyed is tested in it.
    """
    if ends_account(request):
        return _SESSION
    why = destroys(request)
    if why:
        return {_RIGHTS_CHANGE: _RIGHTS, ENDS_SESSION: _SESSION}.get(why, DESTRUCTIVE)
    if signs_in(request):
        return DESTRUCTIVE
    if is_safe(request) or only_queries(request) or is_question(request):
        return (
            DESTRUCTIVE
            if deletes(request) or resets_all(request) or (_writes_by_link(request) and _are_settings(request))
            else _SAFE
        )
    return DESTRUCTIVE if configures(request) or deletes(request) else _CHANGING


def ends_account(request: Request) -> bool:
    """Whether a request deletes or closes its sender's own account: no session of his outlives it, and nobody can sign in again."""
    if is_safe(request) or only_queries(request):
        return False
    path = _address(request)
    deletes_it = meant_method(request) == "DELETE" and _ONESELF.search(path) is not None
    return deletes_it or _ENDS_ACCOUNT.search(path) is not None


def shows_a_login(request: Request) -> bool:
    """Whether a request asks for a page by the name of a login (`/login`, `?do=login`)."""
    return is_safe(request) and SIGNS_IN.search(request.target.decode("latin-1")) is not None


def signs_in(request: Request) -> bool:
    """Whether a request signs in with a password, which locks its account when it is tested with others; some APIs do so by GET."""
    if request.method.upper() not in ("POST", "GET") or SIGNS_IN.search(_address(request)) is None:
        return False
    return _HOLDS_PASSWORD.search(request.body or request.query or b"") is not None


def asks_to_be_let_in(request: Request) -> bool:
    """Whether a request only asks for a session, with a password or anything else, which changes nothing that others have."""
    lets_in = request.method.upper() == "POST" and _LETS_IN.search(spoken_path(request)) is not None
    return lets_in and not names_a_change(request)


@lru_cache(_MOST_KEPT)
def names_a_change(request: Request) -> bool:
    """Whether an address says that something is changed, whatever the method: a link in a mail is a GET (`/unsubscribe?code=…`)."""
    path = _address(request)
    return any(words.search(path) for words in (_CHANGES_ONE, _CHANGES_RIGHTS, _DELETES, _ENDS_SESSION))


def renames_sender(request: Request) -> bool:
    """Whether a request writes what its sender signs in with beside the password: the tests' last value would be a name that the
    logins after them do not know.
    """
    if is_safe(request) or only_queries(request) or signs_in(request) or not request.body:
        return False
    return any(
        found.point[0] == "post" and _SIGN_IN_NAME.fullmatch(found.point[-1]) is not None and found.value
        for found in walk(request).points
    )


def puts_back(request: Request, *, signed_in: bool) -> bool:
    """Whether a request is sent once more as it was recorded behind its tests, so that nothing of them stays.

    signed_in: whether it has a sender who could be renamed.
    """
    of_sender = signed_in and (renames_sender(request) or (_is_written(request) and _is_of_oneself(request)))
    return of_sender or overwrites(request) or (_is_written(request) and _are_settings(request))


def overwrites(request: Request) -> bool:
    """Whether a request leaves the same behind however often it is sent, and the tests' last value where a test is
    the last: PUT and PATCH, and what is called so where one method does for all.
    """
    if not request.body or is_safe(request) or only_queries(request) or is_question(request) or signs_in(request):
        return False
    if destroys(request) in (ENDS_SESSION, DELETES):
        return False
    words = called(request) or words_of(request)
    if words:
        return words[0] in _OVERWRITES
    if request.method.upper() == "POST":
        above, last = [b"", *request.path.lower().rstrip(b"/").split(b"/")][-2:]
        is_one = above in _OWN or look_in_path(above.decode("latin-1")) is not None
        return last.decode("latin-1") in _OVERWRITES or (is_one and last in _ATTRIBUTES)
    # The operations of a JSON patch (RFC 6902) may add something each time.
    return b"json-patch" not in (request.first(b"Content-Type") or b"").lower()


def configures(request: Request) -> bool:
    """Whether a request writes settings, or what its sender has of his own."""
    return _is_written(request) and (_are_settings(request) or _is_of_oneself(request))


def _writes_by_link(request: Request) -> bool:
    written = request.query and request.method.upper() == "GET"
    return bool(written) and _WRITES.search(request.path.decode("latin-1")) is not None


def _is_written(request: Request) -> bool:
    if _writes_by_link(request):
        return True
    return not is_safe(request) and not only_queries(request) and request.method.upper() != "DELETE"


def _are_settings(request: Request) -> bool:
    return _SETTINGS.search(_address(request)) is not None


def _is_of_oneself(request: Request) -> bool:
    return bool(request.body) and not is_question(request) and _OF_ONESELF.search(_address(request)) is not None


def in_order(baselines: Iterable[Baseline]) -> list[Baseline]:
    """The baselines in the order of testing: of equals that destroy nothing the first of each kind first, else as
    recorded. Nobody has sent a draft yet: what it does to an object (`/users/5/role`) goes before the one that deletes
    it, and would leave nothing to be tested; and what others are made from is deleted behind them.
    """
    recorded = list(baselines)
    harmless = [each for each in recorded if rank(each.request) < DESTRUCTIVE]
    several = [*each_kind_first(harmless), *(each for each in recorded if rank(each.request) >= DESTRUCTIVE)]
    drafts = {
        each.request.path for each in several if each.exchange.drafted and each.request.method.upper() == "DELETE"
    }
    made_from = layers(several)
    return sorted(several, key=lambda each: _place(each, drafts, made_from))


def _place(baseline: Baseline, deleted: Collection[bytes], made_from: Mapping[bytes, int]) -> tuple[int, int]:
    request = baseline.request
    order, steps = rank(request), request.path.split(b"/")
    uppers = (b"/".join(steps[:length]) for length in range(len(steps) - 1, 1, -1))
    goes_along = deleted and DESTRUCTIVE <= order < _SESSION and baseline.exchange.drafted
    if goes_along and any(map(deleted.__contains__, uppers)):
        return (DESTRUCTIVE, -len(steps))
    is_deleted = goes_along and request.method.upper() == "DELETE"
    return (order, made_from.get(request.path, 0) if is_deleted else 0)
