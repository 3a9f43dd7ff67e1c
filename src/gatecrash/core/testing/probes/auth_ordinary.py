"""Functions of those who manage, done for an ordinary caller: `/admin/users` answers whoever is signed in.

What it finds
    Requests whose path or operation says that they are for those who manage (`admin`, `back-office`), or stands below
    such a word (`management`) and tells secrets of several people, or that list the passwords of several accounts to
    one that anybody can make, or whose description in an imported OpenAPI document says so (`Admin only`), and that
    were answered well though they were recorded for a caller who is nobody in particular. One identity is enough.

Why it matters
    Hiding a button is no check. Whoever knows or guesses the address of the function manages the service.

How it decides
    The application itself must say that the caller is ordinary: his token's roles, what he is told about himself at
    `me` beside the function, or that anybody can make such an account by the registration; one word of a higher rank
    ends it. Of what is only described, which no page of his led him to, the ranks that were given say so, and then it
    may be a change that is called after what governs others, too (`/users/7/role`), also where its caller is anybody
    and the account is another's, but not below a team, which whoever begins it leads. A description says nothing to
    somebody of a role that may be meant, or of one that stands above it; a tag or a scope says it of what reads only
    where that tells what several people keep to themselves. A reading request is asked again as recorded: its answer
    must tell something, not of the caller alone, that nobody gets without credentials, must not be given at a path that
    does not exist, and must come twice. A changing request must be refused without credentials and at a path that does
    not exist, and be answered as recorded once more; what deletes is not sent again for its caller, its recorded answer
    stands.

Known misses
    Functions whose path and description say nothing. Callers of whom nothing says who they are. Applications that call
    their lowest role by a word of their own, where the record shows nobody who registers and is given it.

Standards and references
    CWE-285 (improper authorization); OWASP Top 10:2021 A01 Broken Access Control; OWASP API Security Top 10:2023 API5
    Broken Function Level Authorization.
"""

import re
from collections.abc import Container, Generator
from urllib.parse import unquote

from gatecrash.core.message import Request, Response
from gatecrash.core.points.found import Found
from gatecrash.core.points.walk import walk
from gatecrash.core.statuses import FIRST_REDIRECT
from gatecrash.core.testing.asking import ask, ask_as, concluding, response_of
from gatecrash.core.testing.authorization.callers.account_endpoints import account_request
from gatecrash.core.testing.authorization.callers.holder import holder_values
from gatecrash.core.testing.authorization.objects.named import named_objects, only_reads
from gatecrash.core.testing.authorization.openness.access import Access, nowhere, sample_reading
from gatecrash.core.testing.authorization.openness.told_of_strangers import passwords_of_several
from gatecrash.core.testing.authorization.owners.ownership import all_owners
from gatecrash.core.testing.authorization.owners.private_fields import private_of_several
from gatecrash.core.testing.authorization.owners.told_facts import has_nearly_all, only_told
from gatecrash.core.testing.authorization.ranks.described_roles import (
    described,
    in_words,
    is_none_of,
    is_of,
    is_outside_of_all_told,
    is_told,
)
from gatecrash.core.testing.authorization.ranks.led_groups import in_led_group
from gatecrash.core.testing.authorization.ranks.ordinary_callers import (
    MOST_ASKED,
    is_at_the_head,
    is_lower_at_draft,
    ordinary,
)
from gatecrash.core.testing.authorization.ranks.ranked_functions import (
    is_below_managers,
    is_of_managers,
    manages_accounts,
    raises_accounts,
    says_by_its_name,
    told_of_others,
)
from gatecrash.core.testing.authorization.ranks.refused_beside import may_be_for_others, refused_to_himself
from gatecrash.core.testing.authorization.ranks.role_sections import ordinary_roles
from gatecrash.core.testing.effects.destruction import destroys
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.effects.sign_out import signs_out
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.known.identity import ANYBODY
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.oracles.leaves import leaves
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Verdict, safe
from gatecrash.core.words.names import parted

TYPE = "auth"
CWE = 285
THREAT_READ, THREAT_CHANGE = 75, 88
_NOBODY = ""
_LEAST_TOLD = 2
_BARE = "Without credentials it is refused."
# What everybody may ask of himself, wherever it stands.
_OF_ONESELF = re.compile(
    rb"/(?:me|self|profile|whoami|session|login|signin|logout|access|permissions?)/?$", re.IGNORECASE
)
_VERSION = re.compile(rb"(?:/(?:api|rest|v\d+(?:\.\d+)?)(?=/))*", re.IGNORECASE)
_ACCOUNT = re.compile(r"/(?:users|members|accounts|customers|employees|people)/([^/]+)/", re.IGNORECASE)
# What a body calls an account by, and what else it says of what is done to it.
_CALLED = re.compile(
    r"(?:(?:user|account|member|login|nick)_?)?(?:user|account|member|login|nick|name|e_?mail|mail|handle)(?:_?(?:id|no|name))?",
    re.IGNORECASE,
)
_RIGHT = re.compile(r"(?:new_?)?(?:role|rank|level|rights?|permissions?|reason|note|comment)", re.IGNORECASE)
_LEAST_NAME = 3
_NOTHING = frozenset({"", "0", "0.0", "false", "null", "none", "ok", "success", "true"})

