"""What a description says how to change, of an account that was there before: whose it is nobody asked.

Where a request must name an account (`PUT /users/{id}`, `{"user_id": …, "role": …}`), a list of them teaches one, and that is
a stranger's. The scan's other account takes his place where it is called by the same kind of name, and the sender himself
where a password is set; where no account of the scan's is called so, the request is left alone, and told with what to do.
What the document shows itself is sent as it stands. What makes an account changes none, and is about nobody who is there.
"""

from collections.abc import Collection, Container, Iterator

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.points.rewrite import rewrite_many
from gatecrash.core.points.walk import read
from gatecrash.core.testing.authorization.callers.password_changes import sets_password
from gatecrash.core.testing.authorization.openness.access import may_be_repeated
from gatecrash.core.testing.effects.destruction import bears_repeating
from gatecrash.core.testing.effects.sign_in import signs_in
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.profiles.entrance import Entrance, fields, kind_of_name
from gatecrash.core.testing.profiles.profile import ENROLLED
from gatecrash.core.words.names import plain
from gatecrash.formats.draft import Draft, Hole
from gatecrash.node.scan.accounts.oneself import Oneself
from gatecrash.node.scan.accounts.other_account import called_in, name_like
from gatecrash.node.scan.accounts.own_account import about_nobody_met
from gatecrash.node.scan.accounts.unknown_password import login_fields
from gatecrash.node.scan.drafts.known_values import KnownValues, Path, segments
from gatecrash.node.scan.drafts.path_things import singular_at
from gatecrash.node.test.sessions.of_run import Sessions


class Strangers:
    """Knows accounts that were there before from those of the scan.

    strangers.joining(draft)    a registration about nobody who is there
    strangers.spared(draft)     the draft about no stranger: itself, for an account of the scan's, or held back as `stranger`
    """

    def __init__(
        self, known: KnownValues, oneself: Oneself, sessions: Sessions, entrance: Entrance, made: Container[Path]
    ) -> None:
        """entrance: how accounts are made and signed in to. made: the paths where accounts are made."""
        self._known, self._oneself, self._sessions = known, oneself, sessions
        self._entrance, self._made = entrance, made

    def spared(self, draft: Draft) -> Draft:
        """The draft as it may be sent: one that would change a stranger's account is held back."""
        if draft.stranger:
            draft = msgspec.structs.replace(draft, kept=False, stranger=False)
        request = draft.request
        if not draft.operation or draft.kept or may_be_repeated(request) or signs_in(request):
            return draft
        ours = {name.lower() for name in (*self._names(), *self._signing_in_as(draft))}
        for hole in draft.holes:
            if not self._is_strangers(hole, draft, ours):
                continue
            ours_in_place = self._for_ours(hole, draft)
            if ours_in_place is None:
                held: Draft = msgspec.structs.replace(draft, kept=True, stranger=True)
                return held
            draft = ours_in_place
        return draft

    def joining(self, draft: Draft) -> Draft:
        """What makes an account, without the places of its name: no name that is met meanwhile stands there. Any other draft itself."""
        request, makes = draft.request, self._entrance.registration
        if makes is None or (request.method, request.path) != (makes.method, makes.path):
            return draft
        return about_nobody_met(draft, self._entrance.called)

    def _signing_in_as(self, draft: Draft) -> Iterator[str]:
        """What logins send as the names of whom the auth profile lets in, under whatever variables it has them; of nobody
        whom the draft might keep from signing in afterwards.
        """
        profile, request = self._sessions.profile, draft.request
        if sets_password(request) or "password" in fields(request, self._entrance.called).values():
            return
        if not bears_repeating(request):
            return
        for each in () if profile is None else profile.identities:
            sent = dict(login_fields(each))
            changed = any(
                sent.get(plain(one.point[-1]), one.value).lower() != one.value.lower() for one in walked(request)
            )
            if changed or plain(segments(request)[-1] if segments(request) else "") in sent:
                continue
            for name, value in sent.items():
                if value and (name in self._entrance.called or kind_of_name(name) in ("user", "mail")):
                    yield value.decode("utf-8", "replace")

    def _is_strangers(self, hole: Hole, draft: Draft, ours: Collection[str]) -> bool:
        """Whether a hole names an account that a list has shown, and that is none of the scan's."""
        value = (read(draft.request, hole.point) or b"").decode("utf-8", "replace")
        if hole.given or hole.loose or not value or value.lower() in ours:
            return False
        above = segments(draft.request)[: int(hole.point[1])] if hole.point[0] == "path" else ()
        named = self._oneself.names_an_account(hole, draft, singular_at(above), joined=above in self._made)
        if plain(hole.name) not in self._entrance.called and not named:
            return False
        return self._known.knows(draft, hole) and not self._known.was_made(hole, draft)

    def _names(self) -> Iterator[str]:
        """What the scan's accounts are called: as they sign in, and as they were told."""
        profile = self._sessions.profile
        yield self._oneself.number
        for each in () if profile is None else profile.identities:
            yield from called_in(each, self._sessions.known(each.name))
            yield self._oneself.number_of(each.name)

    def _for_ours(self, hole: Hole, draft: Draft) -> Draft | None:
        """The draft for the other one of two accounts that were made for the scan, or with its sender's own password for himself
        where it sets one; None where he is called by no such name.
        """
        profile = self._sessions.profile
        if profile is None or profile.id != ENROLLED:
            return None
        passwords = [
            point for point, kind in fields(draft.request, self._entrance.called).items() if kind == "password"
        ]
        own = draft.sender or profile.identities[0].name
        whose = next((each for each in profile.identities if (each.name == own) == bool(passwords)), None)
        if whose is None:
            return None
        called = (self._oneself.number_of(whose.name), *called_in(whose, self._sessions.known(whose.name)))
        name = name_like(hole.name, read(draft.request, hole.point) or b"", tuple(filter(None, called)))
        password = dict(whose.variables).get("password", "")
        if not name or (passwords and not password):
            return None
        values = dict.fromkeys(passwords, password.encode()) | {hole.point: name.encode()}
        try:
            changed: Draft = msgspec.structs.replace(draft, request=rewrite_many(draft.request, values), spare=None)
        except GatecrashError:
            return None
        return changed
