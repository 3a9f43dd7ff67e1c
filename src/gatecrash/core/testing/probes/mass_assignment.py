"""Mass assignment: a request sets what only the application may set, because whatever is sent is kept.

What it finds
    Privileged properties that answers show and requests do not set (a role, a balance, a plan, an owner, what is verified
    or paid, that an order came back, that what waits for somebody's decision has it), and that are taken from the request
    all the same. In JSON objects, those wrapped in another or in a list, objects within them, JSON patches and forms
    (`user[profile][plan]`; in parts with files, in the address alone; in flat XML and calls by SOAP), under names as the
    request writes its own, prices of what is ordered, where objects are created (POST) and where they are changed (PUT,
    PATCH); and in the input objects of GraphQL mutations what is a right whatever the object is. A low right that a request
    on one's own account sets itself (`is_staff: false`, as a description lists it) is raised.

Why it matters
    Whoever adds one word to a request makes himself an administrator, pays himself out, or gives his object to another
    tenant.

How it decides
    The properties are learned: from what a GET of the same address shows, from the recorded answer, and from the run's pages
    nearby that show the object, or new ones with the same properties. Only names that mean a right or a value are used (no
    price where a manager books, no role that he gives to others, no part that a contact plays, nor whether a bill is paid in
    books that are nobody else's), with another value of the same type (a refusal may list some), and a made-up property beside
    them. What was taken is read back, at once and seconds later: by a GET of the same address, of the address that the answer
    names, or of the page; else in the answer itself, if it does not show the made-up property, too, and is no promise (202). An
    application that keeps or repeats just anything is no finding, unless what is a right whatever the object is (`is_admin`, a
    balance, the role of a user) is read back, or shown to the recorded change, which does not set it. GraphQL refuses by itself
    what is made up: there a change must be shown to the recorded request, too, which does not set it, a role is one that its
    schema lists for who rules others, or was one of a plain user (by its name, or as two recorded users have it), and the
    caller must be nobody in particular: without credentials, of a low role by his token, an account that anybody can make, or
    one who changes himself; of a registration nobody's are sent, what a schema lists of rights is left out first, and asked for
    in return where the record does not. The same without the property must show the old value again, which puts it back where
    an object was changed; a new object is made once more for that.

Known misses
    Properties that no answer shows, or two objects deep. Objects that cannot be read back. Names of an application's
    own (`grade`). Properties of all objects by `__proto__` (CWE-1321): what a test wrote there would stay in the
    process for everybody until it restarts, which is more than any baseline does.

Standards and references
    CWE-915; OWASP Top 10:2021 A08 Software and Data Integrity Failures; OWASP API Security Top 10:2023 API3 Broken Object
    Property Level Authorization.
"""

import re
from collections.abc import Generator

from gatecrash.core.message import Exchange, Request, reading
from gatecrash.core.statuses import FIRST_ERROR, FIRST_SERVER_ERROR
from gatecrash.core.testing.asking import ask, concluding, response_of
from gatecrash.core.testing.authorization.callers.oneself import is_privileged
from gatecrash.core.testing.authorization.fields.assignable_here import assignable
from gatecrash.core.testing.authorization.fields.described_rights import changes_what_is_there, without_rights
from gatecrash.core.testing.authorization.fields.others_say import is_his_own, is_of_several, lists_of_such
from gatecrash.core.testing.authorization.fields.properties import (
    Property,
    holds,
    is_sure,
    keeps,
    made_unique,
    with_properties,
)
from gatecrash.core.testing.authorization.fields.rights_selected import showing_rights
from gatecrash.core.testing.authorization.fields.sent_objects import View, sending, views_of
from gatecrash.core.testing.authorization.fields.sent_rights import raised
from gatecrash.core.testing.authorization.fields.told_values import in_words_of_refusal
from gatecrash.core.testing.authorization.objects.answered_objects import (
    IDENTIFIERS,
    Object,
    kept_as,
    objects_in,
    of_its_kind,
    only_one,
)
from gatecrash.core.testing.authorization.objects.named import only_reads
from gatecrash.core.testing.authorization.ranks.ordinary_callers import as_visitors_register, rules_nobody
from gatecrash.core.testing.authorization.ranks.role_sections import shared_roles
from gatecrash.core.testing.authorization.ranks.schema_roles import asking_for_values, may_be_listed, ruling_value
from gatecrash.core.testing.dialogues.kept_objects import LATER, Kept, ObjectReader
from gatecrash.core.testing.effects.destruction import deletes
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.fresh_letters import fresh_letters
from gatecrash.core.testing.known.page import asking
from gatecrash.core.testing.operations.graphql import operation_of
from gatecrash.core.testing.operations.procedures import procedure_of
from gatecrash.core.testing.oracles.outcomes.refused import is_carried_out
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Outcome, Verdict, safe, vulnerable

