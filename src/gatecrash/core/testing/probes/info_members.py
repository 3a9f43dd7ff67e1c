"""Lists of members that tell each of them what the others keep to themselves: accounts of banks, wages, illnesses.

What it finds
    Lists without an identifier that show an ordinary caller himself and others, each with a number of a bank account, a card or
    a passport, a salary, an illness, a PIN or the like, and show the others the same of him.

Why it matters
    A page shows the names alone, and the answer behind it holds whole rows of the database. Anybody who is signed in copies
    them all at once.

How it decides
    The recorded list must have three entries and more, one of which names the caller, and one another identity of no lower
    rank, by what each is called; both must hold different values in a field of a kind that nobody puts into a directory.
    Asked for as the other, the list must show him the caller's value in the caller's entry; asked for again as the caller,
    the other's. Without credentials it must not. Lists that show each his own, as of those whom he pays, are none. Nor is
    what is asked of somebody who stands above others, who may be meant to know.

Known misses
    Lists in which no recorded identity but the caller stands. Addresses, telephone numbers and birthdays, which members of
    many places share. Pages in HTML.

Standards and references
    CWE-359 (exposure of private personal information), CWE-213; OWASP Top 10:2021 A01 Broken Access Control; OWASP API
    Security Top 10:2023 API3 Broken Object Property Level Authorization.
"""

import re
from collections.abc import Iterable

from gatecrash.core.message import Response
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.holder import holder_values, values_of
from gatecrash.core.testing.authorization.callers.peers import peers_of
from gatecrash.core.testing.authorization.objects.answered_objects import Object, objects_in
from gatecrash.core.testing.authorization.objects.named import named_objects, only_reads
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import Identity, lower_of
from gatecrash.core.testing.oracles.outcomes.refused import is_good
from gatecrash.core.testing.probe import Dialogue, Probe, Situation
from gatecrash.core.testing.verdict import safe, vulnerable
from gatecrash.core.words.english import in_english
from gatecrash.core.words.names import parted

TYPE = "info"
CWE = (359, 213)
THREAT = 60
_NOBODY = ""
_LEAST_ENTRIES = 3
_KEPT = re.compile(
    r"(?:bank_?)?iban(?:_?(?:no|number))?|bank_?(?:account|details)(?:_?(?:no|number))?|account_?(?:no|number)|(?:credit_?)?card_?(?:no|num|number)"
    r"|cvv|cvc|ssn|social_?security(?:_?(?:no|number))?|passport(?:_?(?:no|number|id))?|tax_?id|national_?id"
    r"|(?:\w+_)?(?:salary|wages?)|medical(?:_\w+)?|diagnos[ei]s|illness(?:es)?|pin(?:_code)?|password(?:_?hash)?|secret|api_?key"
)


def _dialogue(situation: Situation) -> Dialogue:
    recorded, request = situation.baseline.response, situation.baseline.request
    assert recorded is not None
    (field, other), own = _told(situation, recorded)[0], holder_values(situation)
    theirs = yield from ask_as(request, other.name)
    stranger = response_of((yield from ask_as(request, _NOBODY, "control")))
    again = yield from ask(request, "confirm")
    names = values_of(other, situation)
    shown, seen = (_kept_of(objects_in(response_of(each)), field) for each in (again, theirs))
    mine, his = _entry(shown, own), _entry(shown, names)
    if not mine or not his or _entry(seen, own) != mine:
        return safe(TYPE, situation.point, "the other identity is not told of the caller what the list tells him")
    if is_good(stranger) and _entry(_kept_of(objects_in(stranger), field), own):
        return safe(TYPE, situation.point, "anybody is told, which is told elsewhere")
    return vulnerable(
        ENTRY,
        situation.point,
        detail=f"{field!r} of everybody is told to everybody",
        threat=THREAT,
        test=theirs,
        control=again,
        verified_by=(
            f"The list shows {field!r} of its {len(shown)} entries to whoever is signed in: sent as the identity {other.name!r}, it holds the "
            "recorded caller's value in the caller's own entry, and sent as the caller that of the other. Neither stands above the "
            "other. Without credentials it does not."
        ),
    )


def _kept_of(shown: Iterable[Object], field: str) -> list[tuple[frozenset[str], str]]:
    """What each entry calls somebody, in lower case, and what it tells of him in the field."""
    entries = [each for each in shown if isinstance(each.get(field), str | int) and each[field] != ""]
    return [
        (frozenset(str(value).lower() for name, value in each.items() if name != field), str(each[field]))
        for each in entries
    ]


def _entry(entries: Iterable[tuple[frozenset[str], str]], called: frozenset[str]) -> str:
    """What is told of the one who is called so, by a word or a long number; empty where no entry names him."""
    words = frozenset(each for each in called if not each.isdigit() or len(each) > 3)
    return next((value for values, value in entries if not values.isdisjoint(words)), "")


def _told(situation: Situation, response: Response) -> list[tuple[str, Identity]]:
    """The fields that nobody puts into a directory, each with a peer of whom, as of the caller, the list tells it."""
    shown, own = objects_in(response), holder_values(situation)
    fields = dict.fromkeys(name for each in shown for name in each if _KEPT.fullmatch(in_english(parted(name)).lower()))
    found: list[tuple[str, Identity]] = []
    for field in fields:
        entries = _kept_of(shown, field)
        mine = _entry(entries, own) if len(entries) >= _LEAST_ENTRIES else ""
        others = peers_of(situation.identities) if mine else ()
        found += [(field, each) for each in others if _entry(entries, values_of(each, situation)) not in ("", mine)]
    return found


def applies(situation: Situation) -> bool:
    """Lists that name no object, answered well to somebody who stands above nobody, in which a peer stands beside him."""
    request, response = situation.baseline.request, situation.baseline.response
    if not only_reads(request) or destroys(request) or response is None or not is_good(response):
        return False
    if not situation.credentials or lower_of(situation.identities) is not None:
        return False
    return not any(each.sure for each in named_objects(request)) and bool(_told(situation, response))


def forecast(_situation: Situation) -> int:
    """As the other, as nobody, and once more."""
    return 3


ENTRY = Entry(
    type=TYPE,
    title="A list tells all of its members what each keeps to himself",
    cwe=CWE,
    owasp=("A01:2021",),
    owasp_api=("API3:2023",),
    why="Whoever signs in as anybody copies the bank accounts, wages or illnesses of all others with one request.",
    remediation=(
        "Build answers of the fields that their readers need, from a list of names, and never from whole rows. Show such fields to "
        "their owner alone, and to those whose task it is to know them."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="members",
    entry=ENTRY,
    whole=True,
    as_others=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
