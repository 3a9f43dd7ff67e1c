"""Baselines up, work down, results up.

    Recorded   POST /v1/node/baselines  → Stored       the node's recorder, from its spool
    Claim      POST /v1/node/claim      → Work         baselines to test, made `running` under the node's generation
    Results    POST /v1/node/results    → Accepted     what came of them
    Describe   POST /v1/node/describe   → Described    what a description holds that nobody has sent yet
    Acquaint   POST /v1/node/acquaint   → Acquainted   what was recorded, known before it is tested

Every message may be repeated: a baseline's identifier is made by the node and inserted once, a claim names what the node
already holds, a result closes a check once. Results of an old generation keep their findings and lose their counts.
"""

import msgspec

from gatecrash.core.auth.sessions import LearnedCookie
from gatecrash.core.message import Exchange
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.verdict import Verdict


class Recorded(msgspec.Struct, frozen=True, array_like=True):
    """Baselines recorded for a run, in the order in which they were seen.

    drafts: (identifier, the draft as formats/draft.py packs it) of what nobody has sent yet, behind them.
    """

    node_id: str
    session: str
    run_id: str
    record_id: str
    baselines: tuple[Baseline, ...]
    drafts: tuple[tuple[str, bytes], ...] = ()


class Stored(msgspec.Struct, frozen=True, array_like=True):
    """On disk: the node may drop these from its spool. refused: (identifier, why) of those that will never be taken."""

    stored: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()


class Claim(msgspec.Struct, frozen=True, array_like=True):
    """A wish for up to `count` more baselines; `holding` are those it has, so that a lost answer is given again.

    ahead: so many more it would have at hand, to begin them the moment that others end. ready: those that it has at
    hand and has not begun; they wait until a claim names them among `holding`, or a result is theirs. parts: (identifier,
    part) of those of both that it has for a later part than the first; None of a node that puts nothing off, and is given
    all of each baseline. resumed: what nodes of before told of parts, of which they knew two; nobody reads it.
    """

    node_id: str
    session: str
    run_id: str
    generation: int
    count: int
    holding: tuple[str, ...] = ()
    ahead: int = 0
    ready: tuple[str, ...] = ()
    resumed: tuple[str, ...] | None = None
    parts: tuple[tuple[str, int], ...] | None = None


class Work(msgspec.Struct, frozen=True, array_like=True):
    """Baselines to test now. stale: the node's generation is over; it must drop the run and ask for orders.

    public: identifiers of those whose endpoint is marked intentionally public: `auth` does not look at them.
    belated: (identifier, test requests sent until now) of those that were tested before the other users of the record
    were known: tests as another user come first, or are all that is left. ahead: baselines to have at hand, still
    waiting by the books; the other lists tell of them, too. parts: (identifier, passes made before, the last one to be
    made now, test requests sent until now) of all baselines, by core/testing/pacing/passes.py; None: nothing may be put
    off. resumed: what nodes of before were told of parts; nobody tells it.
    """

    baselines: tuple[Baseline, ...] = ()
    stale: bool = False
    public: tuple[str, ...] = ()
    belated: tuple[tuple[str, int], ...] = ()
    ahead: tuple[Baseline, ...] = ()
    resumed: tuple[tuple[str, int], ...] | None = None
    parts: tuple[tuple[str, int, int, int], ...] | None = None


class Describe(msgspec.Struct, frozen=True, array_like=True):
    """A wish for all drafts of the run's record: what one is answered teaches the values that others want.

    users: how many the node has signed in by them; None where it has not tried yet, and wants the drafts. notes: why
    nobody is, and where the operations are instead of where the document says, for the reader of the run.
    found: (a fresh baseline identifier, the draft as formats/draft.py packs it) of what endpoints tell beside them.
    """

    node_id: str
    session: str
    run_id: str
    generation: int
    users: int | None = None
    notes: tuple[str, ...] = ()
    found: tuple[tuple[str, bytes], ...] = ()


class Described(msgspec.Struct, frozen=True, array_like=True):
    """drafts: (baseline identifier, whether the run still has to test it, the draft as formats/draft.py packs it).

    only: the record holds nothing else. stale: as of Work. extends: the run tests what is found beside them, too.
    """

    drafts: tuple[tuple[str, bool, bytes], ...] = ()
    only: bool = False
    stale: bool = False
    extends: bool = False


class Acquaint(msgspec.Struct, frozen=True, array_like=True):
    """A wish to know what the run's record holds: what one request is answered tells of the tests of others.

    after: the last place in the record that the node knows. let_in: cookies of the application's own without which the
    target refuses, as the node has found by asking. answered: pages of one recorded sender, asked for in the
    credentials of another. notes: what the reader of the run must know of it. headers: names of those without which the
    target refuses.
    """

    node_id: str
    session: str
    run_id: str
    generation: int
    after: int = 0
    let_in: tuple[LearnedCookie, ...] = ()
    answered: tuple[Exchange, ...] = ()
    notes: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()


class Acquainted(msgspec.Struct, frozen=True, array_like=True):
    """The next exchanges of the record, in its order. last: the place of the last. more: there are others behind it by now.

    open: others may come later. stale: as of Work. compared: what the record's senders are answered was told already.
    """

    exchanges: tuple[Exchange, ...] = ()
    last: int = 0
    more: bool = False
    open: bool = False
    stale: bool = False
    compared: bool = False


class Result(msgspec.Struct, frozen=True, array_like=True, kw_only=True):
    """What came of one baseline's checks.

    final: the check is over; before that, findings arrive as they are proven. left: it is not, but the baseline waits
    for what was put off and costs so many test requests; the rest is told as in a final result. made: so many passes
    are made by then. part: so many were made before those that this is of; 0 too where tests as other users came first.
    resumed: what nodes of before told of that; nobody reads it.
    status: `passed`, `failed`, `error` or `interrupted` (contract 2.10); reason: the error's, of contract 2.10.
    verdicts: the vulnerable ones, and on a final result the inconclusive ones, evidence included.
    sent: test requests this baseline, or this part of it, cost in this generation. authenticated: (good control
    answers, control answers).
    listen: seconds for which the node's listener may still hear of what was sent; the run stays as long.
    """

    baseline_id: str
    final: bool
    status: str = ""
    reason: str | None = None
    detail: str = ""
    verdicts: tuple[Verdict, ...] = ()
    sent: int = 0
    authenticated: tuple[int, int] = (0, 0)
    listen: float = 0.0
    left: int = 0
    resumed: bool = False
    made: int = 0
    part: int = 0


class Results(msgspec.Struct, frozen=True, array_like=True):
    """Results of one run under one generation."""

    node_id: str
    session: str
    run_id: str
    generation: int
    results: tuple[Result, ...]


class Accepted(msgspec.Struct, frozen=True, array_like=True):
    """Stored. stale: the generation was old; findings were kept, counts were not."""

    stale: bool = False


class Evidence(msgspec.Struct, frozen=True, array_like=True):
    """What is kept, encrypted, with a finding: the proof and the baseline beside it."""

    test: Exchange
    baseline: Exchange
    control: Exchange | None = None
