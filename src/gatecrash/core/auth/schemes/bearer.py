"""Bearer tokens in the Authorization header.

What it finds
    `Authorization: Bearer <token>`, opaque or a JSON Web Token; a JWT alone in Authorization, without any scheme word;
    the word Bearer in front of the value of a default or custom parameter; the JWT in which a gateway says who signed in
    there; a JWT in the query as `jwt` or `auth`; the assertion that a token endpoint is sent in a form; and the token
    that a browser's page hides among the subprotocols of a WebSocket, for which it can set no other header.

Why it matters
    Whoever holds the token is the user. It is the usual guard of an API, so an endpoint whose siblings carry one and
    which does without is the first to look at.

How it decides
    The token has 8 or more visible ASCII characters without quotes or commas, and is no placeholder. What begins as a
    JWT must be one: three parts with a JSON header that names its `alg`, or the five parts of a JWE. Neither the
    signature nor `exp` is judged: an expired token still shows that the client authenticates.

Known misses
    A JWT in the query as `token`, but for WebSockets: links that confirm or invite hold such ones, and are for everybody
    who has them.
    A token shorter than 8 characters. A token that is no JWT and begins with `eyJ`, as a JSON document in base64 does, is
    judged as a JWT and fails.

Standards and references
    RFC 6750 section 2.1 (Bearer); RFC 7515 (JWS); RFC 7516 (JWE); RFC 7519 (JWT);
    RFC 7523 sections 2.1 and 2.2 (assertions); RFC 9449 section 7.1 (DPoP); RFC 6455 section 11.3.4 (subprotocols).
"""

import re

from gatecrash.core.auth.jwt import PREFIX, begins_as_jwt, is_compact, is_jwt
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Rule, Scheme, verdicts
from gatecrash.core.auth.subprotocols import names_token
from gatecrash.core.point import Point

# RFC 6750 allows fewer (b68token), yet real servers hand out tokens with `|`, `:` and the like: all but the separators.
# Quotes and commas part a list, so that what holds one is more than a token.
_TOKEN = re.compile(rb"[!#-&(-+\--~]{8,}")
# A DPoP token is a bearer token bound to a key, whose proof stands in a header of its own (RFC 9449 section 7.1).
_VERDICTS = verdicts(AuthType.BEARER)
# `JWT` is the word of frameworks older than RFC 6750's spread.
_WORDS = (b"bearer", b"dpop", b"jwt")
# Headers that a gateway adds for the application behind it.
_ASSERTIONS = (
    ("CF-ACCESS-JWT-ASSERTION", "Cloudflare Access, validating JWTs"),
    ("X-GOOG-IAP-JWT-ASSERTION", "Google Identity-Aware Proxy, signed headers"),
    ("X-AMZN-OIDC-DATA", "AWS load balancer, authenticating users"),
    ("X-AMZN-OIDC-ACCESSTOKEN", "AWS load balancer, authenticating users"),
    ("X-MS-TOKEN-AAD-ID-TOKEN", "Azure App Service, token store"),
    ("X-MS-TOKEN-AAD-ACCESS-TOKEN", "Azure App Service, token store"),
    ("X-JWT-ASSERTION", "WSO2 API Manager, passing end user attributes"),
    ("X-FORWARDED-ACCESS-TOKEN", "OAuth2 Proxy, pass-access-token"),
    ("X-AUTH-REQUEST-ACCESS-TOKEN", "OAuth2 Proxy, set-xauthrequest"),
    ("X-ID-TOKEN", "a name in wide use for an OpenID Connect ID token"),
    ("X-JWT", "a name in wide use"),
    ("X-JWT-TOKEN", "a name in wide use"),
)
_SUBPROTOCOLS = "SEC-WEBSOCKET-PROTOCOL"
# Names that say too little by themselves: only a JWT makes them a credential.
_IN_QUERY = (
    ("jwt", "a name in wide use, mostly of WebSockets and downloads, where no script sets a header"),
    ("auth", "Firebase Realtime Database REST API, authentication"),
)
_IN_FORM = (
    ("client_assertion", "RFC 7523 section 2.2"),
    ("assertion", "RFC 7523 section 2.1"),
)


def judge(candidate: Candidate) -> Judgement | None:
    """Bearer for its own word, for a lone JWT, and for a token among subprotocols; nothing else."""
    if candidate.name == _SUBPROTOCOLS:
        return _VERDICTS[True] if names_token(candidate.value) else None
    if candidate.word in _WORDS:
        return _VERDICTS[is_token(candidate.value)]
    if not candidate.word and begins_as_jwt(candidate.value):
        return _VERDICTS[is_jwt(candidate.value)]
    return None


def is_token(value: bytes) -> bool:
    """Whether the value can be a bearer token."""
    if value.startswith(PREFIX):
        return is_compact(value)
    return _TOKEN.fullmatch(value) is not None and not is_placeholder(value)


SCHEME: Scheme = Scheme(
    type=AuthType.BEARER,
    judge=judge,
    words=tuple(word.decode() for word in _WORDS),
    rules=(
        *(Rule(Point.of("header", name), source) for name, source in _ASSERTIONS),
        Rule(
            Point.of("header", _SUBPROTOCOLS), "Kubernetes API, WebSocket bearer subprotocol; in wide use by browsers"
        ),
        *(Rule(Point.of("get", name), source) for name, source in _IN_QUERY),
        *(Rule(Point.of("post", "form_urlencoded", name), source) for name, source in _IN_FORM),
    ),
    wordless=True,
)