_Deciding = Generator[TestRequest, Answer, Verdict]


def _dialogue(situation: Situation) -> Dialogue:
    beside = ""
    if not _says_so_itself(situation):
        beside = yield from refused_to_himself(situation)
        if not beside:
            return safe(TYPE, situation.point, "nothing says that it is for others than its caller")
    said = yield from ordinary(situation, _section(situation.baseline.request))
    if not said:
        return safe(TYPE, situation.point, "nothing says that its caller is an ordinary one")
    is_meant_for_others = _is_made(situation) and (_is_described(situation) or _is_for_anothers_account(situation))
    if is_meant_for_others and (yield from is_at_the_head(situation, _section(situation.baseline.request))):
        return safe(TYPE, situation.point, "its caller may be one of those whom the description means")
    if only_reads(situation.baseline.request) or is_safe(situation.baseline.request):
        return (yield from _reading(situation, said, beside))
    return (yield from _changing(situation, said))


def _reading(situation: Situation, said: str, beside: str) -> _Deciding:
    access = Access(situation, (yield from sample_reading(situation)))
    access.check_comparable()
    if not _tells(access.good, holder_values(situation)):
        return safe(TYPE, situation.point, "its answer tells nothing of anybody but the caller")
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    told = only_told(access.readings, response_of(stranger))
    if not access.refuses(stranger) or len(told) < _LEAST_TOLD:
        return safe(TYPE, situation.point, "it tells nothing that is not given to anybody")
    elsewhere = yield from ask(nowhere(access.request, situation), "control")
    again = yield from ask(access.request, "confirm")
    if has_nearly_all(response_of(elsewhere), told) or not has_nearly_all(response_of(again), told):
        return safe(TYPE, situation.point, "the answer does not follow the path")
    how = f"{beside or _meant(situation)} {said} It is answered again and again. {_BARE}"
    return access.vulnerable(ENTRY, again, THREAT_READ, how)


def _changing(situation: Situation, said: str) -> _Deciding:
    access = Access(situation, [situation.baseline.exchange])
    access.check_comparable()
    stranger = yield from ask_as(access.request, _NOBODY, "control")
    if not access.refuses(stranger):
        return safe(TYPE, situation.point, "it is not refused without credentials, which is told elsewhere")
    done = situation.baseline.exchange
    if not destroys(access.request):
        if operation_of(access.request) is None:
            elsewhere = yield from ask(nowhere(access.request, situation), "control")
            if access.as_good(elsewhere):
                return safe(TYPE, situation.point, "any path at all is answered so")
        done = yield from ask(access.request, "confirm")
        if not access.as_good(done):
            return safe(TYPE, situation.point, "it is answered otherwise now")
    return access.vulnerable(ENTRY, done, THREAT_CHANGE, f"{_meant(situation)} {said} {_BARE}")


def _tells(good: Response, own: frozenset[str]) -> bool:
    """Whether an answer tells something, and not of its caller alone."""
    told = [leaf for leaf in leaves(good) if leaf.value.lower() not in _NOTHING]
    named = all_owners(good)
    return len(told) >= _LEAST_TOLD and not (named and named <= own)


def _tells_below_managers(situation: Situation, response: Response) -> bool:
    """Whether a function below a word such as `management` tells secrets of several people. An account that was just
    made has nobody to look after either: to it what several accounts keep to themselves is enough.
    """
    request = situation.baseline.request
    if not is_below_managers(request):
        return False
    if told_of_others(response):
        return True
    own = frozenset(situation.identities[0].known) if _is_made(situation) else frozenset()
    return _is_made(situation) and manages_accounts(request) and bool(private_of_several(response, own))


def _tells_passwords(situation: Situation) -> str:
    """The passwords of several accounts, in words, where they are told to an account that anybody can make."""
    response = situation.baseline.response
    return passwords_of_several(response) if response is not None and _is_made(situation) else ""


def _section(request: Request) -> bytes:
    """The path before the word that says who the function is for; where there is none, before its first that is no version."""
    word = is_of_managers(request) or is_below_managers(request)
    if not word:
        version = _VERSION.match(request.path)
        return version[0] if version is not None else b""
    return request.path.partition(b"/" + word.encode("latin-1", "replace"))[0]


def _meant(situation: Situation) -> str:
    request = situation.baseline.request
    word = is_of_managers(request)
    if _is_described(situation):
        meant = described(situation)
        return in_words(meant) if meant is not None else ""
    if word:
        return f"Its address says by {word!r} who it is for."
    if _tells_passwords(situation):
        return f"It tells the {_tells_passwords(situation)}."
    if only_reads(request) or is_safe(request):
        return f"It stands below {is_below_managers(request)!r} and tells of several people."
    return _governing(situation)


