"""What can destroy the session or the data that tests stand on."""

import re
from functools import lru_cache

from gatecrash.core.message import Request
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.said_deletions import is_told_what_it_deleted, says_to_delete
from gatecrash.core.testing.effects.sign_out import ends_session, names_session_end
from gatecrash.core.testing.effects.spoken import FORM_BYTES, MOST_KEPT, members_said, spoken_address
from gatecrash.core.testing.effects.wholesale import is_about_all, says_to_empty_all
from gatecrash.core.testing.operations.meant_method import meant_method
from gatecrash.core.testing.operations.questions import is_question
from gatecrash.core.words.named import Words

# Not what is entered into the books, whom an accountant advises, and what measures a program.
_CHANGES_ACCOUNT = Words(r"\bprofile(?!r)|\baccount(?!ing|ant|abl|s?[-_]?(?:payable|receivable))", re.IGNORECASE)
# What is made below one of several accounts leaves the account as it is: `/accounts/7/transfers`, and not `/accounts/7/settings`.
_BELOW_AN_ACCOUNT = re.compile(
    r"(?:profiles|accounts)/[^/\d]*+\d[^/]*+/(?=(?!settings|preferences|details|credentials|status|address|limits|options)(?:[a-z_-]+s|transfer|withdraw|deposit|pay|send)(?:/|$))",
    re.IGNORECASE,
)
# What makes an account is nobody's yet, and brings its password and no other beside it.
_MAKES_ACCOUNT = re.compile(r"/accounts?/?$", re.IGNORECASE)
_PASSWORDS = re.compile(rb'"([a-z_-]{0,20}passw(?:or)?d[a-z_-]{0,20})"[ \t]*+:', re.IGNORECASE)
_REPEATED = re.compile(rb"confirm|repeat|again|retype|verif", re.IGNORECASE)
_CHANGES_RIGHTS = Words(
    r"passw(?:or)?d|passcode|/(?:secret|pin|pass|passphrase)/?$|\brole|permission|privilege|deactivate|suspend|disable|\bmfa\b|\b2fa\b|totp"
    r"|\bunsubscribe|rotate|\bban\b|(?:change|update|set|edit)[-_](?:(?:my|user)[-_])?(?:(?:e[-_]?)?mail|user[-_]?name|login)(?![a-z])",
    re.IGNORECASE,
)
ENDS_SESSION = "ends the session"
DELETES = "deletes"
CHANGES_RIGHTS = "changes who may sign in, or what they may do"
# To send it again as it was recorded changes nothing more.
CHANGES_ACCOUNT = "changes the account"
# What is found by a token, a code or a name is changed: `/auth/verify-email`, `/unsubscribe`.
_CHANGES_ONE = Words(
    r"verif|confirm|activat|refresh|renew|exten[ds]|unlock|regist|sign[-_]?up|updat|(?<!ex)chang|(?<!cr)edit|renam|accept|reject|approv|link|attach"
    r"|clos|cancel|forgot|recover|redeem|invit",
    re.IGNORECASE,
)
# A page's link that is told where to lead, `/link?to=/home`, and joins no two accounts as `/link?token=…` does.
_LINK = re.compile(r"/(?:(?:ext(?:ernal)?|out)[-_]?)?links?(?:\.\w{2,5})?$", re.IGNORECASE)
_LEADS_ON = re.compile(rb"(?:^|&)(?:to|u|ur[il]|href|target|dest(?:ination)?|goto|next)=", re.IGNORECASE)
_REMOVED = (
    r"delete|destroy|remove|erase|purge|wipe|drop|truncate|unlink|un-?deploy|un-?install|de-?provision"
    r"|(?<![a-z])rm(?:dir|tree)?(?![a-z])"
)
_REMOVES = Words(_REMOVED, re.IGNORECASE)
# Stores and caches are emptied by a word of their own.
_DELETES = Words(rf"{_REMOVED}|reset|shutdown|restart|(?<![a-z])flush(?:all|db)?(?![a-z])", re.IGNORECASE)


@lru_cache(MOST_KEPT)
def destroys(request: Request) -> str | None:
    """Why a request can destroy the session or the data that tests stand on; None where nothing says so."""
    path = spoken_address(request)
    if ends_session(request):
        return ENDS_SESSION
    if meant_method(request) == "DELETE" or resets_all(request):
        return DELETES
    if is_safe(request) or is_question(request):
        return None
    if _CHANGES_RIGHTS.search(path):
        return CHANGES_RIGHTS
    if _DELETES.search(path) or is_told_what_it_deleted(request):
        return DELETES
    changes = _CHANGES_ACCOUNT.search(_BELOW_AN_ACCOUNT.sub("", path)) is not None
    return CHANGES_ACCOUNT if changes and not _makes_account(request, path) else None


def _makes_account(request: Request, path: str) -> bool:
    """Whether a call makes an account at a resource of that name: `POST /api/account {"email": …, "password": …}`."""
    if meant_method(request) != "POST" or _MAKES_ACCOUNT.search(path) is None:
        return False
    if request.first(b"Authorization") is not None or request.first(b"Cookie") is not None:
        return False
    names = [each for each in _PASSWORDS.findall(request.body[:FORM_BYTES]) if _REPEATED.search(each) is None]
    return [each.lower() for each in names] in ([b"password"], [b"passwd"])


def bears_repeating(request: Request) -> bool:
    """Whether a request destroys nothing when it is sent again as it was recorded: an account that it changes stays as that left it."""
    return destroys(request) in (None, CHANGES_ACCOUNT)


@lru_cache(MOST_KEPT)
def deletes(request: Request) -> bool:
    """Whether a request deletes something, by its method or by what its address or its members say, a link's too: without
    the value that names it, that may be everything.
    """
    if meant_method(request) == "DELETE" or _REMOVES.search(spoken_address(request)) is not None:
        return True
    if is_told_what_it_deleted(request):
        return True
    is_json = b"json" in (request.first(b"Content-Type") or b"")
    return says_to_delete(request.body[:FORM_BYTES].decode("latin-1") if is_json else members_said(request))


@lru_cache(MOST_KEPT)
def resets_all(request: Request) -> bool:
    """Whether a request says by its address, or by a form's button, that it sets up anew, or empties, all there is, a
    link's too: none of its values tells of what.
    """
    return is_about_all(request, spoken_address(request)) or says_to_empty_all(members_said(request))


@lru_cache(MOST_KEPT)
def names_a_change(request: Request) -> bool:
    """Whether an address says that something is changed, whatever the method: a link in a mail is a GET (`/unsubscribe?code=…`)."""
    path = spoken_address(request)
    if _LINK.search(path) and _LEADS_ON.search(request.query or b""):
        path = path.rpartition("/")[0]
    return any(words.search(path) for words in (_CHANGES_ONE, _CHANGES_RIGHTS, _DELETES)) or names_session_end(request)
