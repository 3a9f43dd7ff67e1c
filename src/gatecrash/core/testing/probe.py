"""The contract of a probe: a generator that yields test requests, is sent their answers, and returns a verdict.

A probe never sends, sleeps or logs. The node's runner drives hundreds at once over real connections; tests drive one by
hand, as a written dialogue. Whatever it needs to know arrives in the `Situation`; randomness too, so a dialogue repeats.
"""

from collections.abc import Callable, Generator
from random import Random
from typing import Literal, TypedDict

import msgspec

from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.declared import Declared
from gatecrash.core.testing.known.identity import Identity
from gatecrash.core.testing.known.objects import UNKNOWN, KeyUse, Made, Renewal
from gatecrash.core.testing.known.page import Page
from gatecrash.core.testing.memory import Memory
from gatecrash.core.testing.opening import Opening
from gatecrash.core.testing.out_of_band import Hit, Lure, OutOfBand
from gatecrash.core.testing.policy import Policy
from gatecrash.core.testing.verdict import Verdict


class TestRequest(msgspec.Struct, frozen=True):
    """One request to send.

    purpose: "control" repeats the baseline or asks a surely refused question; "test" carries a payload;
    "confirm" repeats a suspicion with fresh markers. All count as sent and are paced alike.
    lures: the listener's addresses in it. patience: seconds that a hit on one of them is waited for behind the answer;
    without any, the answer brings what came until then, and a later hit becomes a finding by itself.
    identity: None to send as the run's own identity; a name of Situation.identities to leave out the recorded
    credentials and send that identity's; "" to send without credentials.
    written: what stands at points of it once an identity's credentials are in it; where those have no such point, nothing.
    raw: sent as it is: no session value is brought up to date in it, nothing is signed again, no one-time value fetched
        but the token of a form whose credentials are all there.
    measured: where what counts is how long it takes, "work" or "wait": one dialogue at a time asks a host for work, and where
        it answers one request at a time nothing else is asked beside either.
    pause: seconds that pass before it is sent, in which the target may drop what it showed at first.
    opening: the page is opened in a browser, where there is one.
    """

    __test__ = False  # pytest would take the name for a test class

    request: Request
    purpose: str = "test"
    identity: str | None = None
    raw: bool = False
    written: tuple[tuple[Point, bytes], ...] = ()
    lures: tuple[Lure, ...] = ()
    patience: float = 0.0
    measured: Literal["", "wait", "work"] = ""
    pause: float = 0.0
    opening: Opening | None = None


class Answer(msgspec.Struct, frozen=True):
    """What came of a test request: an exchange, and where no answer came, which kind of failure it was.

    failure: "" or one of `refused`, `timeout`, `closed`, `broken`, `too_large`, `not_allowed`, `banned`,
    a kind of refused certificate (`core/certificates.py`), or `signed_out`: the identity it was to be sent as could
    not be signed in, and nothing was sent.
    hits: on the request's own lures. ran: functions of its opening that the page called. detail: of `signed_out`,
    whose login failed and at which step; empty where it has none.
    """

    exchange: Exchange
    failure: str = ""
    hits: tuple[Hit, ...] = ()
    detail: str = ""
    ran: tuple[str, ...] = ()


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """All that a probe is told.

    point: where it may insert; empty for probes of the whole request (`auth`).
    value: what the baseline holds at the point, decoded. credentials: the points at which detection found credentials.
    identities: who tests may be sent as; the first is the one whose credentials the baseline carries. Empty where none
    is known besides what was recorded.
    oob: addresses of a listener that the target can reach; None where there is none.
    pages: where what a changing request keeps may be shown later, the nearest first.
    visited: the record shows somebody without credentials who was answered well at this address. everywhere: and that
    its client sends the credentials of this request to what is published for everybody, too. around: recorded addresses
    that stand at its own, above it or beside it, the nearest first. barred: those right beside it that were refused to
    somebody who was signed in.
    alongside: a few other recorded pages of its folder. newer: its own address in newer versions, where somebody who was
    signed in was answered or refused. kept_home: those of its credentials that are cookies which a
    browser leaves out where a page of another site makes the request. kept_from_links: those that it leaves out where a
    link of such a page leads there, too.
    makers: requests of the run that made the object which the baseline names, or one of its kind; of what registers
    somebody, its logins; of what says that a password is forgotten, those that set it with a code; of what sets
    it by a name, the registrations and logins; of what exchanges a refresh token, the logins; of what keeps something,
    those below its address that set something off with it.
    uses: of what deletes a key that an answer handed out, recorded requests that were let in by one.
    renewal: of what changes an object, what made such ones and what deletes them. onward: of one of several steps, the
    forms behind it.
    declared: what the API's own description says of the credentials that the baseline needs; None where it says nothing of them.
    has_browser: pages can be opened in one.
    memory: what other dialogues about the baseline have found out; one for all of them.
    """

    baseline: Baseline
    point: Point
    value: bytes
    credentials: tuple[Point, ...]
    policy: Policy
    random: Random
    identities: tuple[Identity, ...] = ()
    oob: OutOfBand | None = None
    pages: tuple[Page, ...] = ()
    makers: tuple[Made, ...] = ()
    uses: tuple[KeyUse, ...] = ()
    renewal: Renewal = UNKNOWN
    onward: tuple[Request, ...] = ()
    visited: bool = False
    everywhere: bool = False
    around: tuple[bytes, ...] = ()
    barred: tuple[bytes, ...] = ()
    alongside: tuple[bytes, ...] = ()
    newer: tuple[bytes, ...] = ()
    kept_home: tuple[Point, ...] = ()
    kept_from_links: tuple[Point, ...] = ()
    declared: Declared | None = None
    has_browser: bool = False
    memory: Memory = msgspec.field(default_factory=Memory)


