"""The parameter names that are authentication signals for every client (contract 2.2), as points in a stable order.

Header names are matched without case; all other names exactly as written, so each casing is an entry of its own.
"""

from gatecrash.core.point import Point

HEADERS = ("APIKEY", "CLIENT_SECRET", "JWT", "OCP-APIM-SUBSCRIPTION-KEY", "X-SECRET", "X-TOKEN")
# In a cookie's name this stands for any identity provider's word in capitals, as in KEYCLOAK_IDENTITY.
IDENTITY_PROVIDER = "<IDP>"
IDENTITY_COOKIE = f"{IDENTITY_PROVIDER}_IDENTITY"
COOKIES = (
    "access-token",
    "access_token",
    "auth-token",
    "Authorization",
    "jwt",
    IDENTITY_COOKIE,
    "refresh_token",
    "session-token",
)
QUERY = (
    "access_token",
    "api_key",
    "apiKey",
    "apikey",
    "Authorization",
    "authorization",
    "client_secret",
    "refresh_token",
)
FORM = ("access_token", "api_key", "apiKey", "Authorization", "authorization", "client_secret", "refresh_token")
JSON = ("access_token", "api_key", "apiKey", "client_secret", "refresh_token")

HEADER_STEPS = ("header",)
COOKIE_STEPS = ("header", "COOKIE", "cookie")
QUERY_STEPS = ("get",)
FORM_STEPS = ("post", "form_urlencoded")
JSON_STEPS = ("post", "json_doc", "json_obj")

DEFAULTS: tuple[Point, ...] = tuple(
    Point((*steps, name))
    for steps, names in (
        (HEADER_STEPS, HEADERS),
        (COOKIE_STEPS, COOKIES),
        (QUERY_STEPS, QUERY),
        (FORM_STEPS, FORM),
        (JSON_STEPS, JSON),
    )
    for name in names
)

_IDENTITY_SUFFIX = b"_IDENTITY"


def is_identity_cookie(name: bytes) -> bool:
    """Whether a cookie's name is `<ANYTHING>_IDENTITY`, in capitals."""
    return len(name) > len(_IDENTITY_SUFFIX) and name.endswith(_IDENTITY_SUFFIX) and not _has_lower(name)


def _has_lower(name: bytes) -> bool:
    return name != name.upper()
