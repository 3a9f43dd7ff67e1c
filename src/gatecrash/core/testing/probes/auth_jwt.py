"""Tokens that anybody can make: a verifier of JSON Web Tokens that takes what nobody who may has signed.

What it finds
    Signatures that are not looked at, left out, compared in part, of nothing but zeros on a curve, or kept while the
    payload changes; `alg` none in its casings, or left out (`thorough`); a public key taken for a shared secret (RS256
    to HS256); keys that the token brings along (`jwk`, `x5c`), says where to fetch (`jku`, `x5u`, by a listener that
    the target can reach), or names so that a file or a statement gives it (`kid`); shared keys that are common words
    (or what base64 makes of one, which some libraries take a key's text for), words of the application's own, or told
    by an answer; expired tokens and tokens that are not yet valid.

Why it matters
    Who can write a token is whom he likes, with the rights that he likes, for as long as he likes.

How it decides
    The credentials that detection found, the values in query and body (`?token=`, an argument of a GraphQL query), and
    other cookies are searched for tokens with three parts. Where detection did not find one, one with invented claims
    must not be answered in the same way. The baseline is asked once more and must be answered well (methods that change
    something are not repeated: their recorded answer stands); the same with the token garbled must be refused (if need
    be without the other credentials beside it), else the token is not checked at all, and that is the probe `auth`'s to
    tell. Then forged tokens with the very same claims are sent, one mistake each: one that is answered as the good one
    is sent a second time, and the garbled one as well, which must still be refused. Common words, and those of the
    answer, of known addresses and what the application calls itself, are tried against the signature here, without
    requests, as is what fitted another token of the host, and what any of its answers tells as a key or a secret; a
    word that fits must sign a new token that is taken. The public key is the one among those that any recorded answer
    tells (PEM, certificates, JSON) which verifies the token; else it is read from the token or, once in a run, from the
    usual addresses of the same host (`/jwks`, the `jwks_uri` of its metadata), of the service behind it
    (`/users/.well-known/jwks.json`) and of the token's issuer. Times are tried with tokens forged
    in a way that is known to be taken; a recorded token that has expired and still works needs none. Once signatures
    mean nothing, nothing else is asked. All mistakes of one token are one finding, named after the gravest. No forged
    claim is changed but the times.

Known misses
    Secrets that are not on the list and that no recorded answer tells. Public keys that are neither published where they are
    looked for nor told by a recorded answer. Other flaws of elliptic-curve
    implementations. Encrypted tokens. A `kid` that is put into something else than a path or a quoted statement, or of a service
    whose tokens have none. Links whose claims are shown and believed, whoever they are of.

Standards and references
    CWE-347, CWE-345, CWE-1391 (weak keys), CWE-522 (keys given away), CWE-613 (expiry), CWE-22 and CWE-89 (kid); RFC 7515,
    RFC 7519, RFC 8725 (best current practices); OWASP Top 10:2021 A07; OWASP API Security Top 10:2023 API2 Broken Authentication.
"""

from collections.abc import Generator
from typing import NamedTuple

from gatecrash.core.errors import UserError
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.rewrite import rewrite
from gatecrash.core.points.walk import read
from gatecrash.core.testing.asking import ask_raw, concluding, put, response_of
from gatecrash.core.testing.authorization.callers.credentials import garble, with_only
from gatecrash.core.testing.authorization.openness.access import Access, may_be_repeated, sample_repeatable
from gatecrash.core.testing.authorization.tokens.jwt_forging import (
    EMPTY_KEY,
    EXPIRED,
    IGNORED,
    KID_PATH,
    MISTAKES,
    REFERRED,
    Forgery,
    confused_forgeries,
    count_of,
    garbled_signature,
    half_signature,
    key_forgeries,
    referred_token,
    timed_forgeries,
    unsigned_forgeries,
    weak_forgery,
)
from gatecrash.core.testing.authorization.tokens.jwt_public_keys import ASYMMETRIC, public_keys
from gatecrash.core.testing.authorization.tokens.jwt_secrets import weak_secret, words_in, words_of
from gatecrash.core.testing.authorization.tokens.known_words import remember, words_known
from gatecrash.core.testing.authorization.tokens.own_names import keys_of, names_known, names_of
from gatecrash.core.testing.authorization.tokens.tokens_within import Bearer, bearers, invented, only_shows
from gatecrash.core.testing.entry import Entry
from gatecrash.core.testing.oracles.body import text_of
from gatecrash.core.testing.oracles.dated import dated
from gatecrash.core.testing.out_of_band import proven, strongest
from gatecrash.core.testing.policy import is_thorough
from gatecrash.core.testing.probe import Answer, Dialogue, Probe, Situation, TestRequest
from gatecrash.core.testing.verdict import Inconclusive, Outcome, Verdict, inconclusive, safe, vulnerable