class Known(TypedDict, total=False):
    """What a run knows around a baseline, by the names that a situation has for it; what is left out is not known."""

    identities: tuple[Identity, ...]
    pages: tuple[Page, ...]
    makers: tuple[Made, ...]
    uses: tuple[KeyUse, ...]
    renewal: Renewal
    onward: tuple[Request, ...]
    visited: bool
    everywhere: bool
    around: tuple[bytes, ...]
    barred: tuple[bytes, ...]
    alongside: tuple[bytes, ...]
    newer: tuple[bytes, ...]
    kept_home: tuple[Point, ...]
    kept_from_links: tuple[Point, ...]
    declared: Declared | None
    has_browser: bool


Dialogue = Generator[TestRequest, Answer, Verdict]


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """A registered probe.

    type: the vulnerability type it reports. whole: it looks at the request as a whole, once per baseline. applies:
    whether it makes sense at this point at all (nothing is sent where not). forecast: how many requests a sound target
    costs here, for the plan. run: the dialogue itself. entry: the words of its findings, for people. name: tells probes
    of one type apart where more than one goes out of band. names_points: it applies to points that the policy's
    locations leave out. forwarded: the caller's address, as a proxy would tell it, is a point of its own where none was
    recorded and the policy looks at headers. as_others: where other identities are known it asks as one of them.
    of_answers: it looks at what the answer gives away, or at what the request claims, whoever asked. collected: what
    baselines have in common of which only the first is tested, None for none. of_logouts: it looks at requests that
    sign out, too, which others of its type leave alone.
    undisturbed: it reads back what a safe method wrote; nothing else is asked of its baseline meanwhile.
    in_credentials: it looks at credentials as values, too: what it sends says all that they say, so that a session is
    none the worse for it.
    seldom_finds: it costs as much as others of its type, and finds far less.
    """

    type: str
    entry: Entry
    name: str = ""
    whole: bool = False
    names_points: bool = False
    forwarded: bool = False
    as_others: bool = False
    of_answers: bool = False
    of_logouts: bool = False
    undisturbed: bool = False
    in_credentials: bool = False
    seldom_finds: bool = False
    collected: Callable[[Request], tuple[str, ...] | None] = lambda _: None
    applies: Callable[[Situation], bool]
    forecast: Callable[[Situation], int]
    run: Callable[[Situation], Dialogue]


def once_an_address(request: Request) -> tuple[str, ...]:
    """For `collected`: one baseline stands for all of its address, whatever is asked there."""
    return (request.origin, request.path.decode("latin-1"))
