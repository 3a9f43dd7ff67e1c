"""What a form needs made anew before it is sent: its one-time token, and the steps of a flow that lead to it.

A token that belongs to the session is fetched once for each session, and again where a request is answered as one with a
stale token is. Whether it is good for one request only is asked for once: the same request a second time with the same
token. Where it is, all requests of the session are sent one after the other, each right after its own token was fetched,
because the page that hands out one token takes back the one before.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from operator import ne
from typing import Final

import msgspec

from gatecrash.core.auth.set_cookie import issued
from gatecrash.core.message import Exchange, Request, Response, reading
from gatecrash.core.point import Point
from gatecrash.core.points.walk import read
from gatecrash.core.statuses import FIRST_ERROR, FIRST_REDIRECT
from gatecrash.core.testing.authorization.callers.credentials import COOKIE
from gatecrash.core.testing.baseline import Baseline
from gatecrash.core.testing.effects.methods import is_safe
from gatecrash.core.testing.forms.sources import FormSources, Token
from gatecrash.core.testing.forms.tokens import cookies_of, is_called_token
from gatecrash.core.testing.forms.values import handed_out, value_for
from gatecrash.core.testing.known.page import landing_of
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.difference import read as reading_of
from gatecrash.core.testing.oracles.difference import same_but_for_numbers
from gatecrash.core.testing.oracles.outcomes.refused import refusal
from gatecrash.core.testing.probe import Answer, TestRequest
from gatecrash.core.testing.profiles.dressing import put_all
from gatecrash.node.test.sessions.gate import SessionGate

MOST_VAIN: Final = 3
"""So many fresh tokens may help nothing; then refusals of this kind are taken for the application's opinion of payloads."""

MOST_VAIN_AT_ALL: Final = 12
"""The same of all kinds together; what stale tokens alone are told is still asked again."""

MOST_TRIES: Final = 5
"""Answered requests that are tried to tell by whether a token is good for one request only."""

MOST_UNLIKE: Final = 3
"""After so many pairs of unlike answers a token is taken for good once: to fetch it each time is slower, and never wrong."""

MOST_STEPS: Final = 3
# 419 and 422 are what frameworks answer to stale tokens, 409 and 428 what steps of a flow are told that miss one before.
_STALE: Final = frozenset({403, 419, 422})
_OUT_OF_TURN: Final = frozenset({400, 409, 422, 428})
_START: Final = 2000

Values = Mapping[Point, bytes]
_Kind = tuple[int, bytes]
Send = Callable[[Request], Awaitable[Answer]]


class Forms:
    """What the baselines of a run share: where tokens come from, and the gates of the sessions that use any."""

    def __init__(self) -> None:
        self.sources = FormSources()
        self._lasting: set[tuple[object, tuple[str, ...]]] = set()
        # Whether any session has a gate: most runs have none.
        self.gated = False
        self._gates: dict[object, SessionGate] = {}

    def gate_of(self, session: object) -> SessionGate:
        """The session's gate, made where there is none yet."""
        self.gated = True
        return self._gates.setdefault(session, SessionGate())

    def gate(self, session: object) -> SessionGate | None:
        """The same; None where nothing of the session needs any."""
        return self._gates.get(session)

    def note(self, session: object, tokens: tuple[Token, ...], *, once: bool) -> None:
        """How long these tokens are good was seen."""
        if once:
            self.gate_of(session).always_alone = True
        else:
            self._lasting.add((session, _called(tokens)))

    def lasts(self, session: object, tokens: tuple[Token, ...]) -> bool:
        """Whether tokens that are called so were good more than once."""
        return (session, _called(tokens)) in self._lasting


