"""The sessions of one run: which identity a baseline's tests are sent as, and one living session for each."""

import asyncio
from collections.abc import Iterable, Mapping

import msgspec

from gatecrash.core.message import Request
from gatecrash.core.point import Point
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.profiles.belonging import beside, going_to, keeps_its_token, own_first
from gatecrash.core.testing.profiles.profile import MANAGER, AuthProfile, ProfileIdentity, Step
from gatecrash.node.test.health.silence import Faces
from gatecrash.node.test.sessions.known_good import KnownGood
from gatecrash.node.test.sessions.living import LiveSession, SignedIn, Transmit

MOST_TOLD = 20
"""Names of one identity."""

Place = tuple[str, str]
"""Whose session, and the origin that its steps or its challenge belong to, if any."""


class Sessions:
    """All sessions of a run."""

    def __init__(self, profile: AuthProfile | None, transmit: Transmit) -> None:
        self.profile = profile
        self.known_good = KnownGood()
        self.faces = Faces()
        self._transmit = transmit
        self._live: dict[Place, LiveSession] = {}
        self._told: dict[str, tuple[str, ...]] = {}
        self._promoted: dict[str, int] = {}
        self._before: dict[Place, SignedIn] = {}

    @property
    def recorded(self) -> bool:
        """Whether its identities were found in the record, so that baselines keep what they came with."""
        return self.profile is not None and self.profile.recorded

    @property
    def signed_in(self) -> dict[Place, SignedIn]:
        """What logins gave, by whose and where they were."""
        given = {place: session.signed_in for place, session in self._live.items()}
        return {place: one for place, one in given.items() if one is not None}

    def go_on(self, before: Mapping[Place, SignedIn]) -> None:
        """Take over what logins gave that were made to ask something before the run."""
        self._before |= before

    def inherit(self, ended: "Sessions") -> None:
        """Take over what answered well before these sessions, and what nobody is answered: who changes something may have nothing
        else to ask.
        """
        self.faces = ended.faces
        for known in reversed(ended.known_good.all()):
            session = self.own(known.exchange.request)
            if session is not None:
                self.known_good.remember(session, known.exchange, known.credentials)

    def own(self, request: Request, sender: str = "") -> LiveSession | None:
        """The session that a baseline's tests are sent in; None where they keep what was recorded, as those of the record's only
        user do, and those with a token of another kind than who signs in again is given. sender: as `own_first` has it.
        """
        whose = own_first(self.profile, request, sender)
        if not whose or (self.recorded and len(whose) == 1) or keeps_its_token(self.profile, request):
            return None
        return self._session(whose[0], request)

    def identities(self, request: Request, sender: str = "") -> tuple[Identity, ...]:
        """Who tests of this baseline may be sent as, its own first; empty where its own is none of them. sender: as `own_first` has it."""
        return tuple(self._introduced(each.identity) for each in own_first(self.profile, request, sender))

    def tell(self, name: str, known: Iterable[str]) -> None:
        """What the application calls an identity, as it was told about itself."""
        told = dict.fromkeys((*self._told.get(name, ()), *sorted(known)))
        self._told[name] = tuple(told)[:MOST_TOLD]

    def known(self, name: str) -> tuple[str, ...]:
        """What an identity is called, as the profile has it and as it was told about itself."""
        whose = self.profile.identities if self.profile is not None else ()
        written = next((each.known for each in whose if each.name == name), ())
        return (*written, *self._told.get(name, ()))

    def promote(self, name: str, rank: int = MANAGER) -> None:
        """An identity whose rank nobody wrote down may do more than the others, as living sessions showed."""
        self._promoted[name] = rank

    @property
    def raised(self) -> tuple[str, ...]:
        """Who of a profile that somebody wrote, without ranks, was found to stand above others."""
        is_open = self.profile is not None and self.profile.leaves_ranks_open
        return tuple(self._promoted) if is_open else ()

    def _introduced(self, identity: Identity) -> Identity:
        if identity.name in self._promoted:
            identity = msgspec.structs.replace(identity, rank=max(identity.rank, self._promoted[identity.name]))
        told = self._told.get(identity.name)
        if not told:
            return identity
        known = tuple(dict.fromkeys((*identity.known, *told)))
        return msgspec.structs.replace(identity, known=known)

    def named(self, name: str, request: Request) -> LiveSession | None:
        """The session of an identity at the request's host."""
        for identity in going_to(self.profile, request):
            if identity.name == name:
                return self._session(identity, request)
        return None

    def beside(self, name: str, request: Request) -> dict[Point, bytes]:
        """What the record shows of an identity in the place of a token that a baseline keeps."""
        return beside(self.profile, request, name)

    def origin(self, request: Request) -> str:
        """What the paths of steps and of the check address belong to."""
        return (self.profile.base if self.profile else "") or request.origin

    async def close(self) -> None:
        """Ends logins under way."""
        await asyncio.gather(*(session.close() for session in self._live.values()))

    def _session(self, identity: ProfileIdentity, request: Request) -> LiveSession:
        """One for all origins, except where its steps are paths of the baseline's own origin."""
        steps = (*identity.login, *identity.refresh, *(step for once in identity.once for step in once.steps))
        origin = self.origin(request) if any(_is_relative(step) for step in steps) else ""
        # A Digest challenge is a server's own.
        place = origin or (request.origin if identity.sign is not None else "")
        key = (identity.name, place)
        if key not in self._live:
            self._live[key] = LiveSession(identity, origin, self._transmit)
            if key in self._before:
                self._live[key].go_on(self._before.pop(key))
        return self._live[key]


def _is_relative(step: Step) -> bool:
    return step.url.startswith("/")
