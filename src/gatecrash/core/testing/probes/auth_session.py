"""Sessions that anybody can make: a cookie holds what it means, and a common word has signed it.

What it finds
    Cookies that let in, with a signature below what they say (Flask and itsdangerous, Django's signed cookies,
    cookie-session, Rack, Mojolicious, Go's securecookie, and home-made ones: a keyed hash, or a hash of the text and a
    word) that a word makes which everybody would try first.

Why it matters
    Who can write a session is whom he likes, an administrator among others. Nothing is broken into and no password guessed.

How it decides
    Nothing is sent unless the recorded value fits one of a thousand common words, or one of the application's own or a
    key that its answers tell, which are tried here. Then the baseline is asked again and must be answered well. The
    same said in another text (a blank, an earlier second), signed by the word, must be as good as the recorded one,
    twice, and the recorded text with a wrong signature must not be. Where what is signed can be said in one way only,
    it must hold the caller's name. No other name and no other right is ever claimed. What is found is told once for
    each cookie and host: of a key that an answer tells, at the page that tells it, unless strangers are told it there,
    too.

Known misses
    Values that are encrypted, or signed by a word that is not on the list. Signatures in other headers than cookies.

Standards and references
    CWE-1391 (weak keys), CWE-522 (keys given away), CWE-287; OWASP Top 10:2021 A07 Identification and Authentication
    Failures; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Callable, Generator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from gatecrash.core.auth.parameters import COOKIE_STEPS
from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.point import Point
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask_raw, concluding, response_of, sample_baseline
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.openness.access import Access
from gatecrash.core.testing.authorization.tokens.jwt_secrets import is_drawn, words, words_in
from gatecrash.core.testing.authorization.tokens.known_words import tellers, words_known, words_told
from gatecrash.core.testing.authorization.tokens.own_names import keys_of, names_known
from gatecrash.core.testing.authorization.tokens.signed_values import Signed, looks_signed, weakly_signed
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.places.walked_points import walked
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe, vulnerable

TYPE = "auth"
WEAK_KEY, LEAKED_KEY, UNCHECKED = 1391, 522, 287
GIVEN_AWAY = "The key that signs sessions is given away"
THREAT = 85
_LONGEST = 4096
_ROUNDS = 2
_MOST_READ = 2_000
_MOST_TELLERS = 3
_BESIDE = ".sig"

_Deciding = Generator[TestRequest, Answer, Verdict | None]


class _Suspect(NamedTuple):
    """A cookie that anybody could have made. good, bad: requests with it made anew, and with one that is nobody's."""

    point: Point
    good: Callable[[], Request | None]
    bad: Callable[[], Request | None]
    told: str
    word: bytes


def _dialogue(situation: Situation) -> Dialogue:
    suspects = yield from _here(situation)
    if not suspects:
        return safe(TYPE, situation.point, "no common word has signed the session")
    access = Access(situation, (yield from sample_baseline(situation, 1)))
    access.check_comparable()
    for suspect in suspects:
        found = yield from _tried(access, suspect)
        if found is not None:
            situation.memory.told.add(_place(situation.baseline.request, suspect.point))
            return found
    return safe(TYPE, situation.point, "the session that was made anew is not taken, or none is needed")


def _here(situation: Situation) -> Generator[TestRequest, Answer, list[_Suspect]]:
    """Those that are told at this page."""
    suspects, left = _suspects(situation), set()
    for suspect in suspects:
        if (yield from _is_left_to_its_teller(situation, suspect)):
            left.add(suspect.point)
    return [each for each in suspects if each.point not in left]


def _is_left_to_its_teller(situation: Situation, suspect: _Suspect) -> Generator[TestRequest, Answer, bool]:
    """Whether pages that want the session tell the key: it is told there. No test can do so where strangers are told it, too."""
    request, told = situation.baseline.request, situation.memory.told
    paths = tellers(told, request, suspect.word)[:_MOST_TELLERS]
    left = (*_place(request, suspect.point), "left")
    if not paths or left in told:
        return bool(paths)
    for path in paths:
        stranger = suspect.bad()
        if stranger is None:
            continue
        asked = yield from ask_raw(msgspec.structs.replace(stranger, method="GET", target=path, body=b""), "control")
        if suspect.word in words_told(response_of(asked)):
            return False
    told.add(left)
    return True


def _tried(access: Access, suspect: _Suspect) -> _Deciding:
    """What was made anew must be as good and what is nobody's must not be, again and again."""
    taken: Exchange | None = None
    for number in range(_ROUNDS):
        good, bad = suspect.good(), suspect.bad()
        if good is None or bad is None:
            return None
        taken = yield from ask_raw(good, "confirm" if number else "test")
        if not (yield from access.admits(taken)) or access.as_good((yield from ask_raw(bad, "control"))):
            return None
    assert taken is not None
    return vulnerable(
        ENTRY,
        suspect.point,
        detail=suspect.told,
        title=GIVEN_AWAY if is_drawn(suspect.word) else "",
        cwe=(LEAKED_KEY, UNCHECKED) if is_drawn(suspect.word) else (),
        threat=THREAT,
        test=taken,
        control=access.control,
        verified_by=(
            f"{suspect.told} Made so by the test, the answer says all that the good one says, twice; one that is nobody's is answered "
            "otherwise."
        ),
    )