def _is_made(situation: Situation) -> bool:
    """Whether its caller is an account that anybody can make, of which its rank says nothing more."""
    return bool(situation.identities) and situation.identities[0].rank <= ANYBODY


def _is_described(situation: Situation) -> bool:
    """Whether the API's description says that it is for others than its caller, whose rank or account may say who he is."""
    meant, own = described(situation), next(iter(situation.identities), None)
    response = situation.baseline.response
    if meant is None or response is None or is_of(situation, own):
        return False
    reads = only_reads(situation.baseline.request) or is_safe(situation.baseline.request)
    if reads and not is_told(meant, response, frozenset(own.known if own is not None else ())):
        return False
    if not reads and in_led_group(situation):
        return False
    if own is not None and is_lower_at_draft(situation):
        return is_none_of(meant, own)
    return is_outside_of_all_told(meant, own)


def _governing(situation: Situation) -> str:
    """What the name of a function says of whom it is for, in words."""
    own, request = situation.identities, situation.baseline.request
    said: str = says_by_its_name(request, ordinary_roles(own[0]) if own else frozenset())
    # By its path alone somebody may be appointed to anything, as to a meeting.
    if said or not (raises_accounts(request) and _is_for_anothers_account(situation)):
        return said
    return "Its path says that it raises or lowers what an account may do, and it names another's."


def applies(situation: Situation) -> bool:
    """What is meant for those who manage by its name, or by what it tells below such a word, and was answered well."""
    request, response = situation.baseline.request, situation.baseline.response
    if response is None or response.status >= FIRST_REDIRECT or not situation.credentials or signs_out(request):
        return False
    if request.method.upper() in ("OPTIONS", "HEAD") or _OF_ONESELF.search(request.path):
        return False
    if any(each.rank < situation.identities[0].rank for each in situation.identities):
        return False  # there is somebody lower to ask as
    if account_request(situation.baseline.exchange) is not None:
        return False
    is_read = only_reads(request) or is_safe(request)
    return _says_so_itself(situation) or (is_read and may_be_for_others(situation))


def _says_so_itself(situation: Situation) -> bool:
    """Whether the request itself says that it is for managers: by its name, its description, or what it tells below such a name."""
    request, response = situation.baseline.request, situation.baseline.response
    if is_of_managers(request) or (response is not None and _tells_below_managers(situation, response)):
        return True
    if _tells_passwords(situation):
        return True
    if _is_described(situation):
        return True
    is_lower = is_lower_at_draft(situation) or _is_for_anothers_account(situation)
    if not is_lower or only_reads(request) or in_led_group(situation):
        return False
    return bool(_governing(situation))


def _is_for_anothers_account(situation: Situation) -> bool:
    """Whether what is only described changes an account that is not its caller's, who is anybody."""
    request = situation.baseline.request
    if not situation.baseline.exchange.drafted or not _is_made(situation):
        return False
    found = _ACCOUNT.search(request.path.decode("latin-1"))
    own = holder_values(situation)
    return unquote(found[1]).lower() not in own if found is not None else _names_another(situation, own)


def _names_another(situation: Situation, own: frozenset[str]) -> bool:
    """Whether a body says whose rights are raised or lowered, by a word for a user's name or by what another identity is
    called, and names nothing else of which its caller might be the head.
    """
    request = situation.baseline.request
    if not raises_accounts(request) or any(each.sure for each in named_objects(request)):
        return False
    sent = {each.point[-1]: each.value.decode("utf-8", "replace") for each in walk(request).points if _is_sent(each)}
    others = {name.lower() for each in situation.identities[1:] for name in each.known}
    called = {name: value.lower() for name, value in sent.items() if _is_whose(name, value.lower(), others)}
    beside = [name for name in sent if name not in called and not _RIGHT.fullmatch(parted(name))]
    return len(called) == 1 and not beside and own.isdisjoint(called.values())


def _is_whose(name: str, value: str, others: Container[str]) -> bool:
    """Whether a field says whose account it is: it is called so, or holds what another identity is called."""
    return _CALLED.fullmatch(parted(name)) is not None or (len(value) >= _LEAST_NAME and value in others)


def _is_sent(found: Found) -> bool:
    return found.point[0] == "post" and not found.container


def forecast(_situation: Situation) -> int:
    """What is asked about the caller; where nothing says that he is ordinary, nothing else is."""
    return MOST_ASKED


ENTRY = Entry(
    type=TYPE,
    title="Administrative functions are open to ordinary users",
    cwe=(CWE,),
    owasp=("A01:2021",),
    owasp_api=("API5:2023",),
    why=(
        "Every customer is a manager as soon as he knows the address. It stands in the scripts that pages load, in the API's "
        "description, and in the first lists that anybody would try."
    ),
    remediation=(
        "Check the caller's role at each function, and refuse where no rule allows it. That a page does not show a link protects "
        "nothing. Call every function of those who manage as an ordinary caller in your own tests."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="ordinary",
    entry=ENTRY,
    whole=True,
    as_others=False,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
