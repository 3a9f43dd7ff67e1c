"""Broken authentication: an endpoint that takes credentials and does not need them.

What it finds
    Endpoints that give the same answer without any credentials, and endpoints that want some but take any.

Why it matters
    Everybody on the network is then every user. Nobody notices, because all clients in use send their credentials.

How it decides
    Detection found credentials in the baseline. The baseline is asked again and must be answered well (what may change
    something is not repeated: its recorded answer stands). Then all credentials are left out, cookies and headers that
    may hold any included; then all are replaced by random ones of the same look; then all are emptied; then a scheme
    word in Authorization is swapped for another, with random credentials of that scheme behind it. An answer that says
    all that the good one says is a finding, after a repeat, and after a path that does not exist gave another answer
    (else one page answers everything; of a change that path is read); where some that only pretend are taken, after
    none were refused again, twice.
    Refusals are known by status, by the way to the login, and in words under a 200; another content, such as a reduced
    public version, is no finding. Where whoever has none is answered otherwise, too, and not refused, what only
    pretends to have some is asked in turns with it: an answer in an order of its own each time differs by chance. A
    page whose frame greets its caller is another one for visitors: what an address that does not exist, or the front
    page, shows to the same caller is left out of a page that tells how to reach several people, or what they keep to
    themselves, and of one that answers a change; a finding where all the rest is given without credentials, too. A
    change that leads where visitors of its form's page are sent, too, shows nothing done.
    A cookie that is set for whoever comes without one is no part of an answer. An answer that redirects to a login and
    holds all that the good one says, of a page all that it says beside that frame, is a finding as well.
    Where all of that is refused and there are several credentials, a safe request is asked once without each of them,
    to tell which of them is checked; that one of two is enough may be meant so, and is told without being a finding.
    Credentials come along with whatever a browser asks a site for, Basic ones with its pages, too. An endpoint that
    does not need them is a finding
    only where something says that it is not meant for everybody: its address, its answer, what it does, a program that
    was told to send them to what is not published, another version of it that asks for them, or a page around it that
    is kept from visitors: the page of its form, the object that it stands below or is a print of (`/order?id=7` of
    `/order_print?id=7`), another page in the same part for some (`/staff`), the page that leads to a counted document and is its
    reader's alone. Changes of what sites keep for their guests
    (a cart, the answer to an exercise) need such a page. Clients of GraphQL send them with all that they
    ask: what fills a cart there and hands out a session to nobody has begun a guest's. A description of the API that
    asks for credentials at nearly all operations says as little of each; with one, a list that is refused says it of
    its objects. An empty list gives nothing away. Where credentials come along with everything, an address with a long
    random key (no UUID) is for whoever was given it. Logins (what hands out a token or a key for a password, and the
    page of its form), registrations and resets are for everybody, and what reads with a password of its own has asked
    for credentials, an argument without a name, too, where another one behind the caller's name is refused; so is what
    visitors send: feedback, a newsletter's subscription, what a page counts, a review that
    names its author, a report that names its page, a question for a price; what a form sends that its page offers to
    visitors, too, in no part of a site for some and to no object; and what the record shows a visitor to send;
    what gives nothing but a token for forms, and what an answer allows shared caches to keep for others, what says to
    visitors that it is public, stands below a thing that does or in a list that visitors read, unless it is called kept
    itself, and a catalogue: what
    things are called and like, and nothing else (clinics with their towns). What members say of themselves for others
    (a name and a text about oneself, and nothing more private) is no list of accounts. A POST that only asks
    (`/search`, `/check-email`) is judged as what reads; one that decodes what it brings, or only writes a text around it,
    is for everybody, and so is the profile of a member who is named with his server (`@eva:graz.example`). A vote or
    a like is told with a lower threat, as no request tells whether all visitors may cast one.

Known misses
    Answers that hold nothing to compare: empty bodies of safe methods, redirects, static files. What is given to everybody
    though it is meant for those with credentials, where nothing says so. Guards that do not look
    at the request (client certificates, addresses) make an endpoint look open. A public
    endpoint whose address or answer looks like somebody's is reported: mark it as intentionally public.

Standards and references
    CWE-306 (nothing asked for), CWE-287 (asked for, not checked); OWASP Top 10:2021 A07 Identification and
    Authentication Failures; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator
from typing import NamedTuple

import msgspec

from gatecrash.core.message import Exchange, Request, Response
from gatecrash.core.points.rewrite import remove
from gatecrash.core.statuses import FIRST_ERROR
from gatecrash.core.testing.addresses.versions import other_versions
from gatecrash.core.testing.asking import (
    Stopped,
    ask_raw,
    ask_raw_unless_cut_off,
    concluding,
    enough_samples,
    response_of,
)
from gatecrash.core.testing.authorization.callers.credentials import (
    has_scheme,
    wherever_sent,
    with_emptied,
    with_garbled,
    with_other_scheme,
    without_credentials,
)
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.openness.access import (
    Access,
    may_be_repeated,
    nowhere,
    read_nowhere,
    sample_repeatable,
)
from gatecrash.core.testing.authorization.openness.callers_alone import acts_on_its_caller_alone
from gatecrash.core.testing.authorization.openness.everybodys import is_shared, perhaps_for_visitors
from gatecrash.core.testing.authorization.openness.exposure import Stake, stake_of
from gatecrash.core.testing.authorization.openness.guarded_beside import guarded_around
from gatecrash.core.testing.authorization.openness.guest_carts import filled_a_guests_own
from gatecrash.core.testing.authorization.openness.kept_links import linked_from_kept
from gatecrash.core.testing.authorization.openness.offered_forms import stake_beside_offers
from gatecrash.core.testing.authorization.openness.public_above import public_above
from gatecrash.core.testing.authorization.openness.turned_away import visitors_land_there
from gatecrash.core.testing.authorization.owners.page_frame import gives_its_own_part, goes_on_behind_its_redirect
from gatecrash.core.testing.authorization.ranks.roles import fields
from gatecrash.core.testing.dialogues.own_argument import (
    lets_in_by_a_password,
    lets_in_by_a_refresh_token,
    lets_in_by_an_argument,
)
from gatecrash.core.testing.effects.sign_in import shows_an_entrance
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.forms.tokens import is_called_token
from gatecrash.core.testing.oracles.body import media_type
from gatecrash.core.testing.oracles.outcomes.refused import LOGIN_FORM, refusal
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
MISSING, UNCHECKED = 306, 287
# 80: whoever asks reads. 90: whoever asks changes something. 5 less where a caller must at least pretend to have a key.
THREAT_READ, THREAT_CHANGE, PRETENDING = 80, 90, 5
# 40: whoever asks votes, or reports something, which some sites let all visitors do.
THREAT_OPINION = 40
_MAY_BE_MEANT = " Some sites let every visitor do this: where that is meant, mark the endpoint as public on purpose."
_UNAUTHORIZED = (401, 403)
_TWO_WAYS = "the same question without good credentials was answered in two ways"
_FOR_CACHES = "what visitors get may be kept by caches for everybody, by its own header"
_FOR_VISITORS = "all visitors get this, and nothing says that they should not"
# How often what has no credentials and what only pretends to have some are asked in turns: by chance alone both hold seldom.
_TURNS = 6
# How often it must be refused again before what pretends to have some tells that they are not checked.
_REFUSALS = 2
_BESIDE_FRAME = (
    "the baseline's own page says beside the frame of the site, which greets whoever is signed in; a path that does not "
    "exist shows nothing of it"
)
_BEHIND_REDIRECT = "the good one says, in the body of a redirect to the login, which browsers do not show: the code goes on once it has sent the redirect"
_TURNED_AWAY = "visitors are sent to the same place from the page of its form: nothing shows that the change was made"
_FOR_A_GUEST = "whoever comes without a session is given one, and a cart of his own in it"
_BY_AN_ARGUMENT = "the argument behind the caller's name lets him in: another one is refused"
_BY_ITS_FIELDS = "the name and the password in its body let it in: another password is refused"
_OF_NOBODY = "it acts upon its caller alone, and without credentials there is none"
_WITHIN_ITS_BODY = "the refresh token in its body lets it in: another one is refused"
_STATIC = ("text/css", "text/javascript", "application/javascript", "image/", "font/", "video/", "audio/")


class _Weakness(NamedTuple):
    """What was sent in the place of good credentials, and what it is called where that is enough."""

    cwe: int
    title: str
    sent: str


NONE = _Weakness(MISSING, "Answers without credentials", "With its credentials left out")
ANY = _Weakness(UNCHECKED, "Accepts any credentials", "With random credentials of the same look")
EMPTY = _Weakness(UNCHECKED, "Accepts empty credentials", "With empty credentials")
SWAPPED = _Weakness(UNCHECKED, "Accepts any credentials of another scheme", "With random credentials of another scheme")

_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    # One that stands in an argument, too, lets its caller in from there.
    sent = wherever_sent(situation.credentials, situation.baseline.request)
    situation = msgspec.structs.replace(situation, credentials=sent)
    case = Access(situation, (yield from enough_samples(situation, (yield from sample_repeatable(situation)))))
    if case.safe and shows_an_entrance(case.request) and refusal(case.good) == LOGIN_FORM:
        return safe(TYPE, situation.point, "a page to sign in or register by")
    case.check_comparable()
    if case.safe and media_type(case.good).startswith(_STATIC):
        return safe(TYPE, situation.point, "a static file")
    if case.safe and 300 <= case.good.status < FIRST_ERROR:
        return safe(TYPE, situation.point, "a redirect, which gives nothing away")
    bare = without_credentials(case.request, situation.credentials)
    dropped = yield from ask_raw(bare)
    if case.lets_in(dropped):
        return (yield from _open(case, bare, dropped))
    beside_frame = yield from gives_its_own_part(case, bare, dropped)
    if beside_frame is not None:
        return _vulnerable(case, beside_frame.exchange, NONE, _BESIDE_FRAME, beside_frame.around)
    if (yield from goes_on_behind_its_redirect(case, bare, dropped)):
        return _vulnerable(case, dropped, NONE, _BEHIND_REDIRECT)
    if situation.policy.one_family:
        return _not_open(case, [dropped], "")
    garbled = with_garbled(case.request, situation.credentials, situation.random)
    pretended = yield from ask_raw(garbled)
    if case.as_good(pretended):
        return (yield from _taken(case, bare, dropped, garbled, ANY))
    emptied = with_emptied(case.request, situation.credentials)
    hollow = yield from ask_raw(emptied)
    if case.as_good(hollow):
        return (yield from _taken(case, bare, dropped, emptied, EMPTY))
    answers = [dropped, pretended, hollow]
    swapped = with_other_scheme(case.request, situation.credentials, situation.random)
    taken = None if swapped is None else (yield from ask_raw_unless_cut_off(swapped))
    if swapped is not None and taken is not None:
        answers.append(taken)
        if case.as_good(taken):
            return (yield from _taken(case, bare, dropped, swapped, SWAPPED))
    checked = yield from _checked(case) if case.refuses(dropped) else _nothing()
    return _not_open(case, answers, checked)


def _open(case: Access, bare: Request, dropped: Exchange) -> _Deciding:
    """What answers without credentials: a finding where it should have asked for them."""
    if _holds_form_tokens_only(case.good):
        return safe(TYPE, case.situation.point, "a token for forms, which every visitor gets one of")
    if (yield from visitors_land_there(case.situation, case.good)):
        return safe(TYPE, case.situation.point, _TURNED_AWAY)
    if acts_on_its_caller_alone(case.request, response_of(dropped)):
        return safe(TYPE, case.situation.point, _OF_NOBODY)
    if filled_a_guests_own(case.request, response_of(dropped)):
        return safe(TYPE, case.situation.point, _FOR_A_GUEST)
    stake, beside = (yield from stake_beside_offers(case.situation, case.good)), ""
    if stake is Stake.PERHAPS and case.safe and is_shared(response_of(dropped)):
        return safe(TYPE, case.situation.point, _FOR_CACHES)
    if stake is Stake.PERHAPS and not case.situation.visited:
        beside = (yield from guarded_around(case.situation)) or (yield from linked_from_kept(case.situation, case.good))
    if stake is not Stake.SURE and not beside and not (yield from _asked_elsewhere(case, bare)):
        return safe(TYPE, case.situation.point, _FOR_VISITORS)
    if (yield from lets_in_by_an_argument(case, bare)):
        return safe(TYPE, case.situation.point, _BY_AN_ARGUMENT)
    if (yield from lets_in_by_a_password(case, bare)):
        return safe(TYPE, case.situation.point, _BY_ITS_FIELDS)
    if (yield from lets_in_by_a_refresh_token(case, bare)):
        return safe(TYPE, case.situation.point, _WITHIN_ITS_BODY)
    public = yield from public_above(case.situation, case.good)
    if public:
        return safe(TYPE, case.situation.point, f"{public} tells visitors that it is for everybody")
    return (yield from _confirm(case, bare, NONE, beside))


def _holds_form_tokens_only(good: Response) -> bool:
    told = [name for name, value in fields(good) if value]
    return bool(told) and all(is_called_token(name) for name in told)


def _taken(case: Access, bare: Request, dropped: Exchange, pretending: Request, weakness: _Weakness) -> _Deciding:
    """What answers well to credentials that are none. Where whoever has none is not refused but answered otherwise,
    both are asked in turns: an answer in an order of its own each time differs by chance, and shows nothing of
    credentials.
    """
    if not case.refuses(dropped):
        if stake_of(case.situation, case.good) is not Stake.SURE:
            return safe(TYPE, case.situation.point, _FOR_VISITORS)
        for _ in range(_TURNS if case.safe else _TURNS // 2):
            if case.as_good((yield from ask_raw(bare, "control"))):
                return (yield from _open(case, bare, dropped))
            if not case.as_good((yield from ask_raw(pretending, "confirm"))):
                raise Stopped(Inconclusive.UNSTABLE, _TWO_WAYS)
    else:
        for _ in range(_REFUSALS):  # a limiter, or a balancer that lost the session, refuses once
            if not case.refuses((yield from ask_raw(bare, "control"))):
                raise Stopped(Inconclusive.UNSTABLE, _TWO_WAYS)
    return (yield from _confirm(case, pretending, weakness))


def _asked_elsewhere(case: Access, bare: Request) -> Generator[TestRequest, Answer, bool]:
    """Whether another version of the same endpoint asks for credentials; only safe requests are tried there.

    Whoever asks for them wherever nothing is says nothing of a version.
    """
    for other in other_versions(bare) if case.safe else []:
        answer = yield from ask_raw(other, "control")
        if case.refuses(answer) and response_of(answer).status in _UNAUTHORIZED:
            missing = yield from ask_raw(nowhere(other, case.situation), "control")
            return response_of(missing).status not in _UNAUTHORIZED
    return False


def _checked(case: Access) -> Generator[TestRequest, Answer, str]:
    """Which of several credentials are checked, in words; nothing is asked for one alone, or where something may change."""
    points = list(dict.fromkeys(case.situation.credentials))
    if len(points) < 2 or not case.safe:
        return ""
    needed: list[str] = []
    for point in points:
        alone = yield from ask_raw(remove(case.request, point))
        if not case.as_good(alone):
            needed.append(str(point))
    if needed:
        return "; checked: " + ", ".join(needed) + ("" if len(needed) == len(points) else ", the others are not needed")
    return "; any one of its credentials is enough"


def _nothing() -> Generator[TestRequest, Answer, str]:
    """Asks nothing."""
    yield from ()
    return ""


def _confirm(case: Access, request: Request, weakness: _Weakness, beside: str = "") -> _Deciding:
    """Repeat it; and ask for a path that does not exist, which must not be answered the same."""
    asked = nowhere(request, case.situation) if case.safe else read_nowhere(request, case.good, case.situation)
    if asked is not None:
        elsewhere = yield from ask_raw(asked, "control")
        if case.as_good(elsewhere):
            return safe(TYPE, case.situation.point, "any path at all gets this answer")
    if weakness is ANY:
        request = with_garbled(case.request, case.situation.credentials, case.situation.random)
    again = yield from ask_raw(request, "confirm")
    if not case.lets_in(again):
        raise Stopped(Inconclusive.UNSTABLE, _TWO_WAYS)
    return _vulnerable(case, again, weakness, around=beside)


def _not_open(case: Access, answers: list[Exchange], checked: str) -> Verdict:
    """Safe where credentials matter; inconclusive where only a changing request was seen to differ for unknown reasons."""
    point = case.situation.point
    refused = case.refuses(answers[0])
    if refused and all(case.refuses(answer) for answer in answers):
        return safe(TYPE, point, f"without credentials it {_told(refused)}{checked}")
    if case.safe:
        return safe(TYPE, point, "without credentials it gives another answer")
    return inconclusive(
        TYPE,
        point,
        Inconclusive.NO_CONTROL,
        "without good credentials the answer differs and refuses nothing; the baseline may not be repeated to compare",
    )


def _told(refusal_words: str) -> str:
    return f"answers {refusal_words}" if refusal_words[:1].isdigit() else refusal_words


def _vulnerable(case: Access, exchange: Exchange, weakness: _Weakness, beside: str = "", around: str = "") -> Verdict:
    names = ", ".join(sorted({str(point) for point in case.situation.credentials}))
    opinion = weakness is NONE and perhaps_for_visitors(case.request)
    threat = THREAT_READ if only_reads(case.request) or case.safe else THREAT_OPINION if opinion else THREAT_CHANGE
    beside = beside or (
        "the baseline, repeated with its own credentials, gives; a path that does not exist is answered differently"
        if case.safe
        else "the recorded baseline had with its own credentials"
    )
    return vulnerable(
        ENTRY,
        case.situation.point,
        threat=threat - (0 if weakness is NONE else PRETENDING),
        cwe=(weakness.cwe,),
        title=weakness.title,
        test=exchange,
        control=case.control,
        verified_by=f"{weakness.sent} ({names}) the answer says all that {beside}. Asked twice.{around}"
        + (_MAY_BE_MEANT if threat == THREAT_OPINION else ""),
    )


def applies(situation: Situation) -> bool:
    """Where detection found credentials; OPTIONS is answered to everybody by design."""
    return bool(situation.credentials) and situation.baseline.request.method.upper() != "OPTIONS"


def forecast(situation: Situation) -> int:
    """Requests for a sound endpoint: two good answers where they may be asked for; none, garbled, empty and swapped credentials.

    A safe request with several credentials is asked once without each of them besides.
    """
    several = len(set(situation.credentials))
    asked = 1 if situation.policy.one_family else 3 + has_scheme(situation.baseline.request, situation.credentials)
    return (2 + (several if several > 1 else 0) if may_be_repeated(situation.baseline.request) else 0) + asked


ENTRY = Entry(
    type=TYPE,
    title="Broken authentication",
    cwe=(MISSING, UNCHECKED),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "Whoever reaches the endpoint may use it as if signed in. No client in use notices, because all of them send their "
        "credentials, so such a hole stays open until somebody tries without."
    ),
    remediation=(
        "Check the caller's credentials before anything else, in one place for all endpoints (a gateway or a middleware "
        "that refuses by default), and verify them: signature, expiry and issuer of a token, the key against the store. "
        "Answer 401 without them. List the endpoints that are public on purpose, and mark them so here."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
