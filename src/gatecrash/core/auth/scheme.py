"""The contract of a scheme: a pure function from a value at a point to nothing, or to a type and a validity.

A scheme never sees the request as a whole, keeps nothing, and verifies no secret: it says what kind of credential a
value is, and whether it is well-formed. The recogniser asks it only where one of its words or rules fits.
"""

from collections.abc import Callable
from enum import StrEnum

import msgspec

from gatecrash.core.point import Point


class AuthType(StrEnum):
    """The authentication types of contract 2.1; the values are their names in JSON."""

    API_KEY = "api_key"
    AWS_SIGV4 = "aws_sigv4"
    BASIC = "basic"
    BEARER = "bearer"
    COOKIE = "cookie"
    DIGEST = "digest"
    HAWK = "hawk"
    HMAC = "hmac"
    NEGOTIATE = "negotiate"
    NTLM = "ntlm"
    SCRAM = "scram"


DISPLAY_NAMES = {
    AuthType.API_KEY: "API key",
    AuthType.AWS_SIGV4: "Cloud-provider signature v4",
    AuthType.BASIC: "Basic",
    AuthType.BEARER: "Bearer",
    AuthType.COOKIE: "Cookie-based",
    AuthType.DIGEST: "Digest",
    AuthType.HAWK: "Hawk",
    AuthType.HMAC: "HMAC signature",
    AuthType.NEGOTIATE: "Negotiate",
    AuthType.NTLM: "NTLM",
    AuthType.SCRAM: "SCRAM",
}


class Place(StrEnum):
    """The five locations of contract 2.3 at which a credential can stand."""

    HEADER = "header"
    COOKIE = "cookie"
    QUERY = "query"
    FORM = "form"
    JSON = "json"


class Kind(StrEnum):
    """What a credential's presence means.

    PROOF: it stands for itself. LEG: a handshake's first leg, which the server must answer before anything is proven.
    SESSION: a session's cookie, which proves nothing where the server hands it to everybody.
    """

    PROOF = "proof"
    LEG = "leg"
    SESSION = "session"


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A value that may be a credential.

    name: as in its point (a header's in uppercase). word: the scheme word in front of the value, in lower case; empty
    where there is none. value: what follows the word, or the whole. least: the fewest characters an opaque key needs
    here (8 for built-in and default names, 1 for custom ones). companions: values of the rule's other names at the same
    place, in the rule's order, None where absent.
    """

    place: Place
    name: str
    word: bytes
    value: bytes
    least: int = 8
    companions: tuple[bytes | None, ...] = ()


class Judgement(msgspec.Struct, frozen=True, gc=False):
    """What a scheme says of a candidate it takes for its own."""

    type: AuthType
    valid: bool
    kind: Kind = Kind.PROOF


def verdicts(kind: AuthType, means: Kind = Kind.PROOF) -> tuple[Judgement, Judgement]:
    """What a scheme says of a value of its own that is not valid, and of one that is: `VERDICTS[valid]`.

    Made once, because a member of an enumeration takes longer to look up (Python 3.11) than a value to judge.
    """
    return Judgement(kind, False, means), Judgement(kind, True, means)


class Rule(msgspec.Struct, frozen=True):
    """A place that belongs to a scheme without any configuration, such as the header X-API-KEY.

    companions: other names at the same place that the judgement needs, such as the Signature-Input beside a Signature.
    source: where the name is documented. pattern: for a header (in capitals) or a cookie, a regular expression of the
    names that the rule stands for, all of them shown as the one point, so that clients cannot make up parameters.
    """

    point: Point
    source: str = ""
    companions: tuple[str, ...] = ()
    pattern: str = ""


class Scheme(msgspec.Struct, frozen=True, kw_only=True):
    """A registered scheme.

    words: its scheme words in lower case; one that ends with `*` stands for all words that begin so, one that begins
    with it, too, for all of those left that hold what is between.
    rules: the names that are its own. wordless: it is also asked about Authorization values whose word no scheme has.
    judge: the function itself; None says that the value is not of this scheme at all.
    """

    type: AuthType
    judge: Callable[[Candidate], Judgement | None]
    words: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    wordless: bool = False