TYPE = "mass_assignment"
CWE = 915
THREAT = 75
_MOST_PAGES, _MOST_LISTS, _MOST_ALONE = 3, 2, 4
_ENDS = ("logout", "signout", "password", "passwd", "login", "signin", "token")

_Deciding = Generator[TestRequest, Answer, Verdict]
_Showing = Generator[TestRequest, Answer, Object | None]


def _dialogue(situation: Situation) -> Dialogue:
    verdict = safe(TYPE, situation.point, "no privileged property is shown that the request does not set")
    situation = as_visitors_register(situation)
    if operation_of(situation.baseline.request) is not None and not rules_nobody(situation):
        return safe(TYPE, situation.point, "nothing says that its caller is nobody in particular")
    situation = yield from showing_rights((yield from without_rights(situation)))
    views = views_of(situation.baseline.request)
    for view in views:
        trial = _Trial(situation, view, surely=view is views[-1])
        verdict = yield from (trial.creating() if trial.creates else trial.changing())
        if verdict.outcome is Outcome.VULNERABLE or trial.tried:
            return verdict
    return verdict


class _Trial:
    """One request that keeps an object. view: the object that it sends. reader: of what it kept. tried: whether anything was set.

    surely: no other view of the request is left; else an object that shows nothing of this one may be that of another.
    by_schema: it is a GraphQL mutation, which takes nothing that its schema does not name; so that nothing made up is sent.
    held: what the object was seen with after that, whether it is a finding or not. ruling: roles for which the schema
    lists one that rules.
    """

    def __init__(self, situation: Situation, view: View, *, surely: bool) -> None:
        self.situation = situation
        self.request: Request = situation.baseline.request
        self.view = view
        self.body = view.inner
        self.by_schema = operation_of(self.request) is not None
        self.surely = surely or self.by_schema
        self.creates = self.request.method.upper() == "POST" and not changes_what_is_there(self.request)
        self.made_up = self._mark(10)
        self.reader = ObjectReader(self.request, creates=self.creates)
        self.held: list[Property] = []
        self.ruling: set[str] = set()
        self.low = shared_roles(situation.identities)
        self.tried = self.keeps_anything = False

    def changing(self) -> _Deciding:
        """An object that is there: read, changed, read again, and put back."""
        properties = yield from self._learned_of_old()
        if not properties:
            return self._safe("no privileged property is shown that the request does not set")
        exchange, taken = yield from self._assigned(self.body, properties)
        if not taken:
            yield from self._leave_as_it_was()
            return self._safe("the properties are not taken")
        if self.by_schema and not (yield from self._stays(taken)):
            yield from self._leave_as_it_was()
            return self._safe("the answer repeats what was sent")
        old = [each._replace(new=each.old) for each in taken]
        back = yield from ask(self._sending(with_properties(self.body, old)), "confirm")
        after = yield from self.reader.kept(back, self.body)
        restored = len(holds(after.shown, old)) == len(taken)
        if not restored and (yield from self._moves(taken)):
            return self._safe("the properties change by themselves")
        more = "" if restored else " The old value could not be put back by the same way: do so by hand."
        return self._vulnerable(exchange, taken, more)

    def _stays(self, taken: list[Property]) -> Generator[TestRequest, Answer, bool]:
        """Whether the recorded request, which sets none of it, is answered with what was taken."""
        kept = yield from self.reader.kept((yield from ask(self.request, "control")), self.body)
        return len(holds(kept.shown, taken)) == len(taken)

    def _leave_as_it_was(self) -> Generator[TestRequest, Answer, None]:
        """What is no finding was set all the same: an object that keeps just anything gets its old values again."""
        if self.held:
            old = [each._replace(new=each.old) for each in self.held]
            yield from ask(self._sending(with_properties(self.body, old)), "confirm")

    def creating(self) -> _Deciding:
        """A new object: made with the properties, and once more without."""
        properties = yield from self._learned_for_new()
        if not properties:
            return self._safe("no privileged property is shown that the request does not set")
        fresh = made_unique(self.body, self._mark(6))
        exchange, taken = yield from self._assigned(fresh, properties)
        if not taken:
            yield from self._name_as_before(exchange, fresh)
            return self._safe("the properties are not taken")
        other = made_unique(self.body, self._mark(6))
        plain = yield from ask(self._sending(other), "confirm")
        kept = yield from self.reader.kept(plain, other)
        if kept.shown is None:
            return self._safe("the same without the properties shows no object")
        if holds(kept.shown, taken):
            return (yield from self._put_back(exchange, taken))
        return self._vulnerable(exchange, taken, " The object that was made so is still there.")

    def _name_as_before(self, exchange: Exchange, fresh: Object) -> Generator[TestRequest, Answer, None]:
        """A POST that changed what is there, as one's own account, gave it the name of a new one."""
        recorded, shown = self._recorded() or {}, kept_as(response_of(exchange), fresh) or {}
        if fresh != self.body and any(name in shown and shown[name] == recorded.get(name) for name in IDENTIFIERS):
            yield from ask(self.request, "confirm")

    def _put_back(self, exchange: Exchange, taken: list[Property]) -> _Deciding:
        """A POST that changes what is there keeps what it is not told: the old values, sent in the same way, must be kept too."""
        old = [each._replace(new=each.old) for each in taken]
        back = yield from ask(self._sending(with_properties(self.body, old)), "confirm")
        after = yield from self.reader.kept(back, self.body)
        if len(holds(after.shown, old)) < len(taken) or holds(after.shown, taken):
            return self._safe("the same without the properties shows the same values")
        return self._vulnerable(exchange, taken, "")

    def _sending(self, values: Object) -> Request:
        return sending(self.request, self.view.wrap(values))

    def _assigned(
        self, body: Object, properties: list[Property]
    ) -> Generator[TestRequest, Answer, tuple[Exchange, list[Property]]]:
        """What of it is taken: all at once beside the made-up one; where that is refused, one by one."""
        self.tried = True
        exchange = self.situation.baseline.exchange
        if not self.by_schema:
            everything = {**with_properties(body, properties, self.made_up), self.made_up: self.made_up}
            exchange = yield from ask(self._sending(everything))
            if is_carried_out(response_of(exchange)):
                return exchange, (yield from self._taken(exchange, body, properties))
            yield from self._mend(exchange, body, properties)
        else:
            properties = yield from self._in_words_of_the_schema(properties)
        for each in in_words_of_refusal(response_of(exchange), properties)[:_MOST_ALONE]:
            exchange = yield from ask(self._sending(with_properties(body, [each])))
            if is_carried_out(response_of(exchange)) and (taken := (yield from self._taken(exchange, body, [each]))):
                return exchange, taken
            yield from self._mend(exchange, body, [each])
        return exchange, []

    def _mend(self, exchange: Exchange, body: Object, sent: list[Property]) -> Generator[TestRequest, Answer, None]:
        """What broke over a value may have kept it all the same, and break wherever it is shown: the old values again."""
        if not self.creates and response_of(exchange).status >= FIRST_SERVER_ERROR:
            old = [each._replace(new=each.old) for each in sent]
            yield from ask(self._sending(with_properties(body, old)), "confirm")

    def _in_words_of_the_schema(self, properties: list[Property]) -> Generator[TestRequest, Answer, list[Property]]:
        """The same, and roles as the schema calls those who rule: a value that it does not list is refused unread."""
        asked = asking_for_values(self.request, self.body) if any(map(may_be_listed, properties)) else None
        if asked is None:
            return properties
        response = response_of((yield from ask(asked, "control")))
        values = {each.name: ruling_value(response, each) for each in properties if may_be_listed(each)}
        self.ruling = {name for name, value in values.items() if value}
        return [each._replace(new=values.get(each.name) or each.new) for each in properties]

    def _taken(
        self, exchange: Exchange, body: Object, properties: list[Property]
    ) -> Generator[TestRequest, Answer, list[Property]]:
        """What the kept object shows, and some time later still does: an application may show what it was asked for until
        it looks at it.
        """
        kept = yield from self.reader.kept(exchange, body)
        taken = yield from self._believed(kept, properties)
        if taken and kept.read:
            later = yield from self.reader.kept(exchange, body, LATER)
            taken = holds(later.shown, taken) if later.read else []
        return (yield from self._of_others_too(taken, kept.shown or {}))

    def _of_others_too(self, taken: list[Property], shown: Object) -> Generator[TestRequest, Answer, list[Property]]:
        """Without what its owner may set, unless a page lists such things of several people, or for everybody."""
        his_own = [each for each in taken if is_his_own(self.situation, each, shown)]
        for page in lists_of_such(self.situation)[:_MOST_LISTS] if his_own else []:
            response = response_of((yield from ask(asking(self.request, page), "control")))
            his_own = [each for each in his_own if not (page.visited or is_of_several(response, each.name))]
        return [each for each in taken if each not in his_own]

    def _believed(self, kept: Kept, properties: list[Property]) -> Generator[TestRequest, Answer, list[Property]]:
        """What an object shows; where it keeps just anything, what is shown to a request of its own, or a change that
        does not set it, and is a right whatever else it holds.
        """
        if kept.shown is None:
            return []
        self.held = holds(kept.shown, properties)
        if self.by_schema:
            return [each for each in self.held if is_sure(each, self.low) or each.full_name in self.ruling]
        anything = self.made_up in kept.shown
        self.keeps_anything = anything or any(keeps(kept.shown, each, self.made_up) for each in properties)
        doubtful = [each for each in self.held if anything or keeps(kept.shown, each, self.made_up)]
        sure = [each for each in doubtful if is_sure(each, self.low)]
        if sure and not kept.read and (self.creates or not (yield from self._stays(sure))):
            sure = []
        return [each for each in self.held if each not in doubtful or each in sure]

    def _learned_of_old(self) -> Generator[TestRequest, Answer, list[Property]]:
        """From the object as it is read at the same address; else from the recorded answer; else from pages that show it."""
        own = reading(self.request, self.request.target)
        # Links delete, too, and without the value that names what is meant perhaps everything.
        asks = not self.by_schema and not deletes(own)
        shown = (yield from self.reader.read(own, self.body)) if asks else None
        known = shown if shown is not None else self._recorded()
        found = self._learn(known) if known else []
        if found:
            self.reader.asked = own if shown is not None else None
            return found
        for page in self._pages():
            shown = yield from self.reader.read(page, self.body)
            found = self._learn(shown) if shown is not None else []
            if found:
                self.reader.asked = page
                return found
        return []

    def _learn(self, shown: Object) -> list[Property]:
        found = assignable(self.situation, shown, self.body) if self.surely or self.view.fits(shown) else []
        low = [] if self.creates or self.by_schema else raised(self.situation, shown, self.body)
        return [*low, *(each for each in found if not self.view.sets(each.name))]

    def _pages(self) -> list[Request]:
        return [asking(self.request, page) for page in self.situation.pages[:_MOST_PAGES]]

    def _learned_for_new(self) -> Generator[TestRequest, Answer, list[Property]]:
        """From the recorded answer; else from pages nearby that show such objects, where the new one will be read."""
        recorded = self._recorded()
        found = self._learn(recorded) if recorded else []
        if found:
            return found
        for page in self._pages():
            response = response_of((yield from ask(page, "control")))
            for alike in of_its_kind(response, self.body):
                found = self._learn(alike)
                if found:
                    self.reader.asked = page
                    return found
        return []

    def _moves(self, taken: list[Property]) -> Generator[TestRequest, Answer, bool]:
        """Whether what was taken shows other values now, though nothing was sent since."""
        if self.reader.asked is None:
            return True
        shown = yield from self.reader.read(self.reader.asked, self.body)
        return len(holds(shown, taken)) < len(taken)

    def _recorded(self) -> Object | None:
        response = self.situation.baseline.response
        return kept_as(response, self.body) or only_one(objects_in(response)) if response is not None else None

    def _mark(self, length: int) -> str:
        return fresh_letters(self.situation.random, length)

    def _made_up(self) -> str:
        if self.by_schema:
            return "The schema names the property for whoever asks."
        if self.keeps_anything:
            return f"The object keeps whatever is sent, {self.made_up!r} too, and is shown with it afterwards."
        return "A made-up property is not kept."

    def _safe(self, detail: str) -> Verdict:
        return safe(TYPE, self.situation.point, detail)

    def _vulnerable(self, exchange: Exchange, taken: list[Property], more: str) -> Verdict:
        told = ", ".join(f"{each.full_name} = {each.new!r} (before: {each.old!r})" for each in taken)
        recorded = self.situation.baseline.exchange
        self.situation.memory.told.add((TYPE, self.request.origin, self.request.path.decode("latin-1")))
        return vulnerable(
            ENTRY,
            self.situation.point,
            detail=told,
            threat=THREAT,
            test=exchange,
            control=recorded,
            verified_by=(
                f"Properties that the request does not set were added to it and taken: {told}. {self._made_up()} "
                f"The same request with the old values, or without them, does not show the new ones.{more}"
            ),
        )


