"""OAuth 2 grants in short form, written out as steps: what else a login can do holds for them too.

Standards and references
    RFC 6749 sections 2.3.1 (client password), 4.3 (password), 4.4 (client credentials), 6 (refresh); RFC 6750 section 2.1.
"""

from typing import Final
from urllib.parse import quote_plus

from gatecrash.core.testing.profiles.fields import Fields, wrong
from gatecrash.core.testing.profiles.profile import Placed, Step, Take

FIELDS: Final = (
    "grant", "token_url", "client_id", "client_secret", "username", "password", "scope", "audience", "client_auth", "extra",
)  # fmt: skip
GRANTS: Final = ("client_credentials", "password")
BEARER: Final = Placed(("header", "AUTHORIZATION"), "Bearer ${access_token}")
EXPIRES_IN: Final = "${expires_in}"


def read_grant(document: object, place: str) -> tuple[Step, Step]:
    """The step that signs in and the one that refreshes."""
    fields = Fields(document, place, "oauth2", FIELDS)
    grant = fields.one_of("grant", GRANTS)
    url = fields.text("token_url", most=4096)
    if not url.startswith(("http://", "https://", "/")):
        raise wrong(fields.at("token_url"), "is neither an http:// or https:// address nor a path that begins with /")
    login = [("grant_type", grant)]
    if grant == "password":
        login += [("username", fields.text("username")), ("password", fields.text("password"))]
    elif "username" in fields or "password" in fields:
        raise wrong(fields.at("grant"), "client_credentials knows no username and password")
    login += [(name, fields.text(name)) for name in ("scope", "audience") if name in fields]
    extra = list(fields.pairs("extra"))
    refresh = [("grant_type", "refresh_token"), ("refresh_token", "${refresh_token}")]
    return _step(fields, url, [*login, *extra]), _step(fields, url, [*refresh, *extra])


def _step(fields: Fields, url: str, form: list[tuple[str, str]]) -> Step:
    """The client says who it is in the Authorization header, which RFC 6749 section 2.3.1 prefers, or in the body."""
    client = (fields.text("client_id", ""), fields.text("client_secret", ""))
    in_header = fields.one_of("client_auth", ("basic", "body"), "basic") == "basic" and bool(client[1])
    if not in_header:
        named = zip(("client_id", "client_secret"), client, strict=True)
        form = [*form, *((name, value) for name, value in named if value)]
    return Step(
        method="POST",
        url=url,
        headers=(("Accept", "application/json"),),
        form=tuple(form),
        # RFC 6749 section 2.3.1: both are form-encoded before they are joined.
        basic=(_encoded(client[0]), _encoded(client[1])) if in_header else None,
        take=(
            Take("access_token", "json", "$.access_token"),
            Take("refresh_token", "json", "$.refresh_token", optional=True),
            Take("expires_in", "json", "$.expires_in", optional=True),
        ),
    )


def _encoded(text: str) -> str:
    """Form-encoded, except for a text with variables, whose values are not known yet."""
    return text if "${" in text else quote_plus(text, safe="*-._~")