TYPE = "auth"
_MOST_TOKENS = 2
# Clocks differ, and verifiers grant some leeway.
_LEEWAY = 600.0
_LURES = (71, 72)
_PATIENCE = 2.0
_MORE_ROUNDS = 8

_Sending = Generator[TestRequest, Answer, Exchange | None]


class _Taken(NamedTuple):
    """A forgery that was taken, and the exchange that shows it."""

    forgery: Forgery
    exchange: Exchange


_Taking = Generator[TestRequest, Answer, _Taken | None]


def _dialogue(situation: Situation) -> Dialogue:
    access = Access(situation, (yield from sample_repeatable(situation, 1)))
    access.check_comparable()
    # What was sent last holds the token that is good now, where a session was renewed.
    request = access.control.request if access.safe else access.request
    verdict = safe(TYPE, situation.point, "no forged token is taken")
    for bearer in bearers(request, situation.credentials)[:_MOST_TOKENS]:
        told = yield from _Trial(access, request, bearer).verdict()
        if told.outcome is Outcome.VULNERABLE:
            return told
        if told.outcome is Outcome.INCONCLUSIVE:
            verdict = told
    return verdict


class _Trial:
    """One token of one baseline under question."""

    def __init__(self, access: Access, request: Request, bearer: Bearer) -> None:
        self.access = access
        self.request = request
        self.bearer = bearer
        self.random = access.situation.random
        self.thorough = is_thorough(access.situation.policy)
        self.taken: list[_Taken] = []
        self.rounds = 1

    def verdict(self) -> Generator[TestRequest, Answer, Verdict]:
        """All that is wrong with the token's verifier, as one verdict."""
        point = self.bearer.point
        control = yield from self._send(self._garbled(), "control")
        if control is None:
            return safe(TYPE, point, "no other token can be written where this one stands")
        if (yield from self.access.admits(control)):
            # Something else may let the caller in beside it.
            alone = yield from self._alone()
            if alone is None:
                return safe(TYPE, point, "a garbled token is as good: what is given to anybody is told elsewhere")
            control = alone
        if not self.access.refuses(control):
            # Another content may be chance where pages move; chance does not follow one of many tokens so often.
            self.rounds = _MORE_ROUNDS
        if not self.access.safe and self._has_expired(control):
            detail = "the recorded token has expired since, so a refusal would tell nothing"
            return inconclusive(TYPE, point, Inconclusive.SESSION, detail)
        if (point[0] != "header" or not self._is_known()) and (yield from self._only_shown()):
            return safe(TYPE, point, "tokens are taken apart here, whoever they are of")
        referred = yield from self._mistakes()
        if self.taken:
            return self._vulnerable(control)
        return referred or safe(TYPE, point, "no forged token is taken")

    def _is_known(self) -> bool:
        """Whether detection found a credential there."""
        return self.bearer.point in self.access.situation.credentials

    def _only_shown(self) -> Generator[TestRequest, Answer, bool]:
        """Whether one of nobody's claims is answered in the same way."""
        other = yield from self._send(invented(self.bearer.token, self.random), "control")
        return other is None or (not self.access.refuses(other) and only_shows(self.access.good, response_of(other)))

    def _alone(self) -> _Sending:
        """The garbled token's answer where it is refused without the other credentials, and the good one alone is not."""
        request = with_only(self.request, self.access.situation.credentials, self.bearer.point)
        if request == self.request or not self.access.as_good((yield from ask_raw(request, "control"))):
            return None
        self.request = request
        control = yield from self._send(self._garbled(), "control")
        return None if control is None or (yield from self.access.admits(control)) else control

    def _mistakes(self) -> Generator[TestRequest, Answer, Verdict | None]:
        """Try everything, the likeliest first; the verdict of a fetch from our listener where there was one."""
        token = self.bearer.token
        yield from self._signature()
        if not any(taken.forgery.mistake is IGNORED for taken in self.taken):
            yield from self._tried(unsigned_forgeries(token, thorough=self.thorough))
            yield from self._weak()
            yield from self._tried(key_forgeries(token, thorough=self.thorough))
            yield from self._confused()
        if self.access.safe and self._has_expired(self.access.control):
            yield from self._expired()
        else:
            forged = [taken.forgery for taken in self.taken if taken.forgery.forge is not None]
            yield from self._tried(timed_forgeries(forged[0], token) if forged else [])
        return (yield from self._referred()) if not self.taken else None

    def _signature(self) -> Generator[TestRequest, Answer, None]:
        """Whoever takes a signature of which one half is wrong may look at none of it; whoever refuses it refuses all others."""
        yield from self._tried([half_signature(self.bearer.token)])
        partly, self.taken = self.taken, []
        if partly:
            yield from self._tried([garbled_signature(self.bearer.token)])
            self.taken = self.taken or partly

    def _tried(self, forgeries: list[Forgery]) -> Generator[TestRequest, Answer, None]:
        """Try forgeries in order; one of a kind that was taken spares the others of its kind, and what it explains."""
        for forgery in forgeries:
            known = {taken.forgery.mistake for taken in self.taken}
            if forgery.mistake not in known and not (forgery.mistake is KID_PATH and EMPTY_KEY in known):
                taken = yield from self._try(forgery)
                if taken is not None:
                    self.taken.append(taken)

    def _try(self, forgery: Forgery) -> _Taking:
        """Whether a forgery is taken, again and again, while a garbled token is not."""
        good = yield from self._send(forgery.write(self.random))
        if good is None or not (yield from self.access.admits(good)):
            return None
        for _ in range(self.rounds):
            control = yield from self._send(self._garbled(), "control")
            if control is None or self.access.as_good(control):
                return None
            good = yield from self._send(forgery.write(self.random), "confirm")
            if good is None or not self.access.as_good(good):
                return None
        return _Taken(forgery, good)

    def _weak(self) -> Generator[TestRequest, Answer, None]:
        token = self.bearer.token
        told = " ".join([*self._paths(), text_of(self.access.good)])
        # The next session's token may go where no answer holds the word that fitted this one.
        memory, origin = self.access.situation.memory.told, self.request.origin
        named = keys_of((*names_known(memory, origin), *names_of(self.request, token)))
        word = weak_secret(
            token, (*words_known(memory, origin), *words_of(self.request.host, token), *words_in(told), *named)
        )
        if word is not None:
            remember(memory, origin, word, fits=True)
            yield from self._tried([weak_forgery(token, word)])

    def _paths(self) -> list[str]:
        """The addresses that are known of the target; of what stands in them most are its own words."""
        asked = (self.request, *(page.request for page in self.access.situation.pages))
        return [each.path.decode("latin-1") for each in asked]

    def _confused(self) -> Generator[TestRequest, Answer, None]:
        """Sign with what the server publishes, where its tokens are signed with a key pair."""
        token = self.bearer.token
        if token.algorithm.startswith(ASYMMETRIC):
            found = yield from public_keys(self.access.situation, self.request, token)
            yield from self._tried(confused_forgeries(token, found.keys, thorough=self.thorough, texts=found.texts))

    def _expired(self) -> Generator[TestRequest, Answer, None]:
        """The recorded token itself has expired: it must not be good a second time."""
        again = yield from ask_raw(self.request, "confirm")
        if self.access.as_good(again):
            value = read(self.request, self.bearer.point) or b""
            self.taken.append(_Taken(Forgery(EXPIRED, lambda _random: value), again))

    def _referred(self) -> Generator[TestRequest, Answer, Verdict | None]:
        """Ask with a token that says where its key is; a listener sees whether that is fetched."""
        oob = self.access.situation.oob
        if oob is None or not oob.listening.reaches(self.request.host):
            return None
        jku, x5u = (oob.url(number) for number in _LURES)
        request = self._with(referred_token(self.bearer.token, jku, x5u, self.random))
        if request is None:
            return None
        meant = Verdict(
            outcome=Outcome.VULNERABLE,
            type=TYPE,
            point=tuple(self.bearer.point),
            threat=REFERRED.threat,
            cwe=(REFERRED.cwe,),
            title=REFERRED.title,
        )
        lures = tuple(oob.lure(number, meant, dns_threat=40) for number in _LURES)
        answer = yield TestRequest(request, raw=True, lures=lures, patience=_PATIENCE)
        for lure in lures:
            hit = strongest(lure, answer.hits)
            if hit is not None:
                return proven(lure, hit, answer.exchange)
        return None

    def _send(self, token: bytes, purpose: str = "test") -> _Sending:
        request = self._with(token)
        return None if request is None else (yield from put(TestRequest(request, purpose, raw=True)))

    def _with(self, token: bytes) -> Request | None:
        try:
            return rewrite(self.request, self.bearer.point, self.bearer.before + token)
        except UserError:
            return None

    def _garbled(self) -> bytes:
        """Parts of the same length and letters, which not even the header can be read from."""
        return b".".join(garble(part, self.random) for part in self.bearer.token.parts)

    def _has_expired(self, exchange: Exchange) -> bool:
        """Whether the token was past its time when the exchange took place."""
        expires, now = self.bearer.token.expires, _moment(exchange)
        return expires is not None and now is not None and expires + _LEEWAY < now

    def _vulnerable(self, control: Exchange) -> Verdict:
        taken = sorted(
            self.taken, key=lambda each: (-each.forgery.mistake.threat, MISTAKES.index(each.forgery.mistake))
        )
        worst = taken[0]
        names = "; ".join(each.forgery.mistake.title for each in taken)
        told = "; ".join(each.forgery.told for each in taken)
        return vulnerable(
            ENTRY,
            self.bearer.point,
            detail=names,
            threat=worst.forgery.mistake.threat,
            cwe=tuple(dict.fromkeys(each.forgery.mistake.cwe for each in taken)),
            title=worst.forgery.mistake.title,
            test=worst.exchange,
            control=control,
            verified_by=(
                f"With a token of the same claims that nobody issued, the answer says all that the baseline's says, "
                f"twice, while a garbled token is refused. The token: {told}."
            ),
        )


