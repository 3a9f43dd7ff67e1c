"""Requests that end a session, or the account whose session it is, or make it another's."""

import re
from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_in import SIGNS_IN
from gatecrash.core.testing.effects.spoken import MOST_KEPT, members_said, spoken_address
from gatecrash.core.testing.operations.graphql import only_queries
from gatecrash.core.testing.operations.meant_method import meant_method
from gatecrash.core.words.named import Words

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
_ONESELF = Words(r"/(?:me|self|myself|my[-_]?(?:account|profile)|(?:user/)?(?:account|profile))/?$", re.IGNORECASE)
_ENDS_ACCOUNT = Words(
    r"/(?:me|self|myself|my[-_]?account|account|profile)/(?:delete|remove|close|deactivate|terminate|destroy|erase)/?$"
    r"|/(?:delete|remove|close|deactivate|terminate|destroy|erase)[-_]?(?:(?:my|own)[-_]?)?(?:account|profile|me|myself|self)/?$",
    re.IGNORECASE,
)
# What support does as somebody else, in the session that it has: `/switch/user/7`, `/users/7/impersonate`, `?_switch_user=ann`.
_BECOMES = re.compile(
    r"(?<![a-z])(?:switch[-_/]?(?:to[-_]?)?user|(?:log|sign)[-_]?in[-_]?as|impersonate|masquerade|hijack)(?![a-z])",
    re.IGNORECASE,
)


def becomes_another(request: Request) -> bool:
    """Whether a request makes its sender's session another user's, who is refused what the sender was let into."""
    names = "&".join(part.partition("=")[0] for part in members_said(request).split("&"))
    return _BECOMES.search(spoken_address(request)) is not None or _BECOMES.search(names) is not None


def ends_session(request: Request) -> bool:
    """Whether a request ends a session: its sender's own, another's, or one that a page tells of (`/login?logout`)."""
    return names_session_end(request) or signs_out(request) or _NAMES_SIGN_OUT.search(members_said(request)) is not None


def names_session_end(request: Request) -> bool:
    """Whether a request's address says that a session ends."""
    return _ENDS_SESSION.search(spoken_address(request)) is not None


@lru_cache(MOST_KEPT)
def signs_out(request: Request) -> bool:
    """Whether a request ends the caller's own session: who is not signed in may send it as well, and nothing is missing."""
    deletes_it = meant_method(request) == "DELETE" and _ONES_SESSION.search(request.path.decode("latin-1")) is not None
    return deletes_it or _SIGNS_OUT.search(spoken_address(request)) is not None or _says_sign_out(request)


def _says_sign_out(request: Request) -> bool:
    said = members_said(request)
    if _SAYS_SIGN_OUT.search(said) is not None:
        return True
    if "__EVENTTARGET" in said and _POSTS_SIGN_OUT.search(said) is not None:
        return True
    return _SAYS_OUT.search(said) is not None and SIGNS_IN.search(request.path.decode("latin-1")) is not None


def ends_account(request: Request) -> bool:
    """Whether a request deletes or closes its sender's own account: no session of his outlives it, and nobody can sign in again."""
    if is_safe(request) or only_queries(request):
        return False
    path = spoken_address(request)
    deletes_it = meant_method(request) == "DELETE" and _ONESELF.search(path) is not None
    return deletes_it or _ENDS_ACCOUNT.search(path) is not None