class FormState:
    """One baseline's form. session: whose requests it shares its tokens with. send: sends in that session.

    generation: of the session; a new one has other tokens.
    """

    def __init__(
        self, baseline: Baseline, forms: Forms, session: object, send: Send, generation: Callable[[], int]
    ) -> None:
        self._recorded = baseline.exchange
        self._request = baseline.request
        self._forms = forms
        self._session = session
        self._send = send
        self._generation = generation
        found, crumbs = forms.sources.tokens(baseline.request), cookies_of(baseline.request).values()
        # What repeats a cookie is right as long as both are the same.
        self._tokens = tuple(token for token in found if token.value not in crumbs)
        self._cookies = frozenset(cookies_of(baseline.request))
        self._values: Values = {}
        self._fetched = -1
        # Refusals of each kind that fresh tokens did not help.
        self._vain: dict[_Kind, int] = {}
        self._tries = 0
        self._once = False
        # Whether the steps before are gone through for each request.
        self._leads = False

    @property
    def needed(self) -> bool:
        """Whether there is anything to make anew."""
        return bool(self._tokens) or self._is_led_to

    async def send(self, asked: TestRequest) -> Answer:
        """One test request with values that are good now. What a probe put in a token's place stays."""
        request, gate = asked.request, self._forms.gate_of(self._session)
        if not self._is_intact(request) and not (asked.purpose == "test" and self._is_written_in_its_path(request)):
            other = self._of_another(asked)
            if other is None:
                async with gate.together():
                    return await self._shown(request)
            async with gate.alone():
                return await other.send_afresh(request)
        if self._is_told:
            async with gate.together():
                return await self._kept(request)
        async with gate.alone():
            if self._once or (self._tokens and gate.always_alone):
                return await self._each(request)
            answer = await self._kept(request)
            # Another may have found it out while this one waited.
            if asked.purpose == "test" and self._is_as_recorded(answer) and not self._is_told:
                answer = await self._ask_again(request, answer)
            return answer

    async def _shown(self, request: Request) -> Answer:
        """Another question of the session. A page that hands out the form's values, as one that a probe is led to, may have taken
        those of before back: its own hold now.
        """
        answer = await self._send(request)
        response = answer.exchange.response
        if response is not None and self._is_of_a_page(request):
            self._values = {**self._values, **self._found(response, request.target)}
        return answer

    def _is_of_a_page(self, request: Request) -> bool:
        """Whether it reads a page that hands out the form's values, in the form's own session."""
        own = is_safe(request) and request.first(b"Cookie") == self._request.first(b"Cookie")
        return bool(own and self._values) and request.target in self._forms.sources.pages(self._request, self._tokens)

    def _of_another(self, asked: TestRequest) -> "FormState | None":
        """The state of another form that a test sends beside its own, as what makes an object is; None where it has no tokens.

        What a test writes in the path is no other form.
        """
        request = asked.request
        if asked.purpose == "test" or is_safe(request) or request.path == self._request.path:
            return None
        other = FormState(Baseline("", Exchange(request)), self._forms, self._session, self._send, self._generation)
        return other if other._tokens else None

    async def send_afresh(self, request: Request) -> Answer:
        """One request with tokens that were fetched for it."""
        return await self._send(self._with(request, await self._fetch(self._send)))

    async def send_raw(self, request: Request, send: Send) -> Answer:
        """One whose answer is the probe's alone, however it refuses: only the values that hold once are those of now."""
        async with self._forms.gate_of(self._session).alone():
            if not self._is_intact(request) and not self._is_written_in_its_path(request):
                return await send(request)
            values = await self._current() if self._is_told else await self._fetch(self._send, lead=self._leads)
            return await send(self._with(request, values))

    async def fresh(self, send: Send) -> Values:
        """Values for one request in another session."""
        return await self._fetch(send)

    @property
    def _is_told(self) -> bool:
        """Whether it is known that values are good more than once, or nothing tells."""
        return not self._once and (self._tries >= MOST_TRIES or self._forms.lasts(self._session, self._tokens))

    async def _each(self, request: Request) -> Answer:
        """With values of its own; fetched once more where a request under way before took them back."""
        answer = await self._send(self._with(request, await self._fetch(self._send, lead=self._leads)))
        if self._may_be_helped(answer):
            self._vain[_kind(answer)] = self._vain.get(_kind(answer), 0) + 1
            answer = await self._send(self._with(request, await self._fetch(self._send, lead=self._is_led_to)))
        return answer

    async def _kept(self, request: Request) -> Answer:
        """With the values of before, while they are taken."""
        answer = await self._send(self._with(request, await self._current()))
        if not self._may_be_helped(answer):
            return answer
        refused = _kind(answer)
        for lead in (False, True):
            if self._is_led_to if lead else self._tokens:
                self._values = await self._fetch(self._send, lead=lead)
                answer = await self._send(self._with(request, self._values))
                if not self._is_stale(answer) or self._says_more(refused, _kind(answer)):
                    self._vain.pop(refused, None)
                    self._once, self._leads = self._once or lead, self._leads or lead
                    return answer
        self._vain[refused] = self._vain.get(refused, 0) + 1
        return answer

    async def _current(self) -> Values:
        """The values of before, unless the session is another one now."""
        if self._tokens and self._fetched != self._generation():
            self._fetched, self._values = self._generation(), await self._fetch(self._send)
        return self._values

    def _says_more(self, refused: _Kind, now: _Kind) -> bool:
        """Whether fresh tokens were taken, and what is said now is said of the payload: no stale token is told so, or fresh ones
        did not help it before.
        """
        return now != refused and (now in self._vain or (refused[0] in _STALE and now[0] not in _STALE))

    def _may_be_helped(self, answer: Answer) -> bool:
        """Whether fresh tokens are worth fetching: it is refused as stale ones are, and they were not in vain too often."""
        kind = _kind(answer)
        few = kind[0] in _STALE or sum(self._vain.values()) < MOST_VAIN_AT_ALL
        return few and self._vain.get(kind, 0) < MOST_VAIN and self._is_stale(answer)

    async def _ask_again(self, request: Request, answer: Answer) -> Answer:
        """Whether the same request is taken once more with the same values. Its first answer is what the test is told."""
        self._tries += 1
        again = await self._send(self._with(request, self._values))
        if _alike(answer, again):
            self._forms.note(self._session, self._tokens, once=False)
        elif not self._is_as_recorded(again) or self._tries >= MOST_UNLIKE:
            self._once, self._leads = True, self._is_led_to
            if self._tokens and not self._leads:
                self._forms.note(self._session, self._tokens, once=True)
        return answer

    async def _fetch(self, send: Send, *, lead: bool = False, steps: int = MOST_STEPS) -> Values:
        """The values that the pages hand out now; empty where none does. lead: the steps before are gone through first.

        What these set in cookies of the baseline goes along: many sessions are kept there whole.
        """
        kept: dict[Point, bytes] = {}

        async def keeping(request: Request) -> Answer:
            answer = await send(put_all(request, kept))
            if answer.exchange.response is not None:
                kept.update(_cookies_of(answer.exchange.response, self._cookies))
            return answer

        pages = self._forms.sources.pages(self._request, self._tokens)
        led = self._forms.sources.step_before(self._request, self._tokens) if lead and steps > 0 else None
        shown = await self._lead(keeping, led, steps - 1) if led is not None else None
        found = self._found(shown, led.request.target) if shown and led else {}
        found = found or await self._read(keeping, pages)
        return {**found, **kept} if found or (shown is not None and refusal(shown) is None) else {}

    async def _lead(self, send: Send, led: Exchange, steps: int) -> Response | None:
        """The step before, sent as it was recorded, with a token of its own; the page that it leads to."""
        step = msgspec.structs.replace(led, request=_in_the_name_of(self._request, led.request))
        before = FormState(Baseline("", step), self._forms, self._session, send, self._generation)
        values = await before._fetch(send, lead=True, steps=steps)
        response = (await send(put_all(step.request, values))).exchange.response
        landing = landing_of(step.request, response) if response is not None else None
        if landing is not None:
            response = (await send(reading(self._request, landing))).exchange.response
        return response

    async def _read(self, send: Send, pages: tuple[bytes, ...]) -> Values:
        for page in pages if self._tokens else ():
            response = (await send(self._forms.sources.reading(self._request, page))).exchange.response
            if response is None:
                continue
            if found := self._found(response, page):
                return found
        return {}

    def _found(self, response: Response, page: bytes) -> Values:
        path, own = self._request.path.decode("latin-1"), page.partition(b"?")[0].decode("latin-1")
        found: dict[Point, bytes] = {}
        for token in self._tokens:
            recorded = token.value.decode("utf-8", "replace"), token.place
            value = value_for(response, token.names, path, own, recorded)
            if value is not None:
                found[token.point] = value.encode()
        return found

    @property
    def _is_led_to(self) -> bool:
        """Whether it is a step of a flow: another request of the record led to it."""
        return self._forms.sources.step_before(self._request, self._tokens) is not None

    def _with(self, request: Request, values: Values) -> Request:
        """The request with these values wherever a probe left the baseline's alone."""
        same = {point: value for point, value in values.items() if read(request, point) == read(self._request, point)}
        return put_all(request, same)

    def _is_intact(self, request: Request) -> bool:
        """Whether it is the baseline's question, with the tokens that it was recorded with."""
        if request.method != self._request.method or request.path != self._request.path:
            return False
        return all(read(request, token.point) == token.value for token in self._tokens)

    def _is_written_in_its_path(self, request: Request) -> bool:
        """Whether it is the baseline's question with something else in one part of its path, as a test writes it there:
        `/rooms/oak'/keep`.
        """
        own, other = self._request.path.split(b"/"), request.path.split(b"/")
        if len(own) != len(other) or sum(map(ne, own, other)) != 1:
            return False
        target = self._request.path + request.target[len(request.path) :]
        return self._is_intact(msgspec.structs.replace(request, target=target))

    def _is_as_recorded(self, answer: Answer) -> bool:
        response, good = answer.exchange.response, self._recorded.response
        return (
            response is not None
            and good is not None
            and response.status == good.status
            and (response.first(b"Location") or b"").partition(b"?")[0]
            == (good.first(b"Location") or b"").partition(b"?")[0]
            and refusal(response, good) is None
        )

    def _is_stale(self, answer: Answer) -> bool:
        """Whether an answer is what a request with a stale token or without its first steps is told."""
        response, good = answer.exchange.response, self._recorded.response
        if response is None or good is None or good.status >= FIRST_ERROR or self._is_as_recorded(answer):
            return False
        if FIRST_REDIRECT <= response.status < FIRST_ERROR:
            return True
        if not self._tokens:
            return response.status in _OUT_OF_TURN
        return response.status in _STALE or (
            response.status >= FIRST_ERROR and is_called_token(text_of(response)[:_START])
        )


