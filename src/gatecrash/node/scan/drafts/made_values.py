"""What found nothing, asked for by what was made since: `/vouchers/check` with the `code` that a later `POST /vouchers` was sent.

Whoever makes a thing often says himself what it is called, and its answer does not say that again. Only what made a thing of
the kind that the other request speaks of teaches it something: by a word of its address, or by its field's name (`voucher_code`).
"""

from collections.abc import Iterator

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Request, Response
from gatecrash.core.points.found import Found
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_REDIRECT, NOT_THERE
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.authorization.objects.acts import acted_on
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.profiles.entrance import fields, kind_of_name
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft
from gatecrash.node.scan.drafts.known_values import segments
from gatecrash.node.scan.drafts.path_things import singular_at

_MOST_MADE = 200


class MadeValues:
    """What the requests of one run that made something were sent, by the names of their fields.

    values.learn(request, response)      for each that was answered
    values.put_into(draft)               a request for what was made, in place of one that found nothing
    """

    def __init__(self) -> None:
        """Nothing was made yet."""
        self._made: dict[tuple[str, str], bytes] = {}
        self._asked: set[tuple[Request, Request]] = set()

    def learn(self, request: Request, response: Response) -> None:
        """Take what a POST that was answered well was sent, where its address names a kind of thing, and nothing that is done to one."""
        kind = singular_at(segments(request))
        if request.method.upper() != "POST" or may_be_repeated(request) or not 200 <= response.status < FIRST_REDIRECT:
            return
        if not kind or acted_on(request) or fields(request):
            return
        for one in _fields_of(request):
            if one.value and ((kind, plain(one.point[-1])) in self._made or len(self._made) < _MOST_MADE):
                self._made[kind, plain(one.point[-1])] = one.value

    def put_into(self, draft: Draft) -> Request | None:
        """The draft's request with the values of what was made in its fields of the same names; None where none has such a name,
        where it was asked so before, where something is there, and where it would sign somebody in or set a password. Whose
        account is meant stays as it is.
        """
        request, response = draft.request, draft.response
        if not isinstance(response, Response) or response.status not in NOT_THERE:
            return None
        if fields(request) or sets_password(request):
            return None
        words = {singular_at((word,)) for word in segments(request)}
        found = {
            one.point: value
            for one in _fields_of(request)
            if not kind_of_name(name := plain(one.point[-1])) and (value := self._value(name, words)) is not None
        }
        try:
            asked = rewrite_many(request, found) if found else None
        except GatecrashError:
            return None
        if asked is None or (request, asked) in self._asked:
            return None
        self._asked.add((request, asked))
        return asked

    def _value(self, name: str, words: set[str]) -> bytes | None:
        """What a thing was called in a field of this name. words: those of the address that is asked, in the singular."""
        for (kind, called), value in self._made.items():
            if name == kind + called or (name == called and (kind in words or name.startswith(kind))):
                return value
        return None


def _fields_of(request: Request) -> Iterator[Found]:
    return (one for one in walk(request).points if one.point[0] in ("get", "post") and not one.container)