def applies(situation: Situation) -> bool:
    """Requests that keep an object and were answered well; what signs in or out, or changes a password, is left alone."""
    request, response = situation.baseline.request, situation.baseline.response
    if is_safe(request) or request.method.upper() not in ("POST", "PUT", "PATCH"):
        return False
    asked = re.sub(r"[-_]", "", f"{request.path.decode('latin-1')}/{procedure_of(request)}".lower())
    if any(word in asked for word in _ENDS) or response is None or response.status >= FIRST_ERROR:
        return False
    if operation_of(request) is not None and is_privileged(request, situation.credentials):
        return False  # who rules others may have an input of his own to do so
    return bool(views_of(request)) and not only_reads(request)


def forecast(situation: Situation) -> int:
    """What it costs where nothing privileged is shown: a look at the object, or at the pages nearby."""
    if situation.baseline.request.method.upper() != "POST":
        return 1 + min(_MOST_PAGES, len(situation.pages))
    return min(_MOST_PAGES, len(situation.pages))


ENTRY = Entry(
    type=TYPE,
    title="Mass assignment",
    cwe=(CWE,),
    owasp=("A08:2021",),
    owasp_api=("API3:2023",),
    why=(
        "A caller sets what only the application should: his role, his balance, whose the object is. It takes one more "
        "word in a request that everybody may send."
    ),
    remediation=(
        "List the properties that each request may set, for each rank, and drop or refuse all others. Never bind a whole "
        "request to an object of the database. Set roles, owners and amounts by functions of their own that check rights."
    ),
)
PROBE = Probe(type=TYPE, entry=ENTRY, whole=True, applies=applies, forecast=forecast, run=concluding(TYPE, _dialogue))
