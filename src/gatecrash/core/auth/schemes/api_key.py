"""API keys: one opaque value that names the calling application.

What it finds
    A key in a header or query parameter that vendors and gateways use for it (X-API-KEY and its kin; all that ends so,
    as X-ACME-API-KEY, is one parameter), in the default and custom parameters at any place, and in Authorization behind
    `Token`, `ApiKey`, `SSWS` or any other word that no scheme owns, or without a word.

Why it matters
    A key rarely expires and often stands for a whole customer. Where it travels in a query string it also ends up in
    logs and histories.

How it decides
    Visible characters without white space, and no placeholder: 8 or more in built-in and default names, 1 or more in
    names the client added. Behind an unknown word exactly one such value may follow, or `token="…"` among options.
    A JWT under a name of ours names a user, as it does under a default or custom name: it is Bearer.
    Query names that say too little (`key`) count only for values that look like their vendor's.

Known misses
    Keys under names that are neither built in nor added. Keys shorter than 8 characters in built-in names.
    A lone opaque value in Authorization is taken for a key, whatever it really is.

Standards and references
    RFC 9110 section 11.4 (credentials); OpenAPI 3.1, security scheme type `apiKey`; the vendors' pages named beside
    each header.
"""

import re

from gatecrash.core.auth.auth_params import auth_params
from gatecrash.core.auth.families.api_keys import HEADERS, LOOKS, QUERY
from gatecrash.core.auth.jwt import begins_as_jwt, is_jwt
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Place, Rule, Scheme, verdicts
from gatecrash.core.point import Point

_VERDICTS, _TOKENS = map(verdicts, (AuthType.API_KEY, AuthType.BEARER))
_VISIBLE = re.compile(rb"[!-~\x80-\xff]+")
# Options may follow (Rails, ActionController::HttpAuthentication::Token).
_NAMED = re.compile(
    rb"""(?:token|key|api_?key)=(?:"([^"\s]+)"|([!#-+\--:<-~]+))(?:[ \t]*[,;][ \t]*[a-z_-]+=(?:"[^"]*"|[^",;\s]*))*""",
    re.IGNORECASE,
)
# Words of the IANA registry and of signed schemes: what follows them is never an API key, known to us or not. Behind
# WSSE stands its profile, the same for all; the credential is in X-WSSE.
_FOREIGN = re.compile(
    rb"basic|bearer|digest|dpop|hawk|hoba|mutual|negotiate|ntlm|privatetoken|vapid|signature|sharedkey"
    rb"|sharedkeylite|aws4?-.*|aws|hmac.*|.*-hmac-.*|scram-.*|kerberos|wsse"
)

_QUERY = Place.QUERY
_QUERY_LOOKS = {row.name: LOOKS[row.look] for row in QUERY if row.look in LOOKS}


def judge(candidate: Candidate) -> Judgement | None:
    """API key where the name says so; in Authorization one opaque value behind a word that no scheme owns."""
    if candidate.word and _FOREIGN.fullmatch(candidate.word):
        return None
    value = candidate.value
    if candidate.place is _QUERY:
        look = _QUERY_LOOKS.get(candidate.name)
        if look and not look.fullmatch(value):
            return None
    if candidate.word:
        value = _named(value)
    elif begins_as_jwt(value) and b"." in value:
        return _TOKENS[is_jwt(value)]
    return _VERDICTS[is_key(value, candidate.least)]


def _named(value: bytes) -> bytes:
    """What stands behind the name of a key or token, where the value names its parts; else the value itself."""
    named = _NAMED.fullmatch(value)
    if named:
        return named[1] or named[2]
    parts = auth_params(value) if b"," in value else None
    return parts.get(b"token", value) if parts else value


def is_key(value: bytes, least: int) -> bool:
    """Whether the value can be an opaque key of at least that many characters."""
    if len(value) < least or not _VISIBLE.fullmatch(value) or is_placeholder(value):
        return False
    return not begins_as_jwt(value) or b"." not in value or is_jwt(value)


SCHEME: Scheme = Scheme(
    type=AuthType.API_KEY,
    judge=judge,
    rules=(
        *(Rule(Point.of("header", row.name), row.source, pattern=row.pattern) for row in HEADERS),
        *(Rule(Point.of("get", row.name), row.source) for row in QUERY),
    ),
    wordless=True,
)
