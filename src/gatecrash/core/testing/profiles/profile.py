"""An auth profile: identities of the application under test, and how a run signs in as each of them and stays so."""

from typing import Literal

from gatecrash.core.point import Point
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.profiles.guarded import Guarded
from gatecrash.core.testing.profiles.signing import Signer

RECORDED = "recorded"
"""The identifier of profiles that nobody wrote: what they hold was found in the record."""
ENROLLED = "enrolled"
"""The identifier of profiles whose accounts were made by the description's own registration."""
MANAGER = 1
"""The rank of a user of the record who may do more than the others; theirs is 0."""

Source = Literal["json", "header", "cookie", "crumb", "pattern"]


class Take(Guarded, frozen=True, array_like=True):
    """A variable taken from an answer. expression: a JSON path, a header's or cookie's name (of a `crumb` the value's
    percent codes are undone, as scripts do that send it in a header), or a regular expression.

    optional: where the answer does not hold it, the variable keeps what it had.
    """

    variable: str
    source: Source
    expression: str
    optional: bool = False


class Step(Guarded, frozen=True, array_like=True, kw_only=True):
    """One request of a login. All texts are templates: `${variable}`.

    url: absolute, or a path of the profile's base. json: a JSON text, whose strings are templates; at most one of json,
    form and body. basic: user and password of an Authorization header. take: what its answer gives. visit: whether its
    page is only looked in at before the login, which decides by itself: it may be refused.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    json: str | None = None
    form: tuple[tuple[str, str], ...] | None = None
    body: str | None = None
    basic: tuple[str, str] | None = None
    take: tuple[Take, ...] = ()
    visit: bool = False


class Placed(Guarded, frozen=True, array_like=True):
    """A value set at a point. value: a template."""

    point: tuple[str, ...]
    value: str


class Once(Guarded, frozen=True, array_like=True, kw_only=True):
    """Values that serve one test request. steps: fetch what they are made of, before each. methods: of which requests."""

    values: tuple[Placed, ...]
    steps: tuple[Step, ...] = ()
    methods: tuple[str, ...] = ()


class CheckAddress(Guarded, frozen=True, array_like=True, kw_only=True):
    """A safe request that tells whether a session lives.

    status: the answer's when it does; None: any but a refusal. contains: what its body then holds.
    """

    url: str
    method: str = "GET"
    status: int | None = None
    contains: str = ""


class ProfileIdentity(Guarded, frozen=True, array_like=True, kw_only=True):
    """One identity with all that makes its session.

    variables: name and value, known from the start. values: set at points of every request. login: steps, from nothing.
    refresh: steps tried before a whole login when a session ends. expires_in: seconds a session lives, as a template;
    empty: as the taken JWT says, else until it is refused. renew: taken from the answer to every request, so that each
    may be used once. hosts: where its credentials may go, in the notation of ALLOWED_HOSTS; empty: wherever tests go.
    check: where its session's life is asked for; None: at the baselines themselves. known: what the application calls it.
    registration: how its account was made, for a target that does not know it any more. choices: cookies, by name and
    value, in which its user was recorded with a short word: a language, the level of an exercise. otherwise: the login
    with other passwords that the account was recorded with.
    """

    name: str
    rank: int = 0
    variables: tuple[tuple[str, str], ...] = ()
    values: tuple[Placed, ...] = ()
    login: tuple[Step, ...] = ()
    refresh: tuple[Step, ...] = ()
    expires_in: str = ""
    cookies: bool = True
    renew: tuple[Take, ...] = ()
    once: tuple[Once, ...] = ()
    sign: Signer | None = None
    hosts: str = ""
    check: CheckAddress | None = None
    known: tuple[str, ...] = ()
    registration: tuple[Step, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    otherwise: tuple[tuple[Step, ...], ...] = ()

    @property
    def identity(self) -> Identity:
        """What a probe may know of it."""
        return Identity(self.name, self.rank, self.known)

    @property
    def one_at_a_time(self) -> bool:
        """Whether its requests must wait for each other: what one uses up or renews, the next needs."""
        return bool(self.renew) or any(once.steps for once in self.once)

    @property
    def points(self) -> tuple[Point, ...]:
        """The points it sets for good, cookies of the login and signatures aside."""
        return tuple(Point(placed.point) for placed in self.values)


class Holder(Guarded, frozen=True, array_like=True):
    """Recorded credentials of one of the profile's identities. values: what its requests carried, each at its point."""

    identity: str
    values: tuple[Placed, ...]


class AuthProfile(Guarded, frozen=True, array_like=True, kw_only=True):
    """A profile. The first identity is the one tests are sent as, where the record does not tell whose a request is.

    base: origin that steps' paths belong to; empty: the origin of the baseline under test. recorded: its identities were
    found in the record; baselines keep the credentials they came with. bare: the record holds no credentials at all, so
    that a request without any is no sign of a public endpoint; browsers leave them out of what they save. holders: whose
    the recorded credentials are, as far as the record tells; of recorded identities what they came with beside theirs.
    """

    id: str
    name: str
    identities: tuple[ProfileIdentity, ...]
    base: str = ""
    recorded: bool = False
    bare: bool = False
    holders: tuple[Holder, ...] = ()

    @property
    def leaves_ranks_open(self) -> bool:
        """Whether somebody wrote several identities down, and no rank."""
        is_written = not self.recorded and self.id not in (RECORDED, ENROLLED)
        return is_written and len(self.identities) > 1 and not any(each.rank for each in self.identities)

    @property
    def has_peers(self) -> bool:
        """Whether one of its users can be asked for what is another's who may do no more."""
        ranks = [each.rank for each in self.identities]
        return len(set(ranks)) < len(ranks)
