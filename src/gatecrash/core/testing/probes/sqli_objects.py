"""SQL injection by objects: a driver writes an object in the place of a bound value as names of columns.

What it finds
    Members of JSON, fields of forms and parameters whose value may be an object (`code[code]=1`), handed to a driver that fills
    placeholders in by itself: those of Node for MySQL write the object `{"code": 1}` as `` `code` = 1 ``, so that
    `code = ?` becomes ``code = `code` = 1``, which holds for every row.

Why it matters
    The statement was written with placeholders, and whoever sends an object still decides what it compares: logins are passed
    without the password, and lists show everything.

How it decides
    An object with the point's own name, as which its column is mostly known, and the number 1, however it is written
    (`"01.00"`), must be answered with all that the baseline says, in a list among other things; with other numbers it
    must not, in nine rounds of fresh numbers at least, in random order. The number 1 at a name that no column has must
    not be answered as the first, nor may the value itself at the point's own name: who takes an object apart and looks
    for what it holds finds just that. Logins only, and reads, in the default policy where an answer names a framework
    of Node: what holds for every row may change every row; for the same reason a login's tokens and links, which are
    used up, are left alone. Addresses that say that they change something (`/unsubscribe?code=…`, `/auth/verify`) are
    none of them.

Known misses
    Columns that are called otherwise than the parameter. Values that are the number 1. Answers of which the rows that
    come besides push the baseline's own away.

Standards and references
    CWE-89; OWASP Top 10:2021 A03 Injection; OWASP API Security Top 10:2019 API8 Injection.
"""

import re
from collections.abc import Generator

from gatecrash.core.testing.asking import response_of
from gatecrash.core.testing.dialogues.boolean_based import DECOY, FALSE, TRUE, Apart, tells_apart
from gatecrash.core.testing.dialogues.inquiry import Asking, Inquiry, Reply, inquiring
from gatecrash.core.testing.dialogues.operators.operator_objects import takes_objects, with_object
from gatecrash.core.testing.dialogues.repeating import MANY, shown_by_it_alone
from gatecrash.core.testing.effects.letting_in import asks_to_be_let_in
from gatecrash.core.testing.effects.takes_all import may_find_more
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.difference import telling
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.oracles.platforms import on_node
from gatecrash.core.testing.places.segments import holds_a_value
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Proof

TYPE = "sqli"
CWE = (89,)
# Data is read bit by bit, logins are passed.
THREAT = 90
_OWN, _ROUNDS, _ENOUGH = "own", 3, 2
_OTHERS = (FALSE, DECOY, _OWN)
_WRITTEN = "an object that a driver writes as SQL"
_NAME = re.compile(r"[A-Za-z_]\w{0,63}")
# What is used up by a login, or renewed: the statement that does so would do it to everybody's.
_USED_UP = re.compile(r"token|refresh|magic|verif|confirm|otp|2fa|mfa|invit|ticket|nonce|link", re.IGNORECASE)
# What MySQL reads as the number 1 in a comparison with a number.
_ONE = re.compile(rb"\s*\+?0*1(?!\d)|\s*true", re.IGNORECASE)


def _dialogue(inquiry: Inquiry) -> Dialogue:
    apart = yield from tells_apart(inquiry, lambda kind, purpose: _ask(inquiry, kind, purpose))
    proof = None
    if apart is not None:
        proof = apart.told(_WRITTEN) if (yield from _is_not_taken_apart(inquiry, apart)) else None
    elif len(inquiry.replies) == 1 and _shows_more(inquiry, inquiry.replies[0]):
        # What does not hold was not asked for, because the baseline is answered otherwise.
        proof = yield from _of_more(inquiry)
    if proof is not None:
        return inquiry.vulnerable(ENTRY, THREAT, proof, "an object becomes a comparison of its own")
    return (yield from inquiry.nothing_found(TYPE))


def _is_not_taken_apart(inquiry: Inquiry, apart: Apart) -> Generator[TestRequest, Answer, bool]:
    """Whether an object that holds the value itself is not answered as what holds, each time."""
    for _ in range(_ROUNDS):
        own = yield from _ask(inquiry, _OWN, "control")
        if own is None or not telling([apart.true.reading, *inquiry.basis], [own.reading]):
            return False
    return True


