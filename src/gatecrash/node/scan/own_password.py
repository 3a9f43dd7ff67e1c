"""The password of the account that was made for a scan, put where a description sets the password of an account by its name.

So the request changes nothing, and may be sent as another user to see whether it is done for him. With the name of a
stranger it would tell nothing, and with a made-up password nobody would sign in any more.
"""

import re

import msgspec

from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.testing.profiles.entrance import Account, fields, kind_of_name
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.names import plain

_CHANGING = frozenset({"PUT", "PATCH", "POST"})
_SETS = re.compile(r"passw(?:or)?d|passphrase|/pwd")
# Those who forgot theirs bring a code in its place, and whoever manages sets those of others.
_OTHERWISE = re.compile(r"forgot|reset|recover|admin|staff|otp|verif|confirm|regist|sign[-_]?up|log[-_]?in|sign[-_]?in")


def keeping_the_password(draft: Draft, account: Account) -> Draft:
    """The draft for our own account and its own password; itself where it sets none, or names no account by its name."""
    request = draft.request
    path = request.path.decode("latin-1").lower()
    if request.method.upper() not in _CHANGING or not _SETS.search(path) or _OTHERWISE.search(path):
        return draft
    ours = {"password": account.password, "mail": account.mail, "user": account.user}
    named = {hole.point: kind for hole in draft.holes if (kind := _called(hole))}
    sent = {point: kind for point, kind in fields(request).items() if kind in ours}
    if "password" not in sent.values() or not {"user", "mail"} & {*named.values(), *sent.values()}:
        return draft
    values = {point: ours[kind].encode() for point, kind in (named | sent).items()}
    kept: Draft = msgspec.structs.replace(
        draft,
        request=rewrite_many(request, values),
        spare=None,
        holes=tuple(msgspec.structs.replace(hole, given=hole.given or hole.point in named) for hole in draft.holes),
    )
    return kept


def _called(hole: Hole) -> str:
    """What of an account a placeholder of the path is called by: its name or its address; empty for a number."""
    kind = kind_of_name(plain(hole.name)) if hole.point[0] == "path" else ""
    return kind if kind in ("user", "mail") else ""