def _kind(answer: Answer) -> _Kind:
    """What tells refusals apart: the status, and the page that it leads to."""
    response = answer.exchange.response
    return (response.status, (response.first(b"Location") or b"").partition(b"?")[0]) if response else (0, b"")


def _called(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    return tuple(token.point[-1] for token in tokens)


def _alike(answer: Answer, again: Answer) -> bool:
    one, other = answer.exchange.response, again.exchange.response
    if one is None or other is None:
        return False
    readings = [reading_of(each, {field.value: "token" for field in handed_out(each)}) for each in (one, other)]
    return same_but_for_numbers(readings[0], readings[1])


def _cookies_of(response: Response, names: Collection[str]) -> dict[Point, bytes]:
    """The cookies of these names that an answer sets anew."""
    found: dict[Point, bytes] = {}
    for cookie in issued(response):
        called = cookie.name.decode("latin-1")
        if called in names and cookie.value:
            found[Point((*COOKIE, called))] = cookie.value
    return found


def _in_the_name_of(request: Request, step: Request) -> Request:
    """A step of the record with the session of the request that it leads to."""
    kept = tuple(pair for pair in step.headers if pair[0].lower() not in (b"cookie", b"authorization", b"host"))
    own = tuple(pair for pair in request.headers if pair[0].lower() in (b"cookie", b"authorization", b"host"))
    moved: Request = msgspec.structs.replace(
        step, headers=(*own, *kept), scheme=request.scheme, host=request.host, port=request.port
    )
    return moved
