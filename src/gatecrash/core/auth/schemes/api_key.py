"""API keys: one opaque value that names the calling application.

What it finds
    A key in a header that vendors and gateways use for it (X-API-KEY and its kin), in the default and custom
    parameters at any place, and in Authorization behind `Token`, `ApiKey`, `SSWS` or any other word that no scheme
    owns, or without a word.

Why it matters
    A key rarely expires and often stands for a whole customer. Where it travels in a query string it also ends up in
    logs and histories.

How it decides
    Visible characters without white space, and no placeholder: 8 or more in built-in and default names, 1 or more in
    names the client added. Behind an unknown word exactly one such value may follow, `token="…"` included.

Known misses
    Keys under names that are neither built in nor added. Keys shorter than 8 characters in built-in names.
    A lone opaque value in Authorization is taken for a key, whatever it really is.

Standards and references
    RFC 9110 section 11.4 (credentials); OpenAPI 3.1, security scheme type `apiKey`; the vendors' pages named beside
    each header.
"""

import re

from gatecrash.core.auth.jwt import begins_as_jwt, is_jwt
from gatecrash.core.auth.placeholders import is_placeholder
from gatecrash.core.auth.scheme import AuthType, Candidate, Judgement, Rule, Scheme
from gatecrash.core.point import Point

_VISIBLE = re.compile(rb"[!-~\x80-\xff]+")
_NAMED = re.compile(rb"""(?:token|key|api_?key)=\"?([!-~]+?)\"?""", re.IGNORECASE)
# Words of the IANA registry and of signed schemes: what follows them is never an API key, known to us or not.
_FOREIGN = re.compile(
    rb"basic|bearer|digest|dpop|gnap|hawk|hoba|mutual|negotiate|ntlm|oauth|privatetoken|vapid|signature|sharedkey"
    rb"|sharedkeylite|aws4?-.*|aws|hmac.*|.*-hmac-.*|scram-.*|kerberos"
)

_HEADERS = (
    ("X-API-KEY", "OpenAPI 3.1, the usual name of an apiKey security scheme; AWS API Gateway, usage plans"),
    ("X-APIKEY", "spelling in wide use of X-API-KEY"),
    ("API-KEY", "Azure OpenAI REST reference; New Relic NerdGraph"),
    ("API_KEY", "spelling in wide use of API-KEY"),
    ("X-AUTH-TOKEN", "OpenStack Identity API v3, authentication"),
    ("X-ACCESS-TOKEN", "SAP and others: a session's token in a header of its own"),
    ("X-AUTH-KEY", "Cloudflare API, global key"),
    ("X-GOOG-API-KEY", "Google Cloud, API keys overview"),
    ("X-FUNCTIONS-KEY", "Azure Functions, HTTP trigger keys"),
    ("X-RAPIDAPI-KEY", "RapidAPI, calling an API"),
    ("X-SHOPIFY-ACCESS-TOKEN", "Shopify Admin API, authentication"),
    ("X-VAULT-TOKEN", "HashiCorp Vault HTTP API, authentication"),
    ("X-CONSUL-TOKEN", "HashiCorp Consul HTTP API, authentication"),
    ("X-FIGMA-TOKEN", "Figma REST API, authentication"),
    ("X-POSTMARK-SERVER-TOKEN", "Postmark API overview"),
    ("PRIVATE-TOKEN", "GitLab REST API, personal access tokens"),
    ("JOB-TOKEN", "GitLab REST API, job tokens"),
    ("DD-API-KEY", "Datadog API, authentication"),
    ("DD-APPLICATION-KEY", "Datadog API, authentication"),
)


def judge(candidate: Candidate) -> Judgement | None:
    """API key where the name says so; in Authorization one opaque value behind a word that no scheme owns."""
    if candidate.word and _FOREIGN.fullmatch(candidate.word):
        return None
    value = candidate.value
    if candidate.word and (named := _NAMED.fullmatch(value)):
        value = named[1]
    return Judgement(AuthType.API_KEY, is_key(value, candidate.least))


def is_key(value: bytes, least: int) -> bool:
    """Whether the value can be an opaque key of at least that many characters."""
    if len(value) < least or not _VISIBLE.fullmatch(value) or is_placeholder(value):
        return False
    return not begins_as_jwt(value) or b"." not in value or is_jwt(value)


SCHEME = Scheme(
    type=AuthType.API_KEY,
    judge=judge,
    rules=tuple(Rule(Point.of("header", name), source) for name, source in _HEADERS),
    wordless=True,
)
