"""An auth profile as people write it down: read strictly, every mistake named with its place, no secret ever shown."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

from gatecrash.core.errors import InvalidPattern
from gatecrash.core.testing.profiles import oauth2
from gatecrash.core.testing.profiles.fields import Fields, wrong
from gatecrash.core.testing.profiles.profile import AuthProfile, CheckAddress, ProfileIdentity, Step
from gatecrash.core.testing.profiles.signing import variable_texts
from gatecrash.core.testing.profiles.signing_document import read_signer
from gatecrash.core.testing.profiles.step_document import (
    SOURCES,
    read_once,
    read_placed,
    read_step,
    read_takes,
    read_url,
)
from gatecrash.core.testing.profiles.template import BUILT_IN, NAME, references
from gatecrash.core.testing.selection.hosts import AllowedHosts

# Of the profile they hold for every identity; an identity that has one of its own uses that.
_SHARED: Final = (
    "variables", "values", "login", "refresh", "oauth2", "expires_in", "cookies", "renew", "once", "sign", "hosts",
    "check",
)  # fmt: skip
FIELDS: Final = ("name", "base", "identities", *_SHARED)
MOST_IDENTITIES: Final = 20
MOST_RANK: Final = 1000
MOST_SECONDS: Final = 10 * 365 * 86400
__all__ = ["FIELDS", "SOURCES", "read_profile"]


def read_profile(document: object, profile_id: str) -> AuthProfile:
    """The profile of a document with the fields that docs/auth-profiles.md describes.

    Raises InvalidProfile with the field that is wrong, and never with its value.
    """
    fields = Fields(document, "", "an auth profile", FIELDS)
    shared = {name: fields.raw(name) for name in _SHARED if name in fields}
    identities = fields.each("identities", lambda item, at: _identity(item, at, shared))
    if not identities:
        identities = (_identity({"name": "default"}, "", shared),)
    if len(identities) > MOST_IDENTITIES:
        raise wrong("identities", f"are more than {MOST_IDENTITIES}")
    names = [identity.name for identity in identities]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise wrong(f"identities[{place}].name", "is another identity's name already")
    return AuthProfile(
        id=profile_id,
        name=fields.text("name", profile_id, most=255),
        identities=identities,
        base=_base(fields),
    )


def _identity(document: object, place: str, shared: dict[str, object]) -> ProfileIdentity:
    own = Fields(document, place, "an identity", ("name", "rank", *_SHARED))
    # A login of its own stands in the place of the profile's, in whichever form either is written.
    left_out = {"login", "refresh", "oauth2"} if "login" in own or "oauth2" in own else set()
    left_out |= {"values"} if "oauth2" in own else set()
    merged: dict[str, object] = {name: value for name, value in shared.items() if name not in left_out}
    merged |= {name: own.raw(name) for name in ("name", "rank", *_SHARED) if name in own}
    fields = Fields(merged, place, "an identity", ("name", "rank", *_SHARED))
    variables = tuple({**dict(_variables(Fields(shared, "", "", _SHARED))), **dict(_variables(fields))}.items())
    rank = fields.whole("rank", 0, MOST_RANK, 0)
    identity = ProfileIdentity(
        name=fields.text("name", most=64),
        rank=rank or 0,
        variables=variables,
        **_login(fields),
        cookies=fields.flag("cookies", default=True),
        renew=read_takes(fields.raw("renew"), fields.at("renew")),
        once=fields.each("once", read_once),
        sign=read_signer(fields.raw("sign"), fields.at("sign")) if "sign" in fields else None,
        hosts=_hosts(fields),
        check=_check(fields.raw("check"), fields.at("check")) if "check" in fields else None,
    )
    _check_references(identity, fields)
    if not (identity.values or identity.login or identity.sign):
        raise wrong(place, "has no credentials: give values, login, oauth2 or sign")
    return identity


def _login(fields: Fields) -> dict[str, Any]:
    """Values, steps, refreshing steps and life, of `login` or of `oauth2`."""
    values = fields.each("values", read_placed)
    expires_in = _expires_in(fields)
    if "oauth2" not in fields:
        login = fields.each("login", read_step)
        refresh = fields.each("refresh", read_step)
        if refresh and not login:
            raise wrong(fields.at("refresh"), "needs a login to begin with")
        return {"values": values, "login": login, "refresh": refresh, "expires_in": expires_in}
    if "login" in fields:
        raise wrong(fields.at("oauth2"), "stands beside login; give one of them")
    login_step, refresh_step = oauth2.read_grant(fields.raw("oauth2"), fields.at("oauth2"))
    return {
        "values": values or (oauth2.BEARER,),
        "login": (login_step,),
        "refresh": (refresh_step,),
        "expires_in": expires_in or oauth2.EXPIRES_IN,
    }


def _expires_in(fields: Fields) -> str:
    value = fields.raw("expires_in")
    if isinstance(value, str) and "${" in value:
        return fields.text("expires_in", "", most=200)
    seconds = fields.whole("expires_in", 1, MOST_SECONDS)
    return "" if seconds is None else str(seconds)


def _variables(fields: Fields) -> tuple[tuple[str, str], ...]:
    pairs = fields.pairs("variables")
    for name, _ in pairs:
        if not NAME.fullmatch(name) or name in BUILT_IN:
            raise wrong(f"{fields.at('variables')}.{name[:60]}", "is no name for a variable: letters, digits and _")
    return pairs


def _check(document: object, place: str) -> CheckAddress:
    fields = Fields(document, place, "check", ("method", "url", "path", "status", "contains"))
    return CheckAddress(
        url=read_url(fields),
        method=fields.one_of("method", ("GET", "HEAD", "OPTIONS"), "GET"),
        status=fields.whole("status", 100, 599),
        contains=fields.text("contains", "", most=1024),
    )


def _base(fields: Fields) -> str:
    base = fields.text("base", "", most=1024).rstrip("/")
    try:
        parts = urlsplit(base)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.path or parts.query)
        right = right and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        right = False
    if base and not right:
        raise wrong("base", "is no origin: write https://host or https://host:port, without a path")
    return base


def _hosts(fields: Fields) -> str:
    hosts = fields.text("hosts", "", most=4096)
    try:
        AllowedHosts(hosts)
    except InvalidPattern as error:
        raise wrong(fields.at("hosts"), str(error)) from error
    return hosts


def _check_references(identity: ProfileIdentity, fields: Fields) -> None:
    """Every variable that is used must be given or taken somewhere."""
    known = {*BUILT_IN, *(name for name, _ in identity.variables)}
    steps = (*identity.login, *identity.refresh, *(step for once in identity.once for step in once.steps))
    known |= {take.variable for step in steps for take in step.take}
    known |= {take.variable for take in identity.renew}
    for where, text in _texts(identity):
        missing = [name for name in references(text) if name not in known]
        if missing:
            raise wrong(fields.at(where), f"the variable {missing[0][:60]!r} is neither given nor taken from an answer")


def _texts(identity: ProfileIdentity) -> Iterator[tuple[str, str]]:
    for placed in identity.values:
        yield "values", placed.value
    yield "expires_in", identity.expires_in
    if identity.sign is not None:
        yield from (("sign", text) for text in variable_texts(identity.sign))
    for where, steps in (("login", identity.login), ("refresh", identity.refresh)):
        for place, step in enumerate(steps):
            yield from ((f"{where}[{place}]", text) for text in _texts_of(step))
    for place, once in enumerate(identity.once):
        for placed in once.values:
            yield f"once[{place}].values", placed.value
        for step in once.steps:
            yield from ((f"once[{place}].steps", text) for text in _texts_of(step))


def _texts_of(step: Step) -> Iterator[str]:
    yield from (step.url, step.json or "", step.body or "", *(step.basic or ()))
    for pairs in (step.headers, step.form or ()):
        yield from (value for _, value in pairs)
