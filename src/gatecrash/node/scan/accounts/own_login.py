"""The login of an application, as one who has an account there signs in: an auth profile tells whom it lets in and by which steps.

A script's call and a description say which fields a login has, and hardly ever whom it lets in. Refused, it shows nothing of what
becomes of a name that is known. Where they say no field either, the profile's step has them.
"""

from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlsplit

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import Request, with_header
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import read
from gatecrash.core.testing.profiles.entrance import fields, says_entrance
from gatecrash.core.testing.profiles.profile import ProfileIdentity, Step
from gatecrash.core.testing.profiles.step_request import request_of
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
    found = next(((one, step) for one in identities if (step := _step_at(one, draft.request)) is not None), None)
    if found is None:
        return draft
    his, step = found
    if not draft.request.body:
        return _as_its_step(draft, his, step)
    told, kinds = told_of(his.variables), fields(draft.request)
    told.setdefault("user", told.get("mail", ""))
    sent = _sent_by(step, his)
    values = {point: told[kind].encode() for point, kind in kinds.items() if told.get(kind)}
    # What is called `login` may take the address that the name stands beside.
    values |= {point: value for point in kinds if sent is not None and (value := read(sent, point))}
    # Half of it lets nobody in.
    if not values or len(values) < len(kinds):
        return draft
    own: Draft = msgspec.structs.replace(draft, request=rewrite_many(draft.request, values), spare=None)
    return own


def _step_at(identity: ProfileIdentity, request: Request) -> Step | None:
    """The step at the address of a request by which an identity signs in; None where none is."""
    path, method = request.path.decode("latin-1"), request.method.upper()
    return next((one for one in identity.login if (one.method.upper(), urlsplit(one.url).path) == (method, path)), None)


def _sent_by(step: Step, identity: ProfileIdentity) -> Request | None:
    """The request of the step; None where that takes what an earlier answer gave."""
    with suppress(UserError):
        return request_of(step, dict(identity.variables), "http://localhost", lambda _host: ())
    return None


def _as_its_step(draft: Draft, identity: ProfileIdentity, step: Step) -> Draft:
    """The draft with the body of the step; itself where that takes what an earlier answer gave."""
    request, sent = draft.request, _sent_by(step, identity)
    if sent is not None:
        headers = request.headers
        for name in (b"Content-Type", b"Content-Length"):
            value = sent.first(name)
            headers = headers if value is None else with_header(headers, name, value)
        request = msgspec.structs.replace(request, headers=headers, body=sent.body)
    own: Draft = msgspec.structs.replace(draft, request=request)
    return own
