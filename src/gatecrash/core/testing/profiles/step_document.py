"""Steps and what is taken from their answers, as people write them down."""

from typing import Final, cast

import orjson

from gatecrash.core.errors import InvalidPattern, InvalidPoint
from gatecrash.core.notation import upper
from gatecrash.core.point import Point
from gatecrash.core.testing.profiles.fields import Fields, text_of, wrong
from gatecrash.core.testing.profiles.json_paths import compile_path
from gatecrash.core.testing.profiles.patterns import compile_search
from gatecrash.core.testing.profiles.profile import Once, Placed, Source, Step, Take
from gatecrash.core.testing.profiles.template import BUILT_IN, NAME

STEP_FIELDS: Final = ("method", "url", "path", "headers", "json", "form", "body", "basic", "take")
SOURCES: Final = ("json", "header", "cookie", "pattern")
METHODS: Final = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
MOST_EXPRESSION: Final = 1024
_UNSAFE: Final = ("POST", "PUT", "PATCH", "DELETE")


def read_step(document: object, place: str) -> Step:
    """One request of a login."""
    fields = Fields(document, place, "a step", STEP_FIELDS)
    bodies = [name for name in ("json", "form", "body") if name in fields]
    if len(bodies) > 1:
        raise wrong(fields.at(bodies[1]), f"stands beside {bodies[0]}; a request has one body")
    basic = fields.raw("basic")
    return Step(
        method=fields.one_of("method", METHODS, "POST" if bodies else "GET"),
        url=read_url(fields),
        headers=fields.pairs("headers"),
        json=_json(fields) if "json" in fields else None,
        form=fields.pairs("form") if "form" in fields else None,
        body=fields.text("body", "") if "body" in fields else None,
        basic=None if basic is None else _basic(basic, fields.at("basic")),
        take=read_takes(fields.raw("take"), fields.at("take")),
    )


def read_url(fields: Fields) -> str:
    """`url`, or `path` which says the same: an http address, or a path that begins with a slash."""
    if ("url" in fields) == ("path" in fields):
        raise wrong(fields.at("url"), "give either url or path")
    name = "url" if "url" in fields else "path"
    value = fields.text(name, most=4096)
    if not value.startswith(("http://", "https://", "/")):
        raise wrong(fields.at(name), "is neither an http:// or https:// address nor a path that begins with /")
    if any(ord(character) <= 0x20 for character in value):
        raise wrong(fields.at(name), "holds a blank or a control character; write it as %20 and the like")
    return value


def read_takes(document: object, place: str) -> tuple[Take, ...]:
    """`{token: {json: $.token}}`: variables and where an answer holds them."""
    if document is None:
        return ()
    if not isinstance(document, dict):
        raise wrong(place, "is a set of variables, each with json, header, cookie or pattern")
    return tuple(_take(name, value, f"{place}.{str(name)[:60]}") for name, value in document.items())


def read_placed(document: object, place: str) -> Placed:
    """A point and the text that is set there."""
    fields = Fields(document, place, "a value", ("point", "value"))
    steps = fields.raw("point")
    try:
        point = Point.parse(steps if isinstance(steps, list | tuple) else [])
    except InvalidPoint as error:
        raise wrong(fields.at("point"), str(error)) from error
    if tuple(point[:2]) == ("header", "COOKIE") and len(point) == 2:
        raise wrong(fields.at("point"), 'names all cookies; name one: ["header", "COOKIE", "cookie", "sid"]')
    return Placed(tuple(point), fields.text("value"))


def read_once(document: object, place: str) -> Once:
    """Values for one request each, with the steps that fetch them."""
    fields = Fields(document, place, "a one-time value", ("steps", "values", "methods"))
    steps = fields.each("steps", read_step)
    values = fields.each("values", read_placed)
    if not values:
        raise wrong(fields.at("values"), "is required: what is fetched must be put somewhere")
    methods = fields.each("methods", lambda item, at: text_of(item, at).upper())
    # What is fetched is dear and commonly asked for by changing requests alone; what is made up costs nothing.
    return Once(values=values, steps=steps, methods=methods or (_UNSAFE if steps else ()))


def _take(name: object, document: object, place: str) -> Take:
    if not isinstance(name, str) or not NAME.fullmatch(name) or name in BUILT_IN:
        raise wrong(place, "is no name for a variable: letters, digits and _, and none of " + ", ".join(BUILT_IN))
    fields = Fields(document, place, "what is taken", (*SOURCES, "optional"))
    given = [source for source in SOURCES if source in fields]
    if len(given) != 1:
        raise wrong(place, f"names {len(given)} of {', '.join(SOURCES)}; give one")
    expression = fields.text(given[0], most=MOST_EXPRESSION)
    _check_expression(given[0], expression, fields.at(given[0]))
    if given[0] == "header":
        expression = upper(expression)
    return Take(name, cast("Source", given[0]), expression, fields.flag("optional", default=False))


def _check_expression(source: str, expression: str, place: str) -> None:
    try:
        if source == "json":
            compile_path(expression)
        elif source == "pattern":
            compile_search(expression)
    except InvalidPattern as error:
        raise wrong(place, _first_line(error)) from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _json(fields: Fields) -> str:
    try:
        text = orjson.dumps(fields.raw("json")).decode()
    except (orjson.JSONEncodeError, RecursionError) as error:
        raise wrong(fields.at("json"), "holds what JSON cannot say") from error
    return text_of(text, fields.at("json"))


def _basic(document: object, place: str) -> tuple[str, str]:
    fields = Fields(document, place, "basic", ("username", "password"))
    return fields.text("username"), fields.text("password", "")
