"""The login of an application, as one who has an account there signs in: an auth profile tells whom it lets in and by which steps.

A script's call and a description say which fields a login has, and hardly ever whom it lets in. Refused, it shows nothing of what
becomes of a name that is known.
"""

from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.testing.profiles.entrance import fields, says_entrance
from gatecrash.core.testing.profiles.profile import ProfileIdentity
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.accounts.own_account import about_nobody_met
from gatecrash.node.scan.accounts.own_password import told_of


def entering(draft: Draft, identities: Sequence[ProfileIdentity]) -> Draft:
    """A login that one of the identities signs in by, with his name and password; another entrance is about nobody met; any other
    draft itself.
    """
    if not says_entrance(draft.request):
        return draft
    draft = about_nobody_met(draft)
    his = next((one for one in identities if _signs_in_by(one, draft.request)), None)
    if his is None:
        return draft
    told, kinds = told_of(his.variables), fields(draft.request)
    told.setdefault("user", told.get("mail", ""))
    values = {point: told[kind].encode() for point, kind in kinds.items() if told.get(kind)}
    # Half of it lets nobody in.
    if not values or len(values) < len(kinds):
        return draft
    own: Draft = msgspec.structs.replace(draft, request=rewrite_many(draft.request, values), spare=None)
    return own


def _signs_in_by(identity: ProfileIdentity, request: Request) -> bool:
    path = request.path.decode("latin-1")
    return any(
        step.method.upper() == request.method.upper() and urlsplit(step.url).path == path for step in identity.login
    )
