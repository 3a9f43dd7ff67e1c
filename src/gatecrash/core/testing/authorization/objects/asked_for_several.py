"""A POST for several objects at once, which says nothing but their numbers: `POST /orders/batch` or `/lookup/orders` with
`{"ids": [31, 32]}`, or with a question for each, `{"requests": [{"id": 31}]}`.

The same body is sent to what cancels or archives them, and then it changes as much: `/orders/cancel/batch`. So all that
its address says must be what they are, which is a word for several of them, and its field must say no other.
"""

import re

from gatecrash.core.message import Request
from gatecrash.core.words.deeds import DELETES, MAKES, OVERWRITES
from gatecrash.core.words.names import parted

SEVERAL = r"batch|bulk|many|multiple|several|by-?ids"
"""What stands behind a kind of objects to ask for several of them at once, as an expression."""
_LAST = re.compile(SEVERAL)
# What asks for the things that are called behind it.
_BEFORE = re.compile(r"look-?up|search|query|find|fetch|retrieve")
_NUMBERS_ALONE = re.compile(
    rb'\s*\{\s*"(?:(?P<of>\w{1,40}?)[_-]?)??(?:[iI]ds|uuids|numbers|refs)"\s*:\s*\[[^\[\]{}]*\]\s*\}\s*'
)
# Objects of a number alone may be new ones, to be kept so, unless their list says that each is a question.
_QUESTIONS_ALONE = re.compile(
    rb'\s*\{\s*"(?:requests|queries|lookups|questions)"\s*:\s*\[(?:\s*\{\s*"(?:(?P<of>\w{1,40}?)[_-]?)??(?:[iI]d|uuid|number|ref)"\s*:\s*(?:"[^"\\]{1,80}"|\d{1,18})\s*\}\s*,?+)++\]\s*\}\s*'
)
_SEVERAL = re.compile(r"[a-z-]*[a-rt-z]s|[a-z-]*sses|people|children|data|media|news|staff")
_WORD = re.compile(r"[a-z]+")
_DOES = MAKES | OVERWRITES | DELETES | frozenset(
    {"accept", "acknowledge", "activate", "approve", "archive", "assign", "block", "buy", "cancel", "cart", "clear", "close"}
    | {"complete", "confirm", "copy", "deactivate", "decline", "disable", "dismiss", "enable", "execute", "expire", "finish"}
    | {"follow", "freeze", "grant", "hide", "import", "insert", "invite", "join", "leave", "like", "lock", "mark", "merge", "move"}
    | {"open", "pause", "pay", "post", "process", "promote", "publish", "purge", "put", "read", "refund", "register", "reject"}
    | {"renew", "reopen", "resend", "reset", "restore", "resume", "revoke", "run", "save", "send", "share", "ship", "start", "stop"}
    | {"submit", "subscribe", "suspend", "toggle", "transfer", "trash", "trigger", "unarchive", "unblock", "unfollow", "unlock"}
    | {"unpublish", "unsubscribe", "upsert", "void", "vote", "withdraw", "write"}
)  # fmt: skip
# What is made of the things that are numbered, and no things themselves.
_DONE = frozenset(
    {"acknowledgements", "activations", "approvals", "bookmarks", "cancellations", "confirmations", "deletions", "dismissals", "favorites"}
    | {"favourites", "follows", "likes", "reads", "receipts", "refunds", "rejections", "removals", "renewals", "subscriptions", "votes"}
)  # fmt: skip


def asks_for_several(request: Request) -> bool:
    """Whether a POST asks for several objects by their numbers and does nothing to them, as far as its address and its field say."""
    if request.method.upper() != "POST":
        return False
    *above, last = [parted(step, "-").lower() for step in request.path.rstrip(b"/").decode("latin-1").split("/")]
    numbers = _NUMBERS_ALONE.fullmatch(request.body) or _QUESTIONS_ALONE.fullmatch(request.body)
    if numbers is None or not above:
        return False
    is_before = _BEFORE.fullmatch(above[-1]) is not None
    things = last if is_before else above[-1]
    if not (is_before or _LAST.fullmatch(last)) or _SEVERAL.fullmatch(things) is None:
        return False
    said = {word for step in (*above, things) for word in _WORD.findall(step)}
    said |= set(_WORD.findall((request.query or b"").decode("latin-1").lower()))
    of = (numbers["of"] or b"").decode("latin-1")
    is_theirs = not of or of[:3].lower() in things
    return is_theirs and said.isdisjoint(_DOES | _DONE)