def _shows_more(inquiry: Inquiry, reply: Reply) -> bool:
    """Whether an answer shows all that the baseline shows, wherever it stands in its list."""
    shown, good = leaves(response_of(reply.exchange)), leaves(inquiry.good)
    return reply.reading.status == inquiry.good.status and len(good) >= _ENOUGH and set(good) <= set(shown)


def _of_more(inquiry: Inquiry) -> Generator[TestRequest, Answer, Proof | None]:
    """The proof by a list that shows more by what holds for every row, and less by anything else, in random order."""
    answers: dict[str, Reply] = {}

    def asking(kinds: tuple[str, ...], purpose: str) -> Asking:
        kind = inquiry.random.choice(kinds)
        reply = yield from _ask(inquiry, kind, purpose)
        if reply is not None:
            answers[kind] = reply
        return reply

    def holding() -> Asking:
        return asking((TRUE,), "confirm")

    def others() -> Asking:
        # Each of them at least once: who takes objects apart is told by the value itself alone.
        missing = tuple(kind for kind in _OTHERS if kind not in answers)
        return asking(missing or _OTHERS, "control")

    shown = yield from shown_by_it_alone(inquiry, holding, others, lambda reply: _shows_more(inquiry, reply), MANY)
    if not shown:
        return None
    return Proof(
        test=answers[TRUE].exchange,
        control=answers[FALSE].exchange,
        verified_by=(
            f"{answers[TRUE].payload} in the place of the value is answered with all that the baseline shows, and more; "
            f"{answers[FALSE].payload}, {answers[DECOY].payload} and {answers[_OWN].payload} are not; nine times at least, in "
            f"random order, with fresh numbers and names. So it is written as SQL: a comparison that holds for every row."
        ),
    )


def _ask(inquiry: Inquiry, kind: str, purpose: str) -> Asking:
    own = inquiry.situation.point[-1]
    # A name of the same look: longer or shorter ones may be refused for that.
    name = own if kind != DECOY else inquiry.mark(max(len(own), 4))
    number = inquiry.value if kind == _OWN else _written(inquiry, 1 if kind != FALSE else inquiry.number(2, 10))
    request = with_object(inquiry, name, number)
    if request is None:
        return None
    echoes = {number: inquiry.value, **inquiry.repeated(name)}
    return (yield from inquiry.submit(request, f'{{"{name}": "{number}"}}', echoes, purpose))


def _written(inquiry: Inquiry, number: int) -> str:
    """A number of one digit in one of many ways, all of a length, so that it is no word that anybody looks for."""
    before = inquiry.number(1, 4)
    return f"{'0' * before}{number}.{'0' * (5 - before)}"


def applies(situation: Situation) -> bool:
    """Where an object can stand in the place of a value that is looked for, in what only reads or asks to be let in."""
    request = situation.baseline.request
    reads = is_thorough(situation.policy) or _may_be_node(situation)
    reads = reads and may_find_more(situation.baseline)
    if situation.policy.one_family or not (reads or asks_to_be_let_in(request)):
        return False
    if not takes_objects(situation) or _NAME.fullmatch(situation.point[-1]) is None:
        return False
    if not reads and _USED_UP.search(situation.point[-1]) is not None:
        return False
    return situation.point[-2] != "json_array" and holds_a_value(situation) and not _ONE.match(situation.value)


def _may_be_node(situation: Situation) -> bool:
    """Whether such drivers are likely: elsewhere reads, of which there are many, are not worth a request at each value."""
    response = situation.baseline.response
    return response is not None and on_node(response)


def forecast(_situation: Situation) -> int:
    """Requests for a sound point: an object that holds is answered otherwise than the value."""
    return 1


ENTRY = Entry(
    type=TYPE,
    title="SQL injection by an object",
    cwe=CWE,
    owasp=("A03:2021",),
    owasp_api=("API8:2019",),
    why=(
        "Whoever sends an object in the place of a value decides what the statement compares: logins are passed without the "
        "password, and lists show what belongs to others."
    ),
    remediation=(
        "Check every value's type before it reaches a statement: a text must be a text, a number a number. Tell the driver to "
        "keep objects as text (`stringifyObjects` of Node's drivers for MySQL), or use prepared statements that the "
        "database itself fills in (`execute` of mysql2)."
    ),
)
PROBE = Probe(
    type=TYPE, name="objects", entry=ENTRY, applies=applies, forecast=forecast, run=inquiring(TYPE, _dialogue)
)