def _moment(exchange: Exchange) -> float | None:
    """When an exchange took place: by our clock, or where there is none by the answer's Date."""
    return exchange.started or dated(response_of(exchange))


def applies(situation: Situation) -> bool:
    """Where a credential or another value is a signed token; OPTIONS is answered to everybody by design."""
    request = situation.baseline.request
    return request.method.upper() != "OPTIONS" and bool(bearers(request, situation.credentials))


def forecast(situation: Situation) -> int:
    """One good answer where it may be asked for; each token garbled, then forged in each way that fits it. Public keys are
    asked for once in a run.
    """
    request = situation.baseline.request
    asked = int(may_be_repeated(request))
    thorough = is_thorough(situation.policy)
    for bearer in bearers(request, situation.credentials)[:_MOST_TOKENS]:
        asked += 1 + (bearer.point[0] != "header") + count_of(bearer.token, thorough=thorough)
        asked += bearer.token.algorithm.startswith(ASYMMETRIC)
    return asked


ENTRY = Entry(
    type=TYPE,
    title="Forged tokens are accepted",
    cwe=tuple(dict.fromkeys(mistake.cwe for mistake in MISTAKES)),
    owasp=("A07:2021",),
    owasp_api=("API2:2023",),
    why=(
        "A token is all that tells the service who is asking. Whoever can make one is any user, administrators included, "
        "and no password, lock or log-out stands in the way."
    ),
    remediation=(
        "Verify every token with one fixed algorithm and a key of your own configuration, never with what the token "
        "says: pass the list of allowed algorithms to the library, ignore jwk, jku and x5u, look kid up in a fixed table. "
        "Use a random key of at least 256 bits, or a key pair. Check exp and nbf, and keep tokens short-lived."
    ),
)
PROBE = Probe(
    type=TYPE,
    name="jwt",
    entry=ENTRY,
    whole=True,
    applies=applies,
    forecast=forecast,
    run=concluding(TYPE, _dialogue),
)