def _suspects(situation: Situation) -> list[_Suspect]:
    """The cookies of which the recorded value itself shows that anybody could have made it, by offline trials alone."""
    request, told = situation.baseline.request, situation.memory.told
    cookies: dict[Point, bytes] = {
        each.point: each.value
        for each in walked(request)
        if tuple(each.point[:3]) == COOKIE_STEPS and len(each.point) == 4
    }
    found: list[_Suspect] = []
    for point, value in cookies.items():
        if not value or len(value) > _LONGEST or _place(request, point) in told:
            continue
        suspect = _signed(situation, point, value, cookies)
        if suspect is not None:
            found.append(suspect)
    return found


def _signed(situation: Situation, point: Point, value: bytes, cookies: dict[Point, bytes]) -> _Suspect | None:
    """A cookie whose signature, behind it or in a cookie beside it, a common word makes."""
    name = point[-1]
    beside = Point((*COOKIE_STEPS, name + _BESIDE))
    apart = cookies.get(beside)
    # keygrip signs the cookie with its name.
    whole = value if apart is None else value + b"." + apart
    if not looks_signed(name, whole):
        return None
    tried = (*_place(situation.baseline.request, point), "tried")
    if tried in situation.memory.told:
        return None
    signed = _by_a_common_word(name, whole) or weakly_signed(name, whole, _own_words(situation, name))
    if signed is None:
        # Whatever else it says, the same key signs it.
        situation.memory.told.add(tried)
        return None
    names = [each for each in holder_values(situation) if len(each) > 2 and "=" not in each]
    may_repeat = any(each.encode() in signed.said.lower() for each in names)
    request = situation.baseline.request

    def write(value_: bytes | None) -> Request | None:
        if value_ is None:
            return None
        if apart is None:
            return _holding(request, point, value_)
        said, _, signature = value_.rpartition(b".")
        moved = _holding(request, point, said)
        return None if moved is None else _holding(moved, beside, signature)

    return _Suspect(
        point,
        lambda: write(_anew(signed, whole, situation, may_repeat=may_repeat)),
        lambda: write(signed.garbled),
        f"The cookie {name!r} is signed with {_called(signed.word)}.",
        signed.word,
    )


def _called(word: bytes) -> str:
    told = repr(word.decode("utf-8", "replace"))
    return f"the key {told}, which an answer tells" if is_drawn(word) else f"the word {told}"


@lru_cache(maxsize=64)
def _by_a_common_word(name: str, whole: bytes) -> Signed | None:
    """The same cookie comes with many requests of a run."""
    return weakly_signed(name, whole, words())


def _anew(signed: Signed, whole: bytes, situation: Situation, *, may_repeat: bool) -> bytes | None:
    made = signed.anew(situation.random)
    return whole if made is None and may_repeat else made


def _own_words(situation: Situation, cookie: str) -> tuple[bytes, ...]:
    """Words of the application itself, out of its cookie's name, its addresses and its answer, and what any answer tells as a key."""
    request, response = situation.baseline.request, situation.baseline.response
    paths = [each.path.decode("latin-1") for each in (request, *(page.request for page in situation.pages))]
    own = words_in(
        " ".join([request.host, cookie, *paths, text_of(response)[:_MOST_READ] if response is not None else ""])
    )
    named = keys_of(names_known(situation.memory.told, request.origin))
    return (*words_known(situation.memory.told, request.origin), *own, *named)


def _holding(request: Request, point: Point, value: bytes) -> Request | None:
    try:
        return rewrite(request, point, value)
    except UserError:
        return None


def _place(request: Request, point: Point) -> tuple[str, ...]:
    return ("auth_session", request.host, str(request.port), str(point[-1]))


def applies(situation: Situation) -> bool:
    """Safe requests with a cookie that may show how it is made."""
    request = situation.baseline.request
    if not is_safe(request) or request.method.upper() == "OPTIONS" or request.first(b"Cookie") is None:
        return False
    for each in walked(request):
        if (
            tuple(each.point[:3]) == COOKIE_STEPS
            and len(each.point) == 4
            and each.value
            and len(each.value) <= _LONGEST
        ):
            beside = read(request, Point((*COOKIE_STEPS, each.point[-1] + _BESIDE)))
            whole = each.value if beside is None else each.value + b"." + beside
            if looks_signed(each.point[-1], whole):
                return True
    return False


def forecast(_situation: Situation) -> int:
    """Nothing is sent where no common word has signed the session."""
    return 0


ENTRY = Entry(
    type=TYPE,
    title="Sessions are signed with a common word",
    cwe=(WEAK_KEY, LEAKED_KEY, UNCHECKED),
    owasp=("A07:2021", "A02:2021"),
    owasp_api=("API2:2023",),
    why="A session is all that tells the application who is asking. Whoever can write one is any user, administrators included.",
    remediation=(
        "Let the framework make sessions: a random identifier of at least 128 bits that means nothing, kept on the server. Where cookies hold "
        "what they mean, sign them with a random key of at least 256 bits from the configuration of the deployment, and "
        "change that key now: all sessions that were signed with the old one are anybody's."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="session",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
